import Diagnostics
import Foundation
import Outputs
import Planning
import Rendering
import SplitreelProject
import TestTools
import Testing

/// The sound of a film: how long it is, and every sample of it, worked out by hand and decoded by ffmpeg.
@Suite("Rendered sound", .serialized) struct AudioRenderingTests {
    struct Length: CustomTestStringConvertible {
        var codec: String
        var rate: Int
        /// The length of the film in seconds: `top` over `bottom`.
        var top: Int
        var bottom: Int
        var testDescription: String { "\(codec) at \(rate) Hz, \(top)/\(bottom) s" }

        /// round(duration × rate), halves upwards.
        var samples: Int { (2 * top * rate + bottom) / (2 * bottom) }
    }

    static let lengths = [
        Length(codec: "flac", rate: 48_000, top: 1001, bottom: 30_000),
        Length(codec: "flac", rate: 44_100, top: 1001, bottom: 24_000),
        Length(codec: "flac", rate: 44_100, top: 1, bottom: 88_200),
        Length(codec: "pcm", rate: 96_000, top: 7007, bottom: 60_000),
        Length(codec: "pcm", rate: 22_050, top: 1, bottom: 3),
        Length(codec: "flac", rate: 48_000, top: 4096, bottom: 48_000),
        Length(codec: "flac", rate: 48_000, top: 4097, bottom: 48_000),
        Length(codec: "aac", rate: 48_000, top: 1001, bottom: 3000),
        Length(codec: "opus", rate: 48_000, top: 1001, bottom: 3000),
    ]

    @Test(arguments: lengths) func lengthIsExact(length: Length) throws {
        let fixture = try RenderFixture("length")
        let tone = SoundMedia.tone(440, count: length.rate, rate: length.rate)
        let path = try fixture.wave("s.wav", [tone, tone], rate: length.rate)
        let end = "\(length.top)/\(length.bottom)"
        let plan = try fixture.plan(
            Text.project(
                ["s": path], [Text.track(1, "audio", Text.clip("s", "0s", end, at: "0s"))], size: (64, 64), frame: nil)
        ) { ($0.sound.codec, $0.sound.sampleRate) = (length.codec, length.rate) }
        #expect(plan.sampleCount == length.samples && plan.frameCount == 0 && plan.chunks.isEmpty)
        let (segment, record) = try fixture.render(plan, .audio(parts: []))
        #expect(record.media == .audio && record.count == length.samples)
        let decoded = try fixture.witness.samples(segment)
        #expect(decoded.count == 2)
        if ["flac", "pcm"].contains(length.codec) {
            #expect(decoded.allSatisfy { $0.count == length.samples })
            #expect(record.priming == 0)
        } else {
            // Priming first, and the last block may be filled up: a block of either has 1024 samples at most.
            #expect(decoded.allSatisfy { $0.count >= length.samples && $0.count < length.samples + 3 * 1024 })
        }
    }

    /// Each sample of the source is its own number, so that what is heard tells where it came from.
    @Test func everySampleStandsInItsPlace() throws {
        let fixture = try RenderFixture("places")
        let count = 48_000
        let left = (0..<count).map { Double($0) / 8_388_607 * 100 }
        let path = try fixture.wave("s.wav", [left, left.map { -$0 }])
        // 0.1 s of nothing, 0.3 s from 0.25 s on, 0.2 s of nothing, 0.125 s from the start.
        let plan = try fixture.plan(
            Text.project(
                ["s": path],
                [
                    Text.track(
                        1, "audio", Text.gap("0s", "0.1s"), Text.clip("s", "0.25s", "0.3s", at: "0.1s"),
                        Text.gap("0.4s", "0.2s"), Text.clip("s", "0s", "0.125s", at: "0.6s"))
                ], size: (64, 64), frame: nil))
        var expected = [Int](repeating: 0, count: 34_800)
        for index in 0..<14_400 { expected[4_800 + index] = (12_000 + index) * 100 }
        for index in 0..<6_000 { expected[28_800 + index] = index * 100 }
        let decoded = try fixture.witness.samples(try fixture.render(plan, .audio(parts: [])).path)
        for (channel, sign) in zip(decoded, [1, -1]) {
            let values = channel.map { Int(($0 * 8_388_608).rounded()) * sign }
            #expect(values.count == expected.count)
            #expect(zip(values, expected).allSatisfy { abs($0 - $1) <= 1 })
        }
    }

