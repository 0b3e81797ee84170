import Foundation
import Rendering
import TestTools
import Testing

/// Taps whose gain follows sound, and those that need files and filters.
@Suite("Taps that follow sound", .serialized) struct DynamicTapTests {
    private static let rate = TapFilm.rate

    /// A square wave has one level: its gain is that of the static curve, by hand and by ffmpeg's acompressor.
    @Test(arguments: [-50.0, -22, -20, -17, -6, -1]) func theCompressorHasItsCurve(level: Double) throws {
        let amplitude = pow(10, level / 20)
        let film = try TapFilm([[(0..<Self.rate).map { $0 / 24 % 2 == 0 ? amplitude : -amplitude }]])
        func gain(_ params: String) throws -> Double {
            let made = try film.samples(tap: "{\"id\":\"compressor\",\"params\":{\(params)}}", channels: 1)[0]
            return 20 * log10(Double(abs(made[47_000])) / amplitude)
        }
        for detector in ["rms", "peak"] {
            let hard = try gain("\"knee\":0,\"ratio\":4,\"makeup\":3,\"detector\":\"\(detector)\"")
            #expect(abs(hard - (3 + min(0, (level + 20) * (1 / 4.0 - 1)))) < 0.01, "\(hard)")
            // The knee of 10 dB about -20: a parabola from -25 to -15.
            let soft = try gain("\"knee\":10,\"ratio\":2,\"detector\":\"\(detector)\"")
            let bent = level <= -25 ? 0 : level >= -15 ? -(level + 20) / 2 : -pow(level + 25, 2) / 40
            #expect(abs(soft - bent) < 0.01, "\(soft), not \(bent)")
        }
        let data = try film.fixture.witness.ffmpeg([
            "-i", film.fixture.folder.file("s1.wav"), "-af",
            "acompressor=threshold=0.1:ratio=4:knee=1:attack=10:release=100:detection=peak", "-f", "f32le", "-",
        ]).standardOutput
        let other = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let found = try gain("\"knee\":0,\"ratio\":4,\"detector\":\"peak\"")
        #expect(abs(found - 20 * log10(Double(abs(other[47_000])) / amplitude)) < 0.05)
    }

    /// It goes down to 1/e of the way in the time that it says.
    @Test func theCompressorTakesItsTime() throws {
        let sound = (0..<Self.rate).map { index in
            (index < 24_000 ? 0.01 : 1.0) * (index % 2 == 0 ? 0.9 : -0.9)
        }
        let film = try TapFilm([[sound]])
        let made = try film.samples(
            tap: """
                {"id":"compressor","params":{"threshold":-40,"ratio":100,"knee":0,"attack":0.05,"detector":"peak"}}
                """, channels: 1)[0]
        func gain(_ index: Int) -> Double { 20 * log10(Double(abs(made[index])) / abs(sound[index])) }
        let end = (20 * log10(0.9) + 40) * (1 / 100.0 - 1)
        #expect(abs(gain(23_999)) < 0.01)
        let after = gain(24_000 + 2400)
        #expect(abs(after - end * (1 - exp(-1))) < 0.1, "\(after)")
    }

    /// Noise, square waves and a tone at a quarter of the rate whose peaks lie between samples, all far too loud.
    @Test(arguments: [-1.0, -9]) func theLimiterNeverPassesItsCeiling(ceiling: Double) throws {
        var sound = TapFilm.noise(2 * Self.rate, seed: 3, amplitude: 0.99)
        for index in 24_000..<40_000 { sound[index] = index / 37 % 2 == 0 ? 0.99 : -0.99 }
        for index in 48_000..<60_000 { sound[index] = 0.99 * sin(.pi / 2 * Double(index) + .pi / 4) }
        for index in 60_000..<90_000 { sound[index] *= index % 5000 < 20 ? 1 : 0.05 }
        let film = try TapFilm([[sound, sound.map { -$0 * 0.5 }]])
        let text = """
            {"id":"gain","params":{"gain":12}},{"id":"limiter","params":{"ceiling":\(ceiling)}}
            """
        let made = try film.samples(tap: text)
        let file = try film.fixture.folder.write(
            SoundMedia.wave(made.map { $0.map { Double($0) } }, rate: Self.rate), to: "limited.wav")
        let log = try film.fixture.witness.ffmpeg([
            "-v", "info", "-i", file, "-af", "ebur128=peak=true", "-f", "null", "-",
        ]).standardError
        let summary = try #require(log.range(of: "True peak:", options: .backwards)).upperBound
        let peak = try #require(log[summary...].split(separator: " ").compactMap { Double($0) }.first)
        #expect(peak <= ceiling + 0.001 && peak > ceiling - 0.5, "\(peak)")
        let largest = made.joined().map { abs(Double($0)) }.max() ?? 0
        #expect(20 * log10(largest) <= ceiling)
    }

