import Diagnostics
import Foundation
import Planning
import Rendering
import SplitreelProject
import TestTools
import Testing

/// Sound at another speed, decoded by ffmpeg; pitches by the zero crossings of a sine, places by clicks.
@Suite("Sound at other speeds", .serialized) struct SpeedSoundTests {
    /// Hz, by the first and the last upward zero crossing of samples from the middle, each placed between its samples.
    private func pitch(_ samples: ArraySlice<Float>, rate: Double = 48_000) -> Double {
        var crossings: [Double] = []
        for index in samples.indices.dropLast() where samples[index] < 0 && samples[index + 1] >= 0 {
            crossings.append(Double(index) + Double(samples[index] / (samples[index] - samples[index + 1])))
        }
        guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
        return Double(crossings.count - 1) * rate / (last - first)
    }

    private func cents(_ pitch: Double, _ wanted: Double) -> Double { 1200 * log2(pitch / wanted) }

    private func level(_ samples: ArraySlice<Float>) -> Double {
        (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))).squareRoot()
    }

    private func clip(_ start: String, _ source: String, at target: String, for length: String, _ more: String)
        -> String
    {
        "{\"asset\":\"s\",\"source\":[\"\(start)\",\"\(source)\"],\"target\":[\"\(target)\",\"\(length)\"],\(more)}"
    }

    private func sound(
        _ fixture: RenderFixture, _ channels: [[Double]], _ clips: String..., rate: Int = 48_000
    ) throws -> [[Float]] {
        let path = try fixture.wave("s.wav", channels, rate: rate)
        let track = "{\"id\":1,\"type\":\"audio\",\"segments\":[\(clips.joined(separator: ","))]}"
        let plan = try fixture.plan(Text.project(["s": path], [track], size: (64, 64), frame: nil)) {
            ($0.sound.channels, $0.sound.sampleRate) = (channels.count, 48_000)
        }
        let decoded = try fixture.witness.samples(try fixture.render(plan, .audio(parts: [])).path)
        #expect(decoded.allSatisfy { $0.count == plan.sampleCount })
        return decoded
    }

    /// Rates 1/2, 3/2 and 2 of 3 s, one that is no short fraction, and a tenth.
    static let lengths = [("6s", 2.0), ("2s", 2 / 3.0), ("1.5s", 0.5), ("10007/3000", 10_007 / 9000.0), ("30s", 10)]

    /// Both ends of what is allowed: 3 cents are asked of usual rates.
    @Test(arguments: ["spectral", "timeDomain", "varispeed"], [(source: 1, length: 32.0), (16, 0.5)])
    func theEndsOfWhatIsAllowed(pitch algorithm: String, ends: (source: Int, length: Double)) throws {
        let fixture = try RenderFixture("ends")
        let tone = SoundMedia.tone(400, count: ends.source * 48_000, rate: 48_000)
        let decoded = try sound(
            fixture, [tone],
            clip("0s", "\(ends.source)s", at: "0s", for: "\(ends.length)s", "\"pitch\":\"\(algorithm)\""))[0]
        #expect(decoded.count == Int(ends.length * 48_000))
        let middle = decoded[decoded.count / 4..<decoded.count * 3 / 4]
        let wanted = algorithm == "varispeed" ? 400 * Double(ends.source) / ends.length : 400
        #expect(abs(cents(pitch(middle), wanted)) < (algorithm == "varispeed" ? 1 : 10), "\(pitch(middle)) Hz")
        #expect(abs(level(middle) - 0.5 / 2.0.squareRoot()) < 0.06, "\(level(middle))")
    }

    /// Rubber Band's finer engine gives noise at these speeds, and another one each time.
    @Test(arguments: [12.5, 13, 15]) func fastSoundIsTheSameEachTime(speed: Double) throws {
        let fixture = try RenderFixture("fast")
        let tone = SoundMedia.tone(440, count: 30 * 48_000, rate: 48_000)
        let clip = clip("0s", "\(2 * speed)s", at: "0s", for: "2s", "\"pitch\":\"spectral\"")
        let made = try (0..<2).map { _ in try sound(fixture, [tone], clip)[0] }
        let middle = made[0][made[0].count / 4..<made[0].count * 3 / 4]
        #expect(made[0] == made[1] && abs(level(middle) - 0.5 / 2.0.squareRoot()) < 0.06, "\(level(middle))")
    }

    @Test(arguments: ["spectral", "timeDomain"], lengths)
    func pitchIsKept(pitch algorithm: String, length: (text: String, factor: Double)) throws {
        let fixture = try RenderFixture("pitch")
        let tone = SoundMedia.tone(1000, count: 3 * 48_000, rate: 48_000)
        let decoded = try sound(
            fixture, [tone], clip("0s", "3s", at: "0s", for: length.text, "\"pitch\":\"\(algorithm)\""))[0]
        #expect(decoded.count == Int((3 * 48_000 * length.factor).rounded()))
        let middle = decoded[decoded.count / 4..<decoded.count * 3 / 4]
        #expect(abs(cents(pitch(middle), 1000)) < 3, "\(pitch(middle)) Hz")
        // A stretch of ten times loses a quarter of a decibel.
        #expect(abs(level(middle) - 0.5 / 2.0.squareRoot()) < 0.015)
    }

    @Test(arguments: lengths) func varispeedShiftsByTheRate(length: (text: String, factor: Double)) throws {
        let fixture = try RenderFixture("varispeed")
        let tone = SoundMedia.tone(1000, count: 3 * 48_000, rate: 48_000)
        let decoded = try sound(
            fixture, [tone], clip("0s", "3s", at: "0s", for: length.text, "\"pitch\":\"varispeed\""))[0]
        let middle = decoded[decoded.count / 4..<decoded.count * 3 / 4]
        #expect(abs(cents(pitch(middle), 1000 / length.factor)) < 0.05)
    }

    /// Clicks stand where the rate puts them, to 8 ms, after a minute as after a second: no latency, no drift.
    @Test(arguments: ["spectral", "timeDomain", "varispeed"], ["1/2", "3/2", "1000/1001"])
    func clicksStayInPlace(pitch: String, rate: String) throws {
        let fixture = try RenderFixture("places")
        let parts = rate.split(separator: "/").compactMap { Int($0) }
        var clicks = [Double](repeating: 0, count: 30 * 48_000)
        let places = [1, 2, 9, 17, 28].map { $0 * 48_000 }
        for place in places {
            for index in 0..<48 { clicks[place + index] = 0.9 * exp(-Double(index) / 10) * (index % 2 == 0 ? 1 : -1) }
        }
        let decoded = try sound(
            fixture, [clicks],
            clip("0s", "30s", at: "0s", for: "\(30 * parts[1])/\(parts[0])", "\"pitch\":\"\(pitch)\""))[0]
        for place in places {
            let wanted = place * parts[1] / parts[0]
            let near = decoded[max(0, wanted - 4800)..<min(decoded.count, wanted + 4800)]
            let found = near.indices.max { abs(near[$0]) < abs(near[$1]) } ?? 0
            #expect(abs(found - wanted) <= (pitch == "varispeed" ? 24 : 480), "\(found) for \(wanted)")
        }
    }

    /// A run that is cut into pieces sounds as if it were not; a range of it is the same samples.
    @Test(arguments: ["spectral", "timeDomain", "varispeed"]) func cutsAndRangesChangeNothing(pitch: String) throws {
        let fixture = try RenderFixture("cuts")
        let tone = SoundMedia.tone(997, count: 4 * 48_000, rate: 48_000)
        let more = "\"pitch\":\"\(pitch)\""
        let whole = try sound(fixture, [tone, tone], clip("0s", "4s", at: "0s", for: "6s", more))
        let pieces = try sound(
            fixture, [tone, tone], clip("0s", "1s", at: "0s", for: "1.5s", more),
            clip("1s", "3s", at: "1.5s", for: "4.5s", more))
        #expect(whole == pieces)
        let path = fixture.folder.file("s.wav")
        let track = "{\"id\":1,\"type\":\"audio\",\"segments\":[\(clip("0s", "4s", at: "0s", for: "6s", more))]}"
        let plan = try fixture.plan(Text.project(["s": path], [track], size: (64, 64), frame: nil)) {
            ($0.sound.channels, $0.sound.sampleRate) = (2, 48_000)
            ($0.timing.rangeStart, $0.timing.rangeDuration) = ("2.5s", "1s")
        }
        let part = try fixture.witness.samples(try fixture.render(plan, .audio(parts: [])).path)
        #expect(part == whole.map { Array($0[120_000..<168_000]) })
    }

    /// silencedetect finds no hole where one speed follows another, and no sample jumps as a click does.
    @Test(arguments: ["spectral", "timeDomain", "varispeed"]) func joinsDoNotClick(pitch: String) throws {
        let fixture = try RenderFixture("joins")
        let tone = SoundMedia.tone(200, count: 6 * 48_000, rate: 48_000)
        let more = "\"pitch\":\"\(pitch)\""
        let decoded = try sound(
            fixture, [tone], clip("0s", "2s", at: "0s", for: "2s", more), clip("2s", "2s", at: "2s", for: "4s", more),
            clip("4s", "2s", at: "6s", for: "1s", more))[0]
        let text = try fixture.witness.ffmpeg([
            "-v", "info", "-i", fixture.folder.file("segment.nut"), "-af", "silencedetect=noise=-30dB:d=0.01", "-f",
            "null", "-",
        ]).standardError
        #expect(!text.contains("silence_start"), "\(text)")
        // A sine of 200 Hz at 0.5 goes 0.013 a sample, twice that at twice the speed.
        let jumps = zip(decoded, decoded.dropFirst()).map { abs($1 - $0) }
        #expect(jumps.allSatisfy { $0 < 0.035 }, "\(jumps.max() ?? 0)")
    }

    /// Backwards is sample for sample what forwards is, whatever the container's rate.
    @Test func backwardsIsTheMirrorImage() throws {
        let fixture = try RenderFixture("backwards")
        let count = 3 * 48_000
        let left = (0..<count).map { Double(($0 * 7919) % 65_521) / 65_521 - 0.5 }
        let right = left.map { -$0 / 2 }
        let forwards = try sound(
            fixture, [left, right], clip("0.5s", "2s", at: "0s", for: "2s", "\"pitch\":\"spectral\""))
        let backwards = try sound(fixture, [left, right], clip("0.5s", "2s", at: "0s", for: "2s", "\"reverse\":true"))
        #expect(backwards == forwards.map { $0.reversed() })
    }

    /// Backwards and half as fast: a tone that rises from 500 to 1500 Hz falls from 1500 to 500, over twice the time.
    @Test func backwardsAndSlower() throws {
        let fixture = try RenderFixture("slower")
        let sweep = (0..<4 * 48_000).map { index -> Double in
            let time = Double(index) / 48_000
            return 0.5 * sin(2 * .pi * (500 * time + 125 * time * time))
        }
        let decoded = try sound(
            fixture, [sweep], clip("0s", "4s", at: "0s", for: "8s", "\"reverse\":true,\"pitch\":\"spectral\""))[0]
        for second in 1..<7 {
            let found = pitch(decoded[second * 48_000 - 2400..<second * 48_000 + 2400])
            #expect(abs(found - (1500 - 125 * Double(second))) < 10, "\(found) Hz after \(second) s")
        }
    }

    /// From half the speed to twice over 4 s: clicks at 1, 2, 3 and 4 s of the source are heard where the integral of
    /// the speed says, x = t/2 + 3t²/16.
    @Test(arguments: ["spectral", "timeDomain", "varispeed"]) func keysChangeTheSpeed(pitch: String) throws {
        let fixture = try RenderFixture("keys")
        var clicks = [Double](repeating: 0, count: 5 * 48_000)
        for second in 1...4 {
            for index in 0..<48 {
                clicks[second * 48_000 + index] = 0.9 * exp(-Double(index) / 10) * (index % 2 == 0 ? 1 : -1)
            }
        }
        let keys = "\"speed\":[{\"range\":[\"0s\",\"4s\"],\"from\":0.5,\"to\":2}],\"pitch\":\"\(pitch)\""
        let decoded = try sound(fixture, [clicks], clip("0s", "5s", at: "0s", for: "4s", keys))[0]
        #expect(decoded.count == 4 * 48_000)
        for second in 1...4 {
            // 3t² + 8t − 16x = 0.
            let time = (-8 + (64 + 192 * Double(second)).squareRoot()) / 6
            let wanted = Int((time * 48_000).rounded())
            let near = decoded[max(0, wanted - 4800)..<min(decoded.count, wanted + 4800)]
            let found = near.indices.max { abs(near[$0]) < abs(near[$1]) } ?? 0
            #expect(abs(found - wanted) <= (pitch == "varispeed" ? 24 : 480), "\(found) for \(wanted)")
        }
    }

    /// A speed that is no short fraction is as exact as one that is: no sample lies beside its place, and a range is
    /// the same samples.
    @Test(arguments: [(12_000, 10_007), (21_074, 42_149), (56_590, 113_181)])
    func oddSpeedsAreExact(source: Int, target: Int) throws {
        let fixture = try RenderFixture("odd")
        let tone = SoundMedia.tone(5000, count: 3 * 48_000, rate: 48_000)
        let clip = clip(
            "0.5s", "\(source)/90000", at: "0s", for: "\(target)/90000", "\"pitch\":\"varispeed\"")
        let decoded = try sound(fixture, [tone], clip)[0]
        let worst =
            decoded.enumerated().map { sample, value in
                let place = 0.5 + Double(sample) / 48_000 * Double(source) / Double(target)
                return abs(Double(value) - 0.5 * sin(2 * .pi * 5000 * place))
            }.max() ?? 1
        #expect(worst < 0.5 * 3.2e-5, "\(worst)")
        let track = "{\"id\":1,\"type\":\"audio\",\"segments\":[\(clip)]}"
        let plan = try fixture.plan(
            Text.project(["s": fixture.folder.file("s.wav")], [track], size: (64, 64), frame: nil)
        ) {
            ($0.sound.channels, $0.sound.sampleRate) = (1, 48_000)
            ($0.timing.rangeStart, $0.timing.rangeDuration) = ("0.05s", "0.05s")
        }
        let part = try fixture.witness.samples(try fixture.render(plan, .audio(parts: [])).path)[0]
        #expect(part == Array(decoded[2400..<4800]))
    }

    /// A sine under keyed varispeed against its own formula: sin of the integral of the speed.
    @Test func keyedVarispeedIsTheIntegral() throws {
        let fixture = try RenderFixture("integral")
        let tone = SoundMedia.tone(1000, count: 6 * 48_000, rate: 48_000)
        let keys = """
            "speed":[{"range":["0.5s","2s"],"from":0.75,"to":1.75},{"at":"3s","value":1}],"pitch":"varispeed"
            """
        let decoded = try sound(fixture, [tone], clip("1s", "5s", at: "0s", for: "3.5s", keys))[0]
        var worst = 0.0
        for sample in 0..<Int(3.5 * 48_000) {
            let time = Double(sample) / 48_000
            let way =
                time < 0.5
                ? 0.75 * time
                : time < 2.5
                    ? 0.375 + 0.75 * (time - 0.5) + (time - 0.5) * (time - 0.5) / 4
                    : time < 3 ? 2.875 + 1.75 * (time - 2.5) : 3.75 + (time - 3)
            worst = max(worst, abs(Double(decoded[sample]) - 0.5 * sin(2 * .pi * 1000 * (1 + way))))
        }
        #expect(worst < 0.5 * 3.2e-5, "\(worst)")
    }
}
