import Compositing
import Composition
package import Diagnostics
import Foundation
import Media
package import MediaTime
import Pictures
package import Planning

/// One frame of a film beside the same frame as it was composed, before it was encoded.
package struct ComparedFrame: Hashable, Sendable {
    package var frame: Int
    package var difference: PictureDifferenceSummary
    /// Where the frame is far from its own: the neighbour that it is nearer to, −1 or 1; else 0.
    package var shift: Int
}

package struct PictureDifferenceSummary: Hashable, Sendable {
    /// In decibels over all planes; nil where every sample is the same.
    package var signalToNoise: Double?
    package var signalToNoiseOfLuma: Double?
    package var similarity: Double
    /// Of all samples, as codes of eight bits.
    package var meanSquare: Double

    init(_ difference: PictureDifference, bitDepth: Int) {
        (signalToNoise, signalToNoiseOfLuma) = (difference.signalToNoise, difference.signalToNoiseOfLuma)
        similarity = difference.similarity
        let scale = 255 / Double((1 << bitDepth) - 1)
        meanSquare = difference.meanSquare * scale * scale
    }
}

/// Composes frames of a plan as workers do and holds a film's own frames against them. Blocking; confined to one
/// thread.
package final class FilmComparison {
    private let session: RenderSession
    private let composer: FrameComposer
    private let sources: SourcePool
    private let settings: VideoSettings
    private let film: VideoReader
    private let start: Rational
    private let conformed: Frame
    private var compositor: Compositor

    /// Frames that differ by more than this are looked at beside their neighbours, in decibels.
    private static let suspicious = 30.0

    /// `track` is the film's picture, whose first frame is presented at `start`. The plan's settings say in which
    /// format the two are compared.
    package init(film path: String, track: Int, start: Rational, plan: RenderPlan) throws {
        self.start = start
        session = try RenderSession(plan: plan, planHash: "", folder: "")
        guard let settings = plan.output.video, let sources = session.sources else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "comparing", subject: "the composition", reason: "it has no picture")
        }
        (self.settings, self.sources) = (settings, sources)
        composer = try FrameComposer(settings: settings, fonts: session.fonts())
        film = try VideoReader(path: path, track: track)
        conformed = try Frame.make(format: settings.format, size: settings.size, colour: settings.colour)
        compositor = Compositor(
            size: settings.size, encoding: settings.canvasEncoding, hasAlpha: settings.format.hasAlpha)
    }

    /// Of output frames in ascending order. Answers what a person should know of the sources.
    package func compare(
        _ frames: [Int], cancellation: Cancellation, deliver: (ComparedFrame) throws -> Void
    ) throws -> NoticeList {
        for frame in frames {
            try cancellation.check()
            let difference = try self.difference(of: frame, from: frame)
            var shift = 0
            if (difference.signalToNoise ?? .infinity) < Self.suspicious {
                var best = difference.meanSquare
                for step in [-1, 1] where (0..<session.plan.frameCount).contains(frame + step) {
                    let other = try self.difference(of: frame, from: frame + step)
                    // Clearly nearer, not by chance.
                    if other.meanSquare * 2 < best { (best, shift) = (other.meanSquare, step) }
                }
            }
            let summary = PictureDifferenceSummary(difference, bitDepth: settings.format.bitDepth)
            try deliver(ComparedFrame(frame: frame, difference: summary, shift: shift))
        }
        try session.files.check()
        return session.takeNotices()
    }

    /// Of the film's frame from the composition's.
    private func difference(of frame: Int, from composed: Int) throws -> PictureDifference {
        let time = session.plan.compositionTime(ofFrame: composed)
        let picture = try composer.frame(for: try sources.job(session.timeline.recipe(at: time)))
        let timing = session.plan.timing
        // In the middle, so that no container's rounding of times chooses another one.
        let middle = start + timing.time(ofFrame: frame) + timing.duration(ofFrame: frame) / Rational(2)
        let found = try film.withFrame(at: middle, matrixForRGB: settings.colour.matrix) { decoded, _ in
            let shown = decoded.imageOfKeptFrame()
            let canvas = settings.canvasEncoding
            let isSame =
                shown.encoding.hasSameCodes(as: canvas) && shown.luma.width == settings.size.width
                && shown.luma.height == settings.size.height
            return picture.frame.withImage { wanted in
                if isSame { return PictureDifference(shown, wanted) }
                return conformed.withImage { target in
                    let map = Affine.scale(
                        Double(settings.size.width) / Double(shown.luma.width),
                        Double(settings.size.height) / Double(shown.luma.height))
                    let layer = LayerImage(image: shown, pixelAspect: 1, transform: map, crop: nil, opacity: 1)
                    compositor.compose(background: .black, layers: [layer], into: target)
                    return PictureDifference(target, wanted)
                }
            }
        }
        guard let found else {
            throw SplitreelError(
                .verificationFailed, operation: "comparing", subject: "frame \(frame)",
                reason: "the film does not show it")
        }
        return found
    }
}
