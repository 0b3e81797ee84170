import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import MediaTime
import TestTools
import Testing

/// Sound of 45 minutes in MP4, whose packets are read without the demuxer, beside ffmpeg's decode of it.
@Suite(.serialized) struct LongSoundTests {
    private static let (rate, seconds) = (8000, 2700)

    /// A tone that rises all the time: no two packets are alike.
    private func make(_ name: String, _ more: [String]) throws -> (path: String, folder: TestFolder) {
        let folder = try TestFolder("long-sound")
        let path = folder.file(name)
        let tone = "aevalsrc=0.4*sin(2*PI*(200+0.3*t)*t):s=\(Self.rate):d=\(Self.seconds)"
        _ = try Witness(in: folder).ffmpeg(["-f", "lavfi", "-i", tone] + more + ["-c:a", "aac", "-b:a", "24k", path])
        return (path, folder)
    }

    static let files: [(name: String, more: [String])] = [
        ("plain.m4a", []),
        ("between.mov", ["-f", "lavfi", "-i", "color=s=16x16:r=2", "-c:v", "mpeg4", "-shortest"]),
        ("fragments.mp4", ["-movflags", "empty_moov+default_base_moof", "-frag_duration", "5000000"]),
    ]

    @Test(arguments: files.indices) func samplesAreTheDecoders(number: Int) throws {
        let (path, folder) = try make(Self.files[number].name, Self.files[number].more)
        let wanted = try Witness(in: folder).samples(path)[0]
        let track = try #require(probe(path: path).firstTrack(of: .audio))
        let late = sampleIndex(of: Rational(track.start), rate: Self.rate)
        #expect(wanted.count > 20_000 * 1024)
        // From the start, over cells' borders, from the middle of packets, over the end.
        let (middle, last) = (wanted.count / 2, wanted.count - 40_001)
        let starts = [0, 1, 123_457, 512 * 1024 - 3, middle, last]
        let counts = [5000, 700_000, 90_000, 2000, 1_100_000, 42_000]
        for (start, count) in zip(starts, counts) {
            let reader = try AudioReader(
                path: path, track: track.id, sampleRate: Self.rate, channels: 1,
                sourceStart: Rational(late + start, Self.rate), sourceDuration: Rational(count, Self.rate))
            let got = try readAll(reader, channels: 1, count: count)[0]
            let inside = min(count, wanted.count - start)
            #expect(got.prefix(inside) == wanted[start..<start + inside], "from \(start)")
            #expect(got.dropFirst(inside).allSatisfy { $0 == 0 }, "from \(start)")
            #expect(reader.takeNotices().notices.isEmpty)
        }
    }

    /// What is known of each packet takes some 7 bytes: readers of three hours of fifty files fit beside each other.
    @Test func theIndexIsSmall() throws {
        let (path, folder) = try make("plain.m4a", [])
        defer { withExtendedLifetime(folder) {} }
        let bytes = try indexMemory(of: path)
        #expect((21_000 * 6..<21_000 * 9).contains(bytes), "\(bytes)")
    }

    /// Bytes that changed under an open reader's hands are an error, not sound.
    @Test func changedBytesAreNotDecoded() throws {
        let (path, folder) = try make("plain.m4a", [])
        defer { withExtendedLifetime(folder) {} }
        let reader = try AudioReader(
            path: path, track: 1, sampleRate: Self.rate, channels: 1, sourceStart: .zero,
            sourceDuration: Rational(Self.seconds))
        _ = try readAll(reader, channels: 1, count: 100_000)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.seek(toOffset: 1_000_000)
        try handle.write(contentsOf: Data(repeating: 0x55, count: 3_000_000))
        try handle.close()
        #expect(throws: (any Error).self) { try readAll(reader, channels: 1, count: 20_000_000) }
    }
}
