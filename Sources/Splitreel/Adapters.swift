import Effects
import MediaTime
import Pictures
import SplitreelProject
import Synchronization

/// A program's own compositor, as frames are made with it.
final class CompositorAdapter: CompositorKernel {
    private let own: any VideoCompositing
    private let sourceFormat: PixelFormat
    private let renderFormat: PixelFormat
    private let pool = FrameMemoryPool()

    init(_ own: any VideoCompositing) {
        self.own = own
        (sourceFormat, renderFormat) = (own.sourcePixelFormat, own.renderPixelFormat)
    }

    private func context(_ context: CompositorContext) -> RenderContext { RenderContext(context, renderFormat, pool) }

    func contextChanged(_ context: CompositorContext) { own.renderContextChanged(self.context(context)) }

    func preroll(from start: Rational, to end: Rational) async {
        await own.preroll(RenderHint(start: start.mediaTime, end: end.mediaTime))
    }

    func anticipate(from start: Rational, to end: Rational) {
        own.anticipate(RenderHint(start: start.mediaTime, end: end.mediaTime))
    }

    func compose(_ request: CompositorRequest) async throws {
        let frame = try await own.compose(
            CompositionRequest(request, context(request.context), sourceFormat, pool))
        try Task.checkCancellation()
        let size = request.context.size
        guard frame.width == size.width, frame.height == size.height else {
            throw WrongFrame(
                description: "it answered \(frame.width)×\(frame.height) pixels, not \(size.width)×\(size.height)")
        }
        // A source frame may be in another format than the compositor's own frames: any is taken.
        frame.write(into: request.output.image)
    }
}

private struct WrongFrame: Error, CustomStringConvertible {
    let description: String
}

/// A program's own effect, as frames are made with it.
struct EffectAdapter: EffectKernel {
    private let own: any VideoEffect
    private let format: PixelFormat
    private let framesBehind: Int
    private let pool = FrameMemoryPool()

    init(_ own: any VideoEffect, framesBehind: Int) {
        self.own = own
        format = own.pixelFormat
        self.framesBehind = framesBehind
    }

    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let frames = inputs.prefix(1 + call.neighbours).map { VideoFrame.reading($0, owner: nil, as: format, pool) }
        guard let source = frames.first else { return }
        let (behind, ahead) = (frames.dropFirst().prefix(framesBehind), frames.dropFirst(1 + framesBehind))
        let request = EffectRequest(call: call, frames: behind + [source] + ahead, own: behind.count)
        write(into: output, format, pool) { own.render(source, into: $0, request) }
    }
}

/// A program's own transition, as frames are made with it.
struct TransitionAdapter: EffectKernel {
    private let own: any VideoTransition
    private let format: PixelFormat
    private let pool = FrameMemoryPool()

    init(_ own: any VideoTransition) { (self.own, format) = (own, own.pixelFormat) }

    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        guard inputs.count >= 2 else { return }
        // An easing may go beyond both ends.
        guard call.progress > 0, call.progress < 1 else { return output.copy(inputs[call.progress >= 1 ? 1 : 0]) }
        let pictures = inputs.prefix(2).map { VideoFrame.reading($0, owner: nil, as: format, pool) }
        write(into: output, format, pool) {
            own.render(
                from: pictures[0], to: pictures[1], progress: call.progress, into: $0, EffectRequest(call: call))
        }
    }
}

/// Has a picture drawn in that format, and converted where the film has another.
private func write(
    into output: PlanarImage, _ format: PixelFormat, _ pool: FrameMemoryPool, _ draw: (VideoFrame) -> Void
) {
    guard format != .film else { return draw(VideoFrame(showing: output, owner: nil)) }
    let target = VideoFrame.make(
        width: output.luma.width, height: output.luma.height, format, like: output.encoding, hasAlpha: true, pool)
    draw(target)
    target.write(into: output)
}
