import Diagnostics
import MediaTime
import Synchronization
import Threads

/// The thread that encodes what is appended to one input, a few elements behind whoever appends.
final class InputThread<Element: Sendable>: Sendable {
    private let queue: BoundedQueue<Element>
    private let ended = OneShot<Result<Void, any Error>>()
    private let failure = Mutex<(any Error)?>(nil)

    /// - Parameters:
    ///   - ahead: the most elements that wait to be encoded.
    ///   - work: what is done with each; an error ends the input.
    init(_ name: String, ahead: Int, _ work: @escaping @Sendable (Element) throws -> Void) {
        let queue = BoundedQueue<Element>(capacity: ahead)
        self.queue = queue
        let ended = ended
        let note: @Sendable (any Error) -> Void = { [weak self] error in self?.failure.withLock { $0 = error } }
        startThread(name) {
            do {
                while let element = try queue.pop() { try work(element) }
                ended.set(.success(()))
            } catch {
                note(error)
                queue.abandon()
                ended.set(.failure(error))
            }
        }
    }

    /// Hands over an element, and waits while too many are there. Throws the error that ended the input.
    func append(_ element: Element) async throws {
        let queue = queue
        guard await onThread("appended", { queue.push(element) }) else {
            throw failure.withLock { $0 } ?? CancellationError()
        }
    }

    /// Waits until everything is encoded.
    func end() async throws {
        queue.finish()
        let ended = ended
        try await onThread("ended") { ended.wait() }.get()
    }

    /// Drops what waits, and waits until the thread lets go. Blocking.
    func abandon() {
        queue.finish(throwing: CancellationError())
        queue.abandon()
        _ = ended.wait()
    }
}
