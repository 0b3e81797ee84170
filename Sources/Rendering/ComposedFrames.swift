import Diagnostics
import Libav
import MediaFacts
import MediaReading
package import MediaTime
import Outputs
import Pictures

/// Frames of a composition that somebody else has composed, for a comparison: a film of them without loss, one after
/// the other.
package struct ComposedFrames: Sendable {
    package let path: String
    /// The moments of the composition that its frames show, in order, each of them once.
    package let moments: [Rational]

    package init(path: String, moments: [Rational]) {
        self.path = path
        self.moments = moments
    }
}

/// Reads composed frames. Confined to one thread.
final class ComposedFrameReader {
    private let frames: ComposedFrames
    private let reader: VideoReader
    private let start: Rational
    private let duration: Rational

    /// Throws as reading does, and `.verificationFailed` where the film has another number of frames.
    init(_ frames: ComposedFrames) throws {
        let facts = try probe(path: frames.path)
        guard let video = facts.firstTrack(of: .video), video.count == frames.moments.count else {
            throw Self.lacking("the frames that were asked for")
        }
        self.frames = frames
        reader = try VideoReader(path: frames.path, track: video.id)
        start = Rational(video.start)
        duration = Rational(video.duration)
    }

    /// Hands `body` the frame of a moment, in the pixels of the canvas.
    func withImage<R>(at moment: Rational, in settings: VideoSettings, _ body: (PlanarImage) throws -> R) throws -> R {
        let count = frames.moments.count
        let index = frames.moments.partitionPoint { $0 < moment }
        guard index < count, frames.moments[index] == moment else {
            throw Self.lacking("the frame at \(moment.mediaTime.description)")
        }
        // In the middle of its time.
        let place = start + duration * Rational(2 * index + 1, 2 * count)
        let found = try reader.withFrame(at: place, matrixForRGB: settings.colour.matrix) { decoded, _ in
            var image = decoded.imageOfKeptFrame()
            let canvas = settings.canvasEncoding
            image.encoding.colour = canvas.colour
            guard image.encoding.hasSameCodes(as: canvas), image.luma.width == settings.size.width,
                image.luma.height == settings.size.height
            else { throw Self.lacking("frames of the canvas's size and colours") }
            return try body(image)
        }
        guard let found else { throw Self.lacking("the frame at \(moment.mediaTime.description)") }
        return found
    }

    private static func lacking(_ what: String) -> SplitreelError {
        SplitreelError(
            .verificationFailed, operation: "comparing", subject: "the farm's frames", reason: "it lacks \(what)",
            hint: "leave \(.connect) out")
    }
}
