import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// VMAF of `verify --against`. The witness is ffmpeg's filter libvmaf over all frames of the film and of a lossless
    /// render, of which `verify` takes few.
    @Suite struct VMAFTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let cut: String

        init() throws {
            folder = try TestFolder("vmaf")
            program = try Splitreel(in: folder)
            try Witness(in: folder).ffmpeg([
                "-f", "lavfi", "-i", "mandelbrot=s=320x180:r=25", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25",
                "-filter_complex", "[0][1]blend=all_mode=average,format=yuv420p", "-frames:v", "75", "-c:v", "ffv1",
                folder.file("a.mkv"),
            ])
            cut = try folder.write(
                Text.project(
                    ["a": "a.mkv"], [Text.track(1, "video", Text.clip("a", "0s", "3s", at: "0s"))], size: (320, 180),
                    frame: "1/25"), to: "cut.json")
        }

        private func verify(_ film: String, _ options: [String] = []) throws -> ToolResult {
            let run = try program.run(
                ["verify", film, "--against", cut, "--chunk-seconds", "1", "--min-psnr", "5"] + options)
            #expect(run.status == 0, "\(run)\n\(run.text)")
            return run
        }

        private func comparison(_ film: String, _ options: [String] = []) throws -> [String: Any] {
            try #require(try verify(film, options + ["--json"]).json?["comparison"] as? [String: Any])
        }

        /// Three frames of each chunk; so many that some runs meet; every one, the first and the last among them.
        @Test(
            .enabled(if: VMAFWitness.hasLibrary, "libvmaf is not installed: make vmaf"),
            .enabled(if: VMAFWitness.program != nil, "no ffmpeg with libvmaf is installed: make vmaf"),
            arguments: [("h264", "yuv420p"), ("hevc", "yuv420p10le"), ("prores", "yuv422p10le")])
        func scoresAreThoseOfFfmpeg(codec: String, format: String) throws {
            let (film, exact) = (folder.file("film.mov"), folder.file("exact.mkv"))
            let options = ["--workers", "1", "--chunk-seconds", "1", "--pixel-format", format]
            try program.render(
                cut, to: film, options + ["--video-codec", codec] + (codec == "prores" ? [] : ["--crf", "32"]))
            try program.render(cut, to: exact, options + ["--video-codec", "ffv1"])
            let expected = try VMAFWitness.scores(film, beside: exact, in: folder)
            try #require(expected.count == 75)
            for (more, count) in [([], 9), (["--every", "0.1s"], 31), (["--every", "0.04s"], 75)] {
                let found = try comparison(film, more)
                let frames = try #require(found["frames"] as? [[String: Any]])
                #expect(abs(frames.count - count) <= 1)
                var scores: [Double] = []
                for frame in frames {
                    let (number, score) = (try #require(frame["frame"] as? Int), try #require(frame["vmaf"] as? Double))
                    #expect(abs(score - expected[number]) < 0.05, "frame \(number)")
                    scores.append(score)
                }
                let mean = try #require(found["vmaf"] as? Double)
                #expect(abs(mean - scores.reduce(0, +) / Double(scores.count)) < 1e-9)
                #expect(found["vmafModel"] as? String == "vmaf_v0.6.1" && found["libvmaf"] is String)
            }
        }

        @Test(.enabled(if: VMAFWitness.hasLibrary, "libvmaf is not installed: make vmaf"))
        func aBadChunkStandsOut() throws {
            let (film, bad) = (folder.file("film.mkv"), folder.file("bad.mkv"))
            try program.render(
                cut, to: film, ["--workers", "1", "--video-codec", "ffv1", "--pixel-format", "yuv420p"])
            // Blurred from frame 24 to 47, which is the second chunk.
            try Witness(in: folder).ffmpeg([
                "-i", film, "-vf", "boxblur=4:enable='between(n,24,47)',noise=alls=4:allf=t", "-c:v", "ffv1", bad,
            ])
            let chunks = try #require(try comparison(bad)["chunks"] as? [[String: Any]])
            #expect(chunks.map { $0["firstFrame"] as? Int } == [0, 24, 48])
            let scores = chunks.compactMap { $0["vmaf"] as? Double }
            try #require(scores.count == 3)
            #expect(scores[1] < scores[0] - 30 && scores[1] < scores[2] - 30, "\(scores)")
            for (chunk, score) in zip(chunks, scores) {
                let (worst, frame) = (chunk["worstVmaf"] as? Double, chunk["worstVmafFrame"] as? Int)
                let (first, count) = (chunk["firstFrame"] as? Int ?? 0, chunk["frameCount"] as? Int ?? 0)
                #expect(try #require(worst) <= score && (first..<(first + count)).contains(try #require(frame)))
            }
            let text = try verify(bad).text
            #expect(text.contains("VMAF by libvmaf ") && text.contains(", model vmaf_v0.6.1"), "\(text)")
            #expect(text.split(separator: "\n").contains { $0.contains(", VMAF ") && $0.contains("<- stands out") })
            let without = try verify(bad, ["--no-vmaf"]).text
            #expect(!without.contains("VMAF"), "\(without)")
        }

        /// The first frame of a film and its last one have one neighbour; an only one has none.
        @Test(.enabled(if: VMAFWitness.hasLibrary, "libvmaf is not installed: make vmaf"), arguments: [1, 2])
        func filmsOfFewFramesAreMeasured(count: Int) throws {
            let film = folder.file("film.mkv")
            let range = ["--range", "1s,\(count)/25"]
            try program.render(cut, to: film, ["--workers", "1", "--video-codec", "ffv1"] + range)
            let frames = try #require(try comparison(film, range)["frames"] as? [[String: Any]])
            let scores = frames.compactMap { $0["vmaf"] as? Double }
            #expect(scores.count == count && scores.allSatisfy { $0 > 90 }, "\(frames)")
        }

        @Test(.enabled(if: !VMAFWitness.hasLibrary, "libvmaf is installed"))
        func thatNothingMeasuresItIsTold() throws {
            let film = folder.file("film.mkv")
            try program.render(cut, to: film, ["--workers", "1", "--video-codec", "ffv1"])
            let text = try verify(film).text
            #expect(text.contains("VMAF was not measured: libvmaf is not installed\n"), "\(text)")
            let found = try comparison(film)
            let parts =
                [found] + (found["chunks"] as? [[String: Any]] ?? []) + (found["frames"] as? [[String: Any]] ?? [])
            #expect(parts.count == 13 && parts.allSatisfy { $0["vmaf"] == nil && $0["libvmaf"] == nil })
        }
    }
}
