import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// `frame`, `sheet` and `waveform` with `--connect`: a farm makes what the same command makes alone.
    @Suite struct FarmGeneratorTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private let composition: String
        private static let (width, height) = (NumberedMedia.width, NumberedMedia.height)

        init() throws {
            folder = try TestFolder("farm-generator")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try NumberedMedia.write(
                50, rate: "25", to: folder.file("a.mp4"),
                coding: [
                    "-c:v", "libx264", "-crf", "12", "-g", "12", "-bf", "2", "-colorspace", "bt709", "-color_primaries",
                    "bt709", "-color_trc", "bt709",
                ], with: witness)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "aevalsrc='0.3*sin(2*PI*440*t)+0.1*random(0)|0.5*random(1)':s=44100:d=2", "-c:a",
                "pcm_s16le", folder.file("a.wav"),
            ])
            composition = try folder.write(
                Text.project(
                    ["a": "a.mp4", "s": "a.wav"],
                    [
                        Text.track(1, "video", Text.clip("a", "0.2s", "1.6s", at: "0s")),
                        Text.track(2, "audio", Text.clip("s", "0.1s", "1.5s", at: "0s")),
                    ], size: (Self.width, Self.height), frame: "1/50"), to: "cut.json")
            for name in ["near", "far"] { _ = try folder.folder(name) }
        }

        /// The same command alone and by the farm; what each printed, but for where it was written.
        private func both(_ arguments: [String], to name: String, by farm: Farm, status: Int32 = 0) throws -> String {
            let printed = try ["near", "far"].map { place in
                let farmed = place == "far" ? ["--connect", farm.endpoint] : []
                let run = try program.run(arguments + ["-o", "\(place)/\(name)"] + farmed)
                #expect(run.status == status, "\(run)")
                return run.text.replacing("/\(place)/", with: "/")
            }
            #expect(printed[0] == printed[1])
            #expect(try folder.names(in: "near") == folder.names(in: "far"))
            return printed[1]
        }

        private func bytes(_ name: String) throws -> Data {
            try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
        }

        private func expectSamePictures(_ count: Int) throws {
            let names = try folder.names(in: "far")
            #expect(names.count == count)
            for name in names {
                let hashes = try ["near/", "far/"].map { try witness.frameHashes(folder.file($0 + name)) }
                #expect(hashes[0] == hashes[1] && hashes[0].count == 1, "\(name)")
            }
        }

        private func number(_ file: String) throws -> Int? {
            let grey = try witness.ffmpeg(["-i", folder.file(file), "-f", "rawvideo", "-pix_fmt", "gray", "-"])
            return NumberedMedia.number([UInt8](grey.standardOutput))
        }

        /// The film is here, and the farm makes what it is held against.
        @Test func aFilmIsHeldAgainstWhatAFarmComposed() throws {
            let farm = try Farm(in: folder, program, workers: ["first"])
            let film = folder.file("film.mkv")
            try program.render(
                composition, to: film, ["--workers", "1", "--video-codec", "ffv1", "--pixel-format", "yuv420p"])
            let bad = folder.file("bad.mkv")
            try witness.ffmpeg(["-i", film, "-vf", "negate", "-c:v", "ffv1", "-c:a", "copy", bad])
            for (name, status) in [(film, Int32(0)), (bad, 8)] {
                let run = try program.run(
                    ["verify", name, "--against", composition, "--json", "--connect", farm.endpoint])
                #expect(run.status == status, "\(run)")
                let comparison = try #require(run.json?["comparison"] as? [String: Any])
                let frames = try #require(comparison["frames"] as? [[String: Any]])
                #expect(frames.count >= 3)
                // A film without loss has each sample as the farm composed it.
                #expect(frames.allSatisfy { ($0["ssim"] as? Double == 1) == (name == film) })
                #expect(comparison["sound"] != nil)
            }
        }

        /// What is made on the way has no chapters, which is nobody's business; nor is its name.
        @Test func whatIsMadeOnTheWayIsNotTold() throws {
            let farm = try Farm(in: folder, program, workers: ["first"])
            var text = try String(contentsOfFile: composition, encoding: .utf8)
            text.removeLast()
            let file = try folder.write(text + #","chapters":[{"time":"0s","title":"One"}]}"#, to: "chapters.json")
            for name in ["w.png", "s.png"] {
                let command = name == "w.png" ? ["waveform", file] : ["sheet", file, "--every", "0.5s"]
                let run = try program.run(command + ["-o", "far/" + name, "--connect", farm.endpoint])
                #expect(run.status == 0 && !run.standardError.contains("warning"), "\(run)")
                let jobs = try program.run(["jobs", "--connect", farm.endpoint])
                #expect(jobs.text.contains(folder.file("far/" + name)) && !jobs.text.contains(".splitreel-"), "\(jobs)")
            }
        }

        /// The clip begins at frame 5 of its source: 0.295 s is within the output frame at 0.28 s, with frame 12.
        @Test(arguments: [("p-%d.png", []), ("p-%d.webp", ["--max-size", "99x99"])])
        func framesOfACompositionAreTheSame(name: String, options: [String]) throws {
            let farm = try Farm(in: folder, program, workers: ["first"])
            let moments = ["0.6s", "0.295s", "99s", "0s", "0.6s"].flatMap { ["--at", $0] }
            // One moment that there is not keeps no other one back.
            let text = try both(
                ["frame", composition, "--json"] + moments + options, to: name, by: farm, status: 2)
            #expect(text.contains("lasts from 0 to 1.6 s"))
            try expectSamePictures(4)
            guard options.isEmpty else { return }
            #expect(try [1, 2, 4, 5].map { try number("far/p-\($0).png") } == [20, 12, 5, 20])
            #expect(try bytes("far/p-1.png") == bytes("near/p-1.png"))
            // The exact frame is within any tolerance.
            let run = try program.run(
                [
                    "frame", composition, "--at", "0.295s", "--tolerance", "1s", "-o", "far/t.jpg", "--connect",
                    farm.endpoint,
                ])
            #expect(run.status == 0, "\(run)")
            #expect(try number("far/t.jpg") == 12)
        }

        /// Frames of a variable rate, the first of which comes late.
        @Test func framesOfUnevenMediaAreTheSame() throws {
            let shown = "select='not(mod(n,3))+not(mod(n,7))',setpts=PTS+(0.3+mod(N\\,3)*0.007)/TB"
            try witness.ffmpeg([
                "-i", folder.file("a.mp4"), "-vf", shown, "-fps_mode", "passthrough", "-enc_time_base", "1/90000",
                "-c:v", "libx264", "-crf", "12", "-video_track_timescale", "90000", folder.file("uneven.mp4"),
            ])
            let farm = try Farm(in: folder, program, workers: ["first", "second"])
            let text = try both(
                ["frame", "uneven.mp4", "--every", "0.07s", "--json"], to: "u-%02d.png", by: farm)
            let results = try #require(
                try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
            try expectSamePictures(results.count)
            #expect(Set(results.compactMap { $0["actual"] as? String }).count > 15)
        }

        @Test(arguments: [(true, []), (false, ["--every", "0.3s", "--columns", "3"])])
        func sheetsAreTheSame(isOfComposition: Bool, options: [String]) throws {
            let farm = try Farm(in: folder, program, workers: ["first"])
            _ = try both(
                ["sheet", isOfComposition ? composition : "a.mp4", "--width", "500", "--json"] + options, to: "s.png",
                by: farm)
            try expectSamePictures(1)
        }

        @Test func waveformsAreTheSame() throws {
            let farm = try Farm(in: folder, program, workers: ["first"])
            let all = [
                ("cut.dat", composition, ["--per-second", "50"]), ("cut.png", composition, ["--size", "300x100"]),
                ("cut.json", composition, ["--split-channels", "--channels", "1", "--range", "0.25s,1s", "--json"]),
                ("file.dat", "a.wav", ["--bits", "8", "--split-channels"]),
                ("file.json", "a.wav", ["--range", "0.7s,9s"]),
            ]
            for (name, source, options) in all {
                _ = try both(["waveform", source] + options, to: name, by: farm)
                #expect(try bytes("near/" + name) == bytes("far/" + name), "\(name)")
            }
            #expect(try folder.names(in: "far").count == all.count)
        }

        private func commands(_ place: String) -> [[String]] {
            [
                ["frame", composition, "--every", "0.2s", "-o", place + "f-%d.png"],
                ["sheet", composition, "-o", place + "s.png"], ["waveform", composition, "-o", place + "w.dat"],
            ]
        }

        /// A coordinator that is not there, options that do not go together, and files that are there already.
        @Test func whatCannotBeIsRefused() throws {
            let submitted = try program.run(
                ["submit", composition, "-o", "far/a.mp4", "--connect", "tcp://127.0.0.1:1", "--timeout", "0.3"])
            for command in commands("far/") {
                let run = try program.run(command + ["--connect", "tcp://127.0.0.1:1", "--timeout", "0.3"])
                #expect(run.status == 6 && run.status == submitted.status, "\(run)")
                let told = [run, submitted].map { $0.standardError.split(separator: "\n").last { $0.contains("try:") } }
                #expect(told[0] == told[1])
                let lonely = try program.run(command + ["--timeout", "1"])
                #expect(lonely.status == 2 && lonely.standardError.contains("--connect"), "\(lonely)")
            }
            let farm = try Farm(in: folder, program, workers: [])
            for name in ["f-3.png", "s.png", "w.dat"] { _ = try folder.write("mine", to: "far/" + name) }
            for command in commands("far/") {
                let run = try program.run(command + ["--connect", farm.endpoint])
                #expect(run.status == 5 && run.standardError.contains("--overwrite"), "\(run)")
            }
            let long = try folder.write(
                """
                {"format":"splitreel/1","assets":{"g":{"kind":"color","color":[1,1,1,1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"g","target":["0s","500s"]}]}]},
                "video":{"renderSize":[64,64],"frameDuration":"1/25"}}
                """, to: "long.json")
            let many = try program.run(
                ["frame", long, "--count", "10001", "-o", "far/m-%d.png", "--connect", farm.endpoint])
            #expect(many.status == 2 && many.standardError.contains("10000 at most"), "\(many)")
            #expect(try folder.names(in: "far") == ["f-3.png", "s.png", "w.dat"])
            #expect(try bytes("far/s.png") == Data("mine".utf8))
            let jobs = try program.run(["jobs", "--connect", farm.endpoint, "--json"])
            #expect(jobs.status == 0 && !jobs.text.contains("\"state\""), "\(jobs)")
        }

        /// The sources go away when the job is submitted and nobody has begun it. The coordinator may read them just
        /// then, and tells of it in other words than of a file that was gone before.
        @Test func aFailedJobLeavesNothing() throws {
            let farm = try Farm(in: folder, program, workers: [])
            let document = ["frame", composition, "--at", "0.5s", "--at", "99s", "-o", "far/j-%d.png", "--json"]
            let runs = try (commands("far/") + [document]).map { command in
                let run = try program.start(command + ["--connect", farm.endpoint])
                #expect(run.until(seconds: 60) { run.errorsSoFar.contains("waiting for a worker") })
                return run
            }
            for name in ["a.mp4", "a.wav"] { try FileManager.default.removeItem(atPath: folder.file(name)) }
            try farm.addWorker("late")
            for run in runs {
                let end = run.finish(seconds: 60)
                let isTold = ["No such file", "no longer there"].contains { end.standardError.contains($0) }
                #expect(end.status == 4 && isTold, "\(end)")
                #expect(end.text.isEmpty == !run.command.contains("--json"))
                guard !end.text.isEmpty else { continue }
                let told = try JSONSerialization.jsonObject(with: Data(end.text.utf8)) as? [[String: Any]]
                #expect(told?.compactMap { $0["result"] as? String } == ["failed", "failed"], "\(end)")
                let codes = told?.compactMap { ($0["error"] as? [String: Any])?["code"] as? Int } ?? []
                #expect(codes.count == 2 && codes[0] != codes[1], "\(codes)")
            }
            #expect(try folder.names(in: "far").isEmpty)
        }

        /// Only the folder's name has the number's place.
        @Test func aNumberInAFoldersName() throws {
            let farm = try Farm(in: folder, program, workers: ["first"])
            for name in ["near/n-1", "near/n-2", "far/n-1", "far/n-2"] { _ = try folder.folder(name) }
            for (place, farmed) in [("near", []), ("far", ["--connect", farm.endpoint])] {
                let run = try program.run(
                    ["frame", composition, "--count", "2", "-o", "\(place)/n-%d/p.png"] + farmed)
                #expect(run.status == 0, "\(run)")
            }
            for name in ["n-1/p.png", "n-2/p.png"] { #expect(try bytes("near/" + name) == bytes("far/" + name)) }
        }

        @Test func anInterruptCancelsTheJob() throws {
            let farm = try Farm(in: folder, program, workers: [])
            for command in commands("far/") {
                let run = try program.start(command + ["--connect", farm.endpoint, "--timeout", "20"])
                #expect(run.until(seconds: 60) { run.errorsSoFar.contains("waiting for a worker") })
                run.send(SIGINT)
                let end = run.finish(seconds: 30)
                #expect(end.status == 7, "\(end)")
                let line = try #require(end.standardError.split(separator: "\n").first { $0.hasPrefix("job ") })
                #expect(try farm.job(String(line.dropFirst(4))).state == "cancelled")
            }
            #expect(try folder.names(in: "far").isEmpty)
        }

        /// The worker that renders for the picture stops at once, and is there for the next one.
        @Test func anInterruptEndsWhatAWorkerRenders() throws {
            let farm = try Farm(in: folder, program, workers: ["first"])
            let long = try LongFilm.write(in: folder)
            let run = try program.start(
                ["sheet", long, "-o", "far/long.png", "--every", "0.25s", "--connect", farm.endpoint])
            var job: String?
            let isRendered = run.until(seconds: 60) {
                job = run.errorsSoFar.split(separator: "\n").first { $0.hasPrefix("job ") }.map {
                    String($0.dropFirst(4))
                }
                return job.flatMap { try? farm.job($0) }?.chunks.contains(where: \.isHeld) == true
            }
            #expect(isRendered && run.isRunning)
            run.send(SIGINT)
            let end = run.finish(seconds: 30)
            #expect(end.status == 7 && end.text.isEmpty, "\(end)")
            #expect(try farm.job(try #require(job)).state == "cancelled")
            #expect(try folder.names(in: "far").isEmpty)
            _ = try both(["sheet", composition], to: "s.png", by: farm)
        }
    }
}
