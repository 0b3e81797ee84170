/// An effect that is a closure.
struct ClosureEffect: VideoEffect {
    typealias Render = @Sendable (VideoFrame, VideoFrame, EffectRequest) async throws -> Void

    let pixelFormat: PixelFormat
    private let body: Render

    init(_ pixelFormat: PixelFormat, _ body: @escaping Render) { (self.pixelFormat, self.body) = (pixelFormat, body) }

    func render(_ source: VideoFrame, into output: VideoFrame, _ call: EffectRequest) async throws {
        try await body(source, output, call)
    }
}

/// A transition that is a closure.
struct ClosureTransition: VideoTransition {
    typealias Render = @Sendable (VideoFrame, VideoFrame, Double, VideoFrame, EffectRequest) async throws -> Void

    let pixelFormat: PixelFormat
    private let body: Render

    init(_ pixelFormat: PixelFormat, _ body: @escaping Render) { (self.pixelFormat, self.body) = (pixelFormat, body) }

    func render(
        from first: VideoFrame, to second: VideoFrame, progress: Double, into output: VideoFrame, _ call: EffectRequest
    ) async throws {
        try await body(first, second, progress, output, call)
    }
}

/// A compositor that is a closure.
struct ClosureCompositor: VideoCompositing {
    let sourcePixelFormat: PixelFormat
    private let body: @Sendable (CompositionRequest) async throws -> VideoFrame

    var renderPixelFormat: PixelFormat { sourcePixelFormat }

    init(_ format: PixelFormat, _ body: @escaping @Sendable (CompositionRequest) async throws -> VideoFrame) {
        (sourcePixelFormat, self.body) = (format, body)
    }

    func compose(_ request: CompositionRequest) async throws -> VideoFrame { try await body(request) }
}
