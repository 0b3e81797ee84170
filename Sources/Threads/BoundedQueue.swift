/// A first-in-first-out hand-over between two threads that holds at most `capacity` elements.
///
/// `push` waits while the queue is full, `pop` while it is empty; `finish` and `abandon` end both at once, so that
/// neither side can hang on one that has failed.
package final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
        var failure: (any Error)?
    }
    private let monitor = Monitor(State())
    private let capacity: Int

    package init(capacity: Int) {
        precondition(capacity > 0, "A queue needs room for an element.")
        self.capacity = capacity
    }

    /// Adds an element, waiting while the queue is full. False when the reader has gone: the element is dropped and the
    /// writer should stop.
    package func push(_ element: Element) -> Bool {
        monitor.wait { [capacity] state in
            if state.isClosed { return false }
            guard state.elements.count < capacity else { return nil }
            state.elements.append(element)
            return true
        }
    }

    /// Adds an element without waiting; nil where the queue is full, else as `push` answers.
    package func offer(_ element: Element) -> Bool? {
        monitor.change { [capacity] state in
            if state.isClosed { return false }
            guard state.elements.count < capacity else { return nil }
            state.elements.append(element)
            return true
        }
    }

    /// Takes the next element; nil at the end. Throws the writer's error, after the elements before it.
    package func pop() throws -> Element? {
        let next: Result<Element?, any Error> = monitor.wait { state in
            if !state.elements.isEmpty { return .success(state.elements.removeFirst()) }
            guard state.isClosed else { return nil }
            return state.failure.map { .failure($0) } ?? .success(nil)
        }
        return try next.get()
    }

    /// Ends the queue for the writer, with an error where it failed.
    package func finish(throwing error: (any Error)? = nil) {
        monitor.change { state in
            state.failure = state.failure ?? error
            state.isClosed = true
        }
    }

    /// Ends the queue for the reader: waiting elements are dropped.
    package func abandon() {
        monitor.change { state in
            state.isClosed = true
            state.elements = []
        }
    }
}
