import Diagnostics
import MediaFacts
import MediaTime
import Outputs
import Pictures
import SplitreelProject
import SplitreelTimeline

// Images of chosen moments, in place of a film's frames in order.

extension OutputRequest {
    package static let mostStills = OutputEntry.mostTimes

    /// Whether the output is a film of the stills, one after the other without loss, for whoever reads the frames
    /// again. No output of a composition's own is such a film.
    private var isFilmOfStills: Bool { entry == nil && picture.codec == PictureCodec.ffv1.rawValue }

    /// The composition times of the frames that are shown at the moments asked for; nil where the frames are a film's.
    func stills(
        of timeline: Timeline, _ assets: [String: AssetFacts], _ container: Container
    ) throws -> [MediaTime]? {
        guard let stillTimes = stills.times else { return nil }
        guard container.kind == .images || isFilmOfStills else {
            throw impossible(
                path, "\(container.rawValue) holds frames in order and not chosen ones",
                hint: "name images of the `times` such as still-%02d.png")
        }
        guard (1...Self.mostStills).contains(stillTimes.count) else {
            throw impossible(
                "\(.times)", "\(stillTimes.count) of them are not 1 to \(Self.mostStills)",
                hint: "leave `times` out for an image of each frame")
        }
        if let most = canvas.maximumSize, most.width < 1 || most.height < 1 {
            throw impossible(
                "\(.maximumSize, value: .size(most.width, most.height))", "no image is so small", hint: "say [640, 360]"
            )
        }
        let times = try timeline.frameTimes(from: .zero, to: timeline.duration, assets: assets)
        let timing: FrameTiming =
            times.map { .listed($0, end: timeline.duration) }
            ?? .even(FrameGrid(frameDuration: timeline.frameDuration))
        let frameCount = timing.frameCount(duration: timeline.duration)
        return try stillTimes.map { moment in
            let frame = try framePlace(
                moment.description, option: "\(.times, shown(moment.description))", from: .zero, timing,
                frameCount: frameCount)
            return timing.time(ofFrame: frame).mediaTime
        }
    }

    /// The canvas's size in pixels within `maximumSize`, never larger; nil where it is the canvas's own. JPEG's sides
    /// are even.
    func boundedSize(of shown: PixelSize) -> PixelSize? {
        canvas.maximumSize.flatMap { shown.shrunk(into: $0, inStepsOf: (try? Container(of: self)) == .jpg ? 2 : 1) }
    }
}

extension RenderPlan {
    /// Cuts images of chosen moments into chunks of a few, so that many workers make them.
    mutating func cutStills(_ timeline: Timeline, _ assets: [String: AssetFacts]) {
        guard let stills else { return }
        let profiler = ChunkProfiler(
            timeline: timeline, assets: assets, time: { Rational(stills[$0]) }, boundaries: [])
        let length = max(4, (stills.count + 255) / 256)
        chunks = stride(from: 0, to: stills.count, by: length).enumerated().map { index, first in
            let frames = first..<min(stills.count, first + length)
            let profile = profiler.profile(frames)
            return Chunk(
                index: index, kind: profile.kind, firstFrame: first, frameCount: frames.count, cost: profile.cost,
                why: "chosen moments")
        }
    }
}
