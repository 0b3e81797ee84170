import Diagnostics
import Foundation
import SourceBlocks
import Synchronization
import TestTools
import Testing
import Threads

@Suite("Blocks that are kept or fetched")
struct CachedBlocksTests {
    private let folder: TestFolder
    private let made: MadeSource
    private let count = TransferCount()
    private static let length = 3_000_000

    init() throws {
        folder = try TestFolder("blocks")
        made = try MadeSource(Self.length, seed: 20, in: folder)
    }

    private func makeBlocks(_ fetcher: FakeFetcher, _ cache: BlockCache?) -> CachedBlocks {
        CachedBlocks(name: "source.bin", map: made.map, cache: cache, fetcher: fetcher, count: count)
    }

    private func bytes(_ unit: BlockUnit) -> [UInt8] { Array(made.bytes[made.map.range(of: unit)]) }

    @Test func aUnitIsFetchedOnceAndThenKept() throws {
        let cache = try BlockCache(in: folder.path, limit: 16 << 20)
        let first = FakeFetcher(made.bytes)
        let all = [BlockUnit(.block, 0), BlockUnit(.block, 2), BlockUnit(.extent, 45)]
        for unit in all {
            for _ in 0..<2 {
                #expect(try makeBlocks(first, cache).bytes(of: unit, stop: WorkStop()).whole == bytes(unit))
            }
        }
        // The extent lies in the last block, which is there.
        #expect(first.ranges == [0..<1_048_576, 2_097_152..<3_000_000])
        #expect(count[.block].fetched == 1_951_424 && count[.extent].fetched == 0)
        // Another job, another process: the folder is the same.
        let second = FakeFetcher(made.bytes)
        let later = try BlockCache(in: folder.path, limit: 16 << 20)
        for unit in all {
            #expect(try makeBlocks(second, later).bytes(of: unit, stop: WorkStop()).whole == bytes(unit))
        }
        #expect(second.ranges.isEmpty)
    }

    @Test func aUnitThatIsDamagedOnDiskIsFetchedAgain() throws {
        let cache = try BlockCache(in: folder.path, limit: 16 << 20)
        let fetcher = FakeFetcher(made.bytes)
        let unit = BlockUnit(.block, 1)
        let sum = made.map.sum(of: unit).text
        let place = folder.file("blocks/\(sum.prefix(2))/\(sum)")
        for length in [1_048_576, 1000] {
            _ = try makeBlocks(fetcher, cache).bytes(of: unit, stop: WorkStop())
            try Data(madeBytes(length, seed: 5)).write(to: URL(filePath: place))
            #expect(try makeBlocks(fetcher, cache).bytes(of: unit, stop: WorkStop()).whole == bytes(unit))
        }
        #expect(fetcher.ranges.count == 3)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: place))) == bytes(unit))
    }

    @Test func bytesThatCameWrongAreAskedForOnceMore() throws {
        let unit = BlockUnit(.extent, 7)
        let faults: [FakeFetcher.Fault] = [.damaged, .short]
        for fault in faults {
            let once = FakeFetcher(made.bytes, faults: [fault])
            #expect(try makeBlocks(once, nil).bytes(of: unit, stop: WorkStop()).whole == bytes(unit))
            #expect(once.ranges.count == 2)
            let always = FakeFetcher(made.bytes, faults: [fault, fault])
            let error = failure { _ = try makeBlocks(always, nil).bytes(of: unit, stop: WorkStop()) }
            #expect(error?.code == .mediaChanged && error?.subject == "source.bin" && error?.hint.isEmpty == false)
        }
    }

    @Test func aFailureOfTheFarEndIsToldAsItIs() throws {
        let fetcher = FakeFetcher(made.bytes, faults: [.throwing(.mediaNotDelivered)])
        let error = failure { _ = try makeBlocks(fetcher, nil).bytes(of: BlockUnit(.block, 0), stop: WorkStop()) }
        #expect(error?.code == .mediaNotDelivered)
        #expect(failure { _ = try makeBlocks(fetcher, nil).bytes(of: BlockUnit(.block, 3), stop: WorkStop()) } != nil)
        #expect(fetcher.ranges.count == 1, "the source has no such block, and nobody is asked for it")
    }

