import Splitreel
import Synchronization

/// Writes down what it is told, and answers as it was made to.
final class RecordingCompositor: VideoCompositing {
    struct State {
        var contexts: [RenderContext] = []
        var requests: [CompositionRequest] = []
        var prerolled: [RenderHint] = []
        var anticipated: [RenderHint] = []
        var underWay = 0
        var mostUnderWay = 0
    }

    let sourcePixelFormat: PixelFormat
    let renderPixelFormat: PixelFormat
    let state = Mutex(State())
    private let answer: @Sendable (CompositionRequest) async throws -> VideoFrame

    init(
        _ format: PixelFormat = .rgba8,
        _ answer: @escaping @Sendable (CompositionRequest) async throws -> VideoFrame = { $0.context.makeFrame() }
    ) {
        (sourcePixelFormat, renderPixelFormat, self.answer) = (format, format, answer)
    }

    func renderContextChanged(_ context: RenderContext) { state.withLock { $0.contexts.append(context) } }

    func compose(_ request: CompositionRequest) async throws -> VideoFrame {
        state.withLock { state in
            state.requests.append(request)
            state.underWay += 1
            state.mostUnderWay = max(state.mostUnderWay, state.underWay)
        }
        defer { state.withLock { $0.underWay -= 1 } }
        return try await answer(request)
    }

    func preroll(_ hint: RenderHint) async { state.withLock { $0.prerolled.append(hint) } }

    func anticipate(_ hint: RenderHint) { state.withLock { $0.anticipated.append(hint) } }

    /// Registered under that id, all films by this one instance.
    func registered(
        as id: String, parameters: [ParameterDescription] = [], containsTweening: Bool = true
    ) -> RecordingCompositor {
        register(
            compositor: { self },
            description: Description(
                id, "A compositor of a test.", parameters: parameters, containsTweening: containsTweening))
        return self
    }
}
