import Diagnostics
import Foundation
import Hashing
import ObjectStorage
import SegmentCache
import Synchronization
import TestTools
import Testing
import Threads

/// Entries of a shared cache that are got several at a time: from a store that takes a tenth of a second for each.
@Suite("Several chunks at a time")
struct SeveralEntriesTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("several") }

    private static func key(_ number: Int) -> ContentKey { ContentKey(of: Array("task \(number)".utf8)) }

    private static func bytes(_ number: Int) -> [UInt8] { madeBytes(3000 + number, seed: UInt64(number)) }

    private func cache(
        _ server: StubServer, on machine: String, patience: Duration = .seconds(20)
    ) throws -> SegmentCache {
        var settings = RemoteSettings.quick(server)
        settings.stallTimeout = .seconds(10)
        let shared = try SharedSegments(
            "s3://studio/cache", secret: String(repeating: "secret-", count: 5), limit: 1 << 30, settings: settings,
            patience: patience)
        return try SegmentCache(in: folder.folder(machine), sparing: 0, shared: shared)
    }

    /// Keeps so many entries.
    private func fill(_ server: StubServer, _ count: Int) throws {
        let cache = try cache(server, on: "maker")
        for number in 0..<count {
            let bytes = Self.bytes(number)
            let path = try folder.write(Data(bytes), to: "made-\(number)")
            _ = try folder.write("{\"record\":\(number)}", to: "made-\(number).json")
            let segment = SegmentCache.Segment(path: path, hash: sha256(bytes), byteCount: Int64(bytes.count))
            #expect(cache.keep(Self.key(number), [segment], madeBy: "node7"))
        }
        #expect(cache.fault == nil)
    }

    private func out(_ number: Int) -> String { folder.file("taken-\(number)") }

    /// Takes entries as a job does; the answers in their order.
    private func take(
        _ count: Int, _ cache: SegmentCache, width: Int? = nil, stop: WorkStop? = nil
    ) -> [SegmentCache.Answer?] {
        let answers = Mutex([SegmentCache.Answer?](repeating: nil, count: count))
        let paths = (0..<count).map(out)
        doSideBySide(count, width: width ?? SharedSegments.mostAtOnce) { number in
            let answer = cache.take(Self.key(number), to: [paths[number]], stop: stop)
            answers.withLock { $0[number] = answer }
            return true
        }
        return answers.withLock { $0 }
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// The files of entries on their way to the cache of a machine, and from it.
    private func parts(of machine: String) -> [String] {
        let place = folder.file(machine) + "/chunks"
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: place)) ?? []
        return names.filter { $0.hasPrefix(".parts-") && $0.split(separator: "/").count > 1 }
    }

    @Test func aStoreIsAskedForSeveralAtATime() throws {
        let store = StubChunkStore(delay: .milliseconds(100))
        let server = try StubServer(store.serve)
        try fill(server, 24)
        let cache = try cache(server, on: "taker")
        let listed = store.lists
        #expect(take(24, cache).allSatisfy { $0 == .hit(worker: "node7") })
        for number in 0..<24 {
            #expect(FileManager.default.contents(atPath: out(number)) == Data(Self.bytes(number)))
            #expect(isThere(out(number) + ".json"))
        }
        #expect((4...8).contains(store.mostInHand), "\(store.mostInHand) requests were in hand at once")
        // In the order of the film, as far as several at a time have one, and listed once for all.
        let order = store.got.map { path in (0..<24).first { path.hasSuffix(Self.key($0).text) } ?? -1 }
        #expect(order.enumerated().allSatisfy { abs($0 - $1) < 16 }, "\(order)")
        #expect(store.lists == listed + 1 && cache.fault == nil && parts(of: "taker").isEmpty)
    }

    /// Several jobs of one process have eight requests in hand between them.
    @Test func noMoreThanEightAreAskedForAtATime() throws {
        let store = StubChunkStore(delay: .milliseconds(50))
        let server = try StubServer(store.serve)
        try fill(server, 40)
        let cache = try cache(server, on: "taker")
        #expect(take(40, cache, width: 20).allSatisfy { $0 == .hit(worker: "node7") })
        #expect((4...8).contains(store.mostInHand), "\(store.mostInHand) requests were in hand at once")
    }

    /// The list says 100 MiB of each: two of them have room at a time.
    @Test func theirBytesAreBounded() throws {
        let store = StubChunkStore(delay: .milliseconds(50), telling: 100 << 20)
        let server = try StubServer(store.serve)
        try fill(server, 6)
        let cache = try cache(server, on: "taker")
        #expect(take(6, cache).allSatisfy { $0 == .hit(worker: "node7") })
        #expect(store.mostInHand == 2)
    }

    @Test func whatIsPoisonedIsFoundAmongOthers() throws {
        let store = StubChunkStore(delay: .milliseconds(20))
        let server = try StubServer(store.serve)
        try fill(server, 12)
        for (path, bytes) in store.objects {
            let number = (0..<12).first { path.hasSuffix(Self.key($0).text) } ?? -1
            var other = bytes
            other[other.count / 2] ^= 0x04
            if number == 2 || number == 9 { store.put(other, at: path) }
            if number == 5 { store.put(Array(bytes.dropLast(40)), at: path) }
        }
        let cache = try cache(server, on: "taker")
        let answers = take(12, cache)
        for number in 0..<12 {
            let isBad = [2, 5, 9].contains(number)
            #expect(answers[number] == (isBad ? .spoiled : .hit(worker: "node7")))
            #expect(isThere(out(number)) != isBad && isThere(out(number) + ".json") != isBad)
        }
        #expect(cache.takeRemarks().count == 3 && cache.counts.figures.spoiled == 3)
        #expect(store.objects.count == 9 && parts(of: "taker").isEmpty)
    }

    /// One that was made longer after it was listed has no room that was left for it. It is rendered, and kept anew.
    @Test func whatBecameLongerIsNotTaken() throws {
        let store = StubChunkStore(delay: .zero)
        let server = try StubServer(store.serve)
        try fill(server, 2)
        let cache = try cache(server, on: "taker")
        #expect(take(1, cache) == [.hit(worker: "node7")])
        let path = try #require(store.objects.keys.first { $0.hasSuffix(Self.key(1).text) })
        store.put([UInt8](repeating: 7, count: 1 << 20), at: path)
        #expect(cache.take(Self.key(1), to: [out(1)]) == .miss)
        #expect(cache.fault == nil && !isThere(out(1)) && parts(of: "taker").isEmpty)
        let segment = SegmentCache.Segment(
            path: folder.file("made-1"), hash: sha256(Self.bytes(1)), byteCount: Int64(Self.bytes(1).count))
        #expect(cache.keep(Self.key(1), [segment], madeBy: "node8"))
        #expect(cache.take(Self.key(1), to: [out(1)]) == .hit(worker: "node8"))
    }

    /// Eight that do not come cost what one costs, and those behind them nothing.
    @Test func aSlowStoreIsWaitedForOnce() throws {
        let store = StubChunkStore(delay: .milliseconds(2500))
        let server = try StubServer(store.serve)
        try fill(server, 40)
        let cache = try cache(server, on: "taker", patience: .milliseconds(300))
        let begin = ContinuousClock.now
        #expect(take(40, cache).allSatisfy { $0 == .miss })
        #expect(ContinuousClock.now - begin < .seconds(8))
        #expect(cache.fault?.code == .storageUnreachable)
        #expect(store.got.count <= 8 && parts(of: "taker").isEmpty)
        #expect((0..<40).allSatisfy { !isThere(out($0)) && !isThere(out($0) + ".json") })
    }

    /// A job that is cancelled waits for none of them, and that is no fault of the store.
    @Test func whatIsNotWantedAnyMoreIsNotWaitedFor() throws {
        let store = StubChunkStore(delay: .seconds(60))
        defer { store.hurry() }
        let server = try StubServer(store.serve)
        try fill(server, 20)
        let cache = try cache(server, on: "taker")
        let stop = WorkStop()
        startThread("canceller") {
            for _ in 0..<2000 where store.got.count < 8 { _ = Latch().isOpen(within: .milliseconds(10)) }
            stop.stop()
        }
        let begin = ContinuousClock.now
        #expect(take(20, cache, stop: stop).allSatisfy { $0 == .miss })
        #expect(ContinuousClock.now - begin < .seconds(40))
        #expect(cache.fault == nil && store.got.count == 8 && parts(of: "taker").isEmpty)
        #expect((0..<20).allSatisfy { !isThere(out($0)) })
    }
}