    /// A ceiling that falls is that of the sound's own time: the gain begins to fall 5 ms before it, and before those
    /// about the peak, and no sooner.
    @Test func theLimitersCeilingIsOfItsSamplesTime() throws {
        let film = try TapFilm([[[Double](repeating: 0.5, count: Self.rate)]])
        let keys = "[{\"at\":\"0.5s\",\"value\":-20}]"
        let made = try film.samples(tap: "{\"id\":\"limiter\",\"params\":{\"ceiling\":\(keys)}}", channels: 1)[0]
        #expect(made.firstIndex { $0 < 0.5 } == 24_000 - 240 + 1 - 26)
        #expect(made[24_000...].allSatisfy { $0 <= 0.1 })
    }

    /// What is quieter than the ceiling stays as it is, at its sample.
    @Test(arguments: [
        "{\"id\":\"limiter\"}", "{\"id\":\"compressor\",\"params\":{\"threshold\":0}}",
        "{\"id\":\"deesser\",\"params\":{\"threshold\":0}}",
        "{\"id\":\"gate\",\"params\":{\"threshold\":-100,\"attack\":0}}",
        "{\"id\":\"equalizer\"}", "{\"id\":\"delay\",\"params\":{\"mix\":0}}",
        "{\"id\":\"reverb\",\"params\":{\"impulse\":\"room\",\"mix\":0}}",
        "{\"id\":\"duck\",\"params\":{\"track\":2}}",
    ])
    func neutralTapsChangeNothing(tap: String) throws {
        let film = try TapFilm(
            [[TapFilm.noise(24_000, seed: 6, amplitude: 0.1)], [[Double](repeating: 0, count: 24_000)]],
            more: ["room": [[1.0, 0.5]]])
        let plain = try film.samples(channels: 1)
        #expect(plain[0].contains { $0 != 0 })
        #expect(try film.samples(tap: tap, channels: 1) == plain)
    }

    /// Loud, then soft: it stays open while its detector falls and for the hold, then closes in a straight line.
    @Test func theGateHoldsAndCloses() throws {
        let sound = (0..<Self.rate).map { ($0 < 12_000 ? 0.5 : 0.001) * ($0 % 2 == 0 ? 1.0 : -1) }
        let film = try TapFilm([[sound]])
        let made = try film.samples(
            tap: """
                {"id":"gate","params":{"threshold":-40,"hysteresis":6,"attack":0.01,"hold":0.05,"release":0.1,
                "floor":-20}}
                """, channels: 1)[0]
        func gain(_ index: Int) -> Double { Double(made[index]) / sound[index] }
        // Opened in 10 ms from a tenth.
        #expect(abs(gain(239) - 0.55) < 0.01 && abs(gain(11_999) - 1) < 1e-4)
        // Peaks fall to 1/e in 10 ms, to -46 dB; then 50 ms.
        let closes = 12_000 + Int(480 * log(0.5 / pow(10, -2.3))) + 2400
        #expect(abs(gain(closes - 100) - 1) < 1e-3 && abs(gain(closes + 2400) - 0.55) < 0.01)
        #expect(abs(gain(closes + 6000) - 0.1) < 1e-3)
    }

    /// How much of a tone there is.
    private func amplitude(_ hertz: Double, _ samples: ArraySlice<Float>) -> Double {
        var (re, im) = (0.0, 0.0)
        for (index, sample) in zip(samples.indices, samples) {
            let angle = 2 * .pi * hertz * Double(index) / Double(Self.rate)
            (re, im) = (re + Double(sample) * cos(angle), im + Double(sample) * sin(angle))
        }
        return 2 * hypot(re, im) / Double(samples.count)
    }

