import Foundation
import MediaTime
import Outputs
import Stitching
import Testing

@Suite struct SoundTests {
    static let frameDuration = MediaTime(value: 1001, timescale: 30000)
    static let samples = 100_003
    static let click = 50_000

    /// A click of one sample in silence; lossy codecs smear it, but its peak stays.
    static func film(_ codec: SoundCodec) throws -> FilmFixture {
        try FilmFixture(
            video: .small(.h264, preset: "ultrafast"), audio: .stereo(codec), frameDuration: frameDuration,
            chunks: [30, 33], sampleCount: samples, sample: { _, index in index == click ? 0.9 : 0 })
    }

    @Test(arguments: [
        (SoundCodec.aac, Container.mp4), (.opus, .mp4), (.aac, .mov), (.pcm, .mov), (.flac, .mkv), (.pcm, .mkv),
        (.opus, .mkv), (.aac, .mkv), (.alac, .mp4), (.alac, .mov), (.mp3, .mp4), (.mp3, .mov),
        (.mp3, .mkv), (.vorbis, .mkv),
    ])
    func theClickStaysAtItsSample(codec: SoundCodec, container: Container) throws {
        let film = try Self.film(codec)
        let path = try film.stitch(container)
        let sound = try decodedSound(path)
        let peak = try #require(sound.indices.max { abs(sound[$0]) < abs(sound[$1]) })
        // Matroska cannot say that AAC begins with priming: the whole film starts that much later.
        let late = container == .mkv ? [SoundCodec.aac: 1024, .mp3: 1105][codec] ?? 0 : 0
        // Opus moves a click by some samples: it codes a band-limited picture of it.
        #expect(abs(peak - Self.click - late) <= (codec == .opus ? 2 : 0))
        let first = try #require(try ProbedPicture.of(path).packets.compactMap(\.pts).min())
        #expect(first == late * 1000 / 48_000)
        if codec.isLossless {
            #expect(sound.count == Self.samples)
            #expect(abs(sound[Self.click] - 0.9) <= 1 / Float(1 << 23))
        } else {
            #expect(sound.count >= Self.samples && sound.count < Self.samples + 2048 + late)
        }
        let report = try verifyFilm(path: path, plan: film.plan(container), decoding: true)
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
    }

    @Test(arguments: [(SoundCodec.aac, Container.mp4, 1024), (.opus, .mp4, 312), (.pcm, .mov, 0)])
    func editListsHoldTheExactLength(codec: SoundCodec, container: Container, priming: Int) throws {
        let film = try Self.film(codec)
        #expect(film.sound?.record.priming == priming)
        let boxes = try BoxReader(path: try film.stitch(container))
        let scale = try #require(boxes.timescale(track: nil))
        let edits = boxes.editList(track: 1)
        #expect(edits.count == 1 && edits.first?.mediaTime == priming)
        #expect(edits.first?.duration == Self.samples * (scale / 48000))
        let total = boxes.timeToSample(track: 1).reduce(0) { $0 + $1.count * $1.delta }
        #expect(total == Self.samples + priming)
    }

