import CZeroMQ
import Diagnostics
import Dispatch
import Glibc
import Synchronization
import Threads

/// One thread that owns ZeroMQ sockets, timers and watched descriptors, and runs the jobs of the actors that use it as
/// their executor. Its only wait is one `zmq_poll` over all of them and an eventfd that wakes it for new jobs.
///
/// An actor adopts it with `nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }`.
/// Everything that touches a socket, timer or descriptor must run on the loop's thread; other threads crash with a
/// sentence. The loop lives until `shutDown()`, which its owner must call. Jobs that actors enqueue after that still
/// run, one at a time, but find no sockets: opening and sending throw `.transportFailed`.
// Unchecked: `owned` and `message` are touched only on the loop's thread, which every entry checks.
@safe
package final class EventLoop: SerialExecutor, @unchecked Sendable {
    package let name: String
    package let limits: TransportLimits
    let security: LinkSecurity

    let context: UnsafeMutableRawPointer
    private let wakeDescriptor: Int32
    private let inbox = Mutex(Inbox())
    /// The thread of the loop as pthread_self() gives it; 0 before it runs.
    private let threadIdentity = Atomic<UInt>(0)
    private let stopRequested = Atomic<Bool>(false)
    private let thread = Mutex<DedicatedThread?>(nil)
    /// The queue for jobs that actors enqueue after the end, so that nothing waits forever.
    private let afterlife: DispatchQueue
    private let afterlifeKey = DispatchSpecificKey<Bool>()

    /// The sockets, timers and descriptors, touched on the loop's thread only.
    var owned = LoopState()
    private let message: UnsafeMutablePointer<zmq_msg_t>

    /// The descriptors that a loop may come to need, its context's and those of a few connections among them.
    private static let descriptors = 24

    /// Starts the thread. Every socket of the loop speaks under `security`. Throws `.systemLimit` where too few
    /// descriptors are free, and `.transportFailed` if the system refuses a context, a descriptor or a thread.
    package init(
        name: String, limits: TransportLimits = TransportLimits(), security: LinkSecurity = .open
    ) throws {
        try OpenFileLimit.current.requireRoom(for: Self.descriptors, "opening sockets")
        self.name = name
        self.limits = limits
        self.security = security
        let descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw systemError("eventfd", subject: name) }
        guard let context = unsafe zmq_ctx_new() else {
            defer { Glibc.close(descriptor) }
            throw zeroMQError("zmq_ctx_new", subject: name)
        }
        wakeDescriptor = descriptor
        unsafe self.context = context
        afterlife = DispatchQueue(label: "splitreel.\(name).ended")
        unsafe message = .allocate(capacity: 1)
        unsafe zmq_msg_init(message)
        afterlife.setSpecific(key: afterlifeKey, value: true)
        do {
            if case .server(_, let doorkeeper?) = security {
                owned.doors = try unsafe AuthenticationSocket(context: context, doorkeeper)
            }
            let started = try DedicatedThread(name: name, stackBytes: limits.stackBytes) { [self] in run() }
            thread.withLock { $0 = started }
        } catch {
            owned.doors?.close()
            unsafe zmq_ctx_term(context)
            throw error
        }
    }

    deinit {
        // Not earlier: a thread that has just queued work may still be about to wake the loop.
        Glibc.close(wakeDescriptor)
        unsafe zmq_msg_close(message)
        unsafe message.deallocate()
    }

    /// Closes every socket, then the context, and joins the thread. Idempotent; from any thread but the loop's.
    /// Takes at most the linger time plus what the running job takes.
    package func shutDown() {
        precondition(!isOnLoop, "An event loop cannot be shut down from its own thread.")
        stopRequested.store(true, ordering: .sequentiallyConsistent)
        wake()
        let running = thread.withLock { $0 }
        running?.join()
    }

    /// Runs `body` on the loop and waits for its result; never from the loop itself or from the cooperative pool.
    /// Throws what `body` throws, or `.transportFailed` after shutdown.
    package func onLoop<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
        precondition(!isOnLoop, "onLoop would wait for itself: this already runs on the loop's thread.")
        let outcome = OneShot<Result<R, any Error>>()
        guard post({ outcome.set(Result { try body() }) }) else { throw ended("onLoop") }
        return try outcome.wait().get()
    }

    /// Queues `body` for the loop and returns at once; from any thread. False, and not run, after shutdown.
    @discardableResult
    package func post(_ body: @escaping @Sendable () -> Void) -> Bool {
        let accepted = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.add(.call(body))
            return true
        }
        if accepted { wake() }
        return accepted
    }

    // MARK: SerialExecutor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let accepted = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.add(.job(job))
            return true
        }
        if accepted { return wake() }
        afterlife.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    package func checkIsolated() {
        precondition(isOnLoop || isInAfterlife, "Not on the thread of the event loop \(name).")
    }

    /// Whether the caller runs on the loop's thread.
    package var isOnLoop: Bool {
        threadIdentity.load(ordering: .relaxed) == UInt(pthread_self())
    }

    private var isInAfterlife: Bool { DispatchQueue.getSpecific(key: afterlifeKey) == true }

    /// Guards everything that the loop's thread owns. Throws after the end, crashes on another thread.
    func requireLoop(_ operation: String) throws {
        if isInAfterlife { throw ended(operation) }
        precondition(isOnLoop, "\(operation) must be called on the thread of the event loop \(name).")
    }

    private func ended(_ operation: String) -> SplitreelError {
        SplitreelError(
            .transportFailed, operation: operation, subject: name, reason: "the event loop has been shut down")
    }

    private func wake() {
        var one: UInt64 = 1
        // EAGAIN means that the counter is full: the loop is awake already.
        _ = unsafe write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
    }
}

