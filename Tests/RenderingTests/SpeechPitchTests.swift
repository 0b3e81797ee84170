import Foundation
import Planning
import Rendering
import SplitreelProject
import TestTools
import Testing

/// A real voice at other speeds: its length to the sample, and its pitch by the autocorrelation of voiced stretches.
@Suite("Speech at other speeds", .serialized) struct SpeechPitchTests {
    /// Nine seconds of a man who speaks.
    private static let (start, seconds) = ("3.5s", 9)
    private static let rate = 48_000.0
    /// Half of what is looked at, in samples of the original: 40 ms.
    private static let reach = 1920

    private func sound(_ fixture: RenderFixture, speed: (Int, Int), pitch: String) throws -> [Float] {
        let path = try #require(SourceTree.corpusFile("audio/tc_nasa_13013.mp4.audio_44100.mp3"))
        let clip = """
            {"asset":"s","source":["\(Self.start)","\(Self.seconds)s"],\
            "target":["0s","\(Self.seconds * speed.1)/\(speed.0)"],"pitch":"\(pitch)"}
            """
        let plan = try fixture.plan(
            Text.project(["s": path], [Text.track(1, "audio", clip)], size: (64, 64), frame: nil)
        ) { ($0.sound.channels, $0.sound.sampleRate, $0.sound.codec) = (1, 48_000, "flac") }
        return try fixture.witness.samples(try fixture.render(plan, .audio(parts: [])).path)[0]
    }

    /// Hz about a sample; nil where it is quiet or no voice.
    private func pitch(_ samples: [Float], at middle: Int, reach: Int, from low: Double, to high: Double) -> Double? {
        guard middle >= reach, middle + reach <= samples.count else { return nil }
        return samples.withUnsafeBufferPointer { all in
            let part = UnsafeBufferPointer(rebasing: all[middle - reach..<middle + reach])
            let (first, last) = (Int(Self.rate / high), Int(Self.rate / low) + 1)
            let length = 2 * reach - last
            func product(_ a: Int, _ b: Int) -> Double {
                var sum: Float = 0
                for index in 0..<length { sum += part[a + index] * part[b + index] }
                return Double(sum)
            }
            let power = product(0, 0)
            guard power / Double(length) > 0.0009 else { return nil }
            let likeness = (first..<last).map { product(0, $0) / (power * product($0, $0) + 1e-12).squareRoot() }
            guard let most = likeness.max(), most > 0.9,
                // The first period that is as good as any, not two or three of them.
                let best = likeness.indices.dropFirst().dropLast().first(where: {
                    likeness[$0] > 0.93 * most && likeness[$0] >= likeness[$0 - 1] && likeness[$0] >= likeness[$0 + 1]
                })
            else { return nil }
            let (before, here, after) = (likeness[best - 1], likeness[best], likeness[best + 1])
            return Self.rate / (Double(first + best) + (before - after) / (2 * (before - 2 * here + after)))
        }
    }

    private func cents(_ a: Double, _ b: Double) -> Double { 1200 * log2(a / b) }

    /// Where the voice stands still for 50 ms: a time-domain stretch may lie beside its place by 10 ms.
    private func steady(_ voice: [Float]) -> [(place: Int, pitch: Double)] {
        let places = Array(stride(from: 4800, to: voice.count - 4800, by: 480))
        let pitches = places.map { pitch(voice, at: $0, reach: Self.reach, from: 70, to: 300) }
        return pitches.indices.dropFirst(2).dropLast(2).compactMap { index in
            guard let here = pitches[index] else { return nil }
            let isSteady = [-2, -1, 1, 2].allSatisfy { step in
                pitches[index + step].map { abs(cents($0, here)) < 20 } ?? false
            }
            return isSteady ? (places[index], here) : nil
        }
    }

    @Test func voicesKeepTheirPitch() throws {
        let fixture = try RenderFixture("speech")
        let voice = try sound(fixture, speed: (1, 1), pitch: "spectral")
        let steady = steady(voice)
        try #require(steady.count >= 25, "\(steady.count) places with a steady voice")
        for (source, target) in [(1, 2), (3, 2), (2, 1)] {
            let speed = Double(source) / Double(target)
            for algorithm in ["spectral", "timeDomain", "varispeed"] {
                let made = try sound(fixture, speed: (source, target), pitch: algorithm)
                #expect(made.count == voice.count * target / source)
                let shift = algorithm == "varispeed" ? speed : 1
                // As many periods as before, or as much of the source where that is more.
                let reach =
                    algorithm == "varispeed"
                    ? Int(Double(Self.reach) / speed) : max(1200, Int(Double(Self.reach) / speed))
                let off = steady.compactMap { place, original in
                    pitch(
                        made, at: Int(Double(place) / speed), reach: reach, from: 70 * shift, to: 300 * shift
                    ).map { cents($0, original * shift) }
                }.filter { abs($0) < 100 }
                let mean = off.reduce(0, +) / Double(max(1, off.count))
                #expect(off.count >= steady.count * 9 / 10, "\(algorithm), \(speed) times: \(off.count) voiced")
                #expect(
                    abs(mean) <= (algorithm == "varispeed" ? 0.5 : 3), "\(algorithm), \(speed) times: \(mean) cents")
            }
        }
    }
}
