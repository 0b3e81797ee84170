import Foundation
import Planning
import Rendering
import SplitreelProject
import TestTools
import Testing

/// A film of nothing but sound in one or two tracks, and what is done to it.
struct TapFilm {
    let fixture: RenderFixture
    private let assets: String
    private let seconds: Double
    private let tracks: Int

    static let rate = 48_000

    /// A sound for each track.
    init(_ sounds: [[[Double]]], more: [String: [[Double]]] = [:]) throws {
        fixture = try RenderFixture("taps")
        var named = more
        for (index, sound) in sounds.enumerated() { named["s\(index + 1)"] = sound }
        var listed: [String] = []
        for (name, sound) in named.sorted(by: { $0.key < $1.key }) {
            listed.append("\"\(name)\":{\"url\":\"\(try fixture.wave("\(name).wav", sound))\"}")
        }
        (assets, tracks) = (listed.joined(separator: ","), sounds.count)
        seconds = Double(sounds[0][0].count) / Double(Self.rate)
    }

    /// The samples that ffmpeg decodes of a lossless film, of all of it or of so many samples from one on. Tracks of
    /// `disabled` are not rendered.
    func samples(
        inputs: [String] = [], mix: String = "", disabled: Set<Int> = [], from first: Int? = nil, count: Int = 0,
        channels: Int = 2
    ) throws -> [[Float]] {
        let tracks = (1...tracks).map { id in
            let track = Text.track(id, "audio", Text.clip("s\(id)", "0s", "\(seconds)s", at: "0s"))
            return disabled.contains(id) ? track.dropLast() + ",\"enabled\":false}" : track
        }
        let text = """
            {"format":"splitreel/1","assets":{\(assets)},"composition":{"tracks":[\(tracks.joined(separator: ","))]},
            "audio":{\(mix.isEmpty ? "" : "\"taps\":[\(mix)],")"inputs":[\(inputs.joined(separator: ","))]}}
            """
        let plan = try fixture.plan(text) {
            ($0.sound.channels, $0.sound.sampleRate, $0.sound.codec) = (channels, Self.rate, "flac")
            guard let first else { return }
            ($0.timing.rangeStart, $0.timing.rangeDuration) = ("\(first)/\(Self.rate)", "\(count)/\(Self.rate)")
        }
        return try fixture.witness.samples(try fixture.render(plan, .audio(parts: [])).path)
    }

    /// With one tap on track 1.
    func samples(tap: String, from first: Int? = nil, count: Int = 0, channels: Int = 2) throws -> [[Float]] {
        try samples(inputs: ["{\"track\":1,\"taps\":[\(tap)]}"], from: first, count: count, channels: channels)
    }

    /// A level of some samples in decibels.
    static func level(_ samples: ArraySlice<Float>) -> Double {
        10 * log10(samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count))
    }

    static func noise(_ count: Int, seed: UInt64, amplitude: Double = 0.3) -> [Double] {
        var numbers = SeededNumbers(seed: seed)
        return (0..<count).map { _ in amplitude * (Double(numbers.next(in: 0..<2001)) / 1000 - 1) }
    }
}

/// Taps on tracks and on the mix: what they make of samples, by arithmetic and by ffmpeg's filters.
@Suite("Taps", .serialized) struct TapTests {
    private static let rate = TapFilm.rate

    @Test func gainIsInDecibelsAndMovesBySample() throws {
        let film = try TapFilm([[[Double](repeating: 0.5, count: Self.rate)]])
        let steady = try film.samples(tap: "{\"id\":\"gain\",\"params\":{\"gain\":-6}}", channels: 1)[0]
        #expect(steady.allSatisfy { abs(Double($0) - 0.5 * pow(10, -0.3)) < 3e-7 })
        let keys = "[{\"range\":[\"0.25s\",\"0.5s\"],\"from\":-20,\"to\":0}]"
        let moved = try film.samples(tap: "{\"id\":\"gain\",\"params\":{\"gain\":\(keys)}}", channels: 1)[0]
        for index in stride(from: 0, to: Self.rate, by: 7) {
            let level = index < 12_000 ? 0 : min(0, -20 + Double(index - 12_000) / 24_000 * 20)
            #expect(abs(Double(moved[index]) - 0.5 * pow(10, level / 20)) < 3e-7, "\(index)")
        }
    }