    @Test func manyWhoWantOneUnitFetchItOnce() throws {
        let fetcher = FakeFetcher(made.bytes, isSlow: true)
        let blocks = makeBlocks(fetcher, nil)
        let unit = BlockUnit(.block, 0)
        let right = Mutex(0)
        let wanted = bytes(unit)
        let threads = try (0..<6).map { _ in
            try DedicatedThread(name: "reader", stackBytes: 1 << 20) {
                let read = try? blocks.bytes(of: unit, stop: WorkStop()).whole
                right.withLock { $0 += read == wanted ? 1 : 0 }
            }
        }
        #expect(eventually(seconds: 10) { !fetcher.ranges.isEmpty })
        fetcher.letGo()
        for thread in threads { thread.join() }
        #expect(right.withLock { $0 } == 6)
        // A reader that came after the rest had theirs asks again.
        #expect((1...6).contains(fetcher.ranges.count))
    }

    /// Two slots are two processes with a cache each, on one folder.
    @Test func processesThatShareAFolderFetchAUnitOnce() throws {
        let fetchers = [FakeFetcher(made.bytes, isSlow: true), FakeFetcher(made.bytes)]
        let blocks = try fetchers.map { makeBlocks($0, try BlockCache(in: folder.path, limit: 16 << 20)) }
        let unit = BlockUnit(.block, 0)
        let wanted = bytes(unit)
        let right = Mutex(0)
        let first = try DedicatedThread(name: "first", stackBytes: 1 << 20) {
            let read = try? blocks[0].bytes(of: unit, stop: WorkStop()).whole
            right.withLock { $0 += read == wanted ? 1 : 0 }
        }
        #expect(eventually(seconds: 10) { !fetchers[0].ranges.isEmpty })
        let second = try DedicatedThread(name: "second", stackBytes: 1 << 20) {
            let read = try? blocks[1].bytes(of: unit, stop: WorkStop()).whole
            right.withLock { $0 += read == wanted ? 1 : 0 }
        }
        fetchers[0].letGo()
        first.join()
        second.join()
        #expect(right.withLock { $0 } == 2)
        #expect(fetchers.map(\.ranges.count) == [1, 0])
    }

    /// The other process ends without the unit; a third one is stopped meanwhile.
    @Test func aUnitOfAProcessThatEndsIsFetchedHere() throws {
        let fetcher = FakeFetcher(made.bytes)
        let blocks = makeBlocks(fetcher, try BlockCache(in: folder.path, limit: 16 << 20))
        let unit = BlockUnit(.block, 1)
        var other = FetchRights(path: folder.file("blocks/.fetches"))
        #expect(other?.take(made.map.sum(of: unit)) == .ours)
        #expect(other?.take(made.map.sum(of: unit)) == .anothers)
        let stopped = WorkStop()
        stopped.stop()
        #expect(failure { _ = try blocks.bytes(of: unit, stop: stopped) }?.code == .cancelled)
        let wanted = bytes(unit)
        let right = Mutex(false)
        let reader = try DedicatedThread(name: "reader", stackBytes: 1 << 20) {
            let read = try? blocks.bytes(of: unit, stop: WorkStop()).whole
            right.withLock { $0 = read == wanted }
        }
        #expect(fetcher.ranges.isEmpty)
        other = nil
        reader.join()
        #expect(right.withLock { $0 } && fetcher.ranges.count == 1)
    }

    /// One slot is stopped while two wait for the same block: the other one gets it.
    @Test func aStopEndsOnlyItsOwnWork() throws {
        let fetcher = FakeFetcher(made.bytes, isSlow: true)
        let blocks = makeBlocks(fetcher, nil)
        let unit = BlockUnit(.block, 1)
        let stops = [WorkStop(), WorkStop()]
        let results = Mutex<[Int: Result<UnitBytes, any Error>]>([:])
        let threads = try stops.indices.map { number in
            try DedicatedThread(name: "slot", stackBytes: 1 << 20) {
                let result: Result<UnitBytes, any Error> = Result {
                    try blocks.bytes(of: unit, stop: stops[number])
                }
                results.withLock { $0[number] = result }
            }
        }
        #expect(eventually(seconds: 10) { !fetcher.ranges.isEmpty })
        stops[0].stop()
        threads[0].join()
        #expect(failure { _ = try results.withLock { $0[0] }?.get() }?.code == .cancelled)
        fetcher.letGo()
        threads[1].join()
        #expect(try results.withLock { $0[1] }?.get().whole == bytes(unit))
    }
}
