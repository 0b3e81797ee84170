package import Diagnostics
package import JSONText
package import MediaFacts
import MediaTime
import Outputs
package import Planning
import SplitreelFiles
package import SplitreelProject
import SplitreelTimeline

/// The problems of the file's own `outputs` beside their form: a container or codec that cannot be, a size or range
/// that a codec does not take, two that are one file. Parts that a film will not have are warnings. The project must be
/// valid, with its URLs absolute. `name` calls the settings that no key of the file says.
package func outputProblems(
    of project: Project, assets: [String: AssetFacts], calling name: (Setting) -> String = \.rawValue
) -> [Problem] {
    let canvases = PlannedCanvases(project, assets)
    let tracks = project.composition.tracks.filter(\.isEnabled)
    let sources = assets.values.flatMap(\.files).map(\.path)
    guard project.outputs?.isEmpty == false else {
        return problemsOfUsualFilm(of: project, assets: assets, canvases, calling: name)
    }
    var problems: [Problem] = []
    var all: [OutputRequest] = []
    for (index, entry) in (project.outputs ?? []).enumerated() {
        guard let url = entry.url else { continue }
        let asked = OutputRequest(path: url).filled(from: entry, at: index)
        do {
            try tellingKeys(of: asked, in: project) {
                let requests = try asked.streamed(
                    hasPicture: tracks.contains { $0.type == .video }, hasSound: tracks.contains { $0.type == .audio })
                all += requests
                for request in requests {
                    try refuseReplacing(request, inputs: sources)
                    let lacks = try tellingKeys(of: request, in: project) {
                        let canvas = try canvases.canvas(of: request)
                        let output = try resolve(request, timeline: canvas.timeline)
                        var plan = try makePlan(
                            project: project, timeline: canvas.timeline, assets: assets, request: request,
                            output: output, with: canvas)
                        try plan.check()
                        let fonts = try fontProblems(of: &plan, canvas.timeline, project)
                        problems += fonts.filter { !problems.contains($0) }
                        return try filmRemarks(request, plan, showing: canvas.timeline, of: project, assets: assets)
                    }
                    // The films of a stream lack the same.
                    for text in lacks.map({ $0.words(name) }) where !problems.contains(where: { $0.message == text }) {
                        problems.append(.warning(.sourceRemark, "outputs[\(index)]", text))
                    }
                }
            }
        } catch let error as SplitreelError {
            problems.append(error.told(name).problem(ofOutput: index))
        } catch {
            continue
        }
    }
    // Equal urls have been told.
    let urls = (project.outputs ?? []).compactMap(\.url)
    guard Set(urls).count == urls.count else { return problems }
    do { try refuseSamePlaces(all) } catch let error as SplitreelError {
        let index = all.compactMap(\.entry).last { "outputs[\($0)].url" == error.subject.description }
        problems.append(error.told(name).problem(ofOutput: index ?? 0))
    } catch {}
    return problems
}

/// The problems of the film that `render -o FILM.mp4` makes of a composition without outputs. They are warnings: with
/// other options or in another container it may be possible.
private func problemsOfUsualFilm(
    of project: Project, assets: [String: AssetFacts], _ canvases: PlannedCanvases, calling name: (Setting) -> String
) -> [Problem] {
    let request = OutputRequest(path: "/film.mp4")
    let place = project.video?.renderSize == nil ? "video" : "video.renderSize"
    do {
        let timeline = try canvases.canvas(of: request).timeline
        let output = try resolve(request, timeline: timeline)
        guard project.mayShowTexts else { return [] }
        var plan = try makePlan(
            project: project, timeline: timeline, assets: assets, request: request, output: output,
            with: canvases.canvas(of: request))
        return try fontProblems(of: &plan, timeline, project)
    } catch let error as SplitreelError where error.code == .settingsImpossible {
        let told = error.told(name)
        let words = "an mp4 cannot be made as it stands: \(told.subject): \(told.reason)"
        return [.warning(error.code, place, words, hint: told.hint.description)]
    } catch {
        return []
    }
}

/// The warnings of fonts that are not there, as a render tells them.
private func fontProblems(of plan: inout RenderPlan, _ timeline: Timeline, _ project: Project) throws -> [Problem] {
    let place = project.video?.animation == nil ? "video.subtitles" : "video.animation"
    return try plan.addFonts(of: [timeline], project, InProcessProber()).map { notice in
        .warning(notice.code, place, notice.reason.description, hint: notice.hint ?? "")
    }
}

extension SplitreelError {
    /// The error as a problem of an output, at its key where it is about one.
    fileprivate func problem(ofOutput index: Int) -> Problem {
        let place = subject.description
        let isPlaced = place.hasPrefix("outputs[\(index)].")
        return .error(
            code, isPlaced ? place : "outputs[\(index)]",
            "\(code.title): \(isPlaced ? "" : place + ": ")\(reason)", hint: hint.description)
    }
}

