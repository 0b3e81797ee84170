import Compositing
package import Composition
package import Diagnostics
package import Media
package import MediaTime
package import Pictures
import Planning

/// Single frames of a composition as PNG files, composed by the same code as films. Blocking; one thread at a time.
package final class FrameGrabber {
    private let timeline: Timeline
    private let settings: VideoSettings
    private let sources: SourcePool
    private let composer: FrameComposer
    private let isOnGrid: Bool
    /// nil where the output's frames are even.
    private let frameTimes: FrameTimes?

    /// - Parameter isOnGrid: true shows the output frame that holds a time (floor to the frame grid, or to
    ///   the timing track's times); false the picture at exactly that time.
    package init(project: Project, assets: [String: AssetFacts], isOnGrid: Bool) throws {
        timeline = try Timeline(project: project, assets: assets)
        guard timeline.hasVideo else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "frame", subject: "the composition", reason: "it has no picture")
        }
        self.isOnGrid = isOnGrid
        frameTimes = isOnGrid ? try timeline.frameTimes(from: .zero, to: timeline.duration, assets: assets) : nil
        let isDeep = timeline.colour.transfer.isHDR
        settings = VideoSettings(
            codec: .ffv1, size: timeline.renderSize, format: isDeep ? .yuv444p10 : .yuv444p, colour: timeline.colour,
            crf: nil, bitRate: nil, preset: "", keyFrameInterval: 1)
        sources = SourcePool(assets: assets, colour: settings.colour)
        composer = try FrameComposer(
            settings: settings, fonts: .system(assets: assets.filter(\.value.isFont).mapValues(\.path)))
    }

    /// The composed picture at a time, in 4:4:4.
    package func frame(at time: Rational) throws -> Frame {
        try picture(at: time).composed.frame.reference()
    }

    /// What a person should know of the frames made since the last call.
    package func takeNotices() -> NoticeList { sources.takeNotices() }

    /// Writes the frame at a time; returns the time it really stands for: the output frame's start, or the held
    /// source frame's. Throws `.usage` for a time outside the composition.
    package func write(at time: Rational, to path: String, fitting limit: PixelSize?) throws -> Rational {
        let (shown, composed) = try picture(at: time)
        sources.closeLargeStills()
        if let size = fittingSize(limit) ?? (isForPNG(settings.colour) ? nil : settings.size) {
            try writePNG(try converted(composed, to: size), to: path)
        } else {
            try writePNG(composed.frame, to: path)
        }
        return shown
    }

    private func picture(at time: Rational) throws -> (shown: Rational, composed: Picture) {
        guard time >= .zero, time < timeline.duration else {
            throw SplitreelError(
                .usage, operation: "frame", subject: "\(time.shortSeconds) s",
                reason: "the picture lasts from 0 to \(timeline.duration.shortSeconds) s",
                hint: "name a time inside it")
        }
        let shown = isOnGrid ? frameTime(at: time) : time
        let job = try sources.job(timeline.recipe(at: shown))
        let actual = isOnGrid ? shown : job.recipe.needs.first?.time ?? shown
        return (actual, try composer.frame(for: job))
    }

    /// Of the output frame that holds a time.
    private func frameTime(at time: Rational) -> Rational {
        if let frameTimes { return frameTimes.time(ofFrame: max(0, frameTimes.frame(at: time))) }
        let grid = FrameGrid(frameDuration: timeline.frameDuration)
        return grid.time(ofFrame: grid.frame(at: time))
    }

    /// nil where nothing needs to shrink.
    private func fittingSize(_ limit: PixelSize?) -> PixelSize? {
        guard let limit else { return nil }
        let (width, height) = (Double(settings.size.width), Double(settings.size.height))
        let factor = min(Double(limit.width) / width, Double(limit.height) / height)
        guard factor < 1 else { return nil }
        return PixelSize(
            width: max(1, Int((width * factor).rounded())), height: max(1, Int((height * factor).rounded())))
    }

    /// Viewers take a PNG's samples for SDR with BT.709's primaries.
    private func isForPNG(_ colour: ColourTriple) -> Bool {
        !colour.transfer.isHDR && (colour.primaries.isOrdinary)
    }

    /// Of another size, and in BT.709 where a PNG cannot show the film's colours: HDR is tone mapped.
    private func converted(_ composed: Picture, to size: PixelSize) throws -> Frame {
        var target = settings
        target.size = size
        if !isForPNG(settings.colour) { (target.colour, target.format) = (.bt709, .yuv444p) }
        let canvas = try Frame.make(format: target.format, size: size, colour: target.colour)
        var compositor = Compositor(size: size, encoding: target.canvasEncoding, hasAlpha: false)
        let scale = Affine.scale(
            Double(size.width) / Double(settings.size.width), Double(size.height) / Double(settings.size.height))
        composed.frame.withImage { image in
            canvas.withImage { target in
                let layer = LayerImage(image: image, pixelAspect: 1, transform: scale, crop: nil, opacity: 1)
                compositor.compose(background: .black, layers: [layer], into: target)
            }
        }
        return canvas
    }
}
