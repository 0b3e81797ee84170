import Diagnostics
import Glibc
import Synchronization
import Transport

/// The descriptor that the signal handler writes to. Touched before the handler is installed, so that nothing is
/// initialized inside it.
private let relayDescriptor = Atomic<Int32>(-1)

/// Turns SIGTERM into bytes that an event loop reads.
enum SignalRelay {
    /// Answers the end to read from, non-blocking; it stays open for the life of the process.
    static func install() throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw processError(.internalFault, "pipe", subject: "signals", errno: errno)
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        relayDescriptor.store(ends[1], ordering: .sequentiallyConsistent)
        handle(SIGTERM) { _ in
            let kept = errno
            var byte: UInt8 = 1
            _ = unsafe write(relayDescriptor.load(ordering: .relaxed), &byte, 1)
            errno = kept
        }
        signal(SIGINT, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        return ends[0]
    }

    /// Makes this process die with its parent. A process whose loop hangs does not see that its standard input has
    /// ended: so its parent's death also starts an alarm, and the alarm ends the process four seconds later.
    static func dieWithParent() {
        handle(SIGUSR1) { _ in alarm(4) }
        requestSignalOnParentDeath(SIGUSR1)
    }

    private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        unsafe sigaction(number, &action, nil)
    }
}
