import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Films of two passes: 20 chunks of half a second, some still, some noisy, some filmed. ffmpeg is the witness, for
    /// sizes and pictures, and by its own two passes over the whole film.
    @Suite struct TwoPassFilmTests {
        private static let seconds = 10.0
        private static let options = [
            "--two-pass", "--chunk-seconds", "0.5", "--key-frame-interval", "12", "--encoder-preset", "veryfast",
        ]

        private let folder: TestFolder
        private let program: Splitreel
        private let witness: Witness
        private let composition: String

        init() throws {
            folder = try TestFolder("passes")
            program = try Splitreel(in: folder)
            witness = Witness(in: folder)
            let filmed = try #require(SourceTree.corpusFile("video/os_run.mp4"))
            let noise = folder.file("noise.mkv")
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=24:d=3,noise=alls=20:allf=t:all_seed=5", "-c:v", "ffv1",
                noise,
            ])
            composition = try folder.write(
                """
                {"format": "splitreel/1",
                "assets": {"still": {"kind": "color", "color": [0.2, 0.4, 0.3, 1]}, "filmed": {"url": "\(filmed)"},
                    "noise": {"url": "noise.mkv"}},
                "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
                    {"asset": "still", "target": ["0s", "2.5s"]},
                    {"asset": "filmed", "source": ["0s", "4.5s"], "target": ["2.5s", "4.5s"]},
                    {"asset": "noise", "source": ["0s", "3s"], "target": ["7s", "3s"]}]}]},
                "video": {"renderSize": [320, 180], "frameDuration": "1/24"}}
                """, to: "film.json")
        }

        /// The size in bits of the packets of a film's picture.
        private func bits(_ film: String) throws -> Int {
            try witness.packets(film, stream: "v:0").reduce(0) { $0 + 8 * (Int($1["size"] as? String ?? "") ?? 0) }
        }

        private func pictureHash(_ film: String) throws -> String {
            try witness.ffmpeg(["-i", film, "-map", "0:v", "-c", "copy", "-f", "md5", "-"]).text
        }

        /// In decibels, of luma and chroma together over all frames.
        private func psnr(_ film: String, _ frames: String) throws -> Double {
            let log = folder.file("psnr.log")
            let filter = "[0:v][1:v]psnr=stats_file=\(log)"
            try witness.ffmpeg(["-i", film, "-i", frames, "-lavfi", filter, "-f", "null", "-"])
            let errors = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map { line in
                let field = line.split(separator: " ").first { $0.hasPrefix("mse_avg:") }
                return try #require(field.flatMap { Double($0.dropFirst(8)) })
            }
            #expect(errors.count == 240)
            return 10 * log10(255 * 255 * Double(errors.count) / errors.reduce(0, +))
        }

        /// ffmpeg's two passes over the same frames, with key frames in the same places. Its size is ours, or larger:
        /// it misses its rate by some hundredths.
        private func reference(_ frames: String, bits wanted: Int) throws -> String {
            let film = folder.file("reference.mp4")
            var rate = Double(wanted) / Self.seconds
            for _ in 0..<5 {
                for pass in ["1", "2"] {
                    try witness.ffmpeg(
                        [
                            "-i", frames, "-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-g", "12",
                            "-force_key_frames", "expr:not(mod(n,12))", "-b:v", "\(Int(rate))", "-pass", pass,
                            "-passlogfile", folder.file("log"),
                        ] + (pass == "1" ? ["-f", "null", "-"] : [film]))
                }
                let found = try bits(film)
                if found >= wanted { break }
                rate *= 1.005 * max(1, Double(wanted) / Double(max(1, found)))
            }
            #expect(try bits(film) >= wanted)
            return film
        }

        @Test func theRateIsHitAndTheQualityIsThatOfOneEncoder() throws {
            let frames = folder.file("frames.mkv")
            try program.render(composition, to: frames, ["--video-codec", "ffv1"])
            let rate = 250_000
            let film = folder.file("film.mp4")
            try program.render(composition, to: film, Self.options + ["--video-bitrate", "\(rate)"])
            let bits = try bits(film)
            #expect(abs(Double(bits) / (Double(rate) * Self.seconds) - 1) < 0.02, "\(rate): \(bits)")
            let own = try psnr(film, frames)
            let whole = try psnr(try reference(frames, bits: bits), frames)
            #expect(own > whole - 0.1, "\(rate): \(own) dB, ffmpeg's \(whole) dB")
            #expect(try folder.names().filter { $0.hasPrefix(".") }.isEmpty)
        }

        @Test func hevcAndALimitedRateHoldToo() throws {
            let film = folder.file("limited.mp4")
            let limit = ["--video-bitrate", "400k", "--max-bitrate", "1M", "--buffer-size", "1M"]
            for codec in ["h264", "hevc"] {
                try program.render(
                    composition, to: film,
                    Self.options + limit + ["--video-codec", codec, "--overwrite"])
                let packets = try witness.packets(film, stream: "v:0").map {
                    8 * (Int($0["size"] as? String ?? "") ?? 0)
                }
                #expect(packets.count == 240)
                var (full, least) = (900_000.0, 1_000_000.0)
                for bits in packets {
                    full -= Double(bits)
                    least = min(least, full)
                    full = min(1_000_000, full + 1_000_000 / 24)
                }
                #expect(least >= 0, "\(codec): \(least)")
                let total = Double(packets.reduce(0, +)) / (400_000 * Self.seconds)
                #expect(abs(total - 1) < 0.02, "\(codec): \(total)")
            }
        }

        /// Noise that is 50 times smaller at the next quality: its rate is met, or a warning says that it is not.
        @Test(arguments: [500_000, 100_000]) func noiseMeetsItsRateOrIsTold(rate: Int) throws {
            let noise = try folder.write(
                """
                {"format": "splitreel/1", "assets": {"n": {"kind": "noise", "seed": 3, "rate": 25}},
                "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
                    {"asset": "n", "target": ["0s", "2s"]}]}]},
                "video": {"renderSize": [160, 90], "frameDuration": "1/25"}}
                """, to: "noise.json")
            let film = folder.file("noise.mp4")
            let run = try program.run(["render", noise, "-o", film, "--video-bitrate", "\(rate)", "--two-pass"])
            #expect(run.status == 0, "\(run)")
            let miss = abs(Double(try bits(film)) / Double(2 * rate) - 1)
            #expect(miss < 0.02 || run.standardError.contains("bit rate missed"), "\(miss)\n\(run)")
            #expect(miss < 0.1, "\(miss)\n\(run)")
        }

        /// Whoever renders what, and whoever dies at it: a slot, or the coordinator before and after the bits are
        /// allotted.
        @Test func theSameBytesWhateverHappens() throws {
            // Filmed, then noise: ten chunks.
            let options = Self.options + ["--video-bitrate", "600k", "--range", "4.5s,5s"]
            let alone = folder.file("alone.mp4")
            try program.render(composition, to: alone, options + ["--workers", "1"])
            let expected = try pictureHash(alone)
            let farm = try Farm(
                in: folder, program, workers: ["first", "second"], endpoint: "ipc://\(folder.file("control"))")
            let film = folder.file("farm.mp4")
            let job = try farm.renderKillingAWorker(composition, to: film, options)
            #expect(try pictureHash(film) == expected)
            #expect(job.chunks.count { $0.kind == "analysis" } == 10)
            #expect(job.chunks.count { $0.kind != "analysis" } == 10)
            #expect(job.chunks.allSatisfy { $0.state == "done" })
            for isAnalysing in [true, false] {
                let identifier = try farm.submit(composition, to: film, options + ["--overwrite"])
                let seen = try farm.wait(for: identifier) { job in
                    job.chunks.contains { $0.state == "done" && ($0.kind == "analysis") == isAnalysing }
                }
                #expect(!seen.isOver)
                farm.coordinator.send(SIGKILL)
                _ = farm.coordinator.finish(seconds: 10)
                try farm.restartCoordinator()
                #expect(try farm.wait(for: identifier).state == "completed")
                #expect(try pictureHash(film) == expected, "analysing: \(isAnalysing)")
            }
            #expect(try folder.names().filter { $0.hasPrefix(".") }.isEmpty)
        }
    }
}
