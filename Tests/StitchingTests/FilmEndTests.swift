import Diagnostics
import Foundation
import MediaTime
import Outputs
import Stitching
import Testing

@Suite("A film that was cut off", .timeLimit(.minutes(2)))
struct FilmEndTests {
    private static let frameDuration = MediaTime(value: 1, timescale: 25)

    /// The verdict of the check of the film's end; nil where it is not made.
    private func isWhole(_ path: String) throws -> Bool? {
        try verifyFilm(path: path, plan: nil, decoding: true).checks.first { $0.name == "file end" }?.ok
    }

    /// At three fifths, and before the last byte; the check alone fails the film, whatever else does.
    private func expectKnown(_ path: String) throws {
        #expect(try isWhole(path) == true, "\(path)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for length in [bytes.count * 3 / 5, bytes.count - 1] {
            let cut = path + "-\(length)." + (path.split(separator: ".").last ?? "")
            try bytes.prefix(length).write(to: URL(fileURLWithPath: cut))
            do {
                #expect(try isWhole(cut) == false, "\(cut)")
            } catch let error as SplitreelError where error.code == .mediaCannotOpen {
                // Headers can be more than half of a short sound.
                #expect(length < bytes.count - 1, "\(error)")
            }
        }
    }

    @Test(arguments: [
        (SoundCodec.opus, Container.webm), (.flac, .mkv), (.mp3, .mp3), (.opus, .ogg), (.vorbis, .ogg), (.flac, .ogg),
        (.pcm, .wav), (.flac, .flac),
    ])
    func soundIsKnownToBeCut(codec: SoundCodec, container: Container) throws {
        let film = try FilmFixture(
            video: nil, audio: .stereo(codec), frameDuration: Self.frameDuration, chunks: [], sampleCount: 96_000,
            sample: { channel, index in Float((index * (channel + 3)) % 101) / 300 })
        let path = try film.stitch(container)
        try expectKnown(path)
        #expect(try verifyFilm(path: path, plan: film.plan(container), decoding: true).ok)
    }

    @Test func filmsAreKnownToBeCut() throws {
        let film = try FilmFixture(
            video: .small(.ffv1), audio: .stereo(.flac), frameDuration: Self.frameDuration, chunks: [20, 20])
        try expectKnown(film.stitch(.mkv))
    }

    /// Packets of a film whose index stands in front can be cut off at their ends: each that is left is whole.
    @Test func filmsCutBetweenPackets() throws {
        let film = try FilmFixture(
            video: .small(.ffv1), audio: .stereo(.pcm), frameDuration: Self.frameDuration, chunks: [20, 20])
        let path = try film.stitch(.mov)
        #expect(try isWhole(path) == true)
        let told = try run("ffprobe", ["-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0", path])
        let ends = String(decoding: told.output, as: UTF8.self).split(separator: "\n").compactMap { line -> Int? in
            let numbers = line.split(separator: ",").compactMap { Int($0) }
            return numbers.count == 2 ? numbers[0] + numbers[1] : nil
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(ends.count > 40)
        for end in [ends[10], ends[ends.count / 2]] {
            let cut = path + "-\(end).mov"
            try bytes.prefix(end).write(to: URL(fileURLWithPath: cut))
            let report = try verifyFilm(path: cut, plan: nil, decoding: true)
            #expect(!report.ok && report.checks.contains { $0.name == "file end" && !$0.ok }, "\(report.checks)")
        }
    }

    /// Files that ffmpeg makes are judged, too. An end that ffmpeg leaves open is not held against its file.
    @Test func filesOfOthers() throws {
        let folder = try TemporaryFolder()
        let picture = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=2"]
        let sound = ["-f", "lavfi", "-i", "sine=440:sample_rate=44100:duration=2"]
        func make(_ name: String, _ options: [String]) throws -> String {
            let made = try run("ffmpeg", ["-v", "error"] + options + [folder.file(name)])
            try #require(made.status == 0, "\(made.complaints)")
            return folder.file(name)
        }
        for (name, options) in [
            ("a.mkv", picture + sound), ("a.webm", picture + ["-c:v", "libvpx"]), ("a.gif", picture),
            ("a.webp", picture), ("a.mp3", sound), ("v.mp3", sound + ["-q:a", "4", "-metadata", "title=t"]),
            ("a.opus", sound), ("a.ogg", sound + ["-c:a", "libvorbis"]),
            ("av.ogv", picture + sound + ["-c:v", "libtheora", "-c:a", "libvorbis"]), ("a.wav", sound),
            ("a.flac", sound), ("long.wav", sound + ["-rf64", "always"]),
            ("a.mp4", picture + sound + ["-c:a", "aac", "-movflags", "+faststart"]),
            ("a.mov", picture + ["-movflags", "+faststart"]),
            ("f.mp4", picture + ["-g", "5", "-movflags", "frag_keyframe+empty_moov"]),
            ("a.mxf", picture + ["-c:v", "mpeg2video", "-r", "25"]),
        ] {
            try expectKnown(make(name, options))
        }
        // Sound of an odd number of bytes has one more to fill it up.
        let odd = ["-c:a", "pcm_u8", "-af", "atrim=end_sample=4411"]
        #expect(try isWhole(make("odd.wav", sound + odd)) == true)
        for (name, options) in [
            ("live.mkv", picture + ["-live", "1"]), ("plain.mp3", sound + ["-write_xing", "0"]),
        ] {
            #expect(try isWhole(make(name, options)) == nil, "\(name)")
        }
        let piped = try run("ffmpeg", ["-v", "error"] + sound + ["-f", "wav", "-"])
        try piped.output.write(to: URL(fileURLWithPath: folder.file("piped.wav")))
        let report = try verifyFilm(path: folder.file("piped.wav"), plan: nil, decoding: true)
        #expect(report.ok && !report.checks.contains { $0.name == "file end" }, "\(report.checks)")
        // What follows behind the end is nothing of the film's.
        let tagged = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.mp3"))) + Data("TAG".utf8)
        try tagged.write(to: URL(fileURLWithPath: folder.file("tagged.mp3")))
        #expect(try isWhole(folder.file("tagged.mp3")) == true)
    }

    /// Whatever stands in them, files are looked at in the time that their length takes.
    @Test func garbageIsNotBelieved() throws {
        let folder = try TemporaryFolder()
        let film = try FilmFixture(
            video: .small(.ffv1), audio: .stereo(.flac), frameDuration: Self.frameDuration, chunks: [10])
        let sound = ["-v", "error", "-f", "lavfi", "-i", "sine=440:duration=1"]
        let picture = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=32x32:duration=1"]
        var paths = [try film.stitch(.mkv)]
        for name in ["a.mp3", "a.ogg", "a.wav", "a.flac", "a.gif"] {
            let input = name == "a.gif" ? picture : sound
            try #require(try run("ffmpeg", input + [folder.file(name)]).status == 0)
            paths.append(folder.file(name))
        }
        var seed: UInt32 = 7
        func random(below limit: Int) -> Int {
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return Int(seed >> 8) % limit
        }
        for path in paths {
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            for round in 0..<24 {
                var bytes = whole
                for _ in 0..<8 { bytes[random(below: min(round < 16 ? 128 : bytes.count, bytes.count))] ^= 0xFF }
                let spoilt = folder.file("spoilt." + (path.split(separator: ".").last ?? ""))
                try bytes.write(to: URL(fileURLWithPath: spoilt))
                // Throwing is an answer, too.
                _ = try? verifyFilm(path: spoilt, plan: nil)
            }
        }
    }

    /// FFV1's decoder puts the frame before in the place of what it cannot decode, and calls that decoded.
    @Test func damageFailsAFilm() throws {
        let film = try FilmFixture(video: .small(.ffv1), frameDuration: Self.frameDuration, chunks: [20, 20])
        let path = try film.stitch(.mkv)
        let whole = try verifyFilm(path: path, plan: film.plan(.mkv), decoding: true)
        #expect(whole.ok && whole.checks.contains { $0.name == "damage" && $0.ok }, "\(whole.checks)")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let middle = bytes.count / 2
        bytes.replaceSubrange(middle..<(middle + 36), with: Data(repeating: 0x5A, count: 36))
        try bytes.write(to: URL(fileURLWithPath: path))
        let report = try verifyFilm(path: path, plan: film.plan(.mkv), decoding: true)
        #expect(!report.ok && report.checks.contains { $0.name == "damage" && !$0.ok }, "\(report.checks)")
        #expect(report.warnings.contains { $0.code == .sourceDamaged && $0.firstSeconds != nil })
    }
}
