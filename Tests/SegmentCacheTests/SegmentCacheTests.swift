import Diagnostics
import Foundation
import Hashing
import SegmentCache
import Synchronization
import TestTools
import Testing

@Suite("The cache of segments")
struct SegmentCacheTests {
    private let fixture: CacheFixture
    private let key = CacheFixture.key(1)

    init() throws { fixture = try CacheFixture() }

    private func out(_ name: String = "taken.nut") -> String { fixture.folder.file(name) }

    @Test func givesWhatWasKept() throws {
        let cache = try fixture.cache()
        let segments = [try fixture.segment(1), try fixture.segment(2, count: 70_001)]
        #expect(cache.take(key, to: [out(), out("taken.2.nut")]) == .miss)
        #expect(cache.keep(key, segments, madeBy: "node7"))
        // Another process finds it, though the segments are gone.
        for segment in segments { try FileManager.default.removeItem(atPath: segment.path) }
        #expect(try fixture.cache().take(key, to: [out(), out("taken.2.nut")]) == .hit(worker: "node7"))
        #expect(fixture.contents(out()) == CacheFixture.bytes(1, 5000))
        #expect(fixture.contents(out() + ".json") == Data("{\"record\":1}".utf8))
        #expect(fixture.contents(out("taken.2.nut")) == CacheFixture.bytes(2, 70_001))
        #expect(fixture.contents(out("taken.2.nut.json")) == Data("{\"record\":2}".utf8))
        // Another number of files is another task's.
        #expect(cache.take(key, to: [out("x.nut")]) == .spoiled)
    }

    @Test func aFileSystemWithLinksHasOneCopy() throws {
        let cache = try fixture.cache()
        let segment = try fixture.segment(1)
        cache.keep(key, [segment], madeBy: "a")
        #expect(cache.take(key, to: [out()]) == .hit(worker: "a"))
        let numbers = try [segment.path, fixture.file(key, "0"), out()].map {
            try FileManager.default.attributesOfItem(atPath: $0)[.systemFileNumber] as? Int
        }
        #expect(Set(numbers).count == 1)
    }

    /// The ways in which an entry is damaged, each as what is done to its files.
    enum Damage: String, CaseIterable {
        case recordBit, recordGone, segmentShort, segmentGone, segmentLink
        case entryBit, entryShort, entryEmpty, entryGone, entryOfAnother

