import Diagnostics
import Foundation
import Hashing
import ObjectStorage
import SegmentCache
import TestTools
import Testing

/// A cache under a prefix of an object store. The store is moto's, and boto3 looks into it.
@Suite("The cache that coordinators share")
struct SharedSegmentsTests {
    private let fixture: CacheFixture
    private static let secret = String(repeating: "secret-", count: 5)

    init() throws { fixture = try CacheFixture() }

    private func shared(
        _ endpoint: String, secret: String? = Self.secret, at address: String = "s3://studio/cache of all",
        limit: Int = 1 << 30, roots: [String] = []
    ) throws -> SharedSegments {
        var settings = RemoteSettings(
            endpoint: endpoint,
            environment: [
                "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1",
            ])
        settings.firstPause = .milliseconds(1)
        return try SharedSegments(address, secret: secret, limit: limit, settings: settings, roots: roots)
    }

    /// A cache as one machine has it, whose folder has that name.
    private func cache(_ shared: SharedSegments, on machine: String) throws -> SegmentCache {
        try SegmentCache(in: fixture.folder.folder(machine), limit: 1 << 30, sparing: 0, shared: shared)
    }

    private func out(_ name: String = "taken.nut") -> String { fixture.folder.file(name) }

    /// Takes an entry; nothing is at the path before.
    private func take(_ number: Int, _ cache: SegmentCache) -> SegmentCache.Answer {
        for path in [out(), out() + ".json"] { try? FileManager.default.removeItem(atPath: path) }
        return cache.take(CacheFixture.key(number), to: [out()])
    }

    /// One server serves all that is asked: it takes seconds to come up.
    @Test func machinesShareWhatTheirKeySealed() throws {
        let store = try ObjectServer(in: fixture.folder)
        let one = try cache(shared(store.endpoint), on: "one")
        #expect(take(1, one) == .miss)
        for number in 1...4 {
            #expect(
                one.keep(CacheFixture.key(number), [try fixture.segment(number)], madeBy: number < 3 ? "good" : "bad"))
        }
        let pair = [try fixture.segment(5, count: 3_000_001), try fixture.segment(6)]
        #expect(one.keep(CacheFixture.key(5), pair, madeBy: "good"))
        #expect(one.fault == nil)

        // Another machine has them all, and one with another key none.
        let two = try cache(shared(store.endpoint), on: "two")
        #expect(take(1, two) == .hit(worker: "good"))
        #expect(fixture.contents(out()) == CacheFixture.bytes(1, 5000))
        #expect(fixture.contents(out() + ".json") == Data("{\"record\":1}".utf8))
        #expect(two.take(CacheFixture.key(5), to: [out("a"), out("b")]) == .hit(worker: "good"))
        #expect(fixture.contents(out("a")) == CacheFixture.bytes(5, 3_000_001))
        #expect(fixture.contents(out("b")) == CacheFixture.bytes(6, 5000))
        let stranger = try cache(shared(store.endpoint, secret: Self.secret + "x"), on: "stranger")
        #expect(take(1, stranger) == .miss && stranger.fault == nil)

