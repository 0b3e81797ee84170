import Compositing
package import Diagnostics
package import Libav
package import MediaFacts
package import MediaTime
import MediaWriting
package import Outputs
package import Pictures
import Planning
package import SplitreelProject
import SplitreelTimeline
import Validation

/// Single frames of a composition or of a media file, composed by the same code as films. Blocking; one thread at a
/// time.
package final class FrameGrabber {
    private let timeline: Timeline
    private let assets: [String: AssetFacts]
    private let settings: VideoSettings
    private let sources: SourcePool
    private let composer: FrameComposer
    private let isOnGrid: Bool
    /// The times of the output's frames; nil where these are even, or where exact times are shown.
    private let frameTimes: FrameTimes?

    /// - Parameter isOnGrid: true shows the output frame that holds a time (floor to the frame grid, or to
    ///   the timing track's times); false the picture at exactly that time.
    package init(project: Project, assets: [String: AssetFacts], isOnGrid: Bool) throws {
        timeline = try Timeline(project: project, assets: assets)
        guard timeline.hasVideo else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "frame", subject: "the composition", reason: "it has no picture")
        }
        (self.isOnGrid, self.assets) = (isOnGrid, assets)
        frameTimes = isOnGrid ? try timeline.frameTimes(from: .zero, to: timeline.duration, assets: assets) : nil
        let isDeep = timeline.colour.transfer.isHDR
        settings = VideoSettings(
            codec: .ffv1, size: timeline.renderSize, format: isDeep ? .yuv444p10 : .yuv444p, colour: timeline.colour,
            crf: nil, bitRate: nil, preset: "", keyFrameInterval: 1)
        sources = SourcePool(
            assets: assets, colour: settings.colour, reductions: timeline.stillReductions)
        composer = try FrameComposer(
            settings: settings, fonts: .system(assets: assets.filter(\.value.isFont).mapValues(\.path)),
            assets: assets)
    }

    /// The composed picture at a time, in 4:4:4.
    package func frame(at time: Rational) throws -> Frame {
        try picture(at: time).composed.frame.reference()
    }

    /// Takes the notices on the frames made since the last call.
    package func takeNotices() -> NoticeList { sources.takeNotices() }

    /// The picture's duration in seconds.
    package var duration: Rational { timeline.duration }
    /// The size of the composed frames in pixels.
    package var size: PixelSize { settings.size }
    package var colour: ColourTriple { settings.colour }
    /// The format of the composed frames: a film that has these very frames is encoded in it.
    package var format: WorkingFormat { settings.format }

    /// The start in seconds of the frame that is shown for a time of a composition; reads no source. Throws `.usage`
    /// for a time outside it.
    package func shownTime(at time: Rational) throws -> Rational {
        try requireInside(time)
        return isOnGrid ? frameTime(at: time) : time
    }

    /// Whether a source is seen at a time.
    package func showsAnything(at time: Rational) -> Bool { !timeline.recipe(at: time).needs.isEmpty }

    /// Writes the frame at a time as PNG; returns the time it really stands for: the output frame's start, or the held
    /// source frame's. Throws `.usage` for a time outside the composition.
    package func write(at time: Rational, to path: String, fitting limit: PixelSize?) throws -> Rational {
        let (shown, composed) = try picture(at: time)
        try writePicture(try viewable(composed, fitting: limit).frame, as: .png, to: path)
        return shown
    }

    /// Makes the frames of many times: calls `deliver` exactly once for each, with its place in the list.
    ///
    /// The times are taken in ascending order, so that each source is decoded once, forwards; nothing is kept of a
    /// frame once it was delivered. With a tolerance a frame may be another one that costs less: the nearest within it
    /// that shows a key frame of its source (of several sources the one with the most pixels), or, where there is none,
    /// the exact one. Once cancelled, what is left is answered so.
    /// - Parameters:
    ///   - limit: pictures shrink to fit into it; they never grow.
    ///   - deliver: what it throws ends the work.
    package func generate(
        _ times: [Rational], tolerance: FrameTolerance = .exact, fitting limit: PixelSize?,
        cancellation: Cancellation, deliver: (_ place: Int, _ frame: GeneratedFrame) throws -> Void
    ) throws {
        let chosen = times.map { isInside($0) && !tolerance.isExact ? self.chosen(for: $0, tolerance) : $0 }
        for place in times.indices.sorted(by: { (chosen[$0], $0) < (chosen[$1], $1) }) {
            guard !cancellation.isCancelled else {
                try deliver(place, .cancelled)
                continue
            }
            let made: GeneratedFrame
            do {
                let (shown, composed) = try picture(at: chosen[place])
                made = .succeeded(try viewable(composed, fitting: limit), actual: shown)
            } catch {
                made = .failed(error)
            }
            try deliver(place, made)
        }
    }

    /// A time near the one asked for whose picture costs the least to decode.
    private func chosen(for time: Rational, _ tolerance: FrameTolerance) -> Rational {
        let times = tolerance.times(around: time, duration: timeline.duration)
        guard isOnGrid else { return keyTime(near: time, in: times) ?? time }
        let timing: FrameTiming =
            frameTimes.map { .listed($0, end: timeline.duration) }
            ?? .even(FrameGrid(frameDuration: timeline.frameDuration))
        let frame = frameNumber(at: time)
        // The frame that holds the time may begin before all that is asked for.
        let first = min(frame, timing.firstFrame(atOrAfter: times.lowerBound))
        let last = max(frame, frameNumber(at: times.upperBound))
        let finder = KeyFrameFinder(timeline: timeline, assets: assets, timing: timing, start: .zero)
        guard let near = finder.nearest(to: frame, within: first...last) else { return time }
        let found = timing.time(ofFrame: near)
        return found < timeline.duration ? found : time
    }

    /// The time that costs a media file the least near `time`: itself where a key frame is held, else the nearest key
    /// frame within `times`; nil where there is none.
    private func keyTime(near time: Rational, in times: ClosedRange<Rational>) -> Rational? {
        guard let source = timeline.recipe(at: time).needs.first,
            let video = assets[source.asset]?.track(source.assetTrack)?.video
        else { return nil }
        let after = video.keyFrames.partitionPoint { Rational($0) <= time }
        let near = [after - 1, after].filter { video.keyFrames.indices.contains($0) }.map {
            Rational(video.keyFrames[$0])
        }
        if let held = near.first, let rate = video.nominalFrameRate, (time - held) * Rational(rate) < Rational(1),
            held <= time
        {
            return time
        }
        return near.filter { times.contains($0) && $0 < timeline.duration }
            .min { ($0 - time).magnitude < ($1 - time).magnitude }
    }

    private func isInside(_ time: Rational) -> Bool { time >= .zero && time < timeline.duration }

    private func requireInside(_ time: Rational) throws {
        guard !isInside(time) else { return }
        throw SplitreelError(
            .usage, operation: "frame", subject: "\(time.shortSeconds) s",
            reason: "the picture lasts from 0 to \(timeline.duration.shortSeconds) s",
            hint: "name a time inside it")
    }

    private func picture(at time: Rational) throws -> (shown: Rational, composed: Picture) {
        let shown = try shownTime(at: time)
        let job = try sources.job(timeline.recipe(at: shown))
        let actual = isOnGrid ? shown : job.recipe.needs.first?.time ?? shown
        return (actual, try composer.frame(for: job))
    }

    /// The start in seconds of the output frame that holds a time.
    private func frameTime(at time: Rational) -> Rational {
        let number = frameNumber(at: time)
        return frameTimes?.time(ofFrame: number)
            ?? FrameGrid(frameDuration: timeline.frameDuration).time(ofFrame: number)
    }

    private func frameNumber(at time: Rational) -> Int {
        max(0, frameTimes?.frame(at: time) ?? FrameGrid(frameDuration: timeline.frameDuration).frame(at: time))
    }

    /// A composed picture as large as `limit` allows, in colours that a picture file can show.
    private func viewable(_ composed: Picture, fitting limit: PixelSize?) throws -> Picture {
        sources.closeLargeStills()
        let smaller = limit.flatMap { settings.size.shrunk(into: $0) }
        guard let size = smaller ?? (settings.colour.isOfPictureFiles ? nil : settings.size) else {
            return composed
        }
        return Picture(try settings.viewable(composed.frame, size: size))
    }
}
