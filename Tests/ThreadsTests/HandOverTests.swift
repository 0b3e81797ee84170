import Diagnostics
import Synchronization
import Testing
import Threads

@Suite("Values between threads", .timeLimit(.minutes(5)))
struct HandOverTests {
    private struct Fault: Error {}

    @Test("a queue keeps the order, never holds more than its capacity, and ends after its last element")
    func order() async throws {
        let queue = BoundedQueue<Int>(capacity: 3)
        // Counted before an element goes in, and after one has come out.
        let given = Mutex(0)
        let taken = Mutex(0)
        let writer = try DedicatedThread(name: "writer", stackBytes: 64 << 10) {
            for number in 0..<10_000 {
                given.withLock { $0 += 1 }
                guard queue.push(number) else { return }
            }
            queue.finish()
        }
        let seen = await onThread { [queue] in
            var seen: [Int] = []
            while let number = try? queue.pop() {
                // The one on its way in, and the one that has just come out.
                let held = given.withLock { $0 } - taken.withLock { $0 }
                if held > 5 { seen.append(-held) }
                taken.withLock { $0 += 1 }
                seen.append(number)
            }
            return seen
        }
        #expect(seen == Array(0..<10_000))
        #expect(writer.join(within: .seconds(60)))
    }

    @Test("an offer is taken while there is room, and never waits")
    func offer() throws {
        let queue = BoundedQueue<Int>(capacity: 2)
        #expect(queue.offer(1) == true && queue.offer(2) == true && queue.offer(3) == nil)
        #expect(try queue.pop() == 1 && queue.offer(3) == true)
        queue.finish()
        #expect(queue.offer(4) == false)
        #expect(try queue.pop() == 2 && queue.pop() == 3 && queue.pop() == nil)
    }

    @Test("a writer's failure comes after its elements")
    func failure() throws {
        let queue = BoundedQueue<Int>(capacity: 2)
        #expect(queue.push(1))
        queue.finish(throwing: Fault())
        #expect(!queue.push(2))
        #expect(try queue.pop() == 1)
        #expect(throws: Fault.self) { try queue.pop() }
    }

    @Test("a writer that waits for room is let go when its reader has gone")
    func abandonment() async throws {
        let queue = BoundedQueue<Int>(capacity: 1)
        #expect(queue.push(1))
        let outcome = OneShot<Bool>()
        startThread("writer") { outcome.set(queue.push(2)) }
        queue.abandon()
        let isTaken = await onThread { outcome.wait() }
        #expect(!isTaken)
        #expect(try queue.pop() == nil)
    }

    @Test("the first value counts, for whoever waited and whoever comes later")
    func oneShot() async {
        let box = OneShot<Int>()
        #expect(box.value == nil && box.wait(within: .zero) == nil)
        async let early = onThread { box.wait() }
        #expect(box.set(1) && !box.set(2))
        #expect(await early == 1)
        #expect(box.wait(within: .zero) == 1)
    }

    @Test("a latch may be opened again")
    func latch() {
        let latch = Latch()
        #expect(!latch.isOpen(within: .zero))
        latch.open()
        latch.open()
        #expect(latch.isOpen(within: .zero))
        latch.wait()
    }

    @Test("places go to those who wait in their order, and not to one who was stopped")
    func places() async throws {
        let places = Places(1)
        let log = Mutex<[Int]>([])
        try places.take(nil, "first")
        let stops = (0..<3).map { _ in WorkStop() }
        var outcomes: [OneShot<ErrorCode?>] = []
        for (number, stop) in stops.enumerated() {
            let (outcome, waits) = (OneShot<ErrorCode?>(), OneShot<Void>())
            outcomes.append(outcome)
            startThread("waiter \(number)") {
                do {
                    try places.take(stop, "waiter") { waits.open() }
                    log.withLock { $0.append(number) }
                    places.free()
                    outcome.set(nil)
                } catch {
                    outcome.set((error as? SplitreelError)?.code ?? .internalFault)
                }
            }
            await onThread { waits.wait() }
        }
        stops[1].stop()
        let stopped = await onThread { [outcomes] in outcomes[1].wait() }
        #expect(stopped == .cancelled)
        places.free()
        let others = await onThread { [outcomes] in [outcomes[0].wait(), outcomes[2].wait()] }
        #expect(others == [nil, nil])
        #expect(log.withLock { $0 } == [0, 2])
    }

    @Test("one that takes several places waits for all of them, and one that wants more than there are takes all")
    func severalPlaces() async throws {
        let places = Places(10)
        try places.take(places: 6, nil, "first")
        let (waits, taken) = (Latch(), Latch())
        startThread("several") {
            try? places.take(places: 40, nil, "second") { waits.open() }
            taken.open()
        }
        #expect(await onThread { waits.isOpen(within: .seconds(20)) && !taken.isOpen(within: .milliseconds(50)) })
        // A later one that would have room has its turn after it.
        let stop = WorkStop()
        let refused = await onThread {
            startThread("stopper") {
                _ = Latch().isOpen(within: .milliseconds(50))
                stop.stop()
            }
            return (try? places.take(stop, "third")) == nil
        }
        #expect(refused)
        places.free(places: 6)
        #expect(await onThread { taken.isOpen(within: .seconds(20)) })
        places.free(places: 40)
        try places.take(places: 10, nil, "all")
    }

    @Test("work side by side is begun in order, no more of it at a time than was said, and none after a stop")
    func sideBySide() async {
        let state = Mutex<(begun: [Int], now: Int, most: Int)>(([], 0, 0))
        await onThread {
            doSideBySide(200, width: 3) { number in
                state.withLock { state in
                    state.begun.append(number)
                    state.now += 1
                    state.most = max(state.most, state.now)
                }
                defer { state.withLock { $0.now -= 1 } }
                return number != 150
            }
        }
        let (begun, now, most) = state.withLock { $0 }
        #expect(now == 0 && (1...3).contains(most))
        #expect(begun.sorted() == Array(0..<begun.count) && begun.count > 150)
        let alone = Mutex<[Int]>([])
        doSideBySide(9, width: 1) { number in
            alone.withLock { $0.append(number) }
            return number != 4
        }
        #expect(alone.withLock { $0 } == [0, 1, 2, 3, 4])
        doSideBySide(0, width: 3) { _ in false }
    }
}
