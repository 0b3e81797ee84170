import Diagnostics
import Effects
import MediaTime
import Pictures
import SplitreelProject
import Threads

extension Picture: SharedPicture {}

/// The code of a program's own that one composer's frames are made by, compositors and effects, and its requests.
/// Confined to the composing thread, which blocks while it waits; the requests run on the cooperative pool.
final class CompositorHost {
    private var seats: [String: CompositorSeat] = [:]
    private var underWay: [Composition] = []
    let cancellation: Cancellation?

    enum End: Sendable {
        case done
        case cancelled
        case failed(String)
    }

    /// A request that was made, with the picture that it fills.
    struct Composition {
        let picture: Picture
        fileprivate let fault: ErrorCode
        fileprivate let call: EffectCall
        fileprivate let end: OneShot<End>
        fileprivate let task: Task<Void, Never>
    }

    init(cancellation: Cancellation?) { self.cancellation = cancellation }

    deinit { drain() }

    func start(
        _ call: EffectCall, _ inputs: [Picture], into picture: Picture, _ context: CompositorContext
    ) throws -> Composition {
        let kernel = try seat(call.id, call.version, context).kernel
        let request = CompositorRequest(context: context, call: call, inputs: inputs, output: picture)
        return begin(call, into: picture, fault: .compositorFailed) { try await kernel.compose(request) }
    }

    /// Begins the picture of an effect, or of a transition, of a program's own.
    func start(
        _ call: EffectCall, _ kernel: any OwnEffectKernel, _ inputs: [Picture], into picture: Picture
    ) -> Composition {
        begin(call, into: picture, fault: .effectFailed) { try await kernel.render(call, inputs, into: picture) }
    }

    private func begin(
        _ call: EffectCall, into picture: Picture, fault: ErrorCode, _ work: @escaping @Sendable () async throws -> Void
    ) -> Composition {
        let end = OneShot<End>()
        let task = Task.detached {
            do {
                try await work()
                end.set(.done)
            } catch is CancellationError {
                end.set(.cancelled)
            } catch {
                end.set(.failed("\(error)"))
            }
        }
        let result = Composition(picture: picture, fault: fault, call: call, end: end, task: task)
        underWay.removeAll { $0.end.value != nil }
        underWay.append(result)
        return result
    }

    /// The words for what failed, when and where. The version of a session's code tells nobody anything.
    private static func title(of call: EffectCall) -> String {
        let version = call.id.hasPrefix(EffectRegistry.sessionPrefix) ? "" : ", version \(call.version)"
        let place = call.place.path.isEmpty ? "" : ", in \(call.place.path)"
        return "\(call.id)\(version), at \(call.place.time.shortSeconds) s\(place)"
    }

    /// Waits for a composition's picture. Throws `.compositorFailed`, `.effectFailed` or `.cancelled`; then nothing is
    /// under way any more.
    func finish(_ composition: Composition) throws -> Picture {
        switch try waited(composition.end) {
        case .done: return composition.picture
        case .cancelled:
            try cancellation?.check()
            throw failure(composition, "it cancelled the request")
        case .failed(let reason): throw failure(composition, reason)
        }
    }

    private func failure(_ composition: Composition, _ reason: String) -> SplitreelError {
        drain()
        return SplitreelError(
            composition.fault, operation: "composing", subject: Self.title(of: composition.call),
            reason: reason.cut(toBytes: 1000))
    }

    private func waited<Value>(_ shot: OneShot<Value>) throws -> Value {
        while true {
            if let value = shot.wait(within: .milliseconds(50)) { return value }
            guard cancellation?.isCancelled == true else { continue }
            drain()
            try cancellation?.check()
        }
    }

    /// Cancels every request, and waits for all to end.
    func drain() {
        for composition in underWay { composition.task.cancel() }
        for composition in underWay { _ = composition.end.wait() }
        underWay = []
        for (name, seat) in seats { CompositorKernels.giveBack(seat, name) }
        seats = [:]
    }

    // MARK: - Hints

    func preroll(_ name: (id: String, version: Int), from start: Rational, to end: Rational) throws {
        let kernel = try seat(name.id, name.version, nil).kernel
        let done = Latch()
        let task = Task.detached {
            await kernel.preroll(from: start, to: end)
            done.open()
        }
        defer { task.cancel() }
        try waited(done)
    }

    func anticipate(_ name: (id: String, version: Int), from start: Rational, to end: Rational) throws {
        try seat(name.id, name.version, nil).kernel.anticipate(from: start, to: end)
    }

    private func seat(_ id: String, _ version: Int, _ context: CompositorContext?) throws -> CompositorSeat {
        let name = "\(id) \(version)"
        guard var seat = seats[name] ?? CompositorKernels.take(name) else {
            throw SplitreelError(
                .effectUnknown, operation: "composing", subject: id,
                reason: "this worker does not have version \(version) of it",
                hint: "start the worker from the program that has it")
        }
        if let context, seat.context != context {
            seat.kernel.contextChanged(context)
            seat.context = context
        }
        seats[name] = seat
        return seat
    }
}