    /// Of a low and a high tone the high one is lowered, as the high pass and the static curve say.
    @Test func theDeesserLowersWhatIsHigh() throws {
        let low = SoundMedia.tone(500, count: Self.rate, rate: Self.rate, amplitude: 0.3)
        let high = SoundMedia.tone(10_000, count: Self.rate, rate: Self.rate, amplitude: 0.3)
        let film = try TapFilm([[zip(low, high).map { $0 + $1 }]])
        let made = try film.samples(
            tap: "{\"id\":\"deesser\",\"params\":{\"hz\":6000,\"threshold\":-30,\"ratio\":4}}", channels: 1)[0]
        let x: Double = tan(Double.pi * 10 / 48) / tan(Double.pi * 6 / 48)
        let (re, im) = (1 - x * x, 2.0.squareRoot() * x)
        let size = re * re + im * im
        // The high pass at 10 kHz: -x² ÷ (re + j·im).
        let (hre, him) = (-x * x * re / size, x * x * im / size)
        let level = 20 * log10(0.3 / 2.0.squareRoot() * hypot(hre, him))
        let part = pow(10, (level + 30) * (1 / 4.0 - 1) / 20) - 1
        let wanted = 0.3 * hypot(1 + hre * part, him * part)
        #expect(abs(20 * log10(amplitude(10_000, made[24_000...]) / wanted)) < 0.1)
        #expect(abs(20 * log10(amplitude(500, made[24_000...]) / 0.3)) < 0.1)
    }

