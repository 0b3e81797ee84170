import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import SourceBlocks
import SplitreelFiles
import TestTools
import Testing
import Threads

@Suite("Sums of a source's blocks")
struct BlockMapTests {
    private let folder: TestFolder
    private static let block = 1 << 20
    private static let extent = 1 << 16
    /// Two blocks, and one of three extents, of which the last one is short.
    private static let count = 2 * (1 << 20) + 2 * (1 << 16) + 777

    /// Lengths about those at which edges begin to overlap, and to leave bytes out.
    private static let counts: [Int] = [0, 1, 1000, 1_048_576, 1_048_577, 2_097_152, 2_097_153, 3_145_728]

    init() throws { folder = try TestFolder("map") }

    /// The SHA-256 of bytes as coreutils have it.
    private func witness(_ bytes: [UInt8]) throws -> String {
        let path = try folder.write(Data(bytes), to: "part")
        let result = try Tool("/usr/bin/sha256sum", ["-b", path], in: folder).finish(seconds: 20)
        return String(result.text.prefix(64))
    }

    private func bytes(_ digits: String) -> [UInt8] {
        let all = Array(digits)
        return stride(from: 0, to: all.count, by: 2).compactMap { UInt8(String(all[$0...$0 + 1]), radix: 16) }
    }

    @Test func sumsAreThoseOfCoreutils() throws {
        let made = try MadeSource(Self.count, seed: 1, in: folder)
        #expect(made.map.byteCount == Self.count && made.map.count(.block) == 3 && made.map.count(.extent) == 35)
        for number in [0, 31, 34] {
            let range = made.map.range(of: BlockUnit(.extent, number))
            #expect(try made.map.sum(of: BlockUnit(.extent, number)).text == witness(Array(made.bytes[range])))
        }
        // The last block: the sum of its three extents' sums.
        let start = 2 * Self.block
        var sums: [UInt8] = []
        for place in stride(from: start, to: Self.count, by: Self.extent) {
            let end = min(Self.count, place + Self.extent)
            sums += bytes(try witness(Array(made.bytes[place..<end])))
        }
        #expect(sums.count == 96)
        #expect(try made.map.sum(of: BlockUnit(.block, 2)).text == witness(sums))
        let edges = Array(made.bytes.prefix(Self.block)) + Array(made.bytes.suffix(Self.block))
        #expect(try made.map.edgeHash == witness(edges))
    }

    /// The identity in the map is the plan's.
    @Test(arguments: counts)
    func edgesAreThoseOfThePlan(count: Int) throws {
        let made = try MadeSource(count, seed: 2, in: folder)
        #expect(try made.map.edgeHash == edgeHash(path: made.path).hash)
        #expect(made.map.count(.block) == (count + Self.block - 1) / Self.block)
    }

    @Test func unitsCoverTheSource() throws {
        let map = try MadeSource(Self.count, seed: 3, in: folder).map
        #expect(map.unit(at: 0, .block) == BlockUnit(.block, 0))
        #expect(map.unit(at: Self.block, .block) == BlockUnit(.block, 1))
        #expect(map.unit(at: Self.count - 1, .extent) == BlockUnit(.extent, 34))
        #expect(map.range(of: BlockUnit(.block, 2)) == 2 * Self.block..<Self.count)
        #expect(BlockUnit(.extent, 33).block == BlockUnit(.block, 2))
        #expect(map.has(BlockUnit(.extent, 34)) && !map.has(BlockUnit(.extent, 35)) && !map.has(BlockUnit(.block, -1)))
        let coarse = map.withoutExtents
        #expect(!coarse.has(BlockUnit(.extent, 0)) && coarse.unit(at: 70_000, .extent) == BlockUnit(.block, 0))
        #expect(coarse.sum == map.sum && coarse != map && coarse.finest == .block)
    }

    @Test func bytesOfAnotherUnitAreNotTaken() throws {
        let made = try MadeSource(Self.count, seed: 4, in: folder)
        let unit = BlockUnit(.block, 1)
        var bytes = Array(made.bytes[made.map.range(of: unit)])
        #expect(made.map.holds(bytes, unit) && !made.map.holds(bytes, BlockUnit(.block, 0)))
        bytes[500_000] ^= 1
        #expect(!made.map.holds(bytes, unit) && !made.map.holds(Array(bytes.dropLast()), unit))
    }

    @Test func aMapIsReadAsItWasWritten() throws {
        for count in [0, 5, Self.count] {
            let map = try MadeSource(count, seed: 5, in: folder).map
            for written in [map, map.withoutExtents] { #expect(BlockMap(written.written) == written) }
            #expect(map.written.count == 60 + 32 * map.count(.extent))
        }
        let map = try MadeSource(Self.count, seed: 6, in: folder).map
        let written = map.written
        #expect(BlockMap(Array(written.dropLast())) == nil && BlockMap(written + [0]) == nil && BlockMap([]) == nil)
        for place in [0, 18, 22, 26, 59] {
            var wrong = written
            wrong[place] ^= 0x80
            #expect(BlockMap(wrong) == nil, "\(place)")
        }
    }

    /// No number in a map takes memory that its bytes do not have.
    @Test func hugeNumbersAreRefused() throws {
        let written = try MadeSource(0, seed: 7, in: folder).map.withoutExtents.written
        let numbers: [UInt64] = [1_099_511_627_777, .max, 9_223_372_036_854_775_808]
        for number in numbers {
            var wrong = written
            for index in 0..<8 { wrong[19 + index] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))) }
            #expect(BlockMap(wrong) == nil)
        }
    }

    @Test func aKeptMapIsNotMadeAgain() throws {
        let made = try MadeSource(200_000, seed: 9, in: folder)
        let file = folder.file("kept.blocks")
        let source = try LocalFile(path: made.path)
        func kept() throws -> BlockMap { try BlockMap.kept(in: file, of: source, edgeHash: made.map.edgeHash) }
        #expect(try kept() == made.map)
        #expect(try BlockMap([UInt8](Data(contentsOf: URL(filePath: file)))) == made.map)
        // The file is read: this map says other sums of a source of the same edges.
        var other = made.map.written
        other[other.count - 1] ^= 1
        try Data(other).write(to: URL(filePath: file))
        #expect(try kept() == BlockMap(other))
        for wrong in [Data(), Data(made.map.written.dropLast())] {
            try wrong.write(to: URL(filePath: file))
            #expect(try kept() == made.map)
            #expect(try BlockMap([UInt8](Data(contentsOf: URL(filePath: file)))) == made.map)
        }
        let planned = String(repeating: "0", count: 64)
        let error = failure { _ = try BlockMap.kept(in: file, of: source, edgeHash: planned) }
        #expect(error?.code == .mediaChanged && error?.subject.contains("source.bin") == true)
        // Nowhere to keep it: the map is there all the same.
        let none = folder.file("none/kept.blocks")
        #expect(try BlockMap.kept(in: none, of: source, edgeHash: made.map.edgeHash) == made.map)
    }

    @Test func anEndedWorkMakesNoMap() throws {
        let path = try folder.write(Data(madeBytes(200_000, seed: 8)), to: "stopped.bin")
        let stop = WorkStop()
        stop.stop()
        #expect(failure { _ = try BlockMap(of: LocalFile(path: path), stop: stop) }?.code == .cancelled)
    }
}
