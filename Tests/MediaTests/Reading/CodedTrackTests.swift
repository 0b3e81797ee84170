import Foundation
import MediaFacts
import MediaReading
import MediaTime
import SplitreelFiles
import Synchronization
import TestTools
import Testing

/// The groups of pictures that can be copied, of sources made by x264 with a key frame each 12 frames.
@Suite struct CodedTrackTests {
    private let folder: TestFolder
    private let witness: Witness
    init() throws {
        folder = try TestFolder("coded")
        witness = Witness(in: folder)
    }

    private static let frames = 60
    /// Without an edit list, which would cut frames off where the times are others.
    private static let plain = ["-use_editlist", "0"]

    private func film(_ name: String, _ options: [String] = []) throws -> String {
        let path = folder.file(name)
        try witness.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=s=192x108:r=25", "-frames:v", "\(Self.frames)", "-c:v", "libx264",
                "-preset", "fast", "-crf", "12", "-g", "12", "-keyint_min", "12", "-sc_threshold", "0", "-bf", "2",
                "-b_strategy", "0", "-pix_fmt", "yuv420p", "-threads", "1",
            ] + options + [path])
        return path
    }

    /// A file in memory that counts what is read of it.
    private final class Counted: MediaSource {
        let name: String
        let identity: SourceIdentity
        private let bytes: [UInt8]
        let reads = Mutex(0)

        init(_ path: String) throws {
            (name, bytes) = (path + " in memory", [UInt8](try Data(contentsOf: URL(filePath: path))))
            identity = SourceIdentity(token: name, byteCount: bytes.count, mark: nil, change: 0, seconds: 0)
        }

        func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            reads.withLock { $0 += 1 }
            guard place < bytes.count else { return 0 }
            let count = min(buffer.count, bytes.count - place)
            buffer.copyBytes(from: bytes[place..<place + count])
            return count
        }
    }

    /// What copies need of the packets is found while the file is probed.
    @Test(arguments: ["film.mp4", "film.mkv", "film.ts"]) func aSourceIsReadOnce(name: String) throws {
        let source = try Counted(try film(name))
        _ = try probe(source)
        let reads = source.reads.withLock { $0 }
        let coded = try codedTrack(source, track: 1)
        #expect(source.reads.withLock { $0 } == reads)
        #expect(coded.fault == nil && coded.groups.map(\.firstFrame) == Array(stride(from: 0, to: 60, by: 12)))
        #expect(coded.groups.allSatisfy { $0.count == 12 && $0.firstPacket == $0.firstFrame })
        #expect(coded.times.count == Self.frames && !coded.namesColours && coded.reorderDepth > 0)
    }

    /// Packets of a transport stream are lost, one by one; ffmpeg says which frames suffer.
    @Test func groupsWithLossesAreNotCopied() throws {
        let whole = try film("whole.ts")
        let bytes = try Data(contentsOf: URL(filePath: whole))
        let good = try sums(whole)
        let first = try #require(good.keys.min())
        // Those of the picture have 256 in the 13 bits of their number.
        let packets = Array(stride(from: 0, to: bytes.count, by: 188)).filter { place in
            bytes[place + 1] & 31 == 1 && bytes[place + 2] == 0
        }
        var (suffering, copied) = (0, 0)
        // Not of the first picture, from which the times count.
        for (number, place) in packets.enumerated().dropFirst(20) where number % 9 == 0 {
            let path = folder.file("lost\(number).ts")
            try (bytes[..<place] + bytes[(place + 188)...]).write(to: URL(filePath: path))
            let now = try sums(path)
            let bad = good.keys.filter { now[$0] != good[$0] }.map { $0 - first }
            suffering += bad.isEmpty ? 0 : 1
            let coded = try codedTrack(path: path, track: 1)
            for frame in coded.groups.flatMap({ $0.firstFrame..<$0.firstFrame + $0.count }) {
                let time = coded.times.time(ofFrame: frame) - coded.times.start
                let shown = Int((time * Rational(25) + Rational(1, 2)).floor())
                #expect(!bad.contains(shown), "packet \(number) is lost, frame \(shown) is copied")
                copied += 1
            }
        }
        #expect(suffering > 10 && copied > 200, "\(suffering), \(copied)")
    }

    /// The packets of the second group are I P B B and so on. Its P is frame 15. It comes to stand between the frames
    /// 13 and 14, or has the time of 14.
    @Test(arguments: [(-768, CodedTrack.UnfitGroup.Fault.earlier), (-512, .sameTime)])
    func oneGroupWhoseTimesAreWrong(ticks: Int, fault: CodedTrack.UnfitGroup.Fault) throws {
        let path = try film("times.mp4", Self.plain)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        // Behind the name: version and flags, the number of entries, and for each how many packets have which offset.
        let box = try #require(Data(bytes).range(of: Data("ctts".utf8))).upperBound
        func word(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        var (packet, entry) = (0, box + 8)
        while packet < 13 {
            packet += word(entry)
            entry += 8
        }
        try #require(packet == 13 && word(entry) == 1)
        let offset = UInt32(word(entry + 4) + ticks)
        for place in 0..<4 { bytes[entry + 4 + place] = UInt8(truncatingIfNeeded: offset >> (24 - 8 * place)) }
        try Data(bytes).write(to: URL(filePath: path))
        let coded = try codedTrack(path: path, track: 1)
        #expect(coded.fault == nil && coded.groups.map(\.firstFrame) == [0, 24, 36, 48])
        let group = CodedTrack.Group(firstPacket: 12, firstFrame: 12, count: 12)
        #expect(coded.unfitGroups == [CodedTrack.UnfitGroup(group, frame: 15, fault)])
        #expect(coded.times.count == Self.frames)
    }

    @Test func aFileWithoutTimesOfPresentation() throws {
        let path = try film("lost.mp4", Self.plain)
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.replaceSubrange(try #require(bytes.range(of: Data("ctts".utf8))), with: Data("skip".utf8))
        try bytes.write(to: URL(filePath: path))
        let coded = try codedTrack(path: path, track: 1)
        #expect(coded.groups.isEmpty && coded.fault == nil)
        #expect(coded.unfitGroups.map(\.frame) == [2, 14, 26, 38, 50])
        #expect(coded.unfitGroups.allSatisfy { $0.fault == .earlier && $0.count == 12 })
    }

    /// ffmpeg's sums of the frames by their times, in frames.
    private func sums(_ path: String) throws -> [Int: String] {
        let arguments = ["-copyts", "-i", path, "-fps_mode", "passthrough", "-f", "framemd5", "-"]
        let lines = String(decoding: try witness.ffmpeg(arguments).standardOutput, as: UTF8.self).split(separator: "\n")
        var sums: [Int: String] = [:]
        for line in lines where !line.hasPrefix("#") {
            let cells = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            if cells.count == 6, let time = Int(cells[2]) { sums[time] = cells[5] }
        }
        return sums
    }
}
