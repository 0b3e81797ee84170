import Foundation
import Planning
import Preparation
import Rendering
import SplitreelProject
import TestTools
import Testing

/// Sound fields of the first to the third order: Opus says what they are, and ffmpeg decodes every channel.
@Suite("Ambisonics", .serialized) struct AmbisonicTests {
    private static let orders = 1...3
    private static func channels(_ order: Int) -> Int { (order + 1) * (order + 1) }

    /// The frequency in Hz of the tone in a channel, which no other one has: whole periods in a quarter of a second.
    private static func frequency(_ channel: Int) -> Double { Double(channel + 2) * 40 }
    private static func level(_ channel: Int) -> Double { 0.1 + 0.02 * Double(channel) }

    /// A tone at a level of its own in each channel.
    private func field(
        _ fixture: RenderFixture, _ name: String, order: Int, _ scale: Double = 1, seconds: Double = 0.5
    ) throws -> String {
        let path = fixture.folder.file(name)
        let count = Self.channels(order)
        let tones = (0..<count).map { "\(Self.level($0) * scale)*sin(2*PI*\(Self.frequency($0))*t)" }
        try fixture.witness.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=\(tones.joined(separator: "|")):s=48000:d=\(seconds)", "-c:a", "libopus",
            "-mapping_family", "2", "-b:a", "\(count * 128)k", path,
        ])
        return path
    }

    private func plan(
        _ fixture: RenderFixture, _ sources: [String], _ layout: String?, _ name: String = "o.mkv",
        codec: String = "opus", inputs: [String] = []
    ) throws -> RenderPlan {
        let clips = sources.indices.map { [Text.clip("a\($0)", "0s", "0.5s", at: "0s")] }
        return try plan(fixture, sources, clips, layout, name, codec: codec, inputs: inputs)
    }

    /// - Parameter clips: of each track.
    private func plan(
        _ fixture: RenderFixture, _ sources: [String], _ clips: [[String]], _ layout: String?, _ name: String,
        codec: String, inputs: [String] = [], parts: String? = nil
    ) throws -> RenderPlan {
        let assets = Dictionary(sources.enumerated().map { ("a\($0)", $1) }) { first, _ in first }
        let tracks = clips.indices.map { Text.track($0 + 1, "audio", clips[$0].joined(separator: ",")) }
        var request = OutputRequest(path: fixture.folder.file(name))
        (request.sound.codec, request.sound.channelLayout, request.rendering.soundPartSeconds) = (codec, layout, parts)
        let text = Text.project(assets, tracks, size: (64, 64), frame: nil, inputs: inputs)
        return try preparePlan(project: try Project(parsing: Data(text.utf8)), request: request).plan
    }

    /// How much of each channel's tone there is in every channel, in the middle of half a second.
    private func tones(_ file: String, _ fixture: RenderFixture) throws -> [[Double]] {
        let samples = try fixture.witness.samples(file)
        return samples.map { own in
            samples.indices.map { other in
                var (sine, cosine) = (0.0, 0.0)
                for place in 6_000..<min(18_000, own.count) {
                    let angle = Double(place) * 2 * .pi * Self.frequency(other) / 48_000
                    (sine, cosine) = (sine + Double(own[place]) * sin(angle), cosine + Double(own[place]) * cos(angle))
                }
                return hypot(sine, cosine) / 6_000
            }
        }
    }

    private func expectEachInItsPlace(_ file: String, order: Int, _ fixture: RenderFixture) throws {
        let found = try tones(file, fixture)
        try #require(found.count == Self.channels(order))
        for (channel, row) in found.enumerated() {
            for (other, level) in row.enumerated() {
                let wanted = other == channel ? Self.level(channel) : 0
                #expect(abs(level - wanted) < 0.02, "order \(order), tone \(other) in channel \(channel): \(level)")
            }
        }
    }

    /// Channel by channel: without a codec's loss exactly what ffmpeg decodes of the source.
    @Test(arguments: orders) func aFieldPassesThrough(order: Int) throws {
        let fixture = try RenderFixture("ambisonic")
        let source = try field(fixture, "a.mkv", order: order)
        let layout = "ambisonic \(order)"
        let exact = try fixture.render(
            try plan(fixture, [source], layout, "o.wav", codec: "pcm"), .audio(parts: []), to: "exact.nut"
        ).path
        let (found, wanted) = (try fixture.witness.samples(exact), try fixture.witness.samples(source))
        let count = Self.channels(order)
        try #require(found.count == count && wanted.count == count && found[0].count == 24_000)
        for channel in 0..<count {
            let worst = zip(found[channel], wanted[channel]).map { abs($0 - $1) }.max() ?? 1
            #expect(worst < 2e-7, "channel \(channel): \(worst)")
        }
        try expectEachInItsPlace(exact, order: order, fixture)
        let coded = try fixture.render(try plan(fixture, [source], layout), .audio(parts: []), to: "coded.nut").path
        try expectEachInItsPlace(coded, order: order, fixture)
        let told = try fixture.witness.streams(coded).first?["channel_layout"] as? String
        #expect(told == layout)
    }

    @Test(arguments: orders) func twoFieldsAreAdded(order: Int) throws {
        let fixture = try RenderFixture("ambisonic")
        // An mp4 has a list of edits, which leaves out what the coder begins with.
        let sources = [
            try field(fixture, "a.mp4", order: order), try field(fixture, "b.ogg", order: order, 0.5),
        ]
        let made = try fixture.render(
            try plan(fixture, sources, "ambisonic \(order)", "o.wav", codec: "pcm"), .audio(parts: [])
        ).path
        let (found, decoded) = (try fixture.witness.samples(made), try sources.map(fixture.witness.samples))
        for channel in 0..<Self.channels(order) {
            for sample in stride(from: 0, to: 24_000, by: 13) {
                let wanted = decoded[0][channel][sample] + decoded[1][channel][sample]
                try #require(abs(found[channel][sample] - wanted) < 4e-7, "channel \(channel), sample \(sample)")
            }
        }
    }

    /// Sound parts of many channels are the whole, to the last bit.
    @Test(arguments: orders) func partsAreTheWhole(order: Int) throws {
        let fixture = try RenderFixture("ambisonic")
        let source = try field(fixture, "a.mkv", order: order, seconds: 2)
        let clips = [Text.clip("a0", "0s", "0.9s", at: "0s"), Text.clip("a0", "0.7s", "0.8s", at: "1.1s")]
        // Nothing is heard at one second: Opus is decoded from its start, and not cut in.
        let row = [clips[0], Text.gap("0.9s", "0.2s"), clips[1]]
        func made(_ parts: String) throws -> [[Float]] {
            let plan = try plan(
                fixture, [source], [row], "ambisonic \(order)", "o.wav", codec: "pcm", parts: parts)
            #expect(plan.soundPartCount == (parts == "none" ? 0 : 2))
            let names = (0..<plan.soundPartCount).map { RenderPlan.soundPartName($0, epoch: 1) }
            for (index, name) in names.enumerated().reversed() {
                _ = try fixture.render(plan, .soundPart(index), to: name)
            }
            return try fixture.witness.samples(try fixture.render(plan, .audio(parts: names), to: parts + ".nut").path)
        }
        let whole = try made("none")
        #expect(try whole.count == Self.channels(order) && whole == made("1"))
        #expect(whole[0].count == 91_200 && whole.allSatisfy { $0[90_000] != 0 && $0[45_600] == 0 })
    }

    /// Each channel by itself, in filters of libavfilter and in a matrix too.
    @Test(arguments: orders) func tapsTakeEveryChannel(order: Int) throws {
        let fixture = try RenderFixture("ambisonic")
        let source = try field(fixture, "a.mkv", order: order)
        let last = Self.channels(order)
        func made(_ taps: String) throws -> String {
            let inputs = [#"{"track":1,"taps":[\#(taps)]}"#]
            let plan = try plan(fixture, [source], "ambisonic \(order)", "o.wav", codec: "pcm", inputs: inputs)
            return try fixture.render(plan, .audio(parts: [])).path
        }
        try expectEachInItsPlace(try made(#"{"id":"denoise"}"#), order: order, fixture)
        let turned = try tones(
            try made(#"{"id":"route","params":{"matrix":[[1,\#(last),1],[\#(last),1,-1]]}}"#), fixture)
        for (channel, row) in turned.enumerated() {
            let from = channel == 0 ? last - 1 : channel == last - 1 ? 0 : -1
            for (other, level) in row.enumerated() {
                #expect(abs(level - (other == from ? Self.level(other) : 0)) < 0.01, "tone \(other) in \(channel)")
            }
        }
    }

    @Test func mixesOfBothAreRefused() throws {
        let fixture = try RenderFixture("ambisonic")
        let sources = try (1...4).map { try field(fixture, "\($0).mkv", order: $0, 0.2) }
        let source = sources[0]
        let stereo = try fixture.wave("s.wav", [[Double]](repeating: [Double](repeating: 0.1, count: 24_000), count: 2))
        func refused(
            _ sources: [String], _ layout: String?, _ reasons: String..., codec: String = "opus", inputs: [String] = []
        ) throws {
            let error = try #require(throws: (any Error).self) {
                _ = try plan(fixture, sources, layout, codec: codec, inputs: inputs)
            }
            for reason in reasons { #expect("\(error)".contains(reason), "\(error)") }
        }
        try refused([source], nil, "a sound field", "'ambisonic 1'")
        try refused([stereo], "ambisonic 1", "its sound is stereo")
        try refused([source, stereo], "ambisonic 1", "track 2")
        try refused([source], "ambisonic 1", "cannot say", "opus (mkv, webm, ogg, mp4)", codec: "flac")
        try refused([source], "ambisonic 4", "no channel layout", "ambisonic 2, ambisonic 3")
        try refused([source], "ambisonic 1", "left and right", inputs: [#"{"track":1,"pan":[{"at":"0s","value":1}]}"#])
        for order in 2...3 {
            let layout = "ambisonic \(order)"
            try refused([sources[order - 1]], nil, "its sound is \(layout): a sound field", "'\(layout)'")
            try refused([sources[order - 1], source], layout, "track 2", "its sound is ambisonic 1, and the film's is")
            let advice = "say channelLayout '\(layout)'"
            try refused([sources[order - 1]], "ambisonic 1", "its sound is \(layout)", advice)
            try refused([stereo], layout, "its sound is stereo")
            try refused([sources[order - 1], stereo], nil, "not all sounds are such a field")
            try refused([sources[order - 1]], layout, "cannot say", codec: "flac")
        }
        try refused([sources[3]], "ambisonic 3", "its sound is ambisonic 4", "bring it to ambisonic 1, ambisonic 2 or")
    }
}