    /// Sound packets stand near the pictures of their time.
    @Test func soundIsInterleavedByTime() throws {
        let film = try Self.film(.aac)
        let result = try run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "packet=codec_type,pts_time,pos", "-of", "csv=p=0",
                try film.stitch(.mp4),
            ])
        let packets = String(decoding: result.output, as: UTF8.self).split(separator: "\n").compactMap {
            line -> (kind: Substring, time: Double, position: Int)? in
            let parts = line.split(separator: ",")
            guard parts.count >= 3, let time = Double(parts[1]), let position = Int(parts[2]) else { return nil }
            return (parts[0], time, position)
        }.sorted { $0.position < $1.position }
        #expect(packets.count == 63 + 99)
        var latest = ["video": 0.0, "audio": 0.0]
        for packet in packets {
            latest[String(packet.kind)] = max(latest[String(packet.kind), default: 0], packet.time)
            // While both go on: the picture lasts 2.102 s, the sound 2.083 s.
            guard latest.values.allSatisfy({ $0 < 2 }) else { break }
            #expect(abs(latest["video", default: 0] - latest["audio", default: 0]) < 0.25)
        }
    }

    @Test(arguments: [
        (SoundCodec.aac, Container.mp4), (.flac, .mkv), (.pcm, .mov), (.aac, .m4a), (.alac, .m4a), (.pcm, .wav),
        (.flac, .flac), (.opus, .ogg), (.vorbis, .ogg), (.flac, .ogg), (.mp3, .mp3), (.opus, .webm), (.vorbis, .webm),
    ])
    func soundAloneIsAFilm(codec: SoundCodec, container: Container) throws {
        let film = try FilmFixture(
            video: nil, audio: .stereo(codec), frameDuration: Self.frameDuration, chunks: [], sampleCount: 48001,
            sample: { _, index in index == 20000 ? 0.5 : 0 })
        let path = try film.stitch(container)
        let sound = try decodedSound(path)
        // What players of these play is as long as what was sent.
        if codec.isLossless || container == .mp3 || codec == .opus && container == .ogg {
            #expect(sound.count == 48001)
        }
        let late = codec == .aac && container == .mkv ? 1024 : 0
        #expect(sound.indices.max { abs(sound[$0]) < abs(sound[$1]) } == 20000 + late)
        if container == .flac {
            let length = try run(
                "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path])
            #expect(String(decoding: length.output, as: UTF8.self).hasPrefix("1.00002"))
            // STREAMINFO ends with the MD5 of all samples.
            let hash = try run(
                "ffmpeg", ["-v", "error", "-i", path, "-c:a", "pcm_s24le", "-f", "md5", "-"])
            let said = try Data(contentsOf: URL(fileURLWithPath: path))[26..<42]
            let text = said.map { String(format: "%02x", $0) }.joined()
            #expect(String(decoding: hash.output, as: UTF8.self).contains("MD5=" + text))
        }
        if container == .wav {
            // Room for RF64's chunk of sizes, which takes its place in a file beyond 4 GiB.
            let head = try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 20) ?? Data()
            #expect(head.starts(with: Data("RIFF".utf8)) && head[12..<16] == Data("JUNK".utf8))
            #expect(head[16] >= 28)
        }
        let report = try verifyFilm(path: path, plan: film.plan(container), decoding: true)
        #expect(report.ok && report.frames == 0, "\(report.checks.filter { !$0.ok })")
    }

    /// Below 32 kHz a frame of MP3 has half as many samples.
    @Test(arguments: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000])
    func mp3OfEveryRate(rate: Int) throws {
        let count = 10_001
        let settings = AudioSettings(codec: .mp3, bitRate: 32_000, sampleRate: rate, channels: 1)
        let film = try FilmFixture(
            video: nil, audio: settings, frameDuration: Self.frameDuration, chunks: [], sampleCount: count,
            sample: { _, index in index % 40 < 20 ? 0.3 : -0.3 })
        let path = try film.stitch(.mp3)
        #expect(try decodedSound(path).count == count)
        let report = try verifyFilm(path: path, plan: film.plan(.mp3), decoding: true)
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
    }

    /// Vorbis changes the length of its blocks where something begins, which Ogg's reader does not foresee; a page that
    /// is missing is seen all the same.
    @Test func burstsOfVorbisAreNoGaps() throws {
        var seed: UInt32 = 1
        let film = try FilmFixture(
            video: nil, audio: .stereo(.vorbis), frameDuration: Self.frameDuration, chunks: [], sampleCount: 192_000,
            sample: { _, index in
                seed = seed &* 1_664_525 &+ 1_013_904_223
                return index % 10_080 < 192 ? Float(Int(seed >> 16) - 32_768) / 40_000 : 0
            })
        let path = try film.stitch(.ogg)
        let report = try verifyFilm(path: path, plan: film.plan(.ogg), decoding: true)
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
        #expect(try abs(decodedSound(path).count - 192_000) <= 2048)
        // Pages begin with these letters; the third and later ones hold sound.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var starts: [Int] = []
        var place = 0
        while let found = bytes.range(of: Data("OggS".utf8), in: place..<bytes.count) {
            starts.append(found.lowerBound)
            place = found.upperBound
        }
        try #require(starts.count > 5)
        let middle = starts.count / 2
        let cut = film.folder.file("cut.ogg")
        try (bytes[..<starts[middle]] + bytes[starts[middle + 1]...]).write(to: URL(fileURLWithPath: cut))
        #expect(try !verifyFilm(path: cut, plan: film.plan(.ogg), decoding: true).ok)
    }

    @Test(arguments: [1, 6, 8])
    func otherChannelCountsPass(channels: Int) throws {
        let settings = AudioSettings(codec: .aac, bitRate: 384_000, sampleRate: 48000, channels: channels)
        let film = try FilmFixture(
            video: .small(.h264, preset: "ultrafast"), audio: settings, frameDuration: Self.frameDuration,
            chunks: [10], sample: { channel, index in index % 100 < 50 ? Float(channel + 1) / 20 : 0 })
        let path = try film.stitch(.mp4)
        let report = try verifyFilm(path: path, plan: film.plan(.mp4), decoding: true)
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
    }
}
