import Foundation
import Synchronization
import TestTools
import Threads

/// A store of whole objects that takes its time for each that is got, and counts how many were in hand at once.
final class StubChunkStore: Sendable {
    private struct State {
        var objects: [String: [UInt8]] = [:]
        var inHand = 0
        var mostInHand = 0
        var lists = 0
        var got: [String] = []
    }
    private let state = Mutex(State())
    /// The length that a list tells of each object; nil for its own.
    private let told: Int?
    private let delay: Duration
    /// Opens when nobody is to wait any more.
    private let end = Latch()

    init(delay: Duration, telling told: Int? = nil) { (self.delay, self.told) = (delay, told) }

    /// Answers all that is in hand at once.
    func hurry() { end.open() }

    var mostInHand: Int { state.withLock { $0.mostInHand } }
    /// The number of lists that were asked for.
    var lists: Int { state.withLock { $0.lists } }
    /// The paths of the objects that were got, as they were asked for.
    var got: [String] { state.withLock { $0.got } }
    var objects: [String: [UInt8]] { state.withLock { $0.objects } }

    func put(_ bytes: [UInt8], at path: String) { state.withLock { $0.objects[path] = bytes } }

    func serve(_ request: StubServer.Request, _ connection: StubServer.Connection) {
        if request.query.contains("list-type=2") { return connection.answer(200, [:], list(request)) }
        switch request.method {
        case "PUT":
            put(request.body, at: request.path)
            connection.answer(200)
        case "DELETE":
            state.withLock { _ = $0.objects.removeValue(forKey: request.path) }
            connection.answer(204)
        default:
            state.withLock { state in
                state.got.append(request.path)
                state.inHand += 1
                state.mostInHand = max(state.mostInHand, state.inHand)
            }
            _ = end.isOpen(within: delay)
            let bytes = state.withLock { state in
                state.inHand -= 1
                return state.objects[request.path]
            }
            connection.answer(bytes == nil ? 404 : 200, [:], bytes ?? [])
        }
    }

    /// Paths have the bucket's name in front of the key.
    private func list(_ request: StubServer.Request) -> [UInt8] {
        let objects = state.withLock { state in
            state.lists += 1
            return state.objects
        }
        let lines = objects.map { path, bytes in
            let key = path.dropFirst(request.path.count).drop { $0 == "/" }.removingPercentEncoding ?? ""
            return """
                <Contents><Key>\(key)</Key><LastModified>\(Date.now.formatted(.iso8601))</LastModified>\
                <Size>\(told ?? bytes.count)</Size></Contents>
                """
        }
        return Array("<ListBucketResult>\(lines.joined())</ListBucketResult>".utf8)
    }
}
