import Diagnostics
import Glibc
import Synchronization

/// Names this process for ps and top: sets the name of its first thread, from whatever thread this is called. The
/// kernel keeps 15 bytes of it; where it cannot be written, nothing happens.
package func nameThisProcess(_ name: String) { setName(name, at: "/proc/self/comm") }

private func setName(_ name: String, at path: String) {
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var bytes = Array(name.utf8.prefix(15))
    _ = unsafe write(descriptor, &bytes, bytes.count)
}

/// One POSIX thread with a stack of its own size, for work that must not run on the cooperative pool.
///
/// The thread runs `body` once and ends. It keeps itself alive; dropping the value does not stop it.
package final class DedicatedThread: Sendable {
    private struct State {
        var handle: pthread_t?
        var joined = false
    }
    private let state = Mutex(State())
    private let finished: Latch

    /// `name` shows in ps and debuggers; the kernel keeps 15 bytes of it. `stackBytes` at least 64 KiB.
    /// Throws `.internalFault` if the system can start no thread.
    package init(name: String, stackBytes: Int, _ body: @escaping @Sendable () -> Void) throws {
        let latch = Latch()
        finished = latch
        let start = StartBlock(name: String(name.utf8.prefix(15)) ?? "splitreel") {
            body()
            latch.open()
        }
        let handle = try Self.start(start, stackBytes: max(stackBytes, 64 << 10))
        state.withLock { $0.handle = handle }
    }

    private static func start(_ start: StartBlock, stackBytes: Int) throws -> pthread_t {
        let argument = unsafe Unmanaged.passRetained(start)
        var handle = pthread_t()
        let code = unsafe withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { space -> Int32 in
            guard let attributes = space.baseAddress else { return ENOMEM }
            unsafe pthread_attr_init(attributes)
            defer { unsafe pthread_attr_destroy(attributes) }
            unsafe pthread_attr_setstacksize(attributes, stackBytes)
            return unsafe pthread_create(
                &handle, attributes,
                { raw in
                    guard let raw = unsafe raw else { return nil }
                    let block = unsafe Unmanaged<StartBlock>.fromOpaque(raw).takeRetainedValue()
                    setName(block.name, at: "/proc/thread-self/comm")
                    block.body()
                    return nil
                }, argument.toOpaque())
        }
        guard code == 0 else {
            unsafe argument.release()
            throw SplitreelError(
                .internalFault, operation: "pthread_create", subject: start.name,
                reason: unsafe String(cString: strerror(code)))
        }
        return handle
    }

    deinit {
        // The system keeps the stack of an ended thread until somebody joins it, or says that nobody will.
        state.withLock { state in
            if !state.joined, let handle = state.handle { pthread_detach(handle) }
        }
    }

    /// Waits until the body has returned; from any thread but this one, any number of times.
    package func join() {
        finished.wait()
        state.withLock { state in
            guard !state.joined, let handle = state.handle else { return }
            precondition(pthread_equal(handle, pthread_self()) == 0, "A thread cannot wait for its own end.")
            pthread_join(handle, nil)
            state.joined = true
        }
    }

    /// Waits for the body to return, at most `limit`; answers whether it has.
    package func join(within limit: Duration) -> Bool {
        guard finished.isOpen(within: limit) else { return false }
        join()
        return true
    }
}

private final class StartBlock: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}