/// Refuses outputs of one command that go to one file, under whatever names: streams' films and sequences of images
/// too, however many images there will be.
package func refuseSamePlaces(_ requests: [OutputRequest]) throws {
    let places = requests.map { OutputName($0) }
    for (index, request) in requests.enumerated() {
        guard let earlier = places[..<index].firstIndex(where: { $0.collides(with: places[index]) }) else { continue }
        let first = requests[earlier]
        func name(_ request: OutputRequest) -> String { request.entry.map { "outputs[\($0)].url" } ?? request.path }
        throw SplitreelError(
            .outputInvalid, operation: "checking the outputs", subject: name(request),
            reason: first.entry == request.entry
                ? "two files of it have one name, \(request.path)"
                : "outputs[\(first.entry ?? 0)] goes to the same file, \(first.path)",
            hint: "give each output a file of its own")
    }
}

/// The place of an output; a folder's links are followed.
private struct OutputName {
    private let folder: String
    private let name: String
    private let images: ImagePattern?

    init(_ request: OutputRequest) {
        let parent = parentFolder(of: request.path)
        (folder, name) = (realPath(parent) ?? parent, fileName(of: request.path))
        images = ImagePattern(ofOutput: request.path, firstNumber: request.stills.startNumber ?? 1)
    }

    func collides(with other: OutputName) -> Bool {
        guard folder == other.folder else { return false }
        if let images, let others = other.images { return images.overlaps(others) }
        return name == other.name
    }
}

/// The remarks on parts of the composition, or of what was asked for, that a film will not have.
func filmRemarks(
    _ request: OutputRequest, _ plan: RenderPlan, showing canvas: Timeline, of project: Project,
    assets: [String: AssetFacts]
) throws -> [Phrase] {
    guard plan.isOfFilm else { return [] }
    let container = plan.output.container
    // A stream is told once, with the document by which players begin.
    let isTold = request.streamPath == nil || request.streamPath == request.path
    var texts = isTold ? textRemarks(of: project, assets, container: container).map { Phrase($0) } : []
    if canvas.hasAudio, request.sound.codec == nil, !container.holdsSound {
        texts.append("\(container.rawValue) holds pictures alone: the sound is left out")
    }
    if !canvas.hasVideo, !request.pictureSettings.isEmpty {
        texts.append("the composition has no picture: \(listed(request.pictureSettings)) left aside")
    }
    if !canvas.hasAudio, !request.soundSettings.isEmpty {
        texts.append("the composition has no sound: \(listed(request.soundSettings)) left aside")
    }
    if let missing = rangeBeyond(request, project.exactDuration, by: Rational(plan.frameDuration)) {
        texts.append(missing)
    }
    let (frame, film) = (Rational(plan.frameDuration), plan.filmDuration)
    // The frame is shown for more than a second longer.
    if plan.frameCount == 1, plan.frameTimes == nil, frame > film + Rational(1) {
        texts.append(
            """
            its one frame lasts \(frame.shortSeconds) s, and what it shows \(film.shortSeconds) s: say \(.frameRate) \
            for a higher rate
            """)
    }
    if isTold, let blended = blendedSound(of: project, plan) { texts.append(Phrase(blended)) }
    let chapters = isTold ? chapterRemarks(of: project, request.tags.chapters, container: container) : []
    let lowered = try lengthRemarks(request, plan.output, frameDuration: plan.frameDuration)
    let ofSettings = Planning.warnings(for: plan.output) + misnamed(request, container)
    return ofSettings.map { Phrase($0) } + texts + chapters.map { Phrase($0) } + lowered
}

/// A remark where a range ends after the composition does, by a frame or more; nil otherwise.
private func rangeBeyond(_ request: OutputRequest, _ length: Rational, by frame: Rational) -> Phrase? {
    guard let duration = request.timing.rangeDuration.flatMap({ MediaTime(text: $0)?.exact }) else { return nil }
    let start = request.timing.rangeStart.flatMap { MediaTime(text: $0)?.exact } ?? .zero
    let end = start + duration
    guard end >= length + frame else { return nil }
    let words: Phrase = """
        \(.range) ends at \(end.shortSeconds) s, and the composition at \(length.shortSeconds) s: the film lasts \
        \((length - max(start, .zero)).shortSeconds) s
        """
    return words
}

/// The settings in a row, with commas.
private func listed(_ settings: [Setting]) -> Phrase {
    var phrase: Phrase = ""
    for setting in settings { phrase += phrase.isEmpty ? "\(setting)" : ", \(setting)" }
    return phrase
}

/// A remark where languages, or a film and a commentary on it, would lie on top of each other: the file routes them to
/// sound tracks of their own, and this film has one for all. nil otherwise.
private func blendedSound(of project: Project, _ plan: RenderPlan) -> String? {
    guard plan.output.sounds.count == 1, plan.output.sounds.first?.tracks == nil else { return nil }
    let names = project.soundTracksApart
    guard !names.isEmpty else { return nil }
    return "what goes to the sound tracks \(names.joined(separator: ", ")) is mixed into one: an output whose "
        + "`audioTracks` name one of them has it alone, one that names more has them side by side"
}

/// A remark where a film's name is another container's: some readers go by it.
private func misnamed(_ request: OutputRequest, _ container: Container) -> [String] {
    guard request.delivery.fileType != nil, request.streamPath == nil,
        let named = try? Container(forPath: request.path), named != container,
        ![named, container].allSatisfy({ $0 == .mp4 || $0 == .m4a })
    else { return [] }
    return ["its name is that of \(named.rawValue), and it is \(container.rawValue): call it .\(container.rawValue)"]
}
