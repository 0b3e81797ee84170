import Compositing
import Composition
import Media
package import Planning

/// Makes output frames out of jobs. Confined to the composing thread.
///
/// A frame that looks like the one before is that one again, and a source frame that already is the output frame
/// (same size, format, colour, nothing drawn over it) goes to the encoder without a copy.
package final class FrameComposer {
    private let settings: VideoSettings
    private let pool: FramePool
    private var compositor: Compositor
    private var previous: (look: FrameLook, frame: ComposedFrame)?

    package init(settings: VideoSettings) throws {
        self.settings = settings
        pool = try FramePool(format: settings.format, size: settings.size, colour: settings.colour)
        compositor = Compositor(
            size: settings.size, encoding: settings.canvasEncoding, hasAlpha: settings.format.hasAlpha)
    }

    package func frame(for job: FrameJob) throws -> ComposedFrame {
        let look = job.look
        if let previous, previous.look == look { return previous.frame }
        let frame = try passedThrough(job) ?? composed(job)
        previous = (look, frame)
        return frame
    }

    private func passedThrough(_ job: FrameJob) throws -> ComposedFrame? {
        guard let (recipe, picture) = job.layers.first, job.layers.count == 1, job.clip == nil,
            recipe.transform == .identity,
            recipe.opacity == 1, recipe.crop == nil, picture.pixelAspect == 1, !settings.format.hasAlpha
        else { return nil }
        let frame = try picture.frame.reference()
        let fits = frame.withImage { image in
            image.encoding == settings.canvasEncoding && image.alpha == nil
                && image.luma.width == settings.size.width && image.luma.height == settings.size.height
        }
        return fits ? ComposedFrame(frame) : nil
    }

    private func composed(_ job: FrameJob) throws -> ComposedFrame {
        let canvas = try pool.take()
        // The job keeps every picture, and with it the planes, until the canvas is done.
        withExtendedLifetime(job) {
            let layers = job.layers.map { recipe, picture in
                LayerImage(
                    image: picture.frame.imageOfKeptFrame(), pixelAspect: picture.pixelAspect,
                    transform: recipe.transform, crop: recipe.crop, opacity: recipe.opacity, clip: job.clip,
                    identity: AnyHashable(picture.identity))
            }
            canvas.withImage { target in compositor.compose(background: job.background, layers: layers, into: target) }
        }
        return ComposedFrame(canvas)
    }
}