    /// 1,200 dB are more than a float holds: it is held at full scale, and is not silence.
    @Test func gainsBeyondAnyRangeAreHeld() throws {
        let sound = TapFilm.noise(4800, seed: 4)
        let film = try TapFilm([[sound]])
        let taps = [String](repeating: "{\"id\":\"gain\",\"params\":{\"gain\":40}}", count: 30)
        let made = try film.samples(tap: taps.joined(separator: ","), channels: 1)[0]
        for index in made.indices where sound[index] != 0 {
            #expect(abs(Double(made[index]) - (sound[index] > 0 ? 1 : -1)) < 3e-7, "\(index)")
        }
    }

    @Test(arguments: [
        ("\"mode\":\"swap\"", [0.0, 1, 1, 0]), ("\"mode\":\"mono\"", [0.5, 0.5, 0.5, 0.5]),
        ("\"mode\":\"left\"", [1, 0, 1, 0]), ("\"mode\":\"right\"", [0, 1, 0, 1]),
        ("\"matrix\":[[1,1,0.5],[1,2,-0.25],[2,2,0.125]]", [0.5, -0.25, 0, 0.125]),
    ])
    func channelsAreSentElsewhere(params: String, expected: [Double]) throws {
        let sounds = [TapFilm.noise(4800, seed: 1), TapFilm.noise(4800, seed: 2)]
        let film = try TapFilm([sounds])
        let plain = try film.samples()
        let made = try film.samples(tap: "{\"id\":\"route\",\"params\":{\(params)}}")
        for index in 0..<4800 {
            let (left, right) = (Double(plain[0][index]), Double(plain[1][index]))
            #expect(abs(Double(made[0][index]) - expected[0] * left - expected[1] * right) < 3e-7)
            #expect(abs(Double(made[1][index]) - expected[2] * left - expected[3] * right) < 3e-7)
        }
    }

    /// An impulse comes again after each time, as loud as feedback and mix say, beyond the end of what is played too.
    @Test func delaysStandWhereTheySay() throws {
        let film = try TapFilm([
            [SoundMedia.impulses([1000], count: 24_000)], [[Double](repeating: 0, count: 48_000)],
        ])
        let made = try film.samples(
            tap: "{\"id\":\"delay\",\"params\":{\"time\":0.1,\"feedback\":-0.5,\"mix\":0.25}}", channels: 1)[0]
        var expected = [Double](repeating: 0, count: made.count)
        expected[1000] = 0.9 * 0.75
        for (number, place) in stride(from: 5800, to: made.count, by: 4800).enumerated() {
            expected[place] = 0.9 * 0.25 * pow(-0.5, Double(number))
        }
        #expect(made.count == 24_000)
        for (found, wanted) in zip(made, expected) { #expect(abs(Double(found) - wanted) < 3e-7) }
    }

    /// The factor by which an analogue filter changes the amplitude at a frequency that the bilinear transform warps:
    /// s = j·tan(πf/r) ÷ tan(πc/r).
    private func magnitude(_ shape: String, _ hertz: Double, _ middle: Double, q: Double, gain: Double) -> Double {
        let x = tan(.pi * hertz / Double(Self.rate)) / tan(.pi * middle / Double(Self.rate))
        let a = pow(10, gain / 40)
        // (a2·s² + a1·s + a0) ÷ (b2·s² + b1·s + b0)
        func ratio(_ a2: Double, _ a1: Double, _ a0: Double, _ b2: Double, _ b1: Double, _ b0: Double) -> Double {
            hypot(a0 - a2 * x * x, a1 * x) / hypot(b0 - b2 * x * x, b1 * x)
        }
        let root = a.squareRoot() / q
        switch shape {
        case "lowpass": return 1 / (1 + pow(x, 4)).squareRoot()
        case "lowpass24": return 1 / (1 + pow(x, 8)).squareRoot()
        case "highpass": return 1 / (1 + pow(x, -4)).squareRoot()
        case "highpass24": return 1 / (1 + pow(x, -8)).squareRoot()
        case "bell": return ratio(1, a / q, 1, 1, 1 / (a * q), 1)
        case "lowshelf": return a * ratio(1, root, a, a, root, 1)
        default: return a * ratio(a, root, 1, 1, root, a)
        }
    }

    @Test(arguments: [
        ("lowpass", "\"hz\":1000"), ("lowpass24", "\"hz\":1000,\"slope\":\"24\""), ("highpass", "\"hz\":1000"),
        ("highpass24", "\"hz\":1000,\"slope\":\"24\""), ("bell", "\"hz\":1000,\"q\":2,\"gain\":9"),
        ("lowshelf", "\"hz\":1000,\"gain\":-12"), ("highshelf", "\"hz\":1000,\"gain\":6"),
    ])
    func filtersHaveTheirCurves(shape: String, params: String) throws {
        let id = shape.replacingOccurrences(of: "24", with: "")
        let q: Double = shape == "bell" ? 2 : 0.5.squareRoot()
        let gain: Double = ["bell": 9.0, "lowshelf": -12, "highshelf": 6][shape] ?? 0
        for hertz in [125.0, 500, 1000, 2000, 5000, 8000] {
            let film = try TapFilm([[SoundMedia.tone(hertz, count: Self.rate, rate: Self.rate, amplitude: 0.3)]])
            let made = try film.samples(tap: "{\"id\":\"\(id)\",\"params\":{\(params)}}", channels: 1)[0]
            let found = TapFilm.level(made[24_000...]) - 20 * log10(0.3 / 2.0.squareRoot())
            let wanted = 20 * log10(magnitude(shape, hertz, 1000, q: q, gain: gain))
            #expect(
                abs(found - wanted) < 0.01, "\(shape) at \(hertz) Hz: \(found), not \(wanted)")
        }
    }

