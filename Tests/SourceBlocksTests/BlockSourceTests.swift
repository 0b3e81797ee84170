import Diagnostics
import Foundation
import SourceBlocks
import SplitreelFiles
import Synchronization
import TestTools
import Testing
import Threads

@Suite("Sources that are read from afar")
struct BlockSourceTests {
    private let folder: TestFolder
    private let made: MadeSource
    private let count = TransferCount()
    private static let length = 9_437_184 + 12_345

    init() throws {
        folder = try TestFolder("afar")
        made = try MadeSource(Self.length, seed: 30, in: folder)
    }

    private func makeSource(
        _ fetcher: FakeFetcher, _ grain: BlockGrain = .block, cache: BlockCache? = nil, pool: ThreadPool? = nil,
        stop: WorkStop = WorkStop()
    ) -> BlockSource {
        BlockSource(
            name: "source.bin", mark: "a mark", map: made.map, grain: grain,
            supply: CachedBlocks(name: "source.bin", map: made.map, cache: cache, fetcher: fetcher, count: count),
            count: count, pool: pool, stop: stop)
    }

    @Test(arguments: [BlockGrain.block, .extent])
    func bytesAreThoseOfTheFile(grain: BlockGrain) throws {
        let fetcher = FakeFetcher(made.bytes)
        let source = makeSource(fetcher, grain)
        let file = try LocalFile(path: made.path)
        #expect(source.byteCount == Self.length && source.identity.mark == "a mark")
        var dice = SeededNumbers(seed: 31)
        for _ in 0..<60 {
            let place = dice.next(in: 0..<Self.length)
            let length = dice.next(in: 1..<200_000)
            #expect(try source.read(at: place, count: length) == file.read(at: place, count: length))
        }
        #expect(try source.read(at: Self.length, count: 10).isEmpty && source.read(at: .max, count: 10).isEmpty)
        #expect(failure { _ = try source.read(at: -1, count: 1) }?.code == .mediaCannotOpen)
        try source.checkUnchanged()
        source.rest()
        #expect(try source.read(at: 3_000_000, count: 100) == file.read(at: 3_000_000, count: 100))
    }

    /// Needed is what readers came to, each unit once; fetched is what came.
    @Test func bytesAreCounted() throws {
        let fetcher = FakeFetcher(made.bytes)
        let source = makeSource(fetcher)
        for place in [100, 2_000_000, 100, 9_437_184] { _ = try source.read(at: place, count: 10) }
        #expect(count[.block].needed == 2 * 1_048_576 + 12_345 && count[.block].fetched == fetcher.byteCount)
        _ = try makeSource(fetcher, .extent).read(at: 70_000, count: 10)
        #expect(count[.extent].needed == 65_536 && count[.extent].fetched == 65_536)
        source.rest()
        _ = try source.read(at: 100, count: 10)
        #expect(count[.block].needed == 2 * 1_048_576 + 12_345 && count[.block].fetched == 3 * 1_048_576 + 12_345)
    }

    /// Sound of a film lies in each extent where pictures have many bytes: the first block comes as 16 extents, and
    /// each one behind it as a block, which pictures want as well.
    @Test func soundThatLiesThicklyComesInBlocks() throws {
        let fetcher = FakeFetcher(made.bytes)
        let source = makeSource(fetcher, .extent)
        for place in stride(from: 0, to: 9_437_184, by: 50_000) {
            #expect(try source.read(at: place, count: 300) == Array(made.bytes[place..<place + 300]))
        }
        let extents = fetcher.ranges.filter { $0.count == 65_536 }
        #expect(extents.count == 16 && extents.allSatisfy { $0.upperBound <= 1_048_576 })
        #expect(fetcher.byteCount == 9_437_184)
        #expect(count[.extent].needed == 1_048_576 && count[.block].needed == 8_388_608)
    }

    /// Where sound is known to lie thickly, all of it comes in blocks, each before the reader needs it.
    @Test func thickSoundThatIsExpectedComesAheadInBlocks() throws {
        let fetcher = FakeFetcher(made.bytes)
        let source = makeSource(fetcher, .extent, pool: ThreadPool(name: "ahead", size: 2))
        let places = stride(from: 0, to: 9_437_184, by: 50_000)
        source.expect(places.map { $0..<$0 + 300 })
        _ = try source.read(at: 0, count: 300)
        #expect(eventually(seconds: 10) { fetcher.ranges.count == 3 })
        #expect(Set(fetcher.ranges.map(\.lowerBound)) == [0, 1_048_576, 2_097_152])
        for place in places {
            #expect(try source.read(at: place, count: 300) == Array(made.bytes[place..<place + 300]))
        }
        #expect(fetcher.ranges.count == 9 && fetcher.ranges.allSatisfy { $0.count == 1_048_576 })
        #expect(count[.block].needed == 9_437_184 && count[.extent].needed == 0)
    }

    /// Of a block that has little of the sound that is expected, only that comes.
    @Test func aBlockOfWhichLittleIsExpectedComesInExtents() throws {
        let fetcher = FakeFetcher(made.bytes)
        let source = makeSource(fetcher, .extent)
        let thick = stride(from: 0, to: 1_048_576, by: 50_000)
        let thin = stride(from: 1_148_576, to: 9_437_184, by: 400_000)
        source.expect((Array(thick) + thin).map { $0..<$0 + 300 })
        for place in Array(thick) + thin { _ = try source.read(at: place, count: 300) }
        #expect(fetcher.ranges.filter { $0.count == 1_048_576 } == [0..<1_048_576])
        #expect(fetcher.ranges.dropFirst().allSatisfy { $0.count == 65_536 })
    }

