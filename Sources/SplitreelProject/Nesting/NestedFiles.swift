import Diagnostics
package import Foundation
package import JSONText

/// The files of nested compositions, read into the project that shows them: a submitted project is whole in itself, and
/// nothing that happens to an inner file later changes a render.
package struct NestedFiles: Sendable {
    /// The bytes of a file, and one name for it by whatever path it was found.
    package struct Text: Sendable {
        package var bytes: Data
        package var identity: String

        package init(bytes: Data, identity: String) { (self.bytes, self.identity) = (bytes, identity) }
    }

    /// The project with all that it shows; incomplete where there are errors among the problems.
    package private(set) var project: Project
    /// The problems of the inner files' form, and of files that cannot be read.
    package private(set) var problems: [Problem] = []
    /// The inner files by their place in the project, such as `assets.intro.project`.
    private var texts: [String: (file: String, bytes: Data)] = [:]
    private var bytes = 0

    /// - Parameters:
    ///   - project: the project, its URLs absolute.
    ///   - path: the path that it was read from.
    ///   - read: reads an absolute path; throws `SplitreelError`.
    package init(of project: Project, path: String, identity: String, read: (_ path: String) throws -> Text) {
        self.project = project
        self.project = filled(project, place: "", chain: [(path, identity)], read)
    }

    private mutating func filled(
        _ project: Project, place: String, chain: [(path: String, identity: String)], _ read: (String) throws -> Text
    ) -> Project {
        var project = project
        for (name, asset) in project.assets.sorted(by: { $0.key < $1.key }) where asset.isNested {
            let own = place + "assets.\(name)"
            if chain.count > NestingLimits.depth {
                refuse(own, "compositions nest more than \(NestingLimits.depth) deep")
                return project
            }
            if texts.count >= NestingLimits.projects {
                refuse(own, "there are more than \(NestingLimits.projects) files of nested compositions")
                return project
            }
            if let inner = asset.keys.project {
                project.assets[name]?.keys.project = filled(inner, place: own + ".project.", chain: chain, read)
            } else if let url = asset.keys.url, !url.isEmpty, !url.contains("\0") {
                project.assets[name]?.keys.project = inner(url, own, chain, read)
            }
        }
        return project
    }

    private mutating func inner(
        _ url: String, _ place: String, _ chain: [(path: String, identity: String)], _ read: (String) throws -> Text
    ) -> Project? {
        let text: Text
        do {
            text = try read(url)
        } catch {
            let error = error as? SplitreelError
            problems.append(
                .error(
                    .compositionUnreadable, place + ".url",
                    "\(url): \(error?.reason.description ?? "it cannot be read")",
                    hint: error?.hint.description ?? ""))
            return nil
        }
        if let known = chain.firstIndex(where: { $0.identity == text.identity }) {
            let names = (chain[known...].map(\.path) + [url]).joined(separator: " → ")
            problems.append(.error(.nestingImpossible, place + ".url", "the composition shows itself: \(names)"))
            return nil
        }
        bytes += text.bytes.count
        guard bytes <= NestingLimits.bytes else {
            refuse(place, "nested compositions have more than \(NestingLimits.bytes >> 20) MiB of text")
            return nil
        }
        let own = place + ".project"
        texts[own] = (url, text.bytes)
        let (parsed, found) = Project.parse(text.bytes)
        problems += found.map { problem in
            var problem = problem
            problem.path = own + (problem.path.isEmpty ? "" : "." + problem.path)
            return problem
        }
        let folder = url.lastIndex(of: "/").map { String(url[..<$0]) } ?? ""
        return (parsed?.resolvingURLs(against: folder.isEmpty ? "/" : folder)).map {
            filled($0, place: own + ".", chain: chain + [(url, text.identity)], read)
        }
    }

    private mutating func refuse(_ place: String, _ what: String) {
        if problems.contains(where: { $0.code == .nestingImpossible }) { return }
        problems.append(
            .error(.nestingImpossible, place, what, hint: "render some of the nested compositions beforehand"))
    }

    /// The problem with its own file's path, line and column where it lies in an inner file; as it is for others.
    package func located(_ problem: Problem) -> Problem {
        guard problem.file == nil, let (place, text) = innermost(problem.path) else { return problem }
        var own = problem
        own.file = text.file
        own.path = String(problem.path.dropFirst(place.count).drop { $0 == "." })
        return [own].located(in: text.bytes)[0]
    }

    private func innermost(_ path: String) -> (place: String, text: (file: String, bytes: Data))? {
        var holder: Substring? = path[...]
        while let place = holder {
            if let text = texts[String(place)] { return (String(place), text) }
            holder = place.holder
        }
        return nil
    }
}
