import Composition
import Foundation
import Planning
import Preparation
import Rendering
import TestSupport
import Testing

/// Sound fields of the first order: Opus says what they are, and ffmpeg decodes every channel.
@Suite("Ambisonics", .serialized) struct AmbisonicTests {
    private static let levels = [0.1, 0.2, 0.3, 0.15]

    /// Half a second of a tone at a level of its own in each channel.
    private func field(_ fixture: RenderFixture, _ name: String, _ scale: Double = 1) throws -> String {
        let path = fixture.folder.file(name)
        let tones = Self.levels.map { "\($0 * scale)*sin(2*PI*60*t)" }.joined(separator: "|")
        try fixture.witness.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=\(tones):c=4c:s=48000:d=0.5", "-c:a", "libopus", "-mapping_family", "2",
            "-b:a", "512k", path,
        ])
        return path
    }

    private func plan(
        _ fixture: RenderFixture, _ sources: [String], _ layout: String?, _ name: String = "o.mkv",
        codec: String = "opus", inputs: [String] = []
    ) throws -> RenderPlan {
        let assets = Dictionary(sources.enumerated().map { ("a\($0)", $1) }) { first, _ in first }
        let tracks = sources.indices.map { Text.track($0 + 1, "audio", Text.clip("a\($0)", "0s", "0.5s", at: "0s")) }
        var request = OutputRequest(path: fixture.folder.file(name))
        (request.audioCodec, request.channelLayout) = (codec, layout)
        let text = Text.project(assets, tracks, size: (64, 64), frame: nil, inputs: inputs)
        return try preparePlan(project: try Project(parsing: Data(text.utf8)), request: request).plan
    }

    private func peaks(_ file: String, _ fixture: RenderFixture) throws -> [Double] {
        try fixture.witness.samples(file).map { channel in channel.map { abs(Double($0)) }.max() ?? 0 }
    }

    /// Channel by channel: without a codec's loss exactly what ffmpeg decodes of the source.
    @Test func aFieldPassesThrough() throws {
        let fixture = try RenderFixture("ambisonic")
        let source = try field(fixture, "a.mkv")
        let exact = try fixture.render(
            try plan(fixture, [source], "ambisonic 1", "o.wav", codec: "pcm"), .audio(parts: []), to: "exact.nut"
        ).path
        let (found, wanted) = (try fixture.witness.samples(exact), try fixture.witness.samples(source))
        try #require(found.count == 4 && wanted.count == 4 && found[0].count == 24_000)
        for channel in 0..<4 {
            let worst = zip(found[channel], wanted[channel]).map { abs($0 - $1) }.max() ?? 1
            #expect(worst < 2e-7, "channel \(channel): \(worst)")
        }
        let coded = try fixture.render(try plan(fixture, [source], "ambisonic 1"), .audio(parts: []), to: "coded.nut")
            .path
        for (peak, level) in zip(try peaks(coded, fixture), Self.levels) { #expect(abs(peak - level) < 0.04) }
        let told = try fixture.witness.streams(coded).first?["channel_layout"] as? String
        #expect(told == "ambisonic 1")
    }

    @Test func twoFieldsAreAdded() throws {
        let fixture = try RenderFixture("ambisonic")
        let sources = [try field(fixture, "a.mkv"), try field(fixture, "b.ogg", 0.5)]
        let made = try fixture.render(
            try plan(fixture, sources, "ambisonic 1", "o.wav", codec: "pcm"), .audio(parts: [])
        ).path
        let (found, decoded) = (try fixture.witness.samples(made), try sources.map(fixture.witness.samples))
        for channel in 0..<4 {
            for sample in stride(from: 0, to: 24_000, by: 13) {
                let wanted = decoded[0][channel][sample] + decoded[1][channel][sample]
                try #require(abs(found[channel][sample] - wanted) < 4e-7, "channel \(channel), sample \(sample)")
            }
        }
    }

    @Test func mixesOfBothAreRefused() throws {
        let fixture = try RenderFixture("ambisonic")
        let source = try field(fixture, "a.mkv")
        let stereo = try fixture.wave("s.wav", [[Double]](repeating: [Double](repeating: 0.1, count: 24_000), count: 2))
        func refused(
            _ sources: [String], _ layout: String?, _ reason: String, codec: String = "opus", inputs: [String] = []
        ) throws {
            let error = try #require(throws: (any Error).self) {
                _ = try plan(fixture, sources, layout, codec: codec, inputs: inputs)
            }
            #expect("\(error)".contains(reason), "\(error)")
        }
        try refused([source], nil, "a sound field")
        try refused([stereo], "ambisonic 1", "its sound is stereo")
        try refused([source, stereo], "ambisonic 1", "track 2")
        try refused([source], "ambisonic 1", "cannot say", codec: "flac")
        try refused([source], "ambisonic 2", "no channel layout")
        try refused([source], "ambisonic 1", "left and right", inputs: [#"{"track":1,"pan":[{"at":"0s","value":1}]}"#])
    }
}
