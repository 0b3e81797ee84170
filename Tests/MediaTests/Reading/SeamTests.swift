import Foundation
import MediaReading
import MediaTime
import TestTools
import Testing

/// A sine in a file, cut anywhere: the reference is the sine itself.
@Suite("Sound across a cut", .serialized) struct SeamTests {
    struct Case: CustomTestStringConvertible {
        var from: Int
        var to: Int
        var rate: Rational
        var testDescription: String { "\(from) to \(to) Hz at speed \(rate)" }
    }

    static let cases = [(44_100, 48_000), (48_000, 44_100), (96_000, 48_000), (22_050, 48_000)].flatMap { pair in
        [Rational(1), Rational(3, 2), Rational(1, 2), Rational(101, 100)].map {
            Case(from: pair.0, to: pair.1, rate: $0)
        }
    }

    private static let hertz = 997.0

    /// A mono WAV of 32-bit floats.
    static func write(_ samples: [Float], rate: Int) throws -> String {
        var data = Data("RIFF".utf8)
        func append(_ value: Int, _ count: Int) {
            for byte in 0..<count { data.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
        append(36 + samples.count * 4, 4)
        data.append(Data("WAVEfmt ".utf8))
        for (value, size) in [(16, 4), (3, 2), (1, 2), (rate, 4), (rate * 4, 4), (4, 2), (32, 2)] {
            append(value, size)
        }
        data.append(Data("data".utf8))
        append(samples.count * 4, 4)
        samples.withUnsafeBytes { data.append(contentsOf: $0) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("seam-\(UUID().uuidString).wav")
        try data.write(to: file)
        return file.path
    }

    private static func sine(_ position: Double, rate: Int) -> Double {
        0.5 * sin(2 * .pi * hertz * position / Double(rate))
    }

    private func reader(_ path: String, _ test: Case, from start: Int, count: Int, skipping: Int = 0) throws
        -> AudioReader
    {
        try AudioReader(
            path: path, track: 1, sampleRate: test.to, channels: 1, rate: test.rate,
            sourceStart: Rational(start, test.from), sourceDuration: Rational(count, test.from), skipping: skipping)
    }

    /// No sample at a cut's two ends is further from the sine than the resampler's own noise in the middle.
    @Test(arguments: cases) func noEdgeStandsWhereASourceIsCut(test: Case) throws {
        let path = try Self.write(
            (0..<2 * test.from).map { Float(Self.sine(Double($0), rate: test.from)) }, rate: test.from)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let step = (Rational(test.from, test.to) * test.rate).double
        var generator = SeededNumbers(seed: 4)
        for _ in 0..<3 {
            let start = Int.random(in: test.from / 4...test.from, using: &generator)
            let cut = try reader(path, test, from: start, count: test.from / 4)
            let count = cut.sampleCount
            let samples = try readAll(cut, channels: 1, count: count)[0]
            let errors = samples.indices.map {
                abs(Double(samples[$0]) - Self.sine(Double(start) + Double($0) * step, rate: test.from))
            }
            let noise = try #require(errors[count / 3..<count / 2].max())
            // The resampler itself is good for 16 bits.
            #expect(noise < 3e-5, "noise \(noise)")
            let edge = max(errors.prefix(300).max() ?? 1, errors.suffix(300).max() ?? 1)
            #expect(edge <= 1.5 * noise + 1e-7, "\(20 * log10(edge)) dB after \(start), elsewhere \(20 * log10(noise))")
        }
    }

    /// What is read from the middle of a range on is what reading the whole range gives, bit for bit.
    @Test(arguments: cases) func aPartEqualsTheSamePartOfTheWhole(test: Case) throws {
        var generator = SeededNumbers(seed: 7)
        let noise = (0..<test.from).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
        let path = try Self.write(noise, rate: test.from)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let start = test.from / 3 + 1
        let whole = try reader(path, test, from: start, count: test.from / 2)
        let samples = try readAll(whole, channels: 1, count: whole.sampleCount)[0]
        for _ in 0..<3 {
            let skipped = Int.random(in: 1..<samples.count - 100, using: &generator)
            let part = try reader(path, test, from: start, count: test.from / 2, skipping: skipped)
            #expect(part.sampleCount == samples.count - skipped)
            let got = try readAll(part, channels: 1, count: part.sampleCount)[0]
            #expect(got == Array(samples[skipped...]), "from \(skipped)")
        }
    }

    /// Speeds at which the rates' samples hardly ever meet: less than a ten thousandth of a sample apart.
    @Test(arguments: [Rational(12_345, 10_000), Rational(3_000_001, 2_000_003)])
    func oddSpeedsAreHardlyShifted(rate: Rational) throws {
        let test = Case(from: 44_100, to: 48_000, rate: rate)
        let path = try Self.write((0..<88_200).map { Float(Self.sine(Double($0), rate: 44_100)) }, rate: 44_100)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let whole = try readAll(reader(path, test, from: 9_999, count: 44_100), channels: 1, count: 30_000)[0]
        let part = try readAll(
            reader(path, test, from: 9_999, count: 44_100, skipping: 12_345), channels: 1, count: 10_000)[0]
        let apart = zip(part, whole[12_345...]).map { abs($0 - $1) }.max() ?? 1
        // The sine's steepest slope, over two ten thousandths of a sample.
        #expect(Double(apart) < 0.5 * 2 * .pi * Self.hertz / 44_100 * 2e-4)
        let step = (Rational(44_100, 48_000) * rate).double
        let error = whole.indices.map { abs(Double(whole[$0]) - Self.sine(9_999 + Double($0) * step, rate: 44_100)) }
        // A millionth of 30,000 samples at most, where the speed had to be rounded.
        #expect(try #require(error.max()) < 0.5 * 2 * .pi * Self.hertz / 44_100 * 0.04)
    }
}
