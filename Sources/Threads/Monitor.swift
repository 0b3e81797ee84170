import Dispatch
import Synchronization

/// State behind a lock, for which threads can wait to become what they need. Waiting blocks the calling thread: never
/// from the cooperative pool.
final class Monitor<State: Sendable>: Sendable {
    private struct Content {
        var state: State
        var sleepers: [DispatchSemaphore] = []

        mutating func takeSleepers() -> [DispatchSemaphore] {
            defer { sleepers = [] }
            return sleepers
        }
    }
    private let content: Mutex<Content>

    init(_ state: State) { content = Mutex(Content(state: state)) }

    func read<R: Sendable>(_ body: @Sendable (State) -> R) -> R { content.withLock { body($0.state) } }

    /// Changes the state and lets all that wait look again.
    @discardableResult
    func change<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
        let (result, sleepers) = content.withLock { content in
            let result = body(&content.state)
            return (result, content.takeSleepers())
        }
        for sleeper in sleepers { sleeper.signal() }
        return result
    }

    /// Blocks until `body` gives a value, which it may take out of the state; where it gives nil it leaves the state as
    /// it is. nil after `limit`.
    func wait<R: Sendable>(within limit: Duration, _ body: @Sendable (inout State) -> R?) -> R? {
        wait(until: limit.deadline, body)
    }

    /// Blocks until `body` gives a value, without a limit.
    func wait<R: Sendable>(_ body: @Sendable (inout State) -> R?) -> R {
        while true {
            if let result = wait(until: .distantFuture, body) { return result }
        }
    }

    private func wait<R: Sendable>(until deadline: DispatchTime, _ body: @Sendable (inout State) -> R?) -> R? {
        while true {
            let sleeper = DispatchSemaphore(value: 0)
            let (result, sleepers) = content.withLock { content -> (R?, [DispatchSemaphore]) in
                if let result = body(&content.state) { return (result, content.takeSleepers()) }
                content.sleepers.append(sleeper)
                return (nil, [])
            }
            for other in sleepers { other.signal() }
            if let result { return result }
            guard sleeper.wait(timeout: deadline) == .success else {
                content.withLock { $0.sleepers.removeAll { $0 === sleeper } }
                return nil
            }
        }
    }
}

extension Duration {
    /// The moment so long from now; a negative duration has passed, one longer than some decades never does.
    fileprivate var deadline: DispatchTime {
        let seconds = components.seconds
        guard seconds < 1 << 30 else { return .distantFuture }
        guard self > .zero else { return .now() }
        return .now() + .seconds(Int(seconds)) + .nanoseconds(Int(components.attoseconds / 1_000_000_000))
    }
}
