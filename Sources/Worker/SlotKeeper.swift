import Diagnostics
import Glibc
import Scheduling
import Synchronization
import Threads
import Transport

/// Keeps one child alive from a thread of its own.
package final class SlotKeeper: Sendable {
    private struct State {
        var child: ChildProcess?
        var isStopping = false
        var fruitlessDeaths = 0
        var thread: DedicatedThread?
    }
    private let state = Mutex(State())
    private let stopped = Latch()
    private let executable: String
    private let arguments: [String]
    private let variables: [String: String]
    private let kills: MemoryKills
    private let onEnd: @Sendable (ChildEnd) -> Void

    init(
        executable: String, arguments: [String], variables: [String: String], kills: MemoryKills,
        onEnd: @escaping @Sendable (ChildEnd) -> Void
    ) {
        self.kills = kills
        self.executable = executable
        self.arguments = arguments
        self.variables = variables
        self.onEnd = onEnd
    }

    var pid: pid_t? { state.withLock { $0.child?.pid } }
    var fruitlessDeaths: Int { state.withLock { $0.fruitlessDeaths } }

    /// Returns when the first child runs; throws if it cannot be started.
    func start() throws {
        let begun = OneShot<(any Error)?>()
        let thread = try DedicatedThread(name: "slot-keeper", stackBytes: 256 << 10) { [self] in
            do {
                let child = try startChild()
                begun.set(nil)
                keep(child)
            } catch {
                begun.set(error)
            }
        }
        state.withLock { $0.thread = thread }
        if let error = begun.wait() { throw error }
    }

    /// Stops starting children; the present one gets `signal`, or its whole group is killed.
    func stop(_ number: Int32) {
        state.withLock { state in
            state.isStopping = true
            if number == SIGKILL { state.child?.killGroup() } else { state.child?.signal(number) }
        }
        stopped.open()
    }

    /// Kills the present child's group where the child has that number; another child takes its place. A number of a
    /// child that has ended is nobody else's before it is reaped.
    func replace(_ pid: pid_t) {
        state.withLock { state in
            if let child = state.child, child.pid == pid { child.killGroup() }
        }
    }

    /// Waits for at most `limit`; answers whether the child is gone and reaped.
    func join(within limit: Duration) -> Bool {
        state.withLock { $0.thread }?.join(within: limit) ?? true
    }

    /// The pause before the next start: none after a useful life or the first useless one, then 1 s × 2 up to 30 s.
    package static func pause(fruitlessDeaths: Int) -> Duration {
        guard fruitlessDeaths > 1 else { return .zero }
        return .seconds(min(30, 1 << min(fruitlessDeaths - 2, 5)))
    }

    private func keep(_ first: ChildProcess) {
        var child: ChildProcess? = first
        while true {
            if let child {
                let end = finish(child)
                onEnd(end)
                if end.wasToldToLeave || end.isHopeless { return }
            } else {
                state.withLock { $0.fruitlessDeaths += 1 }
            }
            let pause = Self.pause(fruitlessDeaths: fruitlessDeaths)
            if pause > .zero { _ = stopped.isOpen(within: pause) }
            if state.withLock({ $0.isStopping }) { return }
            child = try? startChild()
        }
    }

    private func startChild() throws -> ChildProcess {
        // Under the lock, so that a stop finds either no child or the new one.
        try state.withLock { state in
            guard !state.isStopping else {
                throw SplitreelError(
                    .cancelled, operation: "starting a worker", subject: executable, reason: "the farm is stopping")
            }
            let child = try ChildProcess.start(
                executable: executable, arguments: arguments, variables: variables)
            state.child = child
            return child
        }
    }

    private func finish(_ child: ChildProcess) -> ChildEnd {
        child.waitForEnd()
        return state.withLock { state in
            state.child = nil
            let end = child.reap(kills)
            state.fruitlessDeaths = end.wasUseful ? 0 : state.fruitlessDeaths + 1
            return end
        }
    }
}
