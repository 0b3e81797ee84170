import Foundation
import MediaFacts
import MediaTime
import Outputs
import Pictures
import Planning
import SplitreelProject
import Stitching
import Testing

/// Films in each layout that planning takes, as ffprobe names it and as ffmpeg decodes every channel.
@Suite("Channel layouts of films", .serialized) struct ChannelLayoutTests {
    private static let samples = 9_600

    /// As docs/reference/audio.md lists them.
    private static let standard = "mono stereo 5.1 7.1"
    private static let all =
        "mono stereo 2.1 3.0 3.0(back) 4.0 quad quad(side) 3.1 5.0 5.0(side) 4.1 5.1 5.1(side) 6.0 6.0(front) "
        + "hexagonal 6.1 6.1(back) 6.1(front) 7.0 7.0(front) 7.1 7.1(wide) 7.1(wide-side) octagonal"
    private static let films: [(codec: SoundCodec, container: Container, layouts: String)] = [
        (.flac, .mkv, all), (.flac, .flac, all), (.pcm, .wav, all), (.pcm, .mov, all),
        (.aac, .mp4, "mono stereo 3.0 4.0 5.0 5.1 7.1"), (.aac, .mkv, "mono stereo 3.0 4.0 5.0 5.1 7.1"),
        (.alac, .m4a, "mono stereo 3.0 4.0 5.0 5.1 6.1(back) 7.1(wide)"),
        (.opus, .mkv, "mono stereo 3.0 quad 5.1 7.1"), (.opus, .mp4, "mono stereo 3.0 quad 5.1 7.1"),
        (.vorbis, .ogg, "mono stereo 3.0 quad 5.0 5.1 6.1 7.1"),
    ]

    private func request(_ codec: SoundCodec, _ container: Container, _ layout: String) -> OutputRequest {
        var request = OutputRequest(path: "/film." + container.rawValue)
        (request.sound.codec, request.sound.channelLayout) = (codec.rawValue, layout)
        return request
    }

    private func resolved(_ codec: SoundCodec, _ container: Container, _ layout: String) throws -> AudioSettings {
        let facts = OutputFacts(
            hasVideo: false, hasAudio: true, size: .init(width: 64, height: 64),
            frameDuration: MediaTime(value: 1, timescale: 25))
        return try #require(try resolve(request(codec, container, layout), facts: facts).audio)
    }

    /// In each channel a tone of its own, a whole number of periods in a tenth of a second.
    private static func frequency(_ channel: Int) -> Double { Double(channel + 4) * 10 }

    /// How much of a tone there is in the middle half of a channel, whatever a coder did to its edges.
    private static func level(of frequency: Double, in samples: [Float]) -> Double {
        var (sine, cosine) = (0.0, 0.0)
        for (index, sample) in samples.dropFirst(Self.samples / 4).prefix(Self.samples / 2).enumerated() {
            let angle = Double(index) * 2 * .pi * frequency / 48_000
            (sine, cosine) = (sine + Double(sample) * sin(angle), cosine + Double(sample) * cos(angle))
        }
        return hypot(sine, cosine) / Double(Self.samples / 4)
    }

    @Test(arguments: films.indices) func eachChannelStaysInItsPlace(index: Int) throws {
        let (codec, container, layouts) = Self.films[index]
        for layout in layouts.split(separator: " ").map(String.init) {
            try expectChannels(of: layout, codec, container, told: layout)
        }
    }

    /// Opus tells what they are; of PCM a reader has to know.
    @Test(arguments: 1...3) func soundFieldsKeepTheirChannels(order: Int) throws {
        let name = "ambisonic \(order)"
        for container in [Container.mkv, .webm, .ogg, .mp4] {
            try expectChannels(of: name, .opus, container, told: name)
        }
        for container in [Container.mkv, .wav] { try expectChannels(of: name, .pcm, container, told: "unknown") }
        for (codec, container) in [(SoundCodec.flac, Container.mkv), (.pcm, .mov), (.pcm, .mxf), (.alac, .m4a)] {
            #expect(throws: (any Error).self) { _ = try resolved(codec, container, name) }
        }
        #expect(try resolved(.opus, .ogg, name).channels == (order + 1) * (order + 1))
    }

    /// A film of a tone for each channel, as ffmpeg has it. `told`: its layout as ffprobe names it.
    private func expectChannels(
        of layout: String, _ codec: SoundCodec, _ container: Container, told wanted: String
    ) throws {
        // A coder changes a level by up to 0.1, as libvorbis that of low frequencies in 5.1; of another channel's tone
        // there is nothing.
        let tolerance = codec.isLossless ? 1e-3 : 0.2
        let settings = try resolved(codec, container, layout)
        let count = settings.channels
        let film = try FilmFixture(
            video: nil, audio: settings, frameDuration: MediaTime(value: 1, timescale: 25), chunks: [],
            sampleCount: Self.samples
        ) { channel, sample in Float(0.5 * sin(Double(sample) * 2 * .pi * Self.frequency(channel) / 48_000)) }
        let path = try film.stitch(container, name: "film")
        let told = try run(
            "ffprobe", ["-v", "error", "-show_entries", "stream=channel_layout", "-of", "csv=p=0", path])
        let name = String(decoding: told.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(name.split(separator: "\n").first.map(String.init) == wanted, "\(codec) in \(container)")
        let decoded = try run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "f32le", "-"]).output
        let values = decoded.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        // ffmpeg leaves out the first 128 samples of Vorbis, of files of its own too.
        let least = codec == .vorbis ? Self.samples - 128 : Self.samples
        try #require(values.count >= count * least && values.count % count == 0, "\(codec) \(layout)")
        for channel in 0..<count {
            let own = stride(from: channel, to: values.count, by: count).map { values[$0] }
            let found = Self.level(of: Self.frequency(channel), in: own)
            #expect(abs(found - 0.5) < tolerance, "\(codec) in \(container), \(layout), channel \(channel): \(found)")
        }
        let report = try verifyFilm(path: path, plan: film.plan(container), decoding: true)
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
    }

    /// What a film could not tell is refused, with what it can.
    @Test func othersAreRefused() throws {
        for (codec, container, layouts) in Self.films {
            let known = layouts.split(separator: " ").map(String.init)
            for layout in Self.all.split(separator: " ").map(String.init) where !known.contains(layout) {
                #expect(throws: (any Error).self, "\(codec) in \(container): \(layout)") {
                    _ = try resolved(codec, container, layout)
                }
            }
        }
        for container in [Container.mkv, .mxf] {
            #expect(throws: (any Error).self) { _ = try resolved(.pcm, container, "quad") }
        }
        #expect(throws: (any Error).self) { _ = try resolved(.flac, .flac, "5.1(sides)") }
        #expect(try resolved(.flac, .flac, "5.1").layout == nil)
        #expect(try resolved(.flac, .flac, "5.1(SIDE)").layout == .fiveOneSide)
    }
}
