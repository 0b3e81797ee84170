import Diagnostics
import Foundation
package import MediaFacts
import MediaTime
package import Outputs
package import SplitreelProject
package import SplitreelTimeline

/// Freezes the work order of one output. Pure: the same input gives the same bytes.
///
/// - Parameters:
///   - timeline: the timeline of the same project and assets.
///   - assets: the files' facts by the assets' names in the project.
///   - request: its range and chunk length count here; the rest is in `output`.
///   - common: the chunks of an output with the same frames, where it is to have the same.
///   - planning: the work that plans of this timeline share.
///   - coded: the packets of sources that the film may copy; none where it has `chunks` of another.
/// - Throws: `.usage` for a range or chunk length that cannot be read or is empty, `.settingsImpossible` where the plan
///   would be larger than 2³¹ frames or `ChunkLimits.mostChunks`, `.copyImpossible` where a copy is required.
package func makePlan(
    project: Project, timeline: Timeline, assets: [String: AssetFacts], request: OutputRequest, output: OutputSettings,
    chunks common: [Chunk]? = nil, with planning: CommonPlanning? = nil, coded: CodedTracks = CodedTracks()
) throws -> RenderPlan {
    let (project, planning) = (project.pitched(by: request.canvas.pitch), planning ?? CommonPlanning(timeline))
    try timeline.refuseNothing(path: request.path)
    try refuseTooManyTimes(project, assets)
    let range = try OutputRange(request: request, compositionDuration: timeline.duration)
    let frames = try FilmFrames(of: timeline, range, assets, request, output)
    let (times, timing, frameCount) = (frames.times, frames.timing, frames.count)
    var output = output
    output.posterFrame = try posterFrame(request, from: range.start, timing, frameCount: frames.own, output)
    if times != nil, try request.withPreset().picture.keyFrameInterval == nil,
        let interval = output.video?.keyFrameInterval,
        interval > 1
    {
        output.video?.keyFrameInterval = keyFrameInterval(ofPace: timing.pace)
    }
    try request.refuseWrongTags(for: project)
    if frames.stills == nil, output.container.kind != .waveform {
        try output.addWords(of: project, assets, request, range)
        output.moveWords(by: frames.leadDuration)
    }
    let duration = frames.leadDuration + range.duration
    let sampleCount = try output.addSounds(of: project, timeline, assets, request, duration: duration)
    guard frameCount > 0 || sampleCount > 0 || output.stream != nil else {
        throw SplitreelError(
            .usage, operation: "cutting the range", subject: "\(.range)", reason: "it is shorter than half a sample",
            hint: "say a longer duration")
    }
    var plan = RenderPlan(
        rendererVersion: RenderPlan.currentRendererVersion,
        composition: planning.composition { absoluteComposition(project, assets: assets) },
        assets: assets.mapValues(\.planned), output: output,
        range: range.range, frameDuration: timeline.frameDuration, frameCount: frameCount,
        sampleRate: output.audio?.sampleRate ?? 0, sampleCount: sampleCount,
        chunks: [])
    (plan.frameTimes, plan.lead, plan.stills) = (times, frames.lead, frames.stills)
    if let common, frameCount > 0 {
        plan.chunks = common
        plan.chunks.setTerms(nil)
    } else if frames.stills != nil {
        plan.cutStills(timeline, assets)
    } else {
        let cutting = try ChunkCutting(range, timing, timeline: timeline, assets: assets, of: request, output)
        try plan.cut(cutting, frames.own, request, planning, coded)
        plan.addLead(timeline, assets)
    }
    if request.picture.keyFramesAtCuts == true && output.video?.codec.isIntraOnly == false {
        plan.placeKeyFrames(at: timeline.cuts.map { frames.first(atOrAfter: $0 - range.start) })
    }
    if let text = request.timing.segmentInterval, let interval = SegmentInterval.read(text) {
        plan.placeKeyFrames(at: timing.segmentStarts(every: interval, frameCount: frameCount))
    }
    if let limit = request.delivery.fileLengthLimit {
        try plan.output.limit(
            toBytes: limit, duration: duration, chunks: plan.chunks.map(plan.length), frames: frameCount,
            samples: sampleCount)
    }
    plan.shareRate()
    plan.widenTail()
    try plan.cutSound(timeline, assets, range, request)
    let effects = project.usedEffects
    plan.effects = effects.isEmpty ? nil : effects
    plan.noteNeeds(project.effectUses(assets))
    return plan
}

extension OutputSettings {
    /// Throws where a constant rate is asked of frames that are not even.
    fileprivate func refuseConstantRate() throws {
        guard video?.isConstantRate == true else { return }
        throw impossible(
            "\(.constantBitRate)", "the composition has a `frameTimingTrack`: its frames are not even",
            hint: "say \(.frameRate, value: .rates(["30"])) for even frames, or \(.leaveOut) (presets may have it)")
    }
}

extension RenderPlan {
    /// Cuts the range's frames into chunks, some of which may be copies of sources' packets.
    fileprivate mutating func cut(
        _ cutting: ChunkCutting, _ count: Int, _ request: OutputRequest, _ planning: CommonPlanning,
        _ coded: CodedTracks
    ) throws {
        let copying = CopyCutting(
            cutting, output.video, coded, frameCount: count,
            refusal: try CopyTerms.refusal(of: request, output, isEven: frameTimes == nil))
        let uncopied = {
            try planning.chunks(of: request, keyFrameInterval: count > 0 ? cutting.keyFrameInterval : 0) {
                try cutting.chunks(frameCount: count)
            }
        }
        chunks = try copying.chunks(frameCount: count, of: &self) ?? uncopied()
        copying.sayWhyRendered(&chunks)
        if request.rendering.passthrough == .require { try copying.requireCopies(chunks) }
    }
}

