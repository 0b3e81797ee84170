import Diagnostics
import JSONText
import SplitreelProject
import SplitreelTimeline

extension Validator {
    /// Checks a nested composition as a whole one is checked; its problems are told under its own place.
    mutating func checkNested(_ name: String, _ asset: AssetKeys, _ path: String) {
        guard let inner = asset.project else {
            if asset.url?.isEmpty != false {
                error(
                    .assetIncomplete, path + ".url", "the nested composition has neither `url` nor `project`",
                    hint: "name the file that it is read from")
            } else if checkName(asset.url, path + ".url") {
                error(
                    .assetIncomplete, path + ".project", "the nested composition has not been read",
                    hint: "`splitreel submit` and `render` read it; what is sent otherwise has it in `project`")
            }
            return
        }
        if inner.format != Project.formatName {
            error(.formatUnknown, path + ".project.format", "the format `\(inner.format.prefix(80))` is not known")
        }
        if let other = project.assets.keys.sorted().first(where: { $0.hasPrefix(nestedPrefix(name)) }) {
            error(
                .usedTwice, "assets.\(other)", "the name begins like those of the assets in `\(name)`",
                hint: "rename one of the two")
        }
        var validator = Validator(project: inner, facts: facts?.inside(name))
        validator.isNested = true
        validator.checkAll(outputs: false)
        for problem in validator.problems {
            // It is said once for the whole film.
            let isRepeated = [.layersAreFitted, .pictureOffCanvas].contains(problem.code)
            if isRepeated, problems.contains(where: { $0.code == problem.code }) { continue }
            var problem = problem
            problem.path = path + ".project" + (problem.path.isEmpty ? "" : "." + problem.path)
            add(problem)
        }
    }

    /// Whether nesting is within its limits; only then the rest is looked at.
    mutating func checkNesting() -> Bool {
        guard !isNested else { return true }
        guard project.assets.values.contains(where: { $0.keys.project != nil }) else { return checkPictures() }
        let (depth, count) = project.nesting
        let before = problems.count
        if depth > NestingLimits.depth {
            refuse("compositions nest \(depth) deep; \(NestingLimits.depth) is the limit")
        } else if count > NestingLimits.projects {
            refuse("there are \(count) nested compositions; \(NestingLimits.projects) is the limit")
        } else {
            let load = NestedLoad(project, facts: facts)
            if load.pictures > Double(NestingLimits.pictures) {
                refuse("a frame has more than \(NestingLimits.pictures) pictures, nested ones included")
            }
            if load.sounds > Double(Self.mostSounds) {
                refuse("more than \(Self.mostSounds) audio tracks are heard at once, nested ones included")
            }
            if load.pixels > Double(NestingLimits.pixels) {
                refuse("the nested canvases in one another have more than \(NestingLimits.pixels) pixels")
            }
        }
        return problems.count == before
    }

    /// Checks the pictures of a frame without nested compositions: only effects that look around multiply them.
    private mutating func checkPictures() -> Bool {
        guard project.ownEffects.contains(where: { $0.acting?.looksAround == true }),
            NestedLoad(project, facts: facts).pictures > Double(NestingLimits.pictures)
        else { return true }
        error(
            .valueNotAllowed, "video",
            "a frame has more than \(NestingLimits.pictures) pictures, those that effects look at included",
            hint: "leave out effects that see other frames, or layers")
        return false
    }

    private mutating func refuse(_ what: String) {
        error(.nestingImpossible, "assets", what, hint: "render some of the nested compositions beforehand")
    }
}
