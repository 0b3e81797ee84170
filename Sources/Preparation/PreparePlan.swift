package import Composition
package import Diagnostics
import Media
import MediaTime
import Pictures
package import Planning

/// A frozen plan with what the person should be told about it.
package struct PreparedPlan: Sendable {
    package var plan: RenderPlan
    package var notices: NoticeList
}

/// From a composition (URLs absolute) to a plan: probes its assets, validates, resolves settings, splits.
///
/// The structure is checked before a file is opened: what is wrong there costs no time. Blocking; for a dedicated
/// thread. Throws the first thing that makes the render impossible.
package func preparePlan(
    project: Project, request: OutputRequest, prober: any AssetProber = InProcessProber(),
    authorize: @escaping @Sendable (_ path: String) throws -> Void = { _ in }
) throws -> PreparedPlan {
    try preparePlans(project: project, requests: [request], prober: prober, authorize: authorize)[0]
}

/// The same for several outputs of one composition, in their order; its assets are read once.
package func preparePlans(
    project: Project, requests: [OutputRequest], prober: any AssetProber = InProcessProber(),
    authorize: @escaping @Sendable (_ path: String) throws -> Void = { _ in }
) throws -> [PreparedPlan] {
    try refuseInvalid(project, assets: nil)
    let assets = try probeAllAssets(
        of: project, prober: prober, usingProxies: requests.contains { $0.proxy == true }, authorize: authorize)
    let warnings = try refuseInvalid(project, assets: assets, strict: requests.contains { $0.strict == true })
    return try requests.map { request in
        let timeline = try request.timeline(of: project, assets: assets)
        let output = try resolve(request, timeline: timeline, assets: assets)
        var plan = try makePlan(project: project, timeline: timeline, assets: assets, request: request, output: output)
        plan.versions = rendererVersions()
        plan.encoders = encoderNames(output)
        var notices = NoticeList()
        let fontRemarks = try plan.addFonts(of: timeline, project, prober)
        for notice in warnings.map(\.notice) + remarks(on: assets) + fontRemarks { notices.add(notice) }
        let texts = textRemarks(of: project, assets, container: plan.output.container)
        for text in Planning.warnings(for: plan.output) + texts {
            notices.add(Notice(.sourceRemark, subject: request.path, reason: text))
        }
        if request.strict == true, let first = notices.notices.first { throw first.asError }
        return PreparedPlan(plan: plan, notices: notices)
    }
}

/// What can be refused of a submission before any file is opened: a composition that is wrong in itself, codecs and
/// numbers that cannot be. Whoever asks has the answer at once and not as a failed job.
package func refuseImpossible(_ project: Project, request: OutputRequest) throws {
    try refuseInvalid(project, assets: nil, strict: request.strict == true)
    let tracks = project.composition.tracks.filter(\.isEnabled)
    // Stand-ins for what only the media tell fit every codec.
    let frameDuration =
        try request.outputFrameDuration() ?? project.video?.frameDuration ?? MediaTime(value: 1, timescale: 30)
    let facts = OutputFacts(
        hasVideo: tracks.contains { $0.type == .video }, hasAudio: tracks.contains { $0.type == .audio },
        size: try request.outputSize() ?? sizeAsWritten(project.video) ?? PixelSize(width: 640, height: 360),
        frameDuration: frameDuration)
    _ = try resolve(request, facts: facts)
    _ = try ChunkLimits(text: request.chunkSeconds, frameDuration: frameDuration)
    try checkRange(of: request, duration: project.exactDuration)
}

private func encoderNames(_ output: OutputSettings) -> [String] {
    let video = output.video.map { encoderName(for: $0.codec) }
    let audio = output.audio.map { encoderName(for: $0.codec) }
    return [video, audio].compactMap { $0 }
}

/// nil where a scale or the media have a say in it.
private func sizeAsWritten(_ video: VideoDescription?) -> PixelSize? {
    video?.renderScale == nil ? video?.renderSize : nil
}

/// What probing found, file by file.
private func remarks(on assets: [String: AssetFacts]) -> [Notice] {
    let files = Dictionary(assets.values.map { ($0.path, $0) }) { first, _ in first }
    return files.values.sorted { $0.path < $1.path }.flatMap { facts in
        facts.warnings.map { Notice(.sourceRemark, subject: facts.path, reason: $0) }
    }
}

extension Problem {
    /// As a render tells it.
    package var notice: Notice {
        Notice(
            ErrorCode(code), subject: path.isEmpty ? "the composition" : path, reason: message,
            hint: hint.isEmpty ? nil : hint)
    }
}

extension Notice {
    /// Where warnings are errors.
    fileprivate var asError: SplitreelError {
        SplitreelError(
            .compositionInvalid, operation: "--strict", subject: subject, reason: reason,
            hint: "without --strict it is a warning")
    }
}

/// Throws the first error of the validation, or where it is `strict` the first warning; returns its warnings.
@discardableResult
package func refuseInvalid(
    _ project: Project, assets: [String: AssetFacts]?, strict: Bool = false
) throws -> [Problem] {
    let problems = project.validate(assets: assets, outputs: false)
    let errors = problems.filter { strict || $0.severity == .error }
    if let first = errors.first(where: { $0.severity == .error }) ?? errors.first {
        var error = first.asError
        if errors.count > 1 { error.reason += " (and \(errors.count - 1) more: `splitreel validate` lists them)" }
        throw error
    }
    return problems
}