extension Timeline {
    fileprivate func refuseNothing(path: String) throws {
        guard duration <= .zero else { return }
        throw SplitreelError(
            .compositionInvalid, operation: "planning", subject: path, reason: "the composition lasts 0 s",
            hint: "give a track a segment")
    }
}

extension OutputSettings {
    /// Adds the words that stand in the film beside its picture and sound: tags, texts and chapters.
    fileprivate mutating func addWords(
        of project: Project, _ assets: [String: AssetFacts], _ request: OutputRequest, _ range: OutputRange
    ) throws {
        let tags = filmTags(of: project, request)
        self.tags = tags.isEmpty ? nil : tags
        // No document of a stream names tracks of text, of which chapters are one.
        guard request.streamPath == nil else { return }
        let texts = try filmTexts(
            of: project, assets, container: container, from: range.start, duration: range.duration)
        self.texts = texts.isEmpty ? nil : texts
        chapters = filmChapters(
            of: project, request.tags.chapters, container: container, from: range.start, duration: range.duration)
    }
}

extension RenderPlan {
    /// Makes key frames of `cuts`, frames of the film in any order; chunks begin with key frames as it is.
    fileprivate mutating func placeKeyFrames(at cuts: [Int]) {
        let sorted = Set(cuts).sorted()
        for index in chunks.indices {
            let chunk = chunks[index]
            let from = sorted.partitionPoint { $0 <= chunk.firstFrame }
            let to = sorted.partitionPoint { $0 < chunk.frames.upperBound }
            guard from < to else { continue }
            let own = sorted[from..<to].map { $0 - chunk.firstFrame }
            chunks[index].keyFrames = Set(own + (chunks[index].keyFrames ?? [])).sorted()
        }
    }

    fileprivate mutating func shareRate() {
        guard let limit = output.video?.rateLimit else { return }
        var budget = RateBudget(limit)
        for index in chunks.indices { chunks[index].rate = budget.take(length(of: chunks[index])) }
    }

    fileprivate func length(of chunk: Chunk) -> Rational {
        let last = chunk.frames.upperBound - 1
        return timing.time(ofFrame: last) + timing.duration(ofFrame: last) - timing.time(ofFrame: chunk.firstFrame)
    }
}

/// Throws where a nested composition whose frames follow a track has no list of them: all lists together have a limit.
private func refuseTooManyTimes(_ project: Project, _ assets: [String: AssetFacts]) throws {
    let lacking = project.allAssets.first { name, _, asset in
        guard asset.nested?.video?.frameTimingTrack != nil, let facts = assets[name],
            facts.duration > .zero, let video = facts.firstTrack(of: .video)?.video
        else { return false }
        return video.frameTimes == nil
    }
    guard let lacking else { return }
    throw SplitreelError(
        .settingsImpossible, operation: "planning", subject: lacking.place,
        reason: "the frames of nested compositions that follow a track are more than \(FrameTimes.mostFrames) in all",
        hint: "leave out its `frameTimingTrack`, or show a shorter one")
}

/// The times at which an output's frames begin, and how many there are.
private struct FilmFrames {
    /// The list of the frames' times; nil where they are even.
    let times: FrameTimes?
    let timing: FrameTiming
    /// The number of the range's frames, or of the stills; 0 without a picture.
    let own: Int
    let lead: FilmLead?
    /// The time that the lead lasts, in seconds.
    let leadDuration: Rational
    /// The composition times of images of chosen moments, in place of the range's frames; nil for a film.
    let stills: [MediaTime]?

    init(
        of timeline: Timeline, _ range: OutputRange, _ assets: [String: AssetFacts], _ request: OutputRequest,
        _ output: OutputSettings
    ) throws {
        let end = range.start + range.duration
        stills = try request.stills(of: timeline, assets, output.container)
        times =
            output.video == nil || stills != nil
            ? nil : try timeline.frameTimes(from: range.start, to: end, assets: assets)
        timing =
            times.map { .listed($0, end: range.duration) } ?? .even(FrameGrid(frameDuration: timeline.frameDuration))
        own = output.video == nil ? 0 : stills?.count ?? timing.frameCount(duration: range.duration)
        lead = try request.lead(from: range.start, timing, frameCount: own)
        leadDuration = Rational(lead?.frameCount ?? 0) * Rational(timeline.frameDuration)
        try refuseTooManyFrames(count)
        try output.container.refuseTimes(timing, areEven: times == nil, frameCount: count, path: request.path)
        if times != nil { try output.refuseConstantRate() }
    }

    /// The number of the film's frames, with those of its lead.
    var count: Int { own + (lead?.frameCount ?? 0) }

    /// The first of the film's frames that begins at `time` or after it; `time` counts from the range's start.
    func first(atOrAfter time: Rational) -> Int { max(0, timing.firstFrame(atOrAfter: time)) + (lead?.frameCount ?? 0) }
}

/// The project's canonical text with every asset's URL replaced by the path that was probed, and with a version
/// wherever the newest is meant.
private func absoluteComposition(_ project: Project, assets: [String: AssetFacts]) -> String {
    var project = project.withEffectVersions
    for (name, facts) in assets where !facts.path.isEmpty { project.assets[name]?.keys.url = facts.path }
    return String(decoding: project.canonicalBytes(), as: UTF8.self)
}
