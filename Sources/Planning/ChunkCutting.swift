import Diagnostics
import MediaFacts
import MediaTime
import Outputs
import SplitreelTimeline

/// Cuts the frames of a range, or a part of them, into chunks.
struct ChunkCutting {
    let range: OutputRange
    let timing: FrameTiming
    let timeline: Timeline
    let assets: [String: AssetFacts]
    /// The output's frames from one key frame to the next at most.
    let keyFrameInterval: Int
    private let chunkSeconds: String?
    private let limits: ChunkLimits

    /// Throws `.usage` for a length of chunks that cannot be read.
    init(
        _ range: OutputRange, _ timing: FrameTiming, timeline: Timeline, assets: [String: AssetFacts],
        of request: OutputRequest, _ output: OutputSettings
    ) throws {
        (self.range, self.timing, self.timeline, self.assets) = (range, timing, timeline, assets)
        chunkSeconds = request.rendering.chunkSeconds
        keyFrameInterval = output.video?.keyFrameInterval ?? 1
        limits = try ChunkLimits(text: chunkSeconds, frameDuration: timing.pace, keyFrameInterval: keyFrameInterval)
    }

    /// The composition time of a frame of the range.
    func time(_ frame: Int) -> Rational { range.start + timing.time(ofFrame: frame) }

    /// All frames of the range. Throws `.settingsImpossible` for more chunks than a plan may have.
    func chunks(frameCount: Int) throws -> [Chunk] { try chunks(of: 0..<frameCount, in: frameCount) }

    /// Some frames of the range, which has `frameCount`; they are cut as if they were all there are.
    func chunks(of frames: Range<Int>, in frameCount: Int) throws -> [Chunk] {
        guard !frames.isEmpty else { return [] }
        if let maximum = limits.maximumFrames, frames.count / maximum > ChunkLimits.mostChunks {
            throw impossible(
                "\(.chunkSeconds, chunkSeconds ?? "")", "a plan has at most \(ChunkLimits.mostChunks) chunks",
                hint: "let chunks be longer")
        }
        let starts = [Rational.zero] + timeline.boundaries.map(\.time)
        let boundaries = starts.map { min(max(timing.firstFrame(atOrAfter: $0 - range.start), 0), frameCount) }
        let finder = KeyFrameFinder(timeline: timeline, assets: assets, timing: timing, start: range.start)
        let first = frames.lowerBound
        var cutter = RunCutter(
            frameCount: frames.count, limits: limits,
            boundaries: boundaries.map { min(max($0 - first, 0), frames.count) },
            keyFrame: { frame, reach in finder.nearest(to: frame + first, reach: reach).map { $0 - first } })
        if first > 0 { cutter.beginning = "behind a copy" }
        let cuts = cutter.cuts()
        let profiler = ChunkProfiler(timeline: timeline, assets: assets, time: time, boundaries: boundaries)
        let leadIn = LeadIn(timeline: timeline, assets: assets, time: time)
        return cuts.enumerated().map { index, cut in
            let start = first + cut.frame
            let end = index + 1 < cuts.count ? first + cuts[index + 1].frame : frames.upperBound
            let profile = profiler.profile(start..<end)
            var chunk = Chunk(
                index: index, kind: profile.kind, firstFrame: start, frameCount: end - start, cost: profile.cost,
                why: cut.why)
            let lead = leadIn.cost(of: start)
            if lead > 0 { chunk.leadCost = lead }
            return chunk
        }
    }
}
