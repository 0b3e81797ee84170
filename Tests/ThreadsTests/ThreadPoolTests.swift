import Diagnostics
import Dispatch
import Foundation
import Synchronization
import Testing
import Threads

@Suite("Thread pool", .timeLimit(.minutes(5)))
struct ThreadPoolTests {
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    /// Blocks until everything that was asked before is done, off the cooperative pool.
    private func after(_ gate: DispatchSemaphore, times: Int = 1) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                for _ in 0..<times { gate.wait() }
                continuation.resume()
            }
        }
    }

    @Test("askers take turns, each in its own order")
    func turns() async throws {
        let (pool, log) = (ThreadPool(name: "turns", size: 1, capacity: 100), Log())
        let (hold, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try pool.run(for: "a") { hold.wait() }
        for number in 0..<4 {
            try pool.run(for: "a") {
                log.add("a\(number)"); done.signal()
            }
        }
        for number in 0..<2 {
            try pool.run(for: "b") {
                log.add("b\(number)"); done.signal()
            }
        }
        hold.signal()
        await after(done, times: 6)
        #expect(log.all.filter { $0.hasPrefix("a") } == ["a0", "a1", "a2", "a3"])
        #expect(log.all.prefix(4).filter { $0.hasPrefix("b") } == ["b0", "b1"])
    }

    @Test("results come from one thread, in order, and nobody is blocked meanwhile")
    func results() async throws {
        let pool = ThreadPool(name: "results", size: 1)
        var threads: Set<pthread_t> = []
        for number in 0..<100 {
            let (found, thread) = try await pool.result { (number, pthread_self()) }
            #expect(found == number)
            threads.insert(thread)
        }
        #expect(threads.count == 1)
    }

    @Test("what hangs and is abandoned keeps nobody waiting, and ends when it can")
    func abandonment() async throws {
        let pool = ThreadPool(name: "hung", size: 1, capacity: 100)
        let (begun, hang, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let stuck = try pool.run {
            begun.signal()
            hang.wait()
        }
        await after(begun)
        try pool.run { done.signal() }
        pool.abandon(stuck)
        await after(done)
        // The place is one still, however many were given up.
        try pool.run { done.signal() }
        await after(done)
        #expect(pool.isBusy)
        hang.signal()
        while pool.isBusy { await Task.yield() }
    }

    @Test("what is abandoned before it began never begins")
    func queued() async throws {
        let (pool, log) = (ThreadPool(name: "queued", size: 1, capacity: 100), Log())
        let (hold, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try pool.run { hold.wait() }
        let dropped = try pool.run { log.add("dropped") }
        try pool.run {
            log.add("kept"); done.signal()
        }
        pool.abandon(dropped)
        hold.signal()
        await after(done)
        #expect(log.all == ["kept"])
        pool.abandon(dropped)
    }

    @Test("one piece too many is refused")
    func capacity() throws {
        let pool = ThreadPool(name: "full", size: 1, capacity: 2)
        let (begun, hold) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try pool.run {
            begun.signal()
            hold.wait()
        }
        begun.wait()
        for _ in 0..<2 { try pool.run {} }
        let error = #expect(throws: SplitreelError.self) { try pool.run {} }
        #expect(error?.code == .refused)
        hold.signal()
    }

    @Test("an asker has at most its share of the threads, and the others have the rest")
    func shares() async throws {
        let (pool, log) = (ThreadPool(name: "shares", size: 3, perAsker: 2), Log())
        let (hold, begun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for number in 0..<3 {
            try pool.run(for: "a") {
                log.add("a\(number)")
                begun.signal()
                hold.wait()
            }
        }
        await after(begun, times: 2)
        try pool.run(for: "b") {
            log.add("b")
            begun.signal()
        }
        await after(begun)
        #expect(log.all.sorted() == ["a0", "a1", "b"])
        // One of its threads is free again: its third piece gets it.
        hold.signal()
        await after(begun)
        #expect(log.all.count == 4 && log.all.last == "a2")
        for _ in 0..<2 { hold.signal() }
        while pool.isBusy { await Task.yield() }
    }

    @Test("work that hangs and is stopped gives its place away, to its own asker too; what waits begins all the same")
    func stopping() async throws {
        let pool = ThreadPool(name: "stopped", size: 1, perAsker: 1)
        let (begun, hang, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let stop = WorkStop()
        try pool.run(for: "a", stop: stop) {
            begun.signal()
            hang.wait()
        }
        await after(begun)
        // Queued with the same stop: what it has to tell is told.
        for asker in ["a", "b"] { try pool.run(for: asker, stop: stop) { done.signal() } }
        stop.stop()
        await after(done, times: 2)
        #expect(pool.isBusy)
        hang.signal()
        while pool.isBusy { await Task.yield() }
    }

    @Test("a thread without work takes what comes soon after")
    func reuse() async throws {
        let (pool, done) = (ThreadPool(name: "reused", size: 1), DispatchSemaphore(value: 0))
        let log = Log()
        for _ in 0..<50 {
            try pool.run {
                // The kernel's own number of the thread.
                let link = "/proc/thread-self"
                log.add((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? "none")
                done.signal()
            }
            await after(done)
        }
        // On a machine that stands still for a second in between it may be another thread.
        #expect(Set(log.all).count < 10 && log.all.count == 50)
    }
}
