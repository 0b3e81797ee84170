import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// `frame` for many times: which frames come, by the numbers that they carry and by arithmetic on the film's times.
    @Suite struct FrameGeneratorTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private static let (width, height) = (NumberedMedia.width, NumberedMedia.height)
        private static let bt709 = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]

        init() throws {
            folder = try TestFolder("frames")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            // Two seconds, a key frame every 0.48 s.
            try NumberedMedia.write(
                50, rate: "25", to: folder.file("a.mp4"),
                coding: ["-c:v", "libx264", "-crf", "12", "-g", "12", "-sc_threshold", "0", "-bf", "2"] + Self.bt709,
                with: witness)
        }

        private func number(_ file: String) throws -> Int? {
            let grey = try witness.ffmpeg(["-i", file, "-f", "rawvideo", "-pix_fmt", "gray", "-"])
            return NumberedMedia.number([UInt8](grey.standardOutput))
        }

        /// The actual time that `frame --json` tells of each time, and the number in each file.
        private func made(_ source: String, _ options: [String]) throws -> [(actual: String, number: Int?)] {
            let run = try program.run(["frame", source, "-o", "f-%d.png", "--overwrite", "--json"] + options)
            #expect(run.status == 0, "\(run)")
            return try results(run).map { result in
                #expect(result["result"] as? String == "succeeded")
                let path = try #require(result["path"] as? String)
                return (try #require(result["actual"] as? String), try number(path))
            }
        }

        private func results(_ run: ToolResult) throws -> [[String: Any]] {
            try #require(try JSONSerialization.jsonObject(with: run.standardOutput) as? [[String: Any]])
        }

        private func size(_ file: String) throws -> [Int?] {
            let stream = try #require(try witness.streams(file).first)
            return [stream["width"] as? Int, stream["height"] as? Int]
        }

        @Test func manyTimesInAnyOrderGiveTheHeldFrames() throws {
            let times = ["1.5s", "0s", "1999/1000", "0.5199s", "0.52s", "0.5s", "1.5s"]
            let found = try made("a.mp4", times.flatMap { ["--at", $0] })
            #expect(found.map(\.number) == [37, 0, 49, 12, 13, 12, 37])
            let actual = found.map { text -> Double in
                let parts = text.actual.split(separator: "/").compactMap { Double($0) }
                return parts[0] / parts[1]
            }
            for (time, number) in zip(actual, [37, 0, 49, 12, 13, 12, 37]) {
                #expect(abs(time - Double(number) / 25) < 1e-9, "\(time)")
            }
            // Spread by a step, by a count, and within a range.
            #expect(try made("a.mp4", ["--every", "0.5s"]).map(\.number) == [0, 12, 25, 37])
            #expect(try made("a.mp4", ["--count", "4"]).map(\.number) == [6, 18, 31, 43])
            let part = ["--every", "0.2s", "--range", "1s,0.5s"]
            #expect(try made("a.mp4", part).map(\.number) == [25, 30, 35])
        }

        /// Key frames 0, 12, 24, 36 and 48 lie at 0, 0.48, 0.96, 1.44 and 1.92 s.
        @Test(arguments: [
            (["--tolerance", "inf"], "1.3s", 36), (["--tolerance", "inf"], "1.1s", 24),
            (["--tolerance", "0.2s"], "1.3s", 36), (["--tolerance-before", "0.5s"], "1.3s", 24),
            (["--tolerance", "inf", "--tolerance-after", "0"], "1.4s", 24),
            (["--tolerance", "0.1s"], "1.2s", 30), (["--tolerance", "0"], "1.3s", 32),
            (["--tolerance", "inf"], "0.99s", 24), (["--tolerance-after", "0.5s"], "1.0s", 36),
            (["--tolerance", "inf"], "1.99s", 48),
        ])
        func toleranceTakesTheNearestKeyFrame(options: [String], time: String, number: Int) throws {
            #expect(try made("a.mp4", ["--at", time] + options).map(\.number) == [number])
        }

        /// The clip begins at 0.2 s of its source: key frames show from 0.28, 0.76 and 1.24 s on, at 50 frames a
        /// second.
        @Test func compositionsHaveTolerancesToo() throws {
            let cut = try folder.write(
                Text.project(
                    ["a": "a.mp4"], [Text.track(1, "video", Text.clip("a", "0.2s", "1.6s", at: "0s"))],
                    size: (Self.width, Self.height), frame: "1/50"), to: "cut.json")
            let times = ["0.5s", "0.6s", "0.295s"].flatMap { ["--at", $0] }
            let found = try made(cut, times + ["--tolerance", "1s"])
            #expect(found.map(\.number) == [12, 24, 12])
            #expect(found.map(\.actual) == ["7/25", "19/25", "7/25"])
            #expect(try made(cut, times).map(\.number) == [17, 20, 12])
            #expect(try made(cut, times).map(\.actual) == ["1/2", "3/5", "7/25"])
            #expect(try made(cut, ["--at", "0.6s", "--tolerance-before", "1s"]).map(\.number) == [12])
            #expect(try made(cut, ["--at", "0.6s", "--tolerance", "0.1s"]).map(\.number) == [20])
        }

        @Test func everyTimeHasOneResult() throws {
            let run = try program.run([
                "frame", "a.mp4", "--at", "0s", "--at", "99s", "--at", "1s", "-o", "f-%d.png", "--json",
            ])
            #expect(run.status == 2 && run.standardError.contains("lasts"), "\(run)")
            let results = try results(run)
            #expect(results.map { $0["requested"] as? String } == ["0s", "99s", "1s"])
            #expect(results.map { $0["result"] as? String } == ["succeeded", "failed", "succeeded"])
            #expect((results[1]["error"] as? [String: Any])?["code"] as? Int == 60001)
            #expect(try number(folder.file("f-3.png")) == 25)
            #expect(!FileManager.default.fileExists(atPath: folder.file("f-2.png")))
        }

        @Test func anInterruptCancelsWhatIsLeft() throws {
            let run = try program.start(["frame", "a.mp4", "--count", "5000", "-o", "f-%d.png", "--json"])
            let begun = folder.file("f-1.png")
            #expect(run.until(seconds: 60) { FileManager.default.fileExists(atPath: begun) })
            run.send(SIGINT)
            let end = run.finish()
            #expect(end.status == 7, "\(end)")
            let results = try results(end).map { $0["result"] as? String }
            let succeeded = results.count { $0 == "succeeded" }
            #expect(results.count == 5000 && succeeded >= 1 && succeeded < 5000)
            #expect(results.count { $0 == "cancelled" } == 5000 - succeeded)
            #expect(try folder.names().count { $0.hasPrefix("f-") } == succeeded)
        }

        /// All kinds hold the same picture as ffmpeg reads them, JPEG nearly.
        @Test func kindsOfPictures() throws {
            func pixels(_ name: String) throws -> [UInt8] {
                let run = try program.run(["frame", "a.mp4", "--at", "1s", "-o", name])
                #expect(run.status == 0, "\(run)")
                return [UInt8](
                    try witness.ffmpeg(["-i", folder.file(name), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
                        .standardOutput)
            }
            let exact = try pixels("a.png")
            #expect(exact.count == Self.width * Self.height * 3)
            #expect(try pixels("a.tiff") == exact)
            #expect(try pixels("a.webp") == exact)
            let near = try pixels("a.jpg")
            #expect(near.count == exact.count)
            let error = zip(near, exact).reduce(0.0) { $0 + pow(Double(Int($1.0) - Int($1.1)), 2) }
            let decibels = 10 * log10(255 * 255 * Double(exact.count) / max(error, 1))
            #expect(decibels > 38, "\(decibels) dB")
            let names = ["png": "png", "tiff": "tiff", "webp": "webp", "jpg": "mjpeg"]
            for (name, codec) in names {
                #expect(try witness.streams(folder.file("a." + name)).first?["codec_name"] as? String == codec)
            }
        }

        /// Pictures fit into the largest size, upright, and never grow.
        @Test func sizes() throws {
            try witness.ffmpeg([
                "-i", folder.file("a.mp4"), "-c", "copy", "-metadata:s:v:0", "rotate=90", folder.file("turned.mp4"),
            ])
            for (file, limit, size) in [
                ("a.mp4", "128x128", [128, 72]), ("a.mp4", "1000x72", [128, 72]), ("a.mp4", "1000x1000", [256, 144]),
                ("turned.mp4", "128x128", [72, 128]), ("turned.mp4", "500x500", [144, 256]),
            ] {
                let run = try program.run([
                    "frame", file, "--at", "0s", "-o", "s.png", "--max-size", limit, "--overwrite",
                ])
                #expect(run.status == 0, "\(run)")
                #expect(try self.size(folder.file("s.png")) == size, "\(file) in \(limit)")
            }
        }

        @Test func whatCannotBeIsRefused() throws {
            for (options, word) in [
                (["--at", "0s", "--count", "2"], "exclude"), (["--count", "0"], "--count"),
                (["--every", "0s"], "--every"),
                (["--range", "0s,1s", "--at", "0s"], "--range"), (["--count", "2", "--range", "5s,1s"], "inside"),
                (["--every", "1/100000000"], "--range"), ([], "--at"),
            ] {
                let run = try program.run(["frame", "a.mp4", "-o", "f-%d.png"] + options)
                #expect(run.status == 2 && run.standardError.contains(word), "\(run)")
            }
            let one = try program.run(["frame", "a.mp4", "-o", "f.png", "--count", "2"])
            #expect(one.status == 2 && one.standardError.contains("%02d"), "\(one)")
            #expect(try !folder.names().contains { $0.hasPrefix("f") })
        }
    }
}
