package import Diagnostics
package import Hashing
package import JSONText
package import MediaFacts
import MediaTime
import Pictures
package import Planning
package import SplitreelProject
import Validation

/// A frozen plan with what the person should be told about it.
package struct PreparedPlan: Sendable {
    package var plan: RenderPlan
    package var notices: NoticeList
}

/// A job's frozen plan with the content keys of its tasks.
package struct KeyedPlan: Sendable {
    package var plan: RenderPlan
    package var contents: TaskContents
    package var notices: NoticeList
    /// The memory that a slot takes for a chunk at its peak, in bytes, about.
    package var slotBytes: Int

    /// The keys in the order of the tasks; see `RenderPlan.part(ofTask:)`.
    package var keys: [ContentKey] { contents.keys }
}

/// Makes a plan from a composition (URLs absolute): probes its assets, validates, resolves settings, splits.
///
/// The structure is checked before a file is opened: a fault there costs no time. Blocking; for a dedicated thread.
/// Throws the first fault that makes the render impossible.
package func preparePlan(
    project: Project, request: OutputRequest, prober: any AssetProber = InProcessProber(),
    authorize: @escaping @Sendable (_ path: String) throws -> Void = { _ in }
) throws -> PreparedPlan {
    try preparePlans(project: project, requests: [request], prober: prober, authorize: authorize)[0]
}

/// Makes a plan to listen to the composition's mix. Where all its sounds are one sound field and the request says no
/// layout, it is of that field, as is the request that comes with it.
package func prepareMix(
    project: Project, request: OutputRequest
) throws -> (plan: PreparedPlan, request: OutputRequest) {
    let planning = try OutputPlanning(
        project: project, requests: [request], prober: InProcessProber(), authorize: { _ in })
    let request = try planning.takingField(request)
    return (try planning.plan([request], alone: true), request)
}

/// Makes a plan of its own for each of several outputs of one composition, in their order; its assets are read once.
package func preparePlans(
    project: Project, requests: [OutputRequest], prober: any AssetProber = InProcessProber(),
    authorize: @escaping @Sendable (_ path: String) throws -> Void = { _ in }
) throws -> [PreparedPlan] {
    let planning = try OutputPlanning(project: project, requests: requests, prober: prober, authorize: authorize)
    return try requests.map { try planning.plan([$0], alone: true) }
}

/// Makes a plan for each output, with the chunks that it has beside the others of its job, as it will be rendered.
package func prepareShown(project: Project, requests: [OutputRequest]) throws -> [PreparedPlan] {
    try OutputPlanning(project: project, requests: requests, prober: InProcessProber(), authorize: { _ in })
        .plansOfJobs(requests)
}

/// Makes one plan for all outputs of a job, which show the same frames: see `[OutputRequest].byJob`. With the keys of
/// its tasks: cost is a recipe for each frame.
package func prepareJob(
    project: Project, requests: [OutputRequest], prober: any AssetProber = InProcessProber(),
    authorize: @escaping @Sendable (_ path: String) throws -> Void = { _ in }
) throws -> KeyedPlan {
    guard let first = requests.first, requests.dropFirst().allSatisfy({ $0.hasFrames(of: first) }) else {
        throw SplitreelError(
            .usage, operation: "planning", subject: requests.first?.path ?? "no output",
            reason: "the outputs of one job are of the same range and rate",
            hint: "submit those that differ as jobs of their own")
    }
    return try OutputPlanning(project: project, requests: requests, prober: prober, authorize: authorize)
        .keyedPlan(requests)
}

/// Refuses what can be refused of a submission before any file is opened: a composition that is wrong in itself, codecs
/// and numbers that cannot be. Whoever asks has the answer at once and not as a failed job.
package func refuseImpossible(_ project: Project, request: OutputRequest) throws {
    try refuseInvalid(project, assets: nil, strict: request.rendering.strict)
    try tellingKeys(of: request, in: project) { try refuseImpossibleSettings(project, request) }
    try refuseInvalidOutputs(of: project, made: [request])
}

private func refuseImpossibleSettings(_ project: Project, _ request: OutputRequest) throws {
    try request.refuseWrongTags(for: project)
    let tracks = project.composition.tracks.filter(\.isEnabled)
    let canvas = try request.outputSize() ?? sizeAsWritten(project.video)
    let pace = try request.outputFrameDuration() ?? project.video?.frameDuration
    // Stand-ins for what only the media tell fit every codec, but not every level.
    var asked = request
    if canvas == nil || pace == nil { asked.picture.level = nil }
    let frameDuration = pace ?? MediaTime(value: 1, timescale: 30)
    let facts = OutputFacts(
        hasVideo: tracks.contains { $0.type == .video }, hasAudio: tracks.contains { $0.type == .audio },
        size: try canvas.map(request.shownSize) ?? PixelSize(width: 640, height: 360), frameDuration: frameDuration)
    var settings = try resolve(asked, facts: facts)
    try settings.route(request, of: project)
    _ = try ChunkLimits(text: request.rendering.chunkSeconds, frameDuration: frameDuration)
    try checkRange(of: request, duration: project.exactDuration)
}

/// The render size as it is written; nil where a scale or the media have a say in it.
private func sizeAsWritten(_ video: VideoComposition?) -> PixelSize? {
    video?.renderScale == nil ? video?.renderSize : nil
}

extension Problem {
    /// The problem as a render tells it.
    package var notice: Notice {
        Notice(
            code, subject: path.isEmpty ? "the composition" : path, reason: message,
            hint: hint.isEmpty ? nil : hint)
    }
}

/// Throws the first error of the validation, or where it is `strict` the first warning; returns its warnings.
@discardableResult
package func refuseInvalid(
    _ project: Project, assets: [String: AssetFacts]?, strict: Bool = false
) throws -> [Problem] {
    try project.validate(assets: assets, outputs: false).refused(strict: strict)
}

/// Throws the first error of those outputs of the file that the requests make, or where it is `strict` the first
/// warning; returns their warnings.
@discardableResult
func refuseInvalidOutputs(of project: Project, made requests: [OutputRequest]) throws -> [Problem] {
    let places = Set(requests.compactMap(\.entry).map { "outputs[\($0)]" })
    guard !places.isEmpty else { return [] }
    let problems = project.problemsOfOutputs().filter { problem in
        places.contains { problem.path == $0 || problem.path.hasPrefix($0 + ".") }
    }
    return try problems.refused(strict: requests.contains(where: \.rendering.strict))
}

extension [Problem] {
    /// Returns the warnings; throws the first error, or where it is `strict` the first warning.
    fileprivate func refused(strict: Bool) throws -> [Problem] {
        let errors = filter { strict || $0.severity == .error }
        guard let first = errors.first(where: { $0.severity == .error }) ?? errors.first else { return self }
        var error = first.asError
        if errors.count > 1 { error.reason += " (and \(errors.count - 1) more: `splitreel validate` lists them)" }
        throw error
    }
}
