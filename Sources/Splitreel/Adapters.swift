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
        await own.preroll(RenderHint(range: TimeRange(from: start, to: end)))
    }

    func anticipate(from start: Rational, to end: Rational) {
        own.anticipate(RenderHint(range: TimeRange(from: start, to: end)))
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
struct EffectAdapter: OwnEffectKernel {
    private let own: any VideoEffect
    private let format: PixelFormat
    private let framesBehind: Int
    private let pool = FrameMemoryPool()

    init(_ own: any VideoEffect, framesBehind: Int) {
        self.own = own
        format = own.pixelFormat
        self.framesBehind = framesBehind
    }

    func render(
        _ call: EffectCall, _ inputs: [any SharedPicture], into output: any SharedPicture
    ) async throws {
        let frames = inputs.prefix(1 + call.neighbours).map {
            VideoFrame.reading($0.image, owner: $0, as: format, pool)
        }
        guard let source = frames.first else { return }
        let (behind, ahead) = (frames.dropFirst().prefix(framesBehind), frames.dropFirst(1 + framesBehind))
        let request = EffectRequest(call: call, frames: behind + [source] + ahead, own: behind.count)
        try await write(into: output, format, pool) { try await own.render(source, into: $0, request) }
    }
}

/// A program's own transition, as frames are made with it.
struct TransitionAdapter: OwnEffectKernel {
    private let own: any VideoTransition
    private let format: PixelFormat
    private let pool = FrameMemoryPool()

    init(_ own: any VideoTransition) { (self.own, format) = (own, own.pixelFormat) }

    func render(
        _ call: EffectCall, _ inputs: [any SharedPicture], into output: any SharedPicture
    ) async throws {
        guard inputs.count >= 2 else { return }
        // An easing may go beyond both ends.
        guard call.progress > 0, call.progress < 1 else {
            return output.image.copy(inputs[call.progress >= 1 ? 1 : 0].image)
        }
        let pictures = inputs.prefix(2).map { VideoFrame.reading($0.image, owner: $0, as: format, pool) }
        try await write(into: output, format, pool) {
            try await own.render(
                from: pictures[0], to: pictures[1], progress: call.progress, into: $0, EffectRequest(call: call))
        }
    }
}

/// Has a picture drawn in that format, and converted where the film has another.
private func write(
    into output: any SharedPicture, _ format: PixelFormat, _ pool: FrameMemoryPool,
    _ draw: (VideoFrame) async throws -> Void
) async throws {
    let image = output.image
    guard format != .film else { return try await draw(VideoFrame(showing: image, owner: output)) }
    let target = VideoFrame.make(
        width: image.luma.width, height: image.luma.height, format, like: image.encoding, hasAlpha: true, pool)
    try await draw(target)
    try Task.checkCancellation()
    target.write(into: image)
}