        func inflict(_ fixture: CacheFixture, _ key: ContentKey) throws {
            func change(_ name: String, _ body: (inout Data) -> Void) throws {
                let path = fixture.file(key, name)
                var bytes = try #require(fixture.contents(path))
                body(&bytes)
                try bytes.write(to: URL(fileURLWithPath: path), options: .atomic)
            }
            func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: fixture.file(key, name)) }
            switch self {
            case .recordBit: try change("0.json") { $0[4] ^= 0x01 }
            case .recordGone: try remove("0.json")
            case .segmentShort: try change("0") { $0.removeLast() }
            case .segmentGone: try remove("0")
            case .segmentLink:
                try remove("0")
                try FileManager.default.createSymbolicLink(
                    atPath: fixture.file(key, "0"), withDestinationPath: "/etc/passwd")
            case .entryBit: try change("entry") { $0[$0.count / 3] ^= 0x01 }
            case .entryShort: try change("entry") { $0.removeLast(20) }
            case .entryEmpty: try change("entry") { $0 = Data() }
            case .entryGone: try remove("entry")
            case .entryOfAnother:
                let other = CacheFixture.key(2)
                try FileManager.default.removeItem(atPath: fixture.file(key, ""))
                try FileManager.default.copyItem(atPath: fixture.file(other, ""), toPath: fixture.file(key, ""))
            }
        }
    }

    @Test(arguments: Damage.allCases) func whatIsDamagedIsRemovedAndMadeAgain(damage: Damage) throws {
        let cache = try fixture.cache()
        let segment = try fixture.segment(1)
        cache.keep(key, [segment], madeBy: "a")
        cache.keep(CacheFixture.key(2), [try fixture.segment(2)], madeBy: "a")
        try damage.inflict(fixture, key)
        #expect(cache.take(key, to: [out()]) == .spoiled)
        #expect(!fixture.isThere(out()) && !fixture.isThere(out() + ".json"))
        #expect(!fixture.isThere(fixture.file(key, "")))
        #expect(cache.counts.figures.spoiled == 1)
        #expect(cache.take(key, to: [out()]) == .miss)
        // It is made again, of another file: that of the first one may have been the one that was damaged.
        #expect(cache.keep(key, [try fixture.segment(1, "again.nut")], madeBy: "b"))
        #expect(cache.take(key, to: [out()]) == .hit(worker: "b"))
        #expect(fixture.contents(out()) == CacheFixture.bytes(1, 5000))
        #expect(cache.take(CacheFixture.key(2), to: [out("other.nut")]) == .hit(worker: "a"))
    }

    /// A bit of a segment is found by whoever checks segments, and by the care of a person.
    @Test func checkingFindsABitOfASegment() throws {
        let cache = try fixture.cache()
        for number in 1...3 { cache.keep(CacheFixture.key(number), [try fixture.segment(number)], madeBy: "a") }
        var bytes = try #require(fixture.contents(fixture.file(key, "0")))
        bytes[2500] ^= 0x10
        try bytes.write(to: URL(fileURLWithPath: fixture.file(key, "0")), options: .atomic)
        let found = cache.verify()
        #expect(found.removed.entries == 1 && found.good.entries == 2)
        #expect(cache.take(key, to: [out()]) == .miss)
        #expect(cache.sum().entries == 2)
        #expect(cache.counts.figures.spoiled == 1)
    }

    @Test func twoWritersFillItAtOnce() throws {
        let caches = [try fixture.cache(), try fixture.cache()]
        let segments = try (0..<40).map { try fixture.segment($0, count: 20_000) }
        let folder = fixture.folder.path
        let wrong = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 160) { turn in
            let (number, cache) = (turn / 4, caches[turn % 2])
            let path = "\(folder)/turn-\(turn).nut"
            if turn % 4 < 2 {
                cache.keep(CacheFixture.key(number), [segments[number]], madeBy: "writer \(turn % 2)")
            } else {
                let answer = cache.take(CacheFixture.key(number), to: [path])
                let isRight = FileManager.default.contents(atPath: path) == CacheFixture.bytes(number, 20_000)
                if answer != .miss, !isRight { wrong.withLock { $0 += 1 } }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
        #expect(caches[0].counts.figures.spoiled == 0)
        let found = caches[0].verify()
        #expect(found.good.entries == 40 && found.removed.entries == 0)
    }

    @Test func whatWasNotUsedForLongestGoesFirst() throws {
        let cache = try fixture.cache(limit: 1 << 20)
        for number in 0..<8 {
            cache.keep(CacheFixture.key(number), [try fixture.segment(number, count: 100_000)], madeBy: "a")
            try setUse(number, ago: Double(1000 - number))
        }
        // The oldest is used again.
        #expect(cache.take(CacheFixture.key(0), to: [out()]) == .hit(worker: "a"))
        for number in 8..<12 {
            #expect(
                cache.keep(CacheFixture.key(number), [try fixture.segment(number, count: 100_000)], madeBy: "a"))
        }
        #expect(cache.sum().bytes <= 1 << 20)
        let left = (0..<12).filter { fixture.isThere(fixture.file(CacheFixture.key($0), "entry")) }
        #expect(left.contains(0) && left.contains(11) && !left.contains(1))
        // What can have no room is not kept, and nothing goes for it.
        #expect(!cache.keep(CacheFixture.key(50), [try fixture.segment(50, count: 2 << 20)], madeBy: "a"))
        #expect(cache.sum().entries == left.count)
    }

    private func setUse(_ number: Int, ago seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
            ofItemAtPath: fixture.file(CacheFixture.key(number), "entry"))
    }

    @Test func aPersonRemovesByWorkerByAgeAndByBytes() throws {
        let cache = try fixture.cache()
        for number in 0..<6 {
            let worker = number < 2 ? "good" : "bad"
            cache.keep(CacheFixture.key(number), [try fixture.segment(number, count: 10_000)], madeBy: worker)
            try setUse(number, ago: Double(100 * number + 50))
        }
        #expect(cache.prune(CachePruning(worker: "bad", age: 500)).entries == 1)
        #expect(cache.prune(CachePruning(worker: "bad")).entries == 3)
        #expect(cache.take(CacheFixture.key(3), to: [out()]) == .miss)
        #expect(cache.prune(CachePruning(worker: "nobody")).entries == 0)
        #expect(cache.prune(CachePruning(bytes: 12_000)).entries == 1)
        #expect(cache.take(CacheFixture.key(0), to: [out()]) == .hit(worker: "good"))
        #expect(cache.prune(CachePruning()).entries == 1)
        #expect(cache.sum() == CacheSum())
    }

    @Test func whatAKilledWriterLeftGoes() throws {
        let left = try fixture.folder.folder("cache/chunks/.parts-1-abc/7")
        _ = try fixture.folder.write(Data([1]), to: "cache/chunks/.parts-1-abc/7/0")
        _ = try fixture.cache()
        #expect(!fixture.isThere(left))
    }

    @Test func aFolderOfOthersIsNotUsed() throws {
        let chunks = try fixture.folder.folder("cache/chunks")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: chunks)
        let error = #expect(throws: SplitreelError.self) { try fixture.cache() }
        #expect(error?.code == .outputNotWritable)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: chunks)
        #expect(try fixture.cache().keep(key, [try fixture.segment(1)], madeBy: "a"))
    }

    /// A target of links on another file system: there the files are copied.
    @Test func copiesWhereThereAreNoLinks() throws {
        let other = "/dev/shm/splitreel-cache-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: other) }
        let cache = try fixture.cache()
        cache.keep(key, [try fixture.segment(1, count: 3_000_001)], madeBy: "a")
        #expect(cache.take(key, to: [other + "/taken.nut"]) == .hit(worker: "a"))
        #expect(fixture.contents(other + "/taken.nut") == CacheFixture.bytes(1, 3_000_001))
        #expect(cache.take(key, to: ["/dev/shm/no such folder/taken.nut"]) == .miss)
        #expect(cache.take(key, to: [out()]) == .hit(worker: "a"))
    }
}
