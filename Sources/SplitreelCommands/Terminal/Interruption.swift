import Diagnostics
import Foundation
import Synchronization
import Threads

/// The descriptor that the signal handler writes to. Touched before the handler is installed, so that nothing is
/// initialized inside it.
private let signalPipe = Atomic<Int32>(-1)

/// SIGINT, SIGTERM and SIGHUP as calls: the first one asks, the second one leaves at once.
///
/// The handlers stand from the program's first moment on (`watch`). Until a command says what an interrupt means to
/// it, there is nothing to clean up and the process just ends.
final class Interruption: Sendable {
    private struct State {
        var firstAt: ContinuousClock.Instant?
        var first: @Sendable () -> Void
        var second: @Sendable () -> Void
    }

    private static let current = Mutex<Interruption?>(nil)
    private struct WindowChange {
        var happened: (@Sendable () -> Void)?
    }

    private static let windowChange = Mutex(WindowChange())
    private let status: Int32
    /// The time within which two SIGTERM are one wish.
    private let oneTermination: Duration
    private let state: Mutex<State>

    /// `first` runs on a thread of its own; `second` right before the process exits with `status`. A second SIGTERM
    /// within `oneTermination` of the first is no second one: a batch system tells a script and what it started.
    init(
        status: Int32 = ExitStatus.cancelled.rawValue, oneTermination: Duration = Interruption.oneWish,
        first: @escaping @Sendable () -> Void = {},
        second: @escaping @Sendable () -> Void = {}
    ) {
        self.status = status
        self.oneTermination = oneTermination
        state = Mutex(State(first: first, second: second))
        Self.watch()
        Self.current.withLock { $0 = self }
    }

    /// Takes these calls from now on; `first` is called at once where an interrupt came before.
    func handOver(first: @escaping @Sendable () -> Void, second: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            (state.first, state.second) = (first, second)
            return state.firstAt != nil
        }
        if isDue { first() }
    }

    var wasInterrupted: Bool { state.withLock { $0.firstAt != nil } }

    /// Throws `.cancelled` after an interrupt.
    func check() throws {
        guard wasInterrupted else { return }
        throw SplitreelError(.cancelled, operation: "", subject: "interrupted", reason: "")
    }

    /// The time within which two signals are one wish of a person's: it was told to the process and to its group.
    static let oneWish = Duration.milliseconds(100)

    private func arrived(_ number: Int32) {
        let (firstAt, first, second) = state.withLock { state in
            let firstAt = state.firstAt
            state.firstAt = firstAt ?? .now
            return (firstAt, state.first, state.second)
        }
        guard let firstAt else {
            // The first call may take its time, and the second one must not wait for it.
            return startThread("interrupted", first)
        }
        // A terminal that closes says so twice, by the shell and by the kernel.
        let oneWish = number == SIGTERM ? oneTermination : Self.oneWish
        guard number != SIGHUP, ContinuousClock.now - firstAt > oneWish else { return }
        second()
        ProgressDisplay.endCurrent()
        _exit(status)
    }

    // MARK: - The process's signals

    /// Sets the call on the signals' thread when the terminal's window has another size.
    static func onWindowChange(_ body: (@Sendable () -> Void)?) { windowChange.withLock { $0.happened = body } }

    private static let installation: Void = install()
    private static let earlyStatus = Atomic(ExitStatus.cancelled.rawValue)

    /// Installs the handlers, once.
    static func watch() { _ = installation }

    /// Installs the handlers. A signal that comes before a command says what it means ends the process with `status`.
    static func watch(early status: ExitStatus) {
        earlyStatus.store(status.rawValue, ordering: .relaxed)
        watch()
    }

    private static func install() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
        let source = ends[0]
        startThread("signals") { serve(source) }
        for number in [SIGINT, SIGTERM, SIGWINCH] { handle(number) }
        // Whoever started the program may have blocked them, and the main thread has its mask.
        var wanted = sigset_t()
        sigemptyset(&wanted)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] { sigaddset(&wanted, number) }
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
        // `nohup` starts programs with SIGHUP ignored; it stays so.
        if !isIgnored(SIGHUP) { handle(SIGHUP) }
        // Swift's runtime catches it for a backtrace and goes on: it kills, as everywhere.
        signal(SIGQUIT, SIG_DFL)
    }

    private static func serve(_ source: Int32) {
        var byte: UInt8 = 0
        while true {
            let count = read(source, &byte, 1)
            guard count == 1 || (count < 0 && errno == EINTR) else { return }
            guard count == 1 else { continue }
            if Int32(byte) == SIGWINCH {
                windowChange.withLock { $0.happened }?()
                continue
            }
            guard let receiver = current.withLock({ $0 }) else { _exit(earlyStatus.load(ordering: .relaxed)) }
            receiver.arrived(Int32(byte))
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func handle(_ number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            let kept = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(signalPipe.load(ordering: .relaxed), &byte, 1)
            errno = kept
        }
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }
}
