import Diagnostics
import Foundation
import Hashing
import ObjectStorage
import SegmentCache
import Synchronization
import TestTools
import Testing
import Threads

/// Stores of cached chunks that are slow or odd: a render goes on without them.
@Suite("Slow and odd stores of chunks")
struct SlowCacheTests {
    private let folder: TestFolder
    private static let key = ContentKey(of: Array("task".utf8))

    init() throws { folder = try TestFolder("slow-cache") }

    private func cache(_ server: StubServer, patience: Duration) throws -> SegmentCache {
        var settings = RemoteSettings.quick(server)
        settings.stallTimeout = .seconds(10)
        let shared = try SharedSegments(
            "s3://studio/cache", secret: String(repeating: "secret-", count: 5), limit: 1 << 30, settings: settings,
            patience: patience)
        return try SegmentCache(in: folder.folder("own"), sparing: 0, shared: shared)
    }

    private func take(_ cache: SegmentCache) -> SegmentCache.Answer {
        cache.take(Self.key, to: [folder.file("taken.nut")])
    }

    /// A cache that gave up a server which takes too long, soon and with a fault.
    private func givenUp(_ server: StubServer) throws -> SegmentCache {
        let cache = try cache(server, patience: .milliseconds(300))
        let begin = ContinuousClock.now
        #expect(take(cache) == .miss)
        #expect(ContinuousClock.now - begin < .seconds(8))
        #expect(cache.fault?.code == .storageUnreachable)
        return cache
    }

    private static func isList(_ request: StubServer.Request) -> Bool { request.query.contains("list-type=2") }

    /// The list of a store that has objects of these lengths at that place, the first one under the key's name.
    private static func list(_ request: StubServer.Request, _ sizes: [Int]) -> [UInt8] {
        let prefix = request.query.split(separator: "&").first { $0.hasPrefix("prefix=") }?.dropFirst(7) ?? ""
        let place = prefix.removingPercentEncoding ?? ""
        let names = [key.text] + (1...9).map { String(repeating: "\($0)", count: 64) }
        let objects = zip(names, sizes).map { name, size in
            """
            <Contents><Key>\(place)\(name)</Key><LastModified>2026-02-28T23:59:07.000Z</LastModified>\
            <Size>\(size)</Size></Contents>
            """
        }
        return Array("<ListBucketResult>\(objects.joined())</ListBucketResult>".utf8)
    }

    /// The object begins and never ends.
    @Test func anObjectThatTakesTooLongIsGivenUp() throws {
        let end = Latch()
        defer { end.open() }
        let server = try StubServer { request, connection in
            if Self.isList(request) { return connection.answer(200, [:], Self.list(request, [100_000])) }
            connection.head(200, ["Content-Length": "100000"])
            connection.send([UInt8](repeating: 1, count: 1000))
            _ = end.isOpen(within: .seconds(60))
            connection.end()
        }
        let cache = try givenUp(server)
        // It is left alone then, and the chunk is still there.
        let count = server.requests.count
        #expect(take(cache) == .miss)
        #expect(server.requests.count == count && !server.requests.contains { $0.method == "DELETE" })
        #expect(!FileManager.default.fileExists(atPath: folder.file("taken.nut")))
    }

    /// A call when the chunk has its turn, and one for each of three pieces, of which the next is sent when the one
    /// before was told. None while the line stands still, until the chunk is given up.
    @Test func eachPieceThatComesIsTold() throws {
        let (end, pieces) = (Latch(), [Latch(), Latch(), Latch()])
        let calls = Mutex(0)
        defer { end.open() }
        let server = try StubServer { request, connection in
            if Self.isList(request) { return connection.answer(200, [:], Self.list(request, [100_000])) }
            connection.head(200, ["Content-Length": "100000"])
            for piece in pieces {
                connection.send([UInt8](repeating: 1, count: 1000))
                _ = piece.isOpen(within: .seconds(60))
            }
            _ = end.isOpen(within: .seconds(60))
            connection.end()
        }
        let cache = try cache(server, patience: .seconds(3))
        let answer = cache.take(
            Self.key, to: [folder.file("taken.nut")],
            goesOn: {
                let number = calls.withLock { calls in
                    calls += 1
                    return calls - 2
                }
                if pieces.indices.contains(number) { pieces[number].open() }
            })
        #expect(answer == .miss && cache.fault?.code == .storageUnreachable)
        #expect(pieces.allSatisfy { $0.isOpen(within: .zero) } && calls.withLock { $0 } == 4)
    }

    @Test func aListThatTakesTooLongIsGivenUp() throws {
        let end = Latch()
        defer { end.open() }
        let server = try StubServer { _, connection in
            _ = end.isOpen(within: .seconds(60))
            connection.end()
        }
        _ = try givenUp(server)
    }

    /// Lengths that no object has, and more than fit here, end nothing.
    @Test func lengthsWithoutBoundsAreNoNumbersToAdd() throws {
        let server = try StubServer { request, connection in
            let sizes = [Int.max, Int.max - 1, 1 << 40, 1 << 40]
            connection.answer(200, [:], Self.isList(request) ? Self.list(request, sizes) : [])
        }
        let cache = try cache(server, patience: .seconds(10))
        #expect(take(cache) == .miss)
        #expect(try cache.care.sum().bytes == 2 << 40)
        #expect(server.requests.allSatisfy(Self.isList) && cache.fault == nil)
    }

    /// What another machine removed after the list was made is kept anew.
    @Test func aChunkThatWentMeanwhileIsKeptAgain() throws {
        let server = try StubServer { request, connection in
            if Self.isList(request) { return connection.answer(200, [:], Self.list(request, [1000])) }
            connection.answer(request.method == "PUT" ? 200 : 404)
        }
        let cache = try cache(server, patience: .seconds(10))
        #expect(take(cache) == .miss && cache.fault == nil)
        let path = try folder.write("segment", to: "made.nut")
        _ = try folder.write("{}", to: "made.nut.json")
        let segment = SegmentCache.Segment(path: path, hash: sha256(Array("segment".utf8)), byteCount: 7)
        #expect(cache.keep(Self.key, [segment], madeBy: "node7"))
        #expect(server.requests.contains { $0.method == "PUT" && $0.path.hasSuffix(Self.key.text) })
    }
}
