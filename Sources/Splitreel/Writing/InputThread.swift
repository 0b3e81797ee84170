import Diagnostics
import Synchronization
import Threads

/// The thread that writes what is appended to one input, a few elements behind whoever appends. It ends by `end`, by
/// `close`, by an error, or with this object.
final class InputThread<Element: Sendable>: Sendable {
    private let queue: BoundedQueue<Element>
    private let ended = OneShot<Result<Void, any Error>>()
    /// The error that appending throws once the input has ended.
    private let failure: Failure

    // The thread keeps this and not the input, which may go while the thread still works.
    private final class Failure: Sendable {
        let error = Mutex<(any Error)?>(nil)

        func note(_ other: any Error) { error.withLock { $0 = $0 ?? other } }
    }

    /// - Parameters:
    ///   - ahead: the most elements that wait to be written.
    ///   - work: what is done with each; an error ends the input.
    init(_ name: String, ahead: Int, _ work: @escaping @Sendable (Element) throws -> Void) {
        let (queue, failure, ended) = (BoundedQueue<Element>(capacity: ahead), Failure(), ended)
        (self.queue, self.failure) = (queue, failure)
        startThread(name) {
            do {
                while let element = try queue.pop() { try work(element) }
                ended.set(.success(()))
            } catch {
                failure.note(error)
                queue.abandon()
                ended.set(.failure(error))
            }
        }
    }

    deinit { close() }

    /// Hands over an element, and waits while too many are there.
    ///
    /// - Throws: the error that ended the input; `CancellationError` where the task is cancelled.
    func append(_ element: Element) async throws {
        try Task.checkCancellation()
        let queue = queue
        let isTaken: Bool
        if let answer = queue.offer(element) {
            isTaken = answer
        } else {
            isTaken = await onThread("appended") { queue.push(element) }
        }
        guard isTaken else { throw failure.error.withLock { $0 } ?? CancellationError() }
    }

    /// Waits until everything is written. What is appended afterwards is refused.
    func end() async throws {
        queue.finish()
        let ended = ended
        try await onThread("ended") { ended.wait() }.get()
        failure.note(
            SplitreelError(
                .usage, operation: "writing a film", subject: "an input", reason: "the film has been finished"))
    }

    /// Drops what waits; the thread ends after the element in hand. Does not block.
    func close() {
        failure.note(CancellationError())
        queue.finish(throwing: CancellationError())
        queue.abandon()
    }

    /// Closes, and waits until the thread has ended. Blocking.
    func abandon() {
        close()
        _ = ended.wait()
    }
}
