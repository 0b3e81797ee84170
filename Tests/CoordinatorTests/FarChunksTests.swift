import Coordinator
import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import ObjectStorage
import Outputs
import Planning
import Scheduling
import SegmentCache
import Synchronization
import TestTools
import Testing
import Threads

/// Chunks of a bucket that is slow, or stands still: what moves is waited for, and all else is rendered.
@Suite("Chunks that are on their way", .timeLimit(.minutes(3)))
struct FarChunksTests {
    private func key(_ chunk: Int) -> ContentKey {
        // An entry's key, of a task that shows no files.
        ContentKey(of: Array("splitreel entry 1\n\(ContentKey(of: Array("\(chunk)".utf8)).text)".utf8))
    }

    private func cache(_ server: StubServer, in folder: String) throws -> SegmentCache {
        var settings = RemoteSettings(endpoint: server.endpoint, region: "us-east-1", credentials: .anonymous)
        settings.slowestRate = 1
        let shared = try SharedSegments(
            "s3://studio/cache", secret: String(repeating: "secret-", count: 5), limit: 1 << 40, settings: settings)
        return try SegmentCache(in: folder, sparing: 0, shared: shared)
    }

    /// Keeps so many chunks, as another machine has made them.
    private func fill(_ server: StubServer, _ count: Int, in folder: String) throws {
        let cache = try cache(server, in: folder + "/maker")
        for chunk in 0..<count {
            let content = Data(FakeMediaWork.content(chunk).utf8)
            let record = SegmentRecord(
                media: .video, count: 25, packetCount: 25, extradataHash: String(repeating: "0", count: 64),
                fileHash: sha256(content), byteCount: Int64(content.count),
                key: ContentKey(of: Array("\(chunk)".utf8)), notices: NoticeList())
            let path = "\(folder)/made-\(chunk)"
            try content.write(to: URL(fileURLWithPath: path))
            try JSONEncoder().encode(record).write(to: URL(fileURLWithPath: path + ".json"))
            let segment = SegmentCache.Segment(path: path, hash: record.fileHash, byteCount: record.byteCount)
            try #require(cache.keep(key(chunk), [segment], madeBy: "node7"))
        }
    }

    private func film(_ fixture: Fixture) throws -> String {
        try String(contentsOfFile: fixture.output, encoding: .utf8)
    }

    /// By the list each chunk has 200 MiB, so that one at a time has room. The first takes longer than a chunk may
    /// stand still, and so does the second's wait for its turn. The third stands still.
    @Test func whatMovesIsWaitedFor() async throws {
        let folder = try Fixture.folder()
        let bucket = SlowBucket(telling: 200 << 20)
        defer { bucket.end.open() }
        let server = try StubServer(bucket.serve)
        try fill(server, 3, in: folder)
        bucket.be(.slow, for: key(0))
        bucket.be(.still, for: key(2))
        let cache = try cache(server, in: folder + "/cache")
        let fixture = try await Fixture(
            folder: folder, mediaWork: FakeMediaWork(chunks: 3, hasSound: false), cache: cache
        ) { ($0.verifying, $0.tick) = (.seconds(4), .milliseconds(20)) }
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let report = try await client.watch(try await client.submit(fixture.request))
        #expect(report.state == .completed && report.chunks.map(\.attempt) == [1, 1, 2])
        #expect(report.chunks.map(\.cached) == [true, true, false] && report.chunks.first?.maker == "node7")
        // The coordinator's limit has ended it, which is no fault of the store.
        #expect(cache.fault == nil)
        #expect(try film(fixture) == (0..<3).map { FakeMediaWork.content($0) }.joined())
        await fixture.end(slot, client)
    }

    /// The store has the chunks as ones of the cache, without a hash. The next life does not ask for them, and renders
    /// them.
    @Test func whatWasOnItsWayIsRenderedAfterARestart() async throws {
        let folder = try Fixture.folder()
        let bucket = SlowBucket()
        defer { bucket.end.open() }
        let server = try StubServer(bucket.serve)
        try fill(server, 2, in: folder)
        for chunk in 0..<2 { bucket.be(.still, for: key(chunk)) }
        let mediaWork = FakeMediaWork(chunks: 3, hasSound: false)
        let first = try await Fixture(
            folder: folder, mediaWork: mediaWork, cache: cache(server, in: folder + "/cache"))
        let early = try await FakePeer(first.endpoint)
        let job = try await early.submit(first.request)
        while bucket.asked < 2 { await Task.yield() }
        await first.end(early, keepFolder: true)

        let second = try await Fixture(
            folder: folder, mediaWork: mediaWork, cache: cache(server, in: folder + "/cache"))
        let (slot, client) = try await (FakePeer(second.endpoint), FakePeer(second.endpoint))
        try await slot.register("w/1", worker: "w")
        let report = try await client.watch(job)
        #expect(report.state == .completed && report.chunks.map(\.attempt) == [2, 2, 1])
        #expect(report.chunks.allSatisfy { !$0.cached } && bucket.asked == 2)
        #expect(try film(second) == (0..<3).map { FakeMediaWork.content($0) }.joined())
        #expect(second.outputNames == ["film.mkv"])
        await second.end(slot, client)
    }
}

/// A store of whole objects, each of which is got in its own time.
private final class SlowBucket: Sendable {
    enum Pace {
        case quick
        /// Six seconds, in 24 pieces.
        case slow
        /// The head of the answer comes, and nothing more.
        case still
    }
    private struct State {
        var objects: [String: [UInt8]] = [:]
        var paces: [String: Pace] = [:]
        var asked = 0
    }
    private let state = Mutex(State())
    /// The length that a list tells of each object; nil for its own.
    private let told: Int?
    /// Opens when nobody is to wait any more.
    let end = Latch()

    init(telling told: Int? = nil) { self.told = told }

    /// The number of objects that were asked for.
    var asked: Int { state.withLock { $0.asked } }

    func be(_ pace: Pace, for key: ContentKey) { state.withLock { $0.paces[key.text] = pace } }

    func serve(_ request: StubServer.Request, _ connection: StubServer.Connection) {
        if request.query.contains("list-type=2") { return connection.answer(200, [:], list(request)) }
        guard request.method == "GET" else {
            if request.method == "PUT" { state.withLock { $0.objects[request.path] = request.body } }
            return connection.answer(200)
        }
        let (bytes, pace) = state.withLock { state in
            state.asked += 1
            let name = request.path.split(separator: "/").last.map(String.init) ?? ""
            return (state.objects[request.path] ?? [], state.paces[name] ?? .quick)
        }
        connection.head(200, ["Content-Length": "\(bytes.count)"])
        switch pace {
        case .quick: connection.send(bytes)
        case .slow:
            for piece in 0..<24 {
                _ = end.isOpen(within: .milliseconds(250))
                connection.send(Array(bytes[piece * bytes.count / 24..<(piece + 1) * bytes.count / 24]))
            }
        case .still:
            _ = end.isOpen(within: .seconds(120))
            connection.end()
        }
    }

    /// Paths have the bucket's name in front of the key.
    private func list(_ request: StubServer.Request) -> [UInt8] {
        let lines = state.withLock { $0.objects }.map { path, bytes in
            let key = path.dropFirst(request.path.count).drop { $0 == "/" }.removingPercentEncoding ?? ""
            return """
                <Contents><Key>\(key)</Key><LastModified>\(Date.now.formatted(.iso8601))</LastModified>\
                <Size>\(told ?? bytes.count)</Size></Contents>
                """
        }
        return Array("<ListBucketResult>\(lines.joined())</ListBucketResult>".utf8)
    }
}