    /// Track 2 leads by what goes into the mix: with its volume down it lowers nothing.
    @Test func anotherTrackDucks() throws {
        let tone = SoundMedia.tone(1000, count: Self.rate, rate: Self.rate, amplitude: 0.3)
        let lead = (0..<Self.rate).map { (12_000..<36_000).contains($0) ? ($0 % 2 == 0 ? 0.1 : -0.1) : 0 }
        let film = try TapFilm([[tone], [lead]])
        func inputs(_ tap: String, _ volume: Double) -> [String] {
            [
                "{\"track\":1,\"taps\":[{\"id\":\"limiter\"}\(tap)]}",
                "{\"track\":2,\"volume\":[{\"at\":\"0s\",\"value\":\(volume)}]}",
            ]
        }
        let duck = ",{\"id\":\"duck\",\"params\":{\"track\":2,\"threshold\":-30,\"ratio\":4,\"knee\":0}}"
        let plain = try film.samples(inputs: inputs("", 1), channels: 1)[0]
        let made = try film.samples(inputs: inputs(duck, 1), channels: 1)[0]
        for index in stride(from: 12, to: Self.rate, by: 48) {
            let gain = 20 * log10(1 + Double(made[index] - plain[index]) / tone[index])
            if index < 12_000 { #expect(gain == 0, "\(index)") }
            if (20_000..<36_000).contains(index) { #expect(abs(gain + 7.5) < 0.05, "\(index): \(gain)") }
        }
        #expect(
            try film.samples(inputs: inputs(duck, 0.1), channels: 1)
                == film.samples(inputs: inputs("", 0.1), channels: 1))
    }

    /// Two words of 0.1 with 0.2 s between, which would ask for 22.5 dB: 12 are taken. They last through the pause and
    /// for 0.3 s after the second word, whose mean falls within 10 ms or so below the threshold; then half of the rest
    /// comes back in 0.1 · ln 2 s.
    @Test func aDuckHoldsBetweenWords() throws {
        let tone = SoundMedia.tone(1000, count: 2 * Self.rate, rate: Self.rate, amplitude: 0.3)
        let words = [4800..<14_400, 24_000..<33_600]
        let lead: [Double] = (0..<(2 * Self.rate)).map { index in
            words.contains { $0.contains(index) } ? (index % 2 == 0 ? 0.1 : -0.1) : 0
        }
        let film = try TapFilm([[tone], [lead]])
        func samples(_ numbers: String) throws -> [Float] {
            let duck =
                "{\"id\":\"duck\",\"params\":{\"track\":2,\"threshold\":-42.5,\"ratio\":100,\"knee\":0\(numbers)}}"
            return try film.samples(inputs: ["{\"track\":1,\"taps\":[\(duck)]}", "{\"track\":2}"], channels: 1)[0]
        }
        func gain(_ samples: [Float], _ index: Int) -> Double {
            20 * log10((Double(samples[index]) - lead[index]) / tone[index])
        }
        let held = try samples(",\"hold\":0.3,\"release\":0.1")
        for index in stride(from: 12_012, to: 33_600 + 14_000, by: 48) {
            #expect(abs(gain(held, index) + 12) < 0.05, "\(index): \(gain(held, index))")
        }
        // The mean of 0.1 falls by 22.5 dB, and to where less than 12 dB are wanted, in some 20 ms.
        let comes = (33_600 + 14_400)..<(33_600 + 14_400 + 3000)
        let half = (comes.lowerBound + 3327)..<(comes.upperBound + 3327)
        let first = stride(from: 33_612, to: 2 * Self.rate, by: 48).first { gain(held, $0) > -6 } ?? 0
        #expect(half.contains(first), "\(first)")
        // As it was: it comes up in the pause, and goes down as far as the level asks.
        let loose = try samples(",\"hold\":0,\"range\":120,\"release\":0.05")
        #expect(gain(loose, 14_400 - 36) < -20 && gain(loose, 24_000 - 36) > -4)
    }

    /// A word begins at sample 12,000. 50 ms before, nothing has changed; where it begins, the gain has gone for 2.5
    /// times the attack: 12 · (1 − e⁻²·⁵) = 11 dB, less what the mean of 10 ms takes to rise.
    @Test func aDuckCanLookAhead() throws {
        let tone = SoundMedia.tone(1000, count: Self.rate, rate: Self.rate, amplitude: 0.3)
        let lead: [Double] = (0..<Self.rate).map { $0 < 12_000 ? 0 : $0 % 2 == 0 ? 0.1 : -0.1 }
        let film = try TapFilm([[tone], [lead]])
        func samples(_ volume: Double, _ taps: String) throws -> [Float] {
            let inputs = [
                "{\"track\":1,\"taps\":[\(taps)]}", "{\"track\":2,\"volume\":[{\"at\":\"0s\",\"value\":\(volume)}]}",
            ]
            return try film.samples(inputs: inputs, channels: 1)[0]
        }
        let numbers = "\"threshold\":-42.5,\"ratio\":100,\"knee\":0,\"lookahead\":0.05"
        let duck = "{\"id\":\"duck\",\"params\":{\"track\":2,\(numbers)}}"
        let idle = "{\"id\":\"duck\",\"params\":{\"track\":2,\"ratio\":1}}"
        let (plain, made) = (try samples(1, idle), try samples(1, duck))
        #expect(made[..<9600] == plain[..<9600] && plain[12] != 0)
        let gain = 20 * log10((Double(made[12_012]) - lead[12_012]) / tone[12_012])
        #expect(gain < -9 && gain > -12, "\(gain)")
        // A leader that is not heard changes nothing, and no sample comes later.
        #expect(try samples(0, duck) == samples(0, idle))
    }

    /// Two tracks of 0.05 are 0.1 where they are alike, 10 dB above the threshold: 7.5 dB less of the music. Where the
    /// second one is turned over there is no sum, and each alone is as loud as 0.05. A range is a cut of the whole.
    @Test func theSumOfSeveralTracksDucks() throws {
        let tone = SoundMedia.tone(1000, count: Self.rate, rate: Self.rate, amplitude: 0.3)
        let lead: [Double] = (0..<Self.rate).map { $0 % 2 == 0 ? 0.05 : -0.05 }
        let film = try TapFilm([[tone], [lead], [lead], [lead.map { -$0 }]])
        let numbers = "\"threshold\":-30,\"ratio\":4,\"knee\":0"
        func samples(_ leaders: String, from first: Int? = nil, count: Int = 0) throws -> [Float] {
            let duck = "{\"id\":\"duck\",\"params\":{\(leaders),\(numbers)}}"
            let inputs = ["{\"track\":1,\"taps\":[\(duck)]}"]
            return try film.samples(inputs: inputs, from: first, count: count, channels: 1)[0]
        }
        // Tracks 2, 3 and 4 are heard, too: 0.05 of the square wave.
        func gain(_ samples: [Float], _ index: Int) -> Double {
            20 * log10((Double(samples[index]) - lead[index]) / tone[index])
        }
        let alike = try samples("\"tracks\":[3,2]")
        let turned = try samples("\"tracks\":[2,4]")
        let alone = try samples("\"tracks\":[3]")
        let single: Double = (20 * log10(0.05) + 30) * -0.75
        for index in stride(from: 24_012, to: Self.rate, by: 480) {
            #expect(abs(gain(alike, index) + 7.5) < 0.05, "\(index): \(gain(alike, index))")
            #expect(abs(gain(turned, index)) < 0.001, "\(index): \(gain(turned, index))")
            #expect(abs(gain(alone, index) - single) < 0.05, "\(index): \(gain(alone, index))")
        }
        #expect(try alone == samples("\"track\":3") && alike == samples("\"tracks\":[2,3]"))
        let part = try samples("\"tracks\":[2,3]", from: 12_345, count: 9999)
        #expect(part == Array(alike[12_345..<12_345 + 9999]))
    }

    /// A track that is not rendered lowers nothing, whoever leads beside it.
    @Test func aTrackThatIsNotThereLowersNothing() throws {
        let sound = [TapFilm.noise(24_000, seed: 50)]
        let film = try TapFilm([sound, sound, sound])
        func samples(_ taps: String) throws -> [[Float]] {
            try film.samples(inputs: ["{\"track\":1,\"taps\":[\(taps)]}"], disabled: [3], channels: 1)
        }
        let idle = "{\"id\":\"duck\",\"params\":{\"track\":2,\"ratio\":1}}"
        let absent = "{\"id\":\"duck\",\"params\":{\"track\":3,\"threshold\":-60,\"ratio\":20}}"
        let plain = try samples(idle)
        #expect(plain[0].contains { $0 != 0 })
        #expect(try samples("\(idle),\(absent)") == plain)
    }

    /// Every sample is the sum of products, across the reverb's blocks and after the sound's end.
    @Test func theReverbIsTheConvolution() throws {
        var room: [[Double]] = [9000, 5000].enumerated().map { channel, count in
            TapFilm.noise(9000, seed: UInt64(20 + channel), amplitude: 0.02).enumerated().map { $0 < count ? $1 : 0 }
        }
        room[0][0] = 0.5
        room[1][17] = 0.5
        let sound = (0..<2).map { channel in
            TapFilm.noise(6000, seed: UInt64(30 + channel), amplitude: 0.2) + [Double](repeating: 0, count: 12_000)
        }
        let film = try TapFilm([sound], more: ["room": room])
        let made = try film.samples(tap: "{\"id\":\"reverb\",\"params\":{\"impulse\":\"room\",\"mix\":1}}")
        for channel in 0..<2 {
            for index in stride(from: 0, to: 18_000, by: 11) {
                var sum = 0.0
                for lag in stride(from: max(0, index - 5999), through: min(index, 8999), by: 1) {
                    sum += room[channel][lag] * sound[channel][index - lag]
                }
                #expect(abs(Double(made[channel][index]) - sum) < 2e-6, "\(channel), \(index)")
            }
        }
    }

    /// As ffmpeg's afftdn, whose delay is made up for: an impulse stays at its sample.
    @Test func noiseGoesAndSoundStaysInItsPlace() throws {
        var sound = TapFilm.noise(24_000, seed: 40, amplitude: 0.002)
        sound[7000] = 0.9
        let film = try TapFilm([[sound]])
        let made = try film.samples(
            tap: "{\"id\":\"denoise\",\"params\":{\"reduction\":20,\"floor\":-50}}", channels: 1)[0]
        #expect(SoundMedia.peaks(made, above: 0.5, gap: 100) == [7000])
        #expect(TapFilm.level(made[12_000..<20_000]) < 20 * log10(0.002 / 3.0.squareRoot()) - 6)
        let data = try film.fixture.witness.ffmpeg([
            "-i", film.fixture.folder.file("s1.wav"), "-af", "aformat=fltp,afftdn=nr=20:nf=-50", "-f", "f32le", "-",
        ]).standardOutput
        let other = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(zip(made[0..<20_000], other[1200..<21_200]).allSatisfy { abs($0 - $1) < 1e-6 })
    }
}
