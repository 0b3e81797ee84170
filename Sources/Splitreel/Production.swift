import Rendering
import Synchronization
import Threads

/// Elements that a thread of its own makes, a few ahead of whoever takes them; it begins when the first one is taken.
final class Production<Element: Sendable>: Sendable {
    /// Hands out elements in order; ends early where `deliver` throws, and soon after it is cancelled.
    typealias Work = @Sendable (_ cancellation: Cancellation, _ deliver: (Element) throws -> Void) throws -> Void

    private let name: String
    /// The thread that waits for elements in the place of whoever takes them.
    private let taking: ThreadPool
    private let queue: BoundedQueue<Element>
    private let cancellation = Cancellation()
    private let work: Work
    private let isBegun = Mutex(false)

    private struct Unwanted: Error {}

    /// - Parameter ahead: the most elements that wait to be taken.
    init(_ name: String, ahead: Int, _ work: @escaping Work) {
        (self.name, self.work) = (name, work)
        queue = BoundedQueue(capacity: ahead)
        taking = ThreadPool(name: name + "-taken", size: 1)
    }

    deinit { abandon() }

    /// The next element; nil at the end. Throws the work's error, after the elements that it made before.
    func next() async throws -> Element? {
        begin()
        let queue = queue
        return try await taking.result { Result { try queue.pop() } }.get()
    }

    /// Tells the work to stop; it ends as it sees fit.
    func cancel() { cancellation.cancel() }

    /// Ends the work, since nobody takes elements any more.
    func abandon() {
        cancellation.cancel()
        queue.abandon()
    }

    private func begin() {
        let isFirst = isBegun.withLock { isBegun in
            defer { isBegun = true }
            return !isBegun
        }
        guard isFirst else { return }
        let queue = queue
        let cancellation = cancellation
        let work = work
        startThread(name) {
            do {
                try work(cancellation) { guard queue.push($0) else { throw Unwanted() } }
                queue.finish()
            } catch {
                queue.finish(throwing: error)
            }
        }
    }
}
