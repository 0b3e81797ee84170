/// The loop's timers and descriptors. All calls run on the loop's thread only; another thread crashes, after shutdown
/// they do nothing.
extension EventLoop {
    /// Runs `body` on the loop every `interval` (at least 1 ms), first after one interval; missed beats are skipped.
    @discardableResult
    package func every(_ interval: Duration, _ body: @escaping () -> Void) -> TimerID {
        let interval = max(interval, .milliseconds(1))
        return arm(after: interval, interval: interval, body)
    }

    /// Runs `body` on the loop once, when `delay` has passed.
    @discardableResult
    package func after(_ delay: Duration, _ body: @escaping () -> Void) -> TimerID {
        arm(after: max(delay, .zero), interval: nil, body)
    }

    /// Cancels a timer. One that has fired or was cancelled may be cancelled again.
    package func cancel(_ id: TimerID) {
        guard (try? requireLoop("cancel")) != nil else { return }
        owned.timers.cancel(id)
    }

    /// Calls `readable` on the loop whenever `descriptor` has something to read or is at its end, again and again until
    /// it is read or unwatched. The caller keeps the descriptor open meanwhile and closes it after.
    package func watch(_ descriptor: Int32, readable: @escaping () -> Void) throws -> DescriptorID {
        try requireLoop("watch")
        let id = DescriptorID(number: owned.nextNumber())
        owned.descriptors[id] = WatchedDescriptor(descriptor: descriptor, readable: readable)
        return id
    }

    package func unwatch(_ id: DescriptorID) {
        guard (try? requireLoop("unwatch")) != nil else { return }
        owned.descriptors[id] = nil
    }

    private func arm(after delay: Duration, interval: Duration?, _ body: @escaping () -> Void) -> TimerID {
        guard (try? requireLoop("every, after")) != nil else { return TimerID(number: 0) }
        let id = TimerID(number: owned.nextNumber())
        owned.timers.add(
            TimerQueue.Entry(id: id, deadline: ContinuousClock.now + delay, interval: interval, body: body))
        return id
    }
}
