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

    private func film(_ name: String) throws -> String {
        let path = folder.file(name)
        try witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=192x108:r=25", "-frames:v", "\(Self.frames)", "-c:v", "libx264",
            "-preset", "fast", "-crf", "12", "-g", "12", "-keyint_min", "12", "-sc_threshold", "0", "-bf", "2",
            "-b_strategy", "0", "-pix_fmt", "yuv420p", "-threads", "1", path,
        ])
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
