public import MediaTime

/// Composes frames in a program's own way, in place of layers over each other. A composition names it in
/// `video.compositor`; who renders registers it first, see `register(compositor:description:)`.
///
/// The picture for a request must follow from the request alone: a film is cut into chunks anywhere, and chunks are
/// rendered by any process in any order.
public protocol VideoCompositing: Sendable {
    /// The format of source frames. Read once, before anything else.
    var sourcePixelFormat: PixelFormat { get }
    /// The format of the frames that it makes. Read once, before anything else.
    var renderPixelFormat: PixelFormat { get }

    /// Tells the context before the first request, and whenever size, scale or colour of the rendered frames change.
    func renderContextChanged(_ context: RenderContext)

    /// Makes a frame: one of `request.context.makeFrame()`, or a source frame of the same size. A few requests are
    /// under way at once, on any thread but the main one. An error that is thrown fails the film with its words, the
    /// frame's time and the instruction (`.compositorFailed`); where the render is cancelled so is the task, and the
    /// answer is waited for.
    func compose(_ request: CompositionRequest) async throws -> VideoFrame

    /// Tells that a chunk of frames will be asked for, whose first one waits for this: the time to load what they need.
    func preroll(_ hint: RenderHint) async

    /// Tells which frames come next, before each request.
    func anticipate(_ hint: RenderHint)
}

extension VideoCompositing {
    public var sourcePixelFormat: PixelFormat { .rgba8 }
    public var renderPixelFormat: PixelFormat { .rgba8 }
    public func renderContextChanged(_ context: RenderContext) {}
    public func preroll(_ hint: RenderHint) async {}
    public func anticipate(_ hint: RenderHint) {}
}

/// Changes one picture: an effect on a layer or on the whole. A composition names it under `effects` or `effect`.
public protocol VideoEffect: Sendable {
    /// The format of the source frame and of the output.
    var pixelFormat: PixelFormat { get }

    /// Writes every pixel of `output`, which has the size of `source`. The picture must follow from these alone. A few
    /// calls are under way at once, on any thread but the main one; a function that neither waits nor throws fits too.
    /// An error that is thrown fails the film with its words, the frame's time and the effect's place in the
    /// composition (`.effectFailed`). Where the render is cancelled so is the task, and the answer is waited for.
    func render(_ source: VideoFrame, into output: VideoFrame, _ call: EffectRequest) async throws
}

extension VideoEffect {
    public var pixelFormat: PixelFormat { .rgba8 }
}

/// Leads from one picture to another. A composition names it where transitions stand: as a segment's `transition` or an
/// instruction's `effect`.
public protocol VideoTransition: Sendable {
    /// The format of both source frames and of the output.
    var pixelFormat: PixelFormat { get }

    /// Writes every pixel of `output`, which has the size of both pictures. The picture must follow from these alone.
    /// Threads and errors are as those of effects.
    ///
    /// - Parameter progress: more than 0, less than 1, with the transition's easing: at 0 the first picture is shown,
    ///   at 1 the second, and it is not called.
    func render(
        from first: VideoFrame, to second: VideoFrame, progress: Double, into output: VideoFrame, _ call: EffectRequest
    ) async throws
}

extension VideoTransition {
    public var pixelFormat: PixelFormat { .rgba8 }
}

/// Frames to come.
public struct RenderHint: Sendable, Hashable {
    /// The range of composition time from the first frame's start to the last one's end.
    public let range: TimeRange
}
