import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Impulses at known samples, found again in the film.
    @Suite struct SoundTests {
        struct Case: CustomTestStringConvertible {
            var codec: String
            var ending: String
            var rate: Int
            /// How far an impulse may lie from its place, in samples.
            var tolerance: Int
            var isLossless: Bool
            var testDescription: String { "\(codec) in \(ending) at \(rate) Hz" }
        }

        /// Each codec at each rate, in one of its containers.
        static let cases: [Case] =
            [(44_100, "mov", "mp4"), (48_000, "mkv", "mov"), (96_000, "mov", "mp4")].flatMap { rate, pcm, aac in
                [
                    Case(codec: "pcm", ending: pcm, rate: rate, tolerance: 1, isLossless: true),
                    Case(codec: "flac", ending: "mkv", rate: rate, tolerance: 1, isLossless: true),
                    Case(codec: "aac", ending: aac, rate: rate, tolerance: rate / 1000, isLossless: false),
                ]
            } + [
                Case(codec: "opus", ending: "mp4", rate: 48_000, tolerance: 48, isLossless: false),
                Case(codec: "opus", ending: "mkv", rate: 48_000, tolerance: 48, isLossless: false),
            ]

        /// 1.5 s of the source from 1/2 s on, placed at 1001/3000 s, then another second of it; 29.97 Hz picture.
        private static let first = (source: Fraction(1, 2), target: Fraction(1001, 3000), length: Fraction(3, 2))
        private static let second = (source: Fraction(2), length: Fraction(1))

        private static func composition(_ sound: String) -> String {
            let middle = first.target + first.length
            let end = middle + second.length
            return Text.project(
                ["v": "v.mkv", "s": sound],
                [
                    Text.track(1, "video", Text.clip("v", "0s", end.text, at: "0s")),
                    Text.track(
                        2, "audio", Text.gap("0s", first.target.text),
                        Text.clip("s", first.source.text, first.length.text, at: first.target.text),
                        Text.clip("s", second.source.text, second.length.text, at: middle.text)),
                ], size: (NumberedMedia.width, NumberedMedia.height), frame: "1001/30000")
        }

        private static func picture(in folder: TestFolder, _ witness: Witness) throws {
            try NumberedMedia.write(
                100, rate: "30000/1001", to: folder.file("v.mkv"), coding: ["-c:v", "ffv1"], with: witness)
        }

        @Test(arguments: cases) func impulsesStandWhereTheyBelong(test: Case) throws {
            let folder = try TestFolder("impulses")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            try Self.picture(in: folder, witness)
            // One impulse every quarter of a second, off the grid of frames and blocks.
            let impulses = (0..<16).map { $0 * test.rate / 4 + 137 }
            let wave = SoundMedia.impulses(impulses, count: 4 * test.rate)
            _ = try folder.write(SoundMedia.wave([wave, wave], rate: test.rate), to: "s.wav")
            let composition = try folder.write(Self.composition("s.wav"), to: "cut.json")
            let output = folder.file("out.\(test.ending)")
            try program.render(
                composition, to: output,
                [
                    "--audio-codec", test.codec, "--sample-rate", "\(test.rate)", "--chunk-seconds", "1",
                    "--encoder-preset", "ultrafast", "--workers", "2",
                ])
            let sound = try witness.samples(output)
            #expect(sound.count == 2)
            let expected = Self.positions(impulses, rate: test.rate)
            let total = ((Self.first.target + Self.first.length + Self.second.length) * Fraction(test.rate)).rounded
            if test.isLossless {
                #expect(sound.allSatisfy { $0.count == total })
            } else {
                // The last coded block may be filled up.
                #expect(sound.allSatisfy { $0.count >= total && $0.count < total + 4096 })
            }
            for channel in sound {
                let found = SoundMedia.peaks(channel, above: 0.2, gap: test.rate / 8)
                try #require(found.count == expected.count)
                for (place, wanted) in zip(found, expected) {
                    #expect(abs(place - wanted) <= test.tolerance, "\(test): \(place) instead of \(wanted)")
                }
            }
        }

        /// Where the source's impulses come to stand: round(target × rate) + position − round(source × rate).
        private static func positions(_ impulses: [Int], rate: Int) -> [Int] {
            let rate = Fraction(rate)
            let middle = first.target + first.length
            var places: [Int] = []
            for part in [
                (first.source, first.target, middle), (second.source, middle, middle + second.length),
            ] {
                let (skipped, start, end) = ((part.0 * rate).rounded, (part.1 * rate).rounded, (part.2 * rate).rounded)
                places += impulses.map { $0 - skipped + start }.filter { $0 >= start && $0 < end }
            }
            return places
        }

        /// Sound of another rate than the film's: the resampler shifts nothing by more than a sample.
        @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (96_000, 48_000)])
        func resamplingKeepsPlaces(from source: Int, to rate: Int) throws {
            let folder = try TestFolder("resampling")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            try Self.picture(in: folder, witness)
            let impulses = (0..<16).map { $0 * source / 4 + source / 100 }
            let wave = SoundMedia.impulses(impulses, count: 4 * source)
            _ = try folder.write(SoundMedia.wave([wave], rate: source), to: "s.wav")
            let composition = try folder.write(Self.composition("s.wav"), to: "cut.json")
            try program.render(
                composition, to: folder.file("out.mkv"),
                [
                    "--sample-rate", "\(rate)", "--channels", "1", "--chunk-seconds", "1", "--encoder-preset",
                    "ultrafast",
                ])
            let sound = try witness.samples(folder.file("out.mkv"))
            // Hundredths of a second are whole samples at every rate here.
            let expected = Self.positions((0..<16).map { $0 * rate / 4 + rate / 100 }, rate: rate)
            let found = SoundMedia.peaks(try #require(sound.first), above: 0.2, gap: rate / 8)
            try #require(found.count == expected.count)
            for (place, wanted) in zip(found, expected) { #expect(abs(place - wanted) <= 1) }
        }

        /// 44.1 kHz sound in a 48 kHz film: cut where nothing changes, or rendered in parts, it gives the same samples.
        @Test func cutsAndRangesChangeNoSample() throws {
            let folder = try TestFolder("cuts")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            let tone = SoundMedia.tone(997, count: 4 * 44_100, rate: 44_100)
            _ = try folder.write(SoundMedia.wave([tone], rate: 44_100), to: "s.wav")
            func samples(_ segments: [String], _ name: String, _ options: [String] = []) throws -> [Float] {
                let track = "{\"id\":1,\"type\":\"audio\",\"segments\":[\(segments.joined(separator: ","))]}"
                let text = Text.project(["s": "s.wav"], [track], size: (64, 64), frame: nil)
                let output = folder.file("\(name).mkv")
                try program.render(
                    try folder.write(text, to: "\(name).json"), to: output, ["--channels", "1"] + options)
                return try #require(try witness.samples(output).first)
            }
            // From 1/3 s of the source on: twice at 5/4 of the speed, then a jump back in the source, at its own speed.
            let last = Text.clip("s", "1/7", "1s", at: "2s")
            let whole = try samples([Text.clip("s", "1/3", "5/2", at: "0s", for: "2s"), last], "whole")
            #expect(whole.count == 3 * 48_000 && whole.contains { abs($0) > 0.4 })
            // At no sample of either rate.
            let cut = Fraction(123_457, 100_000)
            let (before, after) = (cut * Fraction(5, 4), (Fraction(2) - cut) * Fraction(5, 4))
            let pieces = [
                Text.clip("s", "1/3", before.text, at: "0s", for: cut.text),
                Text.clip(
                    "s", (Fraction(1, 3) + before).text, after.text, at: cut.text, for: (Fraction(2) - cut).text), last,
            ]
            #expect(try samples(pieces, "cut") == whole)
            for (start, length) in [(1, 1), (2, 1)] {
                let part = try samples(pieces, "part\(start)", ["--range", "\(start).5s,0.\(length)s"])
                let first = start * 48_000 + 24_000
                #expect(part == Array(whole[first..<first + length * 4_800]), "from \(start).5 s")
            }
        }

        /// A tone has no larger step at the chunks' times than its own 99.9th percentile.
        @Test(arguments: [("aac", "mp4"), ("flac", "mkv"), ("opus", "mkv")])
        func noClickWhereChunksMeet(codec: String, ending: String) throws {
            let folder = try TestFolder("clicks")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            try NumberedMedia.write(
                150, rate: "30000/1001", to: folder.file("v.mkv"), coding: ["-c:v", "ffv1"], with: witness)
            // A tenth softer near the chunks' times than between them, which leaves a codec's noise some room.
            let steady = SoundMedia.tone(440, count: 5 * 48_000, rate: 48_000)
            let tone = steady.indices.map { steady[$0] * (0.95 - 0.05 * cos(2 * .pi * Double($0) / 48_048)) }
            _ = try folder.write(SoundMedia.wave([tone, tone], rate: 48_000), to: "s.wav")
            let composition = try folder.write(
                Text.project(
                    ["v": "v.mkv", "s": "s.wav"],
                    [
                        Text.track(1, "video", Text.clip("v", "0s", "5s", at: "0s")),
                        Text.track(2, "audio", Text.clip("s", "0s", "5s", at: "0s")),
                    ], size: (NumberedMedia.width, NumberedMedia.height), frame: "1001/30000"), to: "cut.json")
            let options = ["--audio-codec", codec, "--chunk-seconds", "1", "--encoder-preset", "ultrafast"]
            let output = folder.file("out.\(ending)")
            try program.render(composition, to: output, options)
            let plan = try program.run(["plan", composition, "-o", output, "--json"] + options)
            let chunks = try #require(plan.json?["chunks"] as? [[String: Any]])
            #expect(chunks.count >= 5)
            let sound = try #require(try witness.samples(output).first)
            let steps = zip(sound, sound.dropFirst()).map { abs($1 - $0) }
            // The tone's end, cut at 5 s, is not its own seam.
            let inside = steps[4_800..<(5 * 48_000 - 4_800)].sorted()
            let usual = inside[inside.count * 999 / 1000]
            for chunk in chunks.dropFirst() {
                let frame = try #require(chunk["firstFrame"] as? Int)
                let sample = (Fraction(frame * 1001, 30_000) * Fraction(48_000)).rounded
                let largest = steps[(sample - 4)...(sample + 4)].max() ?? 1
                #expect(largest <= usual, "at frame \(frame)")
            }
        }
    }
}
