import Diagnostics
import Foundation
import Glibc
import Hashing
import MediaFacts
import MediaReading
import MediaTime
import SplitreelFiles
import TestTools
import Testing

/// Indexes that lie beside a plan: written by one process, taken up by others. In one process the cache would answer,
/// so each reads a copy of the film under a name of its own, whose mark is its own too.
@Suite("Indexes in files", .serialized) struct IndexFileTests {
    private let folder: TestFolder
    private let path: String
    private let index: String
    private let facts: AssetFacts

    init() throws {
        folder = try TestFolder("index")
        path = folder.file("film.mkv")
        index = folder.file("film.index")
        // Frames that are reordered, a clock too coarse for the rate, and sound.
        try Witness(in: folder).ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=24:d=2", "-f", "lavfi", "-i", "sine=440:d=2", "-c:v", "libx264",
            "-bf", "3", "-g", "10", "-c:a", "aac", path,
        ])
        facts = try probe(path: path)
        try writeIndex(of: path, to: index)
    }

    /// A film of the same packets that this process knows nothing of: its mark is made as `probe` makes it.
    private func stranger(_ name: String, of film: String? = nil) throws -> (path: String, mark: String) {
        let other = folder.file(name)
        try FileManager.default.copyItem(atPath: film ?? path, toPath: other)
        var mark: String?
        while mark == nil { mark = try LocalFile.identity(path: other).mark }
        return (other, try #require(mark))
    }

    private func samples(_ path: String) throws -> [Float] {
        let reader = try AudioReader(
            path: path, track: 2, sampleRate: 44_100, channels: 1, sourceStart: .zero, sourceDuration: Rational(2))
        var samples = [Float](repeating: 0, count: 88_200)
        try samples.withUnsafeMutableBufferPointer { buffer in
            _ = try reader.read(into: [try #require(buffer.baseAddress)], count: buffer.count)
        }
        return samples
    }

    private func frames(_ path: String) throws -> [Rational?] {
        let reader = try VideoReader(path: path, track: 1)
        // Backwards, so that each time is looked up.
        return try (0..<60).reversed().map { try reader.withFrame(at: Rational($0, 30)) { _, time in time } }
    }

    @Test func whatIsTakenUpReadsAsWhatIsBuilt() throws {
        let sum = try #require(facts.contentSum)
        #expect(sha256(try Data(contentsOf: URL(fileURLWithPath: index))) == sum)
        let other = try stranger("other.mkv")
        #expect(takeUpIndex(of: other.path, sum: sum, mark: other.mark, from: index))
        #expect(try contentSum(path: other.path) == sum)
        #expect(try presentationTimes(path: other.path, track: 1) == presentationTimes(path: path, track: 1))
        #expect(try frames(other.path) == frames(path))
        #expect(try samples(other.path) == samples(path))
        #expect(try isIndexBuilt(of: other.path) == false, "packets were read for an index that was there")
        // Probing needs more than readers do.
        var probed = try probe(path: other.path)
        (probed.path, probed.mark) = (facts.path, facts.mark)
        #expect(probed == facts)
        #expect(try isIndexBuilt(of: other.path) == true)
    }

    /// Half a second from the film's middle, a quarter of nothing, and its first second at twice its speed.
    @Test func editsAreTakenUpToo() throws {
        let (plain, edited, list) = (folder.file("plain.mp4"), folder.file("edited.mp4"), folder.file("edited.index"))
        try Witness(in: folder).ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=24:d=2", "-c:v", "libx264", "-bf", "2", "-g", "10",
            "-video_track_timescale", "24000", plain,
        ])
        var film = try EditedFilm(path: plain)
        let start = try film.start(ofTrack: 0)
        try film.edit(
            track: 0,
            [
                EditedFilm.Edit(duration: 500, media: start + 24_000), EditedFilm.Edit(duration: 250, media: -1),
                EditedFilm.Edit(duration: 500, media: start, rate: 2 << 16),
            ])
        try Data(film.bytes).write(to: URL(fileURLWithPath: edited))
        try writeIndex(of: edited, to: list)
        let sum = try contentSum(path: edited)
        let other = try stranger("edited too.mp4", of: edited)
        #expect(takeUpIndex(of: other.path, sum: sum, mark: other.mark, from: list))
        let times = try presentationTimes(path: other.path, track: 1)
        #expect(try times == presentationTimes(path: edited, track: 1))
        #expect(try frames(other.path) == frames(edited))
        #expect(try isIndexBuilt(of: other.path) == false, "packets were read for an index that was there")
        #expect(try times != presentationTimes(path: plain, track: 1))
    }

    @Test func whatIsNotTheFilesIsNotTakenUp() throws {
        let (sum, mark) = (try #require(facts.contentSum), try #require(facts.mark))
        let other = try stranger("stale.mkv")
        #expect(!takeUpIndex(of: other.path, sum: sum, mark: mark, from: index))
        #expect(!takeUpIndex(of: other.path, sum: sum, mark: other.mark, from: folder.file("nowhere")))
        #expect(!takeUpIndex(of: other.path, sum: String(repeating: "0", count: 64), mark: other.mark, from: index))
        #expect(!takeUpIndex(of: folder.file("gone.mkv"), sum: sum, mark: other.mark, from: index))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: index))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: index))
        #expect(!takeUpIndex(of: other.path, sum: sum, mark: other.mark, from: index))
        // One byte of its picture is another, and its times are put back: its mark shows it all the same, and so does
        // its index, which this process has by now.
        #expect(try contentSum(path: other.path) == sum)
        var status = stat()
        #expect(stat(other.path, &status) == 0)
        let file = try #require(FileHandle(forUpdatingAtPath: other.path))
        try file.seek(toOffset: UInt64(facts.byteCount / 2))
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(facts.byteCount / 2))
        try file.write(contentsOf: Data([byte ^ 1]))
        try file.close()
        #expect(utimensat(AT_FDCWD, other.path, [status.st_atim, status.st_mtim], 0) == 0)
        #expect(try LocalFile.identity(path: other.path).mark != other.mark)
        #expect(try contentSum(path: other.path) != sum)
    }

    /// Bytes flipped, cut, doubled and set to extremes, with the right sum of what came of it: whatever is taken up can
    /// be read from without a trap; what comes out is frames, silence or an error.
    @Test func hostileIndexesTrapNobody() throws {
        let original = [UInt8](try Data(contentsOf: URL(fileURLWithPath: index)))
        var random = SeededNumbers(seed: 17)
        var taken = 0
        let extremes: [[UInt8]] = [
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], [0, 0, 0, 0, 0, 0, 0, 0x80], [0, 0, 0, 0, 0, 0, 0, 0x10],
            [0, 0, 0, 0, 0, 0, 0, 0],
        ]
        for number in 0..<150 {
            var bytes = original
            for _ in 0...random.next(in: 0..<3) {
                // The numbers before the packets are worth half of the attempts.
                let place = random.next(in: 0..<(Bool.random(using: &random) ? 120 : bytes.count - 8))
                switch random.next(in: 0..<5) {
                case 0: bytes[place] ^= 1 << UInt8(random.next(in: 0..<8))
                case 1: bytes.removeSubrange(place..<place + 1 + random.next(in: 0..<8))
                case 2: bytes.insert(contentsOf: bytes[place..<place + 8], at: place)
                default: bytes.replaceSubrange(place..<place + 8, with: extremes[random.next(in: 0..<4)])
                }
            }
            let file = try folder.write(Data(bytes), to: "hostile-\(number).index")
            let other = try stranger("hostile-\(number).mkv")
            guard takeUpIndex(of: other.path, sum: sha256(bytes), mark: other.mark, from: file) else { continue }
            taken += 1
            _ = try? presentationTimes(path: other.path, track: 1)
            _ = try? frames(other.path)
            _ = try? samples(other.path)
        }
        #expect((20..<140).contains(taken), "\(taken) of 150 were taken up")
    }
}
