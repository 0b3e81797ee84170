import Compositing
package import Diagnostics
import Foundation
import Libav
import Measuring
import MediaReading
package import MediaTime
import Outputs
import Pictures
package import Planning
import SplitreelTimeline

/// One frame of a film beside the same frame as it was composed, before it was encoded.
package struct ComparedFrame: Hashable, Sendable {
    package var frame: Int
    package var difference: PictureDifferenceSummary
    /// The neighbour that a frame far from its own is nearer to, −1 or 1; 0 for none.
    package var shift: Int
    /// The VMAF score from 0 to 100; nil where it was not measured.
    package var vmaf: Double?
}

/// Whether a film's VMAF is measured.
package enum VMAFUse: Hashable, Sendable {
    case unwanted
    case notInstalled
    /// VMAF was measured by this version of libvmaf.
    case measured(version: String)
    /// VMAF could not be measured, for this reason.
    case failed(String)
}

package struct PictureDifferenceSummary: Hashable, Sendable {
    /// The ratio of signal to noise over all planes in decibels; nil where every sample is the same.
    package var signalToNoise: Double?
    package var signalToNoiseOfLuma: Double?
    package var similarity: Double
    /// The mean square of all samples' differences, in codes of 8 bits.
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
    /// The composed frames, where they come from elsewhere; nil where they are composed here.
    private let composedFrames: ComposedFrameReader?
    private let start: Rational
    private let conformed: Frame
    /// The conversion of composed frames to the film's settings; nil where they are composed in these.
    private var conversion: CanvasConversion?
    private var compositor: Compositor
    private var meter: VMAFMeter?
    private let hasColourOfCanvas: Bool
    /// How VMAF was measured; final when the frames have been compared.
    package private(set) var vmaf: VMAFUse

    /// The ratio of signal to noise in decibels below which a frame is looked at beside its neighbours.
    private static let suspicious = 30.0

    /// `track` is the film's picture, whose first frame is presented at `start`. The plan's settings say in which
    /// format the two are compared. VMAF takes three times as many frames of both. `hasColourOfCanvas`: raw films say
    /// nothing of their colours, which are the canvas's. `composed` has all frames that are compared, and those beside
    /// them; nil to compose them here.
    package init(
        film path: String, track: Int, start: Rational, plan: RenderPlan, measuresVMAF: Bool, hasColourOfCanvas: Bool,
        composed: ComposedFrames? = nil
    ) throws {
        composedFrames = try composed.map { try ComposedFrameReader($0) }
        (self.start, self.hasColourOfCanvas) = (start, hasColourOfCanvas)
        session = try RenderSession(plan: plan, planHash: "", folder: "")
        guard let settings = plan.output.video, let sources = session.sources else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "comparing", subject: "the composition", reason: "it has no picture")
        }
        (self.settings, self.sources) = (settings, sources)
        composer = try FrameComposer(settings: settings.ofCanvas, fonts: session.fonts())
        conversion = settings.composedIn == nil ? nil : CanvasConversion(from: settings.size, to: settings)
        film = try VideoReader(path: path, track: track)
        conformed = try Frame.make(format: settings.format, size: settings.size, colour: settings.colour)
        compositor = Compositor(
            size: settings.size, encoding: settings.canvasEncoding, hasAlpha: settings.format.hasAlpha)
        guard measuresVMAF else {
            vmaf = .unwanted
            return
        }
        do throws(VMAFFault) {
            meter = try VMAFMeter(size: settings.size, bitDepth: settings.format.bitDepth)
            vmaf = meter.map { .measured(version: $0.version) } ?? .notInstalled
        } catch {
            vmaf = .failed(error.reason)
        }
    }

    /// Compares output frames, given in ascending order and each of them once. Answers the notices on the sources, too.
    /// To be called once.
    package func compare(
        _ frames: [Int], cancellation: Cancellation
    ) throws -> (frames: [ComparedFrame], notices: NoticeList) {
        var found: [ComparedFrame] = []
        var places: [Int] = []
        for (place, frame) in shown(for: frames).enumerated() {
            try cancellation.check()
            let isAsked = found.count < frames.count && frames[found.count] == frame
            let difference = try withPictures(of: frame, and: frame) { film, composed in
                meter?.add(film, of: composed)
                return isAsked ? PictureDifference(film, composed) : nil
            }
            guard let difference else { continue }
            places.append(place)
            found.append(
                ComparedFrame(
                    frame: frame,
                    difference: PictureDifferenceSummary(difference, bitDepth: settings.format.bitDepth),
                    shift: try shift(of: frame, difference)))
        }
        measureVMAF(of: &found, at: places)
        try session.files.check()
        return (found, session.takeNotices())
    }

    /// The frames that are compared: those asked for and, where VMAF is measured, their neighbours, which tell it of
    /// motion.
    private func shown(for frames: [Int]) -> [Int] {
        guard meter != nil else { return frames }
        var all: [Int] = []
        for frame in frames {
            for near in (frame - 1)...(frame + 1)
            where (0..<session.plan.frameCount).contains(near) && near > all.last ?? -1 { all.append(near) }
        }
        return all
    }

    /// Adds the VMAF of each frame; `places` are the frames' indexes among all that the meter was shown.
    private func measureVMAF(of found: inout [ComparedFrame], at places: [Int]) {
        guard let meter else { return }
        do throws(VMAFFault) {
            for (index, score) in try meter.scores(at: places).enumerated() { found[index].vmaf = score }
        } catch {
            vmaf = .failed(error.reason)
        }
    }

    /// The neighbour that a frame with this difference is clearly nearer to, −1 or 1; 0 where it is none.
    private func shift(of frame: Int, _ difference: PictureDifference) throws -> Int {
        guard (difference.signalToNoise ?? .infinity) < Self.suspicious else { return 0 }
        var (best, shift) = (difference.meanSquare, 0)
        for step in [-1, 1] where (0..<session.plan.frameCount).contains(frame + step) {
            let other = try withPictures(of: frame, and: frame + step) { PictureDifference($0, $1) }
            // Clearly nearer, not by chance.
            if other.meanSquare * 2 < best { (best, shift) = (other.meanSquare, step) }
        }
        return shift
    }

    /// Hands `body` the film's frame and one of the composition, in one format.
    private func withPictures<Result>(
        of frame: Int, and composed: Int, _ body: (_ film: PlanarImage, _ composed: PlanarImage) -> Result
    ) throws -> Result {
        let time = session.plan.compositionTime(ofFrame: composed)
        if let composedFrames {
            return try composedFrames.withImage(at: time, in: settings) { try withFilm(frame, beside: $0, body) }
        }
        var picture = try composer.frame(for: try sources.job(session.timeline.recipe(at: time)))
        picture = try conversion?.picture(of: picture) ?? picture
        return try picture.frame.withImage { try withFilm(frame, beside: $0, body) }
    }

    /// Hands `body` the film's frame and the wanted one, in one format.
    private func withFilm<Result>(
        _ frame: Int, beside wanted: PlanarImage, _ body: (_ film: PlanarImage, _ composed: PlanarImage) -> Result
    ) throws -> Result {
        let timing = session.plan.timing
        // In the middle, so that no container's rounding of times chooses another one.
        let middle = start + timing.time(ofFrame: frame) + timing.duration(ofFrame: frame) / Rational(2)
        let found = try film.withFrame(at: middle, matrixForRGB: settings.colour.matrix) { decoded, _ in
            var shown = decoded.imageOfKeptFrame()
            let canvas = settings.canvasEncoding
            if hasColourOfCanvas { shown.encoding.colour = canvas.colour }
            let isSame =
                shown.encoding.hasSameCodes(as: canvas) && shown.luma.width == settings.size.width
                && shown.luma.height == settings.size.height
            if isSame { return body(shown, wanted) }
            return conformed.withImage { target in
                let map = Affine.scale(
                    Double(settings.size.width) / Double(shown.luma.width),
                    Double(settings.size.height) / Double(shown.luma.height))
                let layer = LayerImage(image: shown, pixelAspect: 1, transform: map, crop: nil, opacity: 1)
                compositor.compose(background: .black, layers: [layer], into: target)
                return body(target, wanted)
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
