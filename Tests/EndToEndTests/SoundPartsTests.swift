import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// A long sound that is mixed in parts by several workers, beside arithmetic and beside the one mixed in one piece.
    @Suite struct SoundPartsTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("sound-parts")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private static func noise(_ sample: Int, seed: Int) -> Double {
            var value = UInt32(truncatingIfNeeded: sample &* 2_654_435_761 &+ seed &* 40_503)
            value = (value ^ value >> 15) &* 2_246_822_519
            return (Double((value ^ value >> 13) % 4000) - 2000) / 8000
        }

        private func samples(_ file: String, channel: Int) throws -> [Float] {
            let data = try witness.ffmpeg(["-i", file, "-af", "pan=mono|c0=c\(channel)", "-f", "f32le", "-"])
                .standardOutput
            return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }

        /// Two tracks of noise, one of which begins in the second part: every sample is their sum, to 24 bits.
        @Test func everySampleIsTheSum() throws {
            let count = 4 * 48_000
            let sounds = [1, 2].map { seed in (0..<count).map { Self.noise($0, seed: seed) } }
            for (index, sound) in sounds.enumerated() {
                _ = try folder.write(SoundMedia.wave([sound, sound.reversed()], rate: 48_000), to: "s\(index).wav")
            }
            let file = try folder.write(
                Text.project(
                    ["a": "s0.wav", "b": "s1.wav"],
                    [
                        Text.track(1, "audio", Text.clip("a", "0s", "4s", at: "0s")),
                        Text.track(2, "audio", Text.gap("0s", "1.25s"), Text.clip("b", "0.5s", "2.5s", at: "1.25s")),
                    ], size: (64, 64), frame: nil), to: "mix.json")
            let plan = try program.run(["plan", file, "-o", folder.file("x.flac"), "--sound-part-seconds", "1"])
            #expect(plan.text.contains("the sound is mixed in 4 parts, cut at 1, 2, 3 s"), "\(plan)")
            for parts in ["1", "none"] {
                let film = folder.file("\(parts).flac")
                try program.render(file, to: film, ["--workers", "2", "--sound-part-seconds", parts])
                for channel in 0..<2 {
                    let found = try samples(film, channel: channel)
                    try #require(found.count == count)
                    let wrong = found.indices.first { sample in
                        var sum = sounds[0][channel == 0 ? sample : count - 1 - sample]
                        let place = sample - 60_000
                        if (0..<120_000).contains(place) {
                            sum += sounds[1][channel == 0 ? place + 24_000 : count - 1 - place - 24_000]
                        }
                        return abs(Double(found[sample]) - sum) > 1e-6
                    }
                    #expect(wrong == nil, "parts of \(parts) s, channel \(channel), sample \(wrong ?? 0)")
                }
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!left.contains { $0.hasSuffix(".f32") }, "\(left)")
        }

        /// Four minutes of four tones, one of whose parts loses its worker.
        @Test func aLostPartIsMixedAgain() throws {
            let tracks = (1...4).map { track in
                #"{"id":\#(track),"type":"audio","segments":[{"asset":"t\#(track)","target":["0s","240s"]}]}"#
            }
            let tones = (1...4).map { #""t\#($0)":{"kind":"tone","frequency":\#(110 * $0 + 1),"volume":0.2}"# }
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{\(tones.joined(separator: ","))},
                "composition":{"tracks":[\(tracks.joined(separator: ","))]}}
                """, to: "tones.json")
            let farm = try Farm(in: folder, program, workers: ["first", "second"])
            let job = try farm.renderKillingAWorker(
                file, to: folder.file("parts.flac"), ["--sound-part-seconds", "30"])
            let parts = job.chunks.filter { $0.kind == "mix" }
            #expect(parts.count == 8 && parts.contains { $0.attempt > 1 }, "\(job.chunks)")
            #expect(job.chunks.count { $0.kind == "audio" } == 1)
            try program.render(
                file, to: folder.file("whole.flac"), ["--workers", "1", "--sound-part-seconds", "none"])
            let films = try ["parts", "whole"].map { try samples(folder.file("\($0).flac"), channel: 1) }
            #expect(films[0].count == 240 * 48_000 && films[0] == films[1])
            // A tone begins at 0 upwards: the second before 30 s and the one after are of the same sines.
            let wrong = (29 * 48_000..<31 * 48_000).first { sample in
                let turns = Double(sample) / 48_000 * 2 * Double.pi
                let sines = (1...4).map { (tone: Int) -> Double in 0.2 * sin(turns * Double(110 * tone + 1)) }
                return abs(Double(films[0][sample]) - sines.reduce(0, +)) > 1e-5
            }
            #expect(wrong == nil, "sample \(wrong ?? 0)")
        }
    }
}
