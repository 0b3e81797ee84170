import Foundation

/// A first-in-first-out hand-over between two threads that holds at most `capacity` elements.
///
/// `push` waits while the queue is full, `pop` while it is empty; `close` ends both at once, so that neither side can
/// hang on one that has failed.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
    // @unchecked: every stored property is guarded by `condition`.
    private let condition = NSCondition()
    private let capacity: Int
    private var elements: [Element] = []
    private var isClosed = false
    private var failure: (any Error)?

    init(capacity: Int) {
        precondition(capacity > 0, "a queue needs room for an element")
        self.capacity = capacity
    }

    /// False when the reader has gone: the element is dropped and the writer should stop.
    func push(_ element: Element) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while elements.count >= capacity && !isClosed { condition.wait() }
        guard !isClosed else { return false }
        elements.append(element)
        condition.broadcast()
        return true
    }

    /// nil at the end; throws what the writer failed with, after the elements before it.
    func pop() throws -> Element? {
        condition.lock()
        defer { condition.unlock() }
        while elements.isEmpty && !isClosed { condition.wait() }
        if !elements.isEmpty {
            let element = elements.removeFirst()
            condition.broadcast()
            return element
        }
        if let failure { throw failure }
        return nil
    }

    /// The writer's end: with an error where it failed.
    func finish(throwing error: (any Error)? = nil) {
        condition.lock()
        failure = failure ?? error
        isClosed = true
        condition.broadcast()
        condition.unlock()
    }

    /// The reader's end: what waits is dropped.
    func abandon() {
        condition.lock()
        isClosed = true
        elements.removeAll()
        condition.broadcast()
        condition.unlock()
    }
}