// MARK: The thread

extension EventLoop {
    private func run() {
        threadIdentity.store(UInt(pthread_self()), ordering: .relaxed)
        while !stopRequested.load(ordering: .sequentiallyConsistent) {
            runWork()
            runTimers()
            if stopRequested.load(ordering: .sequentiallyConsistent) { break }
            pollOnce()
        }
        end()
    }

    /// Runs at most one batch of work, so that sockets are served between; work that is left makes the next poll return
    /// at once.
    private func runWork() {
        let batch = inbox.withLock { $0.take(limits.batch) }
        for item in batch {
            switch item {
            case .job(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
            case .call(let body): body()
            }
        }
    }

    private func pollOnce() {
        var items = [unsafe zmq_pollitem_t(socket: nil, fd: wakeDescriptor, events: Int16(ZMQ_POLLIN), revents: 0)]
        let socketIDs = Array(owned.sockets.keys)
        for id in socketIDs {
            items.append(
                unsafe zmq_pollitem_t(socket: owned.sockets[id]?.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0))
        }
        let descriptorIDs = Array(owned.descriptors.keys)
        for id in descriptorIDs {
            items.append(
                unsafe zmq_pollitem_t(
                    socket: nil, fd: owned.descriptors[id]?.descriptor ?? -1, events: Int16(ZMQ_POLLIN), revents: 0))
        }
        let watches = owned.sockets.values.compactMap { $0.held }
        for watch in watches {
            items.append(unsafe zmq_pollitem_t(socket: watch.monitor, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0))
        }
        let doors = owned.doors
        if let doors {
            items.append(unsafe zmq_pollitem_t(socket: doors.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0))
        }
        let hasWork = inbox.withLock { !$0.isEmpty }
        let ready = unsafe zmq_poll(&items, Int32(items.count), hasWork ? 0 : Int(owned.timers.millisecondsToNext()))
        guard ready > 0 else { return }
        if items[0].revents != 0 { drainWake() }
        if let doors, items[items.count - 1].revents != 0 { doors.answer(atMost: limits.batch) }
        // Before the callbacks, which may close sockets.
        let firstWatch = 1 + socketIDs.count + descriptorIDs.count
        for (index, watch) in watches.enumerated() where items[firstWatch + index].revents != 0 { watch.look() }
        for (index, id) in socketIDs.enumerated() where items[index + 1].revents != 0 { receive(id) }
        for (index, id) in descriptorIDs.enumerated() where items[index + 1 + socketIDs.count].revents != 0 {
            owned.descriptors[id]?.readable()
        }
    }

    private func receive(_ id: SocketID) {
        for _ in 0..<limits.batch {
            // Looked up each time: a callback may close the socket.
            guard let socket = owned.sockets[id] else { return }
            guard let frames = unsafe socket.next(into: message, limits: limits) else { return }
            if frames.isEmpty { owned.droppedMessages += 1 } else { socket.receive(frames, socket.sender) }
        }
    }

    private func runTimers() {
        let now = ContinuousClock.now
        // Bounded by the timers that are due now: one that re-arms itself waits for the next turn.
        for timer in owned.timers.takeDue(now) {
            if owned.timers.rearm(timer, now: now) { timer.body() }
        }
    }

    private func drainWake() {
        var count: UInt64 = 0
        _ = unsafe read(wakeDescriptor, &count, MemoryLayout<UInt64>.size)
    }

    /// Runs work that was queued before the end, then closes the sockets and the context, and lets later jobs run
    /// elsewhere.
    private func end() {
        while inbox.withLock({ !$0.isEmpty }) { runWork() }
        for socket in owned.sockets.values { socket.close() }
        owned.doors?.close()
        owned = LoopState()
        var code: Int32
        repeat { code = unsafe zmq_ctx_term(context) } while code != 0 && zmq_errno() == EINTR
        while true {
            let rest = inbox.withLock { inbox in
                if inbox.isEmpty { inbox.isClosed = true }
                return inbox.isEmpty
            }
            if rest { break }
            // The context is gone, so these find no loop any more.
            threadIdentity.store(0, ordering: .relaxed)
            afterlife.sync { runWork() }
        }
        threadIdentity.store(0, ordering: .relaxed)
    }
}

/// The work that other threads hand to the loop.
private struct Inbox {
    enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }
    private var work: [Work?] = []
    /// The index of the next work: what was before it is done, and leaves the array now and then.
    private var head = 0
    var isClosed = false

    var isEmpty: Bool { head == work.count }

    mutating func add(_ item: Work) { work.append(item) }

    mutating func take(_ limit: Int) -> [Work] {
        let end = min(head + limit, work.count)
        var batch: [Work] = []
        batch.reserveCapacity(end - head)
        while head < end {
            if let item = work[head] { batch.append(item) }
            work[head] = nil
            head += 1
        }
        if head == work.count {
            work = []
            head = 0
        } else if head > 1024, head * 2 > work.count {
            work.removeFirst(head)
            head = 0
        }
        return batch
    }
}
