import Diagnostics
import Foundation
import SourceBlocks
import SplitreelFiles
import TestTools
import Testing

@Suite("The cache of blocks")
struct BlockCacheTests {
    private let folder: TestFolder
    private static let extent = 1 << 16

    init() throws { folder = try TestFolder("cache") }

    private func extent(_ seed: Int) -> (bytes: [UInt8], sum: BlockSum) {
        let bytes = madeBytes(Self.extent, seed: UInt64(seed))
        return (bytes, bytes.withUnsafeBytes { BlockSum(of: $0, grain: .extent) })
    }

    private func place(_ sum: BlockSum) -> String { folder.file("blocks/\(sum.text.prefix(2))/\(sum.text)") }

    private func isThere(_ sum: BlockSum) -> Bool { FileManager.default.fileExists(atPath: place(sum)) }

    /// Moves the time of a unit's last use.
    private func setUse(_ sum: BlockSum, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: place(sum))
    }

    private func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file(path)).sorted()
    }

    /// The bytes of all units, as the file system has them.
    private func kept() throws -> Int {
        var total = 0
        for part in try names(in: "blocks") where part.count == 2 {
            for name in try names(in: "blocks/" + part) {
                let path = folder.file("blocks/\(part)/\(name)")
                total += try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            }
        }
        return total
    }

    @Test func whatWasKeptIsThereForAllWhoReadTheFolder() throws {
        let cache = try BlockCache(in: folder.path, limit: 1 << 20)
        let (bytes, sum) = extent(1)
        #expect(cache.bytes(sum, .extent, count: bytes.count) == nil)
        cache.keep(bytes, sum)
        #expect(cache.fault == nil)
        let reader = BlockCache(reading: folder.path)
        let second = try BlockCache(in: folder.path, limit: 1 << 20)
        for other in [cache, reader, second] { #expect(other.bytes(sum, .extent, count: bytes.count)?.whole == bytes) }
        reader.keep(extent(2).bytes, extent(2).sum)
        #expect(!isThere(extent(2).sum), "who only reads writes nothing")
        #expect(reader.bytes(extent(3).sum, .extent, count: Self.extent) == nil)
    }

    @Test func anExtentIsFoundInItsBlock() throws {
        let cache = try BlockCache(in: folder.path, limit: 4 << 20)
        let bytes = madeBytes(200_000, seed: 3)
        let block = bytes.withUnsafeBytes { BlockSum(of: $0, grain: .block) }
        let range = 131_072..<196_608
        let part = Array(bytes[range])
        let sum = part.withUnsafeBytes { BlockSum(of: $0, grain: .extent) }
        #expect(cache.extent(sum, at: range, ofBlock: block, length: bytes.count) == nil)
        cache.keep(bytes, block)
        #expect(cache.bytes(block, .block, count: bytes.count)?.whole == bytes)
        #expect(cache.extent(sum, at: range, ofBlock: block, length: bytes.count) == part)
        #expect(cache.extent(sum, at: 0..<65_536, ofBlock: block, length: bytes.count) == nil)
        #expect(cache.extent(sum, at: range, ofBlock: block, length: bytes.count + 1) == nil)
    }

    @Test func damagedAndTruncatedUnitsAreNone() throws {
        let cache = try BlockCache(in: folder.path, limit: 1 << 20)
        let reader = BlockCache(reading: folder.path)
        let (bytes, sum) = extent(1)
        var wrong = bytes
        wrong[1000] ^= 4
        for damaged in [wrong, Array(bytes.dropLast()), bytes + [0], []] {
            cache.keep(bytes, sum)
            try Data(damaged).write(to: URL(filePath: place(sum)))
            #expect(reader.bytes(sum, .extent, count: bytes.count) == nil && isThere(sum))
            #expect(cache.bytes(sum, .extent, count: bytes.count) == nil && !isThere(sum))
        }
        try FileManager.default.createDirectory(atPath: place(sum), withIntermediateDirectories: true)
        #expect(cache.bytes(sum, .extent, count: bytes.count) == nil)
        cache.keep(bytes, sum)
        #expect(cache.fault?.code == .outputNotWritable, "a folder stands in the unit's place")
    }

    @Test func whatWasNotUsedForLongestGoesFirst() throws {
        let cache = try BlockCache(in: folder.path, limit: 8 * Self.extent)
        for number in 0..<8 {
            cache.keep(extent(number).bytes, extent(number).sum)
            try setUse(extent(number).sum, 1_000_000 + Double(number))
        }
        #expect(try kept() == 8 * Self.extent)
        // The oldest one is used again.
        #expect(cache.bytes(extent(0).sum, .extent, count: Self.extent) != nil)
        cache.keep(extent(8).bytes, extent(8).sum)
        #expect(isThere(extent(0).sum) && !isThere(extent(1).sum) && isThere(extent(8).sum))
        for number in 9..<40 {
            cache.keep(extent(number).bytes, extent(number).sum)
            #expect(try kept() <= 8 * Self.extent)
        }
        #expect(isThere(extent(39).sum))
        cache.keep(madeBytes(9 * Self.extent, seed: 99), extent(50).sum)
        #expect(!isThere(extent(50).sum), "what is larger than all is not kept")
    }

    /// Each sees what the other one wrote at its next look at the folder.
    @Test func twoWritersKeepWithinTheLimitTogether() throws {
        let limit = 32 * Self.extent
        let caches = try (0..<2).map { _ in try BlockCache(in: folder.path, limit: limit) }
        for number in 0..<120 { caches[number % 2].keep(extent(number).bytes, extent(number).sum) }
        #expect(try kept() <= limit + 2 * limit / 16)
        #expect(isThere(extent(119).sum))
    }

    /// A file that is open has its bytes to the end, whoever removes its name.
    @Test func aReaderIsNotDisturbedByOneWhoMakesRoom() throws {
        let cache = try BlockCache(in: folder.path, limit: 4 * Self.extent)
        let reader = BlockCache(reading: folder.path)
        let all = (0..<6).map { extent($0) }
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            for turn in 0..<60 {
                let (bytes, sum) = all[(turn + number) % 6]
                if number == 0 { cache.keep(bytes, sum) }
                let read = reader.bytes(sum, .extent, count: bytes.count)?.whole
                #expect(read == nil || read == bytes)
            }
        }
        #expect(try kept() <= 4 * Self.extent)
    }

    /// Killed processes let go of their locks; the living keep theirs.
    @Test func leftoversOfKilledWritersGoAtTheNextStart() throws {
        let living = try BlockCache(in: folder.path, limit: 1 << 20)
        _ = try folder.folder("blocks/.parts-4711-dead")
        _ = try folder.write("half a block", to: "blocks/.parts-4711-dead/17")
        let holders = { try names(in: "blocks").filter { $0.hasPrefix(".parts-") } }
        #expect(try holders().count == 2)
        do {
            let next = try BlockCache(in: folder.path, limit: 1 << 20)
            #expect(try holders().count == 2 && !holders().contains(".parts-4711-dead"))
            next.keep(extent(1).bytes, extent(1).sum)
        }
        #expect(try holders().count == 1)
        living.keep(extent(2).bytes, extent(2).sum)
        #expect(isThere(extent(1).sum) && isThere(extent(2).sum) && living.fault == nil)
        for holder in try holders() { #expect(try names(in: "blocks/" + holder).isEmpty) }
    }

    @Test func aFullDiskKeepsNothingAndStopsNobody() throws {
        let cache = try BlockCache(in: folder.path, limit: 1 << 20, sparing: .max)
        cache.keep(extent(1).bytes, extent(1).sum)
        #expect(!isThere(extent(1).sum) && cache.fault?.code == .diskFull)
        #expect(cache.bytes(extent(1).sum, .extent, count: Self.extent) == nil)
        let other = try BlockCache(in: folder.path, limit: 1 << 20)
        try FileManager.default.removeItem(atPath: folder.file("blocks"))
        other.keep(extent(2).bytes, extent(2).sum)
        #expect(other.fault != nil && other.bytes(extent(2).sum, .extent, count: Self.extent) == nil)
    }

    @Test func aFolderThatCannotBeMadeIsSaid() throws {
        let file = try folder.write("", to: "file")
        let error = failure { _ = try BlockCache(in: file, limit: 1) }
        #expect(error?.code == .outputNotWritable && error?.hint.contains("another folder") == true)
    }
}