    @Test func soundThatLiesThinlyComesInExtents() throws {
        let fetcher = FakeFetcher(made.bytes)
        let source = makeSource(fetcher, .extent)
        for place in stride(from: 0, to: 9_437_184, by: 200_000) { _ = try source.read(at: place, count: 300) }
        #expect(fetcher.ranges.allSatisfy { $0.count <= 65_536 } && count[.block].needed == 0)
    }

    /// The numbers are told job by job: what one job had cached another one needs, and does not fetch.
    @Test func bytesAreCountedAnewForAnotherJob() throws {
        let fetcher = FakeFetcher(made.bytes)
        let source = makeSource(fetcher, cache: try BlockCache(in: folder.path, limit: 64 << 20))
        _ = try source.read(at: 0, count: 10)
        let first = count.take()
        #expect(first[.block]?.needed == 1_048_576 && first[.block]?.fetched == 1_048_576 && first[.extent] == nil)
        _ = try source.read(at: 0, count: 10)
        #expect(count.take().isEmpty)
        count.forget()
        _ = try source.read(at: 0, count: 10)
        #expect(count[.block].needed == 1_048_576 && count[.block].fetched == 0)
    }

    /// A demuxer may take bytes that do not come for missing ones; what it makes of that must not pass for a film.
    @Test func aFailureStays() throws {
        let fetcher = FakeFetcher(made.bytes, faults: [.throwing(.mediaNotDelivered)])
        let source = makeSource(fetcher)
        #expect(failure { _ = try source.read(at: 5_000_000, count: 10) }?.code == .mediaNotDelivered)
        #expect(failure { _ = try source.read(at: 0, count: 10) }?.code == .mediaNotDelivered)
        #expect(failure { try source.checkUnchanged() }?.code == .mediaNotDelivered)
        #expect(fetcher.ranges.count == 1)
        let next = makeSource(fetcher)
        #expect(try next.read(at: 5_000_000, count: 10) == Array(made.bytes[5_000_000..<5_000_010]))
    }

    @Test func aStopEndsAReadThatWaits() throws {
        let fetcher = FakeFetcher(made.bytes, isSlow: true)
        let stop = WorkStop()
        let source = makeSource(fetcher, stop: stop)
        let result = OneShot<Int>()
        let thread = try DedicatedThread(name: "reader", stackBytes: 1 << 20) {
            result.set(failure { _ = try source.read(at: 0, count: 10) }?.code.number ?? 0)
        }
        #expect(eventually(seconds: 10) { !fetcher.ranges.isEmpty })
        stop.stop()
        thread.join()
        #expect(result.value == ErrorCode.cancelled.number)
    }

    /// A reader goes through places of which most blocks have none: those are never asked for, and each wanted one is
    /// on its way before the reader comes to it.
    @Test func whatIsExpectedComesAhead() throws {
        let fetcher = FakeFetcher(made.bytes)
        let source = makeSource(fetcher, pool: ThreadPool(name: "ahead", size: 2))
        let block = 1_048_576
        let wanted = [0, 3, 4, 8]
        source.expect(wanted.reversed().map { $0 * block + 500..<$0 * block + 900 })
        _ = try source.read(at: 600, count: 10)
        // Two blocks ahead, and no more until the reader has gone on.
        #expect(eventually(seconds: 10) { fetcher.ranges.count == 3 })
        #expect(Set(fetcher.ranges.map { $0.lowerBound / block }) == [0, 3, 4])
        for number in wanted.dropFirst() {
            let place = number * block + 700
            #expect(try source.read(at: place, count: 10) == Array(made.bytes[place..<place + 10]))
        }
        #expect(Set(fetcher.ranges.map { $0.lowerBound / block }) == Set(wanted) && fetcher.ranges.count == 4)
        #expect(count[.block].fetched == count[.block].needed)
    }

    /// What cannot be got ahead is asked for when the reader comes to it.
    @Test func aFailureAheadIsNoFailure() throws {
        let fetcher = FakeFetcher(made.bytes)
        let source = makeSource(fetcher, pool: ThreadPool(name: "ahead", size: 1))
        _ = try source.read(at: 0, count: 1)
        fetcher.state.withLock { $0.faults = [.throwing(.mediaNotDelivered)] }
        source.expect([0..<10, 4_000_000..<4_000_010])
        _ = try source.read(at: 0, count: 1)
        #expect(eventually(seconds: 10) { fetcher.ranges.count == 2 })
        #expect(eventually(seconds: 10) { (try? source.read(at: 4_000_000, count: 1)) != nil })
    }

    @Test func diceDoNotChangeBytes() throws {
        let cache = try BlockCache(in: folder.path, limit: 4 << 20)
        var dice = SeededNumbers(seed: 33)
        let pool = ThreadPool(name: "ahead", size: 3)
        let faults: [FakeFetcher.Fault?] = [
            .damaged, .short, .throwing(.mediaNotDelivered), nil, nil, nil, nil, nil, nil,
        ]
        var right = 0
        for _ in 0..<40 {
            let thrown = (0..<60).map { _ in faults[dice.next(in: 0..<faults.count)] }
            let fetcher = FakeFetcher(made.bytes, faults: thrown)
            let grain: BlockGrain = dice.next(in: 0..<2) == 0 ? .block : .extent
            let source = makeSource(fetcher, grain, cache: cache, pool: pool)
            let place = dice.next(in: 0..<Self.length - 300_000)
            source.expect([place..<place + 300_000])
            guard let read = try? source.read(at: place, count: 300_000) else { continue }
            #expect(read == Array(made.bytes[place..<place + 300_000]))
            right += 1
        }
        #expect(right > 0)
    }
}
