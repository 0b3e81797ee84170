import Foundation
import SegmentCache
import SplitreelFiles
import TestTools
import Testing

@Suite("What a cache remembers beside its entries")
struct MemoryTests {
    private let fixture: CacheFixture

    init() throws { fixture = try CacheFixture() }

    @Test func countsOfAllProcessesAreSummed() throws {
        let (one, two) = (try fixture.cache(), try fixture.cache())
        for _ in 0..<9000 { one.counts.add(hits: 3, misses: 2) }
        two.counts.add(misses: 5, spoiled: 1)
        let figures = try fixture.cache().counts.figures
        #expect(figures.hits == 27_000 && figures.misses == 18_005 && figures.spoiled == 1)
        let bytes = fixture.contents(fixture.place + "/chunks/.counts")?.count ?? .max
        #expect(bytes < 1 << 17)
    }

    @Test func sumsAreRememberedByFile() throws {
        let path = try fixture.folder.write(CacheFixture.bytes(1, 4000), to: "source.mp4")
        let sum = try fixture.sum(path)
        let first = try LocalFile.settled(path: path).identity
        let cache = try fixture.cache()
        #expect(cache.sums.sum(of: first) == nil)
        cache.sums.remember(sum, of: first)
        #expect(cache.sums.sum(of: first) == sum)
        // Another process knows it too, and one that was there before.
        let other = try fixture.cache()
        #expect(other.sums.sum(of: first) == sum)
        let second = try fixture.folder.write(CacheFixture.bytes(2, 4000), to: "second.mp4")
        let identity = try LocalFile.settled(path: second).identity
        other.sums.remember(try fixture.sum(second), of: identity)
        #expect(cache.sums.sum(of: identity) == (try fixture.sum(second)))
    }

    /// A file whose bytes change while its length and its own time stay is another one: nobody can set the time of its
    /// last change.
    @Test func aFileThatWasChangedUnseenIsNotKnown() throws {
        let path = try fixture.folder.write(CacheFixture.bytes(1, 4000), to: "source.mp4")
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        let cache = try fixture.cache()
        cache.sums.remember(try fixture.sum(path), of: try LocalFile.settled(path: path).identity)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seek(toOffset: 2000)
        try handle.write(contentsOf: Data([1, 2, 3]))
        try handle.close()
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        #expect(cache.sums.sum(of: try LocalFile.settled(path: path).identity) == nil)
    }

    @Test func linesThatCannotBeReadAreNone() throws {
        let path = try fixture.folder.write(CacheFixture.bytes(1, 4000), to: "source.mp4")
        let identity = try LocalFile.settled(path: path).identity
        try fixture.cache().sums.remember(try fixture.sum(path), of: identity)
        let file = fixture.place + "/chunks/.sums"
        let line = try #require(fixture.contents(file))
        try (Data("7 7\n\u{0}\u{1}\n".utf8) + line.dropLast(9)).write(to: URL(fileURLWithPath: file))
        #expect(try fixture.cache().sums.sum(of: identity) == nil)
        try (Data("what\n".utf8) + line).write(to: URL(fileURLWithPath: file))
        #expect(try fixture.cache().sums.sum(of: identity) == fixture.sum(path))
    }
}