        try expectPoisonIsFound(store)
        try expectCare(store)
        try expectItsBytesAtMost(store)
    }

    /// Whoever may write there and has no key can take chunks away, and put none in.
    private func expectPoisonIsFound(_ store: ObjectServer) throws {
        let objects = try store.list().objects
        func key(_ number: Int) throws -> String {
            try #require(objects.first { $0.hasSuffix("/" + CacheFixture.key(number).text) })
        }
        var bytes = try store.get(try key(1), to: "first")
        bytes[bytes.count / 2] ^= 0x04
        try bytes.write(to: URL(fileURLWithPath: out("bit")))
        let other = try store.get(try key(2), to: "second")
        try (other.dropLast(100)).write(to: URL(fileURLWithPath: out("short")))
        // One of this key that is another chunk's, and one whose words were changed.
        let words = String(decoding: try store.get(try key(4), to: "fourth").prefix(4096), as: UTF8.self)
        #expect(words.contains("\"worker\":\"bad\"") && !words.contains(Self.secret))
        try store.put([
            (out("bit"), try key(1)), (out("short"), try key(2)), (out("fourth"), try key(3)),
        ])
        let cache = try cache(shared(store.endpoint), on: "three")
        for number in 1...3 {
            #expect(take(number, cache) == .spoiled)
            #expect(!fixture.isThere(out()) && !fixture.isThere(out() + ".json"))
            #expect(take(number, cache) == .miss)
        }
        #expect(take(4, cache) == .hit(worker: "bad"))
        #expect(cache.takeRemarks().count == 3 && cache.takeRemarks().isEmpty)
        #expect(cache.counts.figures.spoiled == 3)
        for number in 1...3 {
            #expect(cache.keep(CacheFixture.key(number), [try fixture.segment(number)], madeBy: "good"))
        }
        #expect(take(1, cache) == .hit(worker: "good"))
    }

    private func expectCare(_ store: ObjectServer) throws {
        // What else lies there is not touched.
        let place = try #require(try store.list().objects.first).split(separator: "/").dropLast().joined(separator: "/")
        _ = try fixture.folder.write("not a chunk", to: "foreign")
        try store.put([(out("foreign"), place + "/README")])
        let cache = try cache(shared(store.endpoint), on: "four")
        #expect(try cache.care.sum().entries == 5)
        let found = try cache.care.verify()
        #expect(found.good.entries == 5 && found.removed.entries == 0)
        #expect(try cache.care.prune(CachePruning(worker: "bad")).entries == 1)
        #expect(try cache.care.prune(CachePruning(age: 3600)).entries == 0)
        #expect(try cache.care.prune(CachePruning()).entries == 4)
        #expect(try store.list().objects == [place + "/README"])
    }

    private func expectItsBytesAtMost(_ store: ObjectServer) throws {
        let cache = try cache(shared(store.endpoint, limit: 1 << 20), on: "five")
        for number in 0..<24 {
            #expect(cache.keep(CacheFixture.key(number), [try fixture.segment(number, count: 60_000)], madeBy: "a"))
        }
        let sum = try cache.care.sum()
        #expect(sum.bytes <= (1 << 20) + (1 << 16) && sum.entries >= 10)
        #expect(take(23, cache) == .hit(worker: "a"))
    }

    /// A store that does not answer costs a moment, and no more.
    @Test func aStoreThatIsNotThereIsLeftAlone() throws {
        let cache = try cache(shared("http://127.0.0.1:9"), on: "one")
        let begin = ContinuousClock.now
        for number in 0..<40 { #expect(take(number, cache) == .miss) }
        #expect(!cache.keep(CacheFixture.key(1), [try fixture.segment(1)], madeBy: "a"))
        #expect(ContinuousClock.now - begin < .seconds(10))
        #expect(cache.fault?.code == .storageUnreachable)
        #expect(throws: SplitreelError.self) { try cache.care.sum() }
    }

    @Test func whatIsNotSafeIsRefused() throws {
        let endpoint = "http://127.0.0.1:9"
        let unsealed = #expect(throws: SplitreelError.self) { try shared(endpoint, secret: nil) }
        #expect(unsealed?.code == .usage && "\(unsealed?.hint ?? "")".contains("cacheKey"))
        for root in ["s3://studio", "s3://studio/cache of all", "s3://studio/cache of all/chunks"] {
            let below = #expect(throws: SplitreelError.self) { try shared(endpoint, roots: ["/srv", root]) }
            #expect(below?.code == .usage && "\(below?.reason ?? "")".contains(root))
        }
        let beside = ["s3://studio/films", "s3://studio/cache of all/films", "s3://other"]
        #expect(throws: Never.self) { try shared(endpoint, roots: beside) }
        #expect(throws: SplitreelError.self) { try shared(endpoint, at: "https://example.com/cache") }
        #expect("\(CacheKey(secret: Self.secret))" == "a secret key")
    }
}
