import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Waveforms against arithmetic on the samples that ffmpeg decodes, and against ffmpeg's astats.
    @Suite struct WaveformTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        /// Noise of two channels that differ, rising from silence, 16 bits, 3.7 s.
        private let noise: String
        private static let count = 44_100 * 37 / 10

        init() throws {
            folder = try TestFolder("waveform")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            noise = folder.file("noise.wav")
            let left = "aevalsrc='(random(0)-0.5)*t/3|0.3*sin(2*PI*440*t)+0.1*random(1)':s=44100:d=3.7"
            try witness.ffmpeg(["-f", "lavfi", "-i", left, "-c:a", "pcm_s16le", noise])
        }

        /// A `.dat` file's header and values.
        private struct Dat {
            var header: [Int]
            var values: [Int]

            init(_ file: String) throws {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
                func number(_ place: Int, _ size: Int) -> Int {
                    let raw = (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
                    return raw >= 1 << (8 * size - 1) ? raw - 1 << (8 * size) : raw
                }
                header = (0..<6).map { number(4 * $0, 4) }
                let size = header[1] == 1 ? 1 : 2
                values = stride(from: 24, to: bytes.count, by: size).map { number($0, size) }
            }
        }

        private func waveform(_ source: String, _ name: String, _ options: [String] = []) throws -> String {
            let run = try program.run(["waveform", source, "-o", name, "--overwrite"] + options)
            #expect(run.status == 0, "\(run)")
            return folder.file(name)
        }

        /// Least and most of each bucket, channel by channel, by hand.
        private func peaks(_ channels: [[Float]], _ length: Int) -> [Int] {
            let count = channels[0].count
            return stride(from: 0, to: count, by: length).flatMap { start in
                channels.flatMap { channel in
                    let part = channel[start..<min(count, start + length)].map { Int(($0 * 32768).rounded()) }
                    return [part.min() ?? 0, part.max() ?? 0].map { max(-32768, min(32767, $0)) }
                }
            }
        }

        @Test func binaryFilesHoldThePeaksOfEachBucket() throws {
            let samples = try witness.samples(noise)
            try #require(samples.count == 2 && samples[0].count == Self.count)
            let split = try Dat(try waveform(noise, "a.dat", ["--split-channels", "--samples-per-pixel", "1000"]))
            let length = (Self.count + 999) / 1000
            #expect(split.header == [2, 0, 44_100, 1000, length, 2])
            #expect(split.values == peaks(samples, 1000))
            let small = try Dat(
                try waveform(noise, "a.dat", ["--split-channels", "--samples-per-pixel", "1000", "--bits", "8"]))
            #expect(small.header == [2, 1, 44_100, 1000, length, 2])
            #expect(small.values == peaks(samples, 1000).map { $0 / 256 })
            // The mean of the channels.
            let mean = zip(samples[0], samples[1]).map { ($0 + $1) / 2 }
            let one = try Dat(try waveform(noise, "a.dat"))
            #expect(one.header == [2, 0, 44_100, 256, (Self.count + 255) / 256, 1])
            #expect(one.values == peaks([mean], 256))
            #expect(try Dat(try waveform(noise, "a.dat", ["--per-second", "20"])).header[3] == 2205)
            let few = try Dat(try waveform(noise, "a.dat", ["--buckets", "100"]))
            #expect(few.header[3] == (Self.count + 99) / 100 && few.header[4] <= 100)
            // From the middle of the file on.
            let part = try Dat(try waveform(noise, "a.dat", ["--split-channels", "--range", "1s,2s"]))
            #expect(part.values == peaks(samples.map { Array($0[44_100..<132_300]) }, 256))
        }

        /// JSON says the same, and how loud it is; all of it as one bucket has astats' levels.
        @Test func jsonHasLoudnessToo() throws {
            let file = try waveform(noise, "a.json", ["--split-channels", "--samples-per-pixel", "1000"])
            let parsed = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as? [String: Any])
            let dat = try Dat(try waveform(noise, "a.dat", ["--split-channels", "--samples-per-pixel", "1000"]))
            #expect(parsed["data"] as? [Int] == dat.values)
            for (key, value) in [
                ("version", 2), ("channels", 2), ("sample_rate", 44_100), ("samples_per_pixel", 1000), ("bits", 16),
                ("length", dat.header[4]), ("samples", Self.count),
            ] { #expect(parsed[key] as? Int == value, "\(key)") }
            let rms = try #require(parsed["rms"] as? [Double])
            let samples = try witness.samples(noise)
            let expected = stride(from: 0, to: Self.count, by: 1000).flatMap { start in
                samples.map { channel in
                    let part = channel[start..<min(Self.count, start + 1000)]
                    return (part.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(part.count)).squareRoot()
                }
            }
            #expect(rms.count == expected.count)
            #expect(zip(rms, expected).allSatisfy { abs($0 - $1) < 1e-6 })
            #expect(try folder.names() == ["a.dat", "a.json", "noise.wav"])
            try levelsAreThoseOfAstats()
        }

        private func levelsAreThoseOfAstats() throws {
            let file = try waveform(noise, "one.json", ["--split-channels", "--buckets", "1"])
            let parsed = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as? [String: Any])
            let found = try #require(parsed["rms"] as? [Double]).map { 20 * log10($0) }
            let filter = "astats=metadata=1:measure_overall=none,ametadata=print:file=-"
            let text = try witness.ffmpeg(["-i", noise, "-af", filter, "-f", "null", "-"]).text
            for channel in 0..<2 {
                let key = "lavfi.astats.\(channel + 1).RMS_level="
                let line = try #require(text.split(separator: "\n").last { $0.hasPrefix(key) })
                let level = try #require(Double(line.dropFirst(key.count)))
                #expect(abs(found[channel] - level) < 0.01, "\(found) and \(level)")
            }
        }

        /// The waveform of a composition is that of its mix, sample for sample as its film has it.
        @Test func compositionsGiveTheirMix() throws {
            try witness.ffmpeg(["-f", "lavfi", "-i", "sine=f=330:r=48000:d=3", folder.file("tone.wav")])
            let cut = try folder.write(
                Text.project(
                    ["n": "noise.wav", "t": "tone.wav"],
                    [
                        Text.track(1, "audio", Text.clip("n", "0.5s", "2s", at: "0s")),
                        Text.track(2, "audio", Text.gap("0s", "0.7s"), Text.clip("t", "0s", "1.5s", at: "0.7s")),
                    ], size: (64, 64), frame: "1/25", inputs: [Text.volume(1, "0.5s", "1s", 1, 0.2)]), to: "cut.json")
            let film = folder.file("cut.mkv")
            try program.render(cut, to: film, ["--audio-codec", "flac", "--workers", "1"])
            let samples = try witness.samples(film)
            #expect(samples.map(\.count) == [105_600, 105_600])
            let found = try Dat(try waveform(cut, "cut.dat", ["--split-channels", "--samples-per-pixel", "500"]))
            #expect(found.header == [2, 0, 48_000, 500, 212, 2])
            // The film's 24 bits round once more.
            #expect(zip(found.values, peaks(samples, 500)).allSatisfy { abs($0 - $1) <= 1 })
            #expect(found.values.count == 4 * 212 && (found.values.max() ?? 0) > 8000)
        }

        /// A sine of half of full scale fills the middle half of its band; silence is a line.
        @Test func picturesShowPeaks() throws {
            let source = "aevalsrc='0.5*sin(2*PI*1000*t)|0':s=48000:d=2"
            try witness.ffmpeg(["-f", "lavfi", "-i", source, folder.file("s.wav")])
            let file = try waveform("s.wav", "s.png", ["--split-channels", "--size", "300x200", "--no-marks"])
            let grey = [UInt8](
                try witness.ffmpeg(["-i", file, "-f", "rawvideo", "-pix_fmt", "gray", "-"]).standardOutput)
            try #require(grey.count == 300 * 200)
            for column in [0, 37, 150, 299] {
                let lit = (0..<200).filter { grey[$0 * 300 + column] > 50 }
                let (upper, lower) = (lit.filter { $0 < 100 }, lit.filter { $0 >= 100 })
                #expect(abs((upper.min() ?? 0) - 25) <= 1 && abs((upper.max() ?? 0) - 74) <= 1, "column \(column)")
                #expect(lower.count == 1 && abs((lower.first ?? 0) - 150) <= 1, "column \(column): \(lower)")
                // RMS, 0.707 of the peak, is lighter.
                let light = (0..<100).filter { grey[$0 * 300 + column] > 180 }
                #expect(abs(light.count - 35) <= 3, "column \(column): \(light.count)")
            }
        }

        @Test func whatCannotBeIsRefused() throws {
            for (options, word) in [
                (["-o", "a.txt"], ".dat"), (["-o", "a.dat", "--bits", "12"], "--bits"),
                (["-o", "a.dat", "--buckets", "0"], "--buckets"), (["-o", "a.png", "--buckets", "5"], "column"),
                (["-o", "a.dat", "--buckets", "5", "--per-second", "5"], "exclude"),
                (["-o", "a.dat", "--size", "10x10"], "--size"), (["-o", "a.dat", "--no-marks"], "--no-marks"),
                (["-o", "a.dat", "--channels", "1"], "composition"),
                (["-o", "a.dat", "--range", "9s,1s"], "lies in it"), (["-o", "a.png", "--size", "9x9999"], "--size"),
            ] {
                let run = try program.run(["waveform", noise] + options)
                #expect(run.status == 2 && run.standardError.contains(word), "\(run)")
            }
            let absent = try program.run(["waveform", noise, "-o", "a.dat", "--track", "7"])
            #expect(absent.status == 4 && absent.standardError.contains("track 7"), "\(absent)")
            let silent = try folder.write(
                """
                {"format":"splitreel/1","assets":{"g":{"kind":"color","color":[1,1,1,1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"g","target":["0s","4s"]}]}]}}
                """, to: "silent.json")
            let none = try program.run(["waveform", silent, "-o", "a.dat"])
            #expect(none.status == 4 && none.standardError.contains("no sound"), "\(none)")
            let lost = try program.run(["waveform", noise, "-o", "missing/a.dat"])
            #expect(lost.status == 5, "\(lost)")
            #expect(try folder.names() == ["noise.wav", "silent.json"])
        }
    }
}