    /// A narrow bell whose frequency rushes up and down for half a second stays as loud as a bell can make sound, and
    /// has forgotten it soon after.
    @Test func filtersBearKeysThatMoveFast() throws {
        let film = try TapFilm([TapFilm.noise(Self.rate, seed: 12, amplitude: 0.01)].map { [$0] })
        func samples(_ hertz: String) throws -> [Float] {
            try film.samples(
                tap: "{\"id\":\"bell\",\"params\":{\"hz\":\(hertz),\"q\":40,\"gain\":24}}", channels: 1)[0]
        }
        let keys = (0..<500).map { index in
            let (from, to) = index % 2 == 0 ? (10_000, 100) : (100, 10_000)
            return "{\"range\":[\"\(index)/1000\",\"1/1000\"],\"from\":\(from),\"to\":\(to)}"
        }
        let moved = try samples("[\(keys.joined(separator: ","))]")
        #expect(moved.contains { $0 != 0 } && moved.allSatisfy { abs($0) < 0.16 })
        #expect(zip(moved[40_000...], try samples("10000")[40_000...]).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    /// The equaliser is its filters one after the other; ffmpeg's are the same.
    @Test func theEqualizerIsFfmpegs() throws {
        let film = try TapFilm([[TapFilm.noise(24_000, seed: 5, amplitude: 0.1)]])
        let made = try film.samples(
            tap: """
                {"id":"equalizer","params":{"lowHz":120,"lowGain":6,"hz2":900,"q2":2,"gain2":-9,"hz3":3000,"gain3":4,
                "highHz":8000,"highGain":-5}}
                """, channels: 1)[0]
        let filters =
            "lowshelf=g=6:f=120:t=q:w=0.70710678,equalizer=f=900:t=q:w=2:g=-9,equalizer=f=3000:t=q:w=1:g=4,"
            + "highshelf=g=-5:f=8000:t=q:w=0.70710678"
        let data = try film.fixture.witness.ffmpeg([
            "-i", film.fixture.folder.file("s1.wav"), "-af", "aformat=dblp,\(filters)", "-f", "f32le", "-",
        ]).standardOutput
        let wanted = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(made.count == wanted.count)
        #expect(zip(made, wanted).allSatisfy { abs($0 - $1) < 1e-5 })
    }

    /// Before the volume an echo is as loud as the volume where it is heard, after it as where it comes from.
    @Test(arguments: ["pre", "post"]) func stagesAreBeforeAndAfterTheVolume(stage: String) throws {
        let film = try TapFilm([[SoundMedia.impulses([2000], count: 24_000)]])
        let made = try film.samples(
            inputs: [
                """
                {"track":1,"volume":[{"at":"0.1s","value":0.5}],"pan":[{"at":"0s","value":1}],"taps":[
                {"id":"delay","stage":"\(stage)","params":{"time":0.1,"mix":0.5}}]}
                """
            ])
        // A mono source goes to both sides by 0.707, and by the pan to the right alone, at its own level.
        let plain = try TapFilm([[SoundMedia.impulses([2000], count: 24_000)]]).samples()
        let whole = plain[1][2000] * Float(2).squareRoot()
        #expect(abs(made[1][2000] - whole / 2) < 3e-7)
        #expect(abs(made[1][6800] - whole / (stage == "pre" ? 4 : 2)) < 3e-7)
        #expect(made[0].allSatisfy { $0 == 0 })
    }

    /// What is switched off is not there, the mix's taps come last, and `tap` is a list of one.
    @Test func tapsOfTheMixWorkOnTheSum() throws {
        let film = try TapFilm([
            [[Double](repeating: 0.25, count: 4800)], [[Double](repeating: 0.125, count: 4800)],
        ])
        let made = try film.samples(
            inputs: ["{\"track\":2,\"tap\":{\"id\":\"gain\",\"params\":{\"gain\":-20}}}"],
            mix: """
                {"id":"gain","params":{"gain":-6.0205999132796239}},{"id":"gain","enabled":false,
                "params":{"gain":20}}
                """, channels: 1)[0]
        #expect(made.allSatisfy { abs($0 - (0.25 + 0.0125) / 2) < 3e-7 })
    }

    /// Taps of every kind.
    static let all = [
        "{\"id\":\"gain\",\"params\":{\"gain\":[{\"range\":[\"0s\",\"1s\"],\"from\":-30,\"to\":0}]}}",
        "{\"id\":\"route\",\"params\":{\"mode\":\"swap\"}}",
        "{\"id\":\"delay\",\"params\":{\"time\":0.013}}",
        "{\"id\":\"delay\",\"params\":{\"time\":0.07,\"feedback\":0.9}}",
        "{\"id\":\"highpass\",\"params\":{\"hz\":[{\"range\":[\"0s\",\"1s\"],\"from\":30,\"to\":3000}]}}",
        "{\"id\":\"lowpass\",\"params\":{\"hz\":2000,\"slope\":\"24\"}}",
        "{\"id\":\"lowshelf\",\"params\":{\"gain\":6}}", "{\"id\":\"highshelf\",\"params\":{\"gain\":-6}}",
        "{\"id\":\"bell\",\"params\":{\"gain\":6}}",
        "{\"id\":\"equalizer\",\"params\":{\"gain1\":6,\"lowGain\":-3}}",
        "{\"id\":\"compressor\",\"params\":{\"threshold\":-30}}",
        "{\"id\":\"limiter\",\"params\":{\"ceiling\":-12}}",
        "{\"id\":\"gate\",\"params\":{\"threshold\":-12,\"hold\":0,\"release\":0.01}}",
        "{\"id\":\"deesser\",\"params\":{}}", "{\"id\":\"duck\",\"params\":{\"track\":2}}",
        "{\"id\":\"duck\",\"params\":{\"track\":2,\"lookahead\":0.02,\"hold\":0.01}}",
        "{\"id\":\"reverb\",\"params\":{\"impulse\":\"room\",\"mix\":0.5}}",
        "{\"id\":\"denoise\",\"params\":{}}",
    ]

    /// A range has the samples of the whole, wherever it begins and ends.
    @Test(arguments: all, ["pre", "post"]) func aRangeIsACutOfTheWhole(tap: String, stage: String) throws {
        let film = try TapFilm(
            [
                [TapFilm.noise(36_000, seed: 7), TapFilm.noise(36_000, seed: 8)],
                [TapFilm.noise(36_000, seed: 9), SoundMedia.tone(220, count: 36_000, rate: Self.rate)],
            ],
            more: [
                "room": [
                    TapFilm.noise(7000, seed: 10), TapFilm.noise(5000, seed: 11) + [Double](repeating: 0, count: 2000),
                ]
            ])
        let staged = tap.dropLast() + ",\"stage\":\"\(stage)\"}"
        let inputs = ["{\"track\":1,\"volume\":[{\"at\":\"0.3s\",\"value\":0.5}],\"taps\":[\(staged)]}"]
        let mix = stage == "pre" ? tap : ""
        let whole = try film.samples(inputs: inputs, mix: mix)
        #expect(whole[0].count == 36_000)
        for (first, count) in [(12_345, 9_999), (30_000, 6_000), (1, 40)] {
            let part = try film.samples(inputs: inputs, mix: mix, from: first, count: count)
            #expect(part.count == 2 && part[0].count == count)
            for channel in 0..<2 { #expect(part[channel] == Array(whole[channel][first..<first + count])) }
        }
    }
}