    /// Two tracks add up; a ramp of the volume is linear from sample to sample.
    @Test func tracksAreAddedAndRampsAreLinear() throws {
        let fixture = try RenderFixture("mix")
        let first = try fixture.wave("a.wav", [[Double](repeating: 0.5, count: 48_000)])
        let second = try fixture.wave("b.wav", [[Double](repeating: 0.25, count: 48_000)])
        let plan = try fixture.plan(
            Text.project(
                ["a": first, "b": second],
                [
                    Text.track(1, "audio", Text.clip("a", "0s", "1s", at: "0s")),
                    Text.track(2, "audio", Text.clip("b", "0s", "1s", at: "0s")),
                ], size: (64, 64), frame: nil, inputs: [Text.volume(1, "0.25s", "0.5s", 1, 0)])
        ) { $0.sound.channels = 1 }
        let sound = try #require(try fixture.witness.samples(try fixture.render(plan, .audio(parts: [])).path).first)
        #expect(sound.count == 48_000)
        for index in stride(from: 0, to: 48_000, by: 37) {
            let gain = min(1, max(0, 1 - (Double(index) - 12_000) / 24_000))
            #expect(abs(Double(sound[index]) - (0.25 + 0.5 * gain)) < 1e-5, "sample \(index)")
        }
    }

    /// Each source's samples are their own numbers: about the cut both go on in their files, backwards and at another
    /// speed too, and cross.
    @Test(arguments: ["", "reverse", "speed"]) func soundsCrossAboutACut(_ way: String) throws {
        let fixture = try RenderFixture("cross" + way)
        let rising = (0..<48_000).map { Double($0) / 96_000 }
        let (first, second) = (
            try fixture.wave("a.wav", [rising]), try fixture.wave("b.wav", [rising.map { 0.5 - $0 / 2 }])
        )
        let curve = #""transition":{"id":"crossfade","duration":"0.2s","params":{"curve":"linear"}}"#
        let keys = #","pitch":"varispeed","speed":[{"at":"0s","value":0.5}]"#
        let more = way == "reverse" ? ",\"reverse\":true" : way == "speed" ? keys : ""
        let plan = try fixture.plan(
            Text.project(
                ["a": first, "b": second],
                [
                    Text.track(
                        1, "audio", Text.clip("a", "0.2s", "0.3s", at: "0s", more: more),
                        Text.clip("b", "0.4s", "0.3s", at: "0.3s", more: more + "," + curve))
                ], size: (64, 64), frame: nil)
        ) { $0.sound.channels = 1 }
        #expect(plan.sampleCount == 28_800)
        let sound = try #require(try fixture.witness.samples(try fixture.render(plan, .audio(parts: [])).path).first)
        /// Seconds of a source that starts so and is 0.3 s long, so long after its segment's start.
        func time(_ start: Double, _ elapsed: Double) -> Double {
            way == "reverse" ? start + 0.3 - elapsed - 1 / 48_000 : start + elapsed * (way == "speed" ? 0.5 : 1)
        }
        for sample in stride(from: 0, to: 28_800, by: 7) {
            let now = Double(sample) / 48_000
            let share = min(1, max(0, (now - 0.2) / 0.2))
            let (from, to) = (time(0.2, now) / 2, 0.5 - time(0.4, now - 0.3) / 4)
            let expected = (share < 1 ? from * (1 - share) : 0) + (share > 0 ? to * share : 0)
            try #require(abs(Double(sound[sample]) - expected) < 2e-4, "sample \(sample): \(sound[sample])")
        }
    }

    /// What is above full scale is cut off, and counted.
    @Test func clippingIsCounted() throws {
        let fixture = try RenderFixture("clipping")
        let tone = SoundMedia.tone(1000, count: 24_000, rate: 48_000, amplitude: 0.8)
        let path = try fixture.wave("s.wav", [tone])
        let clip = Text.clip("s", "0s", "0.5s", at: "0s")
        let plan = try fixture.plan(
            Text.project(
                ["s": path], [Text.track(1, "audio", clip), Text.track(2, "audio", clip)], size: (64, 64), frame: nil)
        ) { $0.sound.channels = 1 }
        let (segment, record) = try fixture.render(plan, .audio(parts: []))
        let clipped = record.notices.notices.filter { $0.code == .soundClipped }
        #expect(clipped.map(\.count) == [tone.filter { abs($0) > 0.5 }.count])
        let sound = try #require(try fixture.witness.samples(segment).first)
        for (sample, source) in zip(sound, tone) {
            #expect(abs(Double(sample) - min(1, max(-1, 2 * source))) < 1e-5)
        }
    }

    /// One frame of silence past the end is allowed; it is silent.
    @Test func soundEndsWhereTheFileDoes() throws {
        let fixture = try RenderFixture("end")
        let path = try fixture.wave("s.wav", [[Double](repeating: 0.5, count: 24_000)])
        let plan = try fixture.plan(
            Text.project(
                ["s": path], [Text.track(1, "audio", Text.clip("s", "0.25s", "0.28s", at: "0s"))], size: (64, 64),
                frame: "1/25")
        ) { $0.sound.channels = 1 }
        let sound = try #require(try fixture.witness.samples(try fixture.render(plan, .audio(parts: [])).path).first)
        #expect(sound.count == 13_440)
        #expect(sound[..<12_000].allSatisfy { abs($0 - 0.5) < 1e-5 } && sound[12_000...].allSatisfy { $0 == 0 })
    }
}
