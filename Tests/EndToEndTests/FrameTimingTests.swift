import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// A track whose frames decide when the film's are: times against arithmetic, as ffprobe reads them.
    @Suite struct FrameTimingTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private static let size = (NumberedMedia.width, NumberedMedia.height)
        private static let identity: [Double] = [1, 0, 0, 1, 0, 0]
        private static let count = 40

        init() throws {
            folder = try TestFolder("timing")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try NumberedMedia.write(
                Self.count, rate: "25", to: folder.file("a.mov"),
                coding: [
                    "-vf", "settb=1/90000,setpts=N*3000+1100*mod(7*N*N\\,3)+40000*gte(N\\,20)", "-fps_mode",
                    "passthrough", "-enc_time_base", "1/90000", "-video_track_timescale", "90000", "-c:v", "libx264",
                    "-crf", "12", "-g", "12", "-bf", "2", "-colorspace", "bt709", "-color_primaries", "bt709",
                    "-color_trc", "bt709",
                ], with: witness)
        }

        /// When frame n of the source begins: uneven, with a hole before the twentieth.
        private static func source(_ n: Int) -> Fraction {
            Fraction(n * 3000 + 1100 * (7 * n * n % 3) + (n >= 20 ? 40_000 : 0), 90_000)
        }

        /// The frame that is held at a time of the source.
        private static func number(at time: Fraction) -> Int { (0..<count).last { !(time < source($0)) } ?? 0 }

        private func timed(_ text: String, _ track: Int = 1) -> String {
            text.replacingOccurrences(of: "\"video\":{", with: "\"video\":{\"frameTimingTrack\":\(track),")
        }

        private func whole(_ asset: String = "a.mov", frame: String? = nil) -> String {
            timed(
                Text.project(
                    ["a": asset], [Text.track(1, "video", Text.clip("a", "0s", "1.8s", at: "0s"))], size: Self.size,
                    frame: frame))
        }

        /// As ffprobe has them of the decoded frames, in seconds.
        private func times(_ file: String) throws -> [Fraction] {
            let stream = try #require(try witness.streams(file).first { $0["codec_type"] as? String == "video" })
            let parts = (stream["time_base"] as? String ?? "").split(separator: "/").compactMap { Int($0) }
            let base = try #require(parts.count == 2 ? Fraction(parts[0], parts[1]) : nil)
            let index = try #require(stream["index"] as? Int)
            return try witness.presentationTimes(file)[index, default: []].map { Fraction($0) * base }
        }

        /// Every codec and container, B-frames too; Matroska rounds to its milliseconds.
        @Test(arguments: [
            ("mp4", "h264"), ("mov", "hevc"), ("mkv", "ffv1"), ("mkv", "h264"), ("mov", "prores"),
        ])
        func theSourceTimesAreTheFilms(container: String, codec: String) throws {
            let source = (0..<Self.count).map(Self.source)
            #expect(try times(folder.file("a.mov")) == source)
            let file = try folder.write(whole(), to: "cut.json")
            let film = folder.file("film.\(container)")
            // In one piece once: each codec's chunks begin within the film.
            for chunks in container == "mp4" ? ["none", "0.4"] : ["0.4"] {
                try program.render(
                    file, to: film,
                    ["--video-codec", codec, "--workers", "1", "--chunk-seconds", chunks, "--overwrite"])
                let expected =
                    container == "mkv" ? source.map { Fraction(($0 * Fraction(1000)).rounded, 1000) } : source
                #expect(try times(film) == expected, "chunks of \(chunks) s")
                let numbers = try witness.luma(film).map { NumberedMedia.number($0) }
                #expect(numbers == (0..<Self.count).map { $0 })
                let length = try witness.format(film)["duration"] as? String
                #expect(length == "1.800000", "the last frame lasts to the end")
                if codec == "ffv1" {
                    #expect(try witness.frameHashes(film) == witness.frameHashes(folder.file("a.mov")))
                }
                let whole = ["-xerror", "-err_detect", "explode", "-i", film, "-fps_mode", "passthrough"]
                try witness.ffmpeg(whole + ["-f", "framemd5", "-"])
            }
        }

        /// The plan says so, and a film is held against it.
        @Test func planAndVerifyKnowTheList() throws {
            let file = try folder.write(whole(), to: "cut.json")
            let film = folder.file("film.mov")
            try program.render(file, to: film, ["--workers", "1"])
            let plan = try program.run(["plan", file, "-o", film, "--json", "--chunk-seconds", "0.5"])
            let json = try #require(plan.json)
            #expect(json["frameRate"] is NSNull && json["frameCount"] as? Int == Self.count)
            let chunks = try #require(json["chunks"] as? [[String: Any]])
            #expect(chunks.count > 2 && chunks.first?["start"] as? String == "0/90000")
            #expect(chunks.reduce(0) { $0 + ($1["frameCount"] as? Int ?? 0) } == Self.count)
            let path = try folder.write(plan.text, to: "plan.json")
            let good = try program.run(["verify", film, "--plan", path, "--json"])
            #expect(good.status == 0, "\(good)")
            // The same frames a little elsewhere.
            let other = folder.file("other.mov")
            try witness.ffmpeg(
                [
                    "-i", film, "-c", "copy", "-bsf:v", "setts=pts=PTS+if(eq(N\\,30)\\,2\\,0)",
                    "-video_track_timescale", "90000", other,
                ])
            let bad = try program.run(["verify", other, "--plan", path, "--json"])
            #expect(bad.status == 8, "\(bad)")
        }

        /// Trimmed, with a gap, sped up, then a generator; another film beneath; with sound.
        private func varied() throws -> (text: String, times: [Fraction], numbers: [Int?]) {
            let tone = SoundMedia.tone(440, count: 96_000, rate: 48_000)
            let sound = try folder.write(SoundMedia.wave([tone], rate: 48_000), to: "tone.wav")
            try NumberedMedia.write(
                50, rate: "25", to: folder.file("b.mkv"), coding: ["-c:v", "ffv1"], first: 1000, with: witness)
            let text = Text.project(
                ["a": "a.mov", "b": "b.mkv", "t": sound],
                [
                    Text.track(
                        1, "video", Text.clip("a", "0.05s", "0.9s", at: "0s"), Text.gap("0.9s", "0.3s"),
                        Text.clip("a", "1s", "0.8s", at: "1.2s", for: "0.4s"),
                        Text.still("c", at: "1.6s", for: "0.2s")),
                    Text.track(2, "video", Text.clip("b", "0s", "1.8s", at: "0s")),
                    Text.track(3, "audio", Text.clip("t", "0s", "1.8s", at: "0s")),
                ], size: Self.size, frame: "1/30",
                [
                    Text.instruction(
                        "0s", "1.8s",
                        Text.layer(1, Self.identity, more: Text.ramp("opacity", "1.6s", "0.2s", "1", "0.2")),
                        Text.layer(2, Self.identity))
                ]
            ).replacingOccurrences(
                of: "\"assets\":{", with: "\"assets\":{\"c\":{\"kind\":\"color\",\"color\":[0.2,0.5,0.9,1]},")
            var (times, numbers): ([Fraction], [Int?]) = ([], [])
            func add(_ time: Fraction, _ number: Int?) {
                times.append(time)
                numbers.append(number)
            }
            let sources = (0..<Self.count).map { ($0, Self.source($0)) }
            let (start, end) = (Fraction(1, 20), Fraction(19, 20))
            add(Fraction(0), Self.number(at: start))
            for (number, time) in sources where start < time && time < end { add(time - start, number) }
            for step in 0..<9 {
                let time = Fraction(9, 10) + Fraction(step, 30)
                add(time, 1000 + (time * Fraction(25)).floor)
            }
            add(Fraction(6, 5), Self.number(at: Fraction(1)))
            for (number, time) in sources where Fraction(1) < time && time < Fraction(9, 5) {
                add(Fraction(6, 5) + (time - Fraction(1)) / Fraction(2), number)
            }
            for step in 0..<6 { add(Fraction(8, 5) + Fraction(step, 30), nil) }
            return (timed(text), times, numbers)
        }

        @Test func anySplitByAnyNumberOfWorkersGivesTheSameTimesAndFrames() throws {
            let (text, expected, numbers) = try varied()
            let file = try folder.write(text, to: "varied.json")
            let check = InvarianceCheck(
                name: "timing by a track", file: file, options: [], folder: folder, witness: witness, program: program)
            let reference = try check.reference()
            let rounded = expected.map { Fraction(($0 * Fraction(1000)).rounded, 1000) }
            #expect(try times(folder.file("one.mkv")) == rounded)
            let read = try witness.luma(folder.file("one.mkv")).map { NumberedMedia.number($0) }
            for (frame, number) in numbers.enumerated() where number != nil {
                #expect(read[frame] == number, "frame \(frame)")
            }
            try check.expectSame(as: reference, [(1, "0.3"), (2, "0.2")])
            for name in ["1-0.3", "2-0.2"] {
                #expect(try times(folder.file(name + ".mkv")) == rounded)
            }
            try check.expectSameAfterAKill(as: reference, chunks: "0.3")
            #expect(try times(folder.file("killed.mkv")) == rounded)
            // A range begins with what is held there; a clock of 36000 ticks has all times.
            let film = folder.file("part.mp4")
            try program.render(file, to: film, ["--range", "0.31s,1s", "--workers", "1"])
            let (from, to) = (Fraction(31, 100), Fraction(131, 100))
            let inside = expected.filter { from < $0 && $0 < to }
            #expect(try times(film) == [Fraction(0)] + inside.map { $0 - from })
            let shown = try witness.luma(film).map { NumberedMedia.number($0) }
            let held = try #require(expected.lastIndex { !(from < $0) })
            #expect(shown == Array(numbers[held..<(held + inside.count + 1)]))
        }

        /// A single frame is the one that the film shows; a rate that is asked for makes times even again.
        @Test func framesAndRates() throws {
            let file = try folder.write(whole(frame: "1/10"), to: "cut.json")
            for time in [Fraction(0), Fraction(3, 10), Fraction(1), Fraction(13, 10), Fraction(179, 100)] {
                let output = folder.file("one.png")
                let made = try program.run(["frame", file, "--at", time.text, "-o", output, "--overwrite"])
                #expect(made.status == 0, "\(made)")
                let grey = try witness.ffmpeg(["-i", output, "-f", "rawvideo", "-pix_fmt", "gray", "-"])
                #expect(NumberedMedia.number([UInt8](grey.standardOutput)) == Self.number(at: time), "at \(time.text)")
            }
            let film = folder.file("even.mp4")
            try program.render(file, to: film, ["--fps", "20", "--workers", "1"])
            #expect(try times(film) == (0..<36).map { Fraction($0, 20) })
        }

        /// A composition within another one is held on its own list; and may give its times to the outer one.
        @Test func nestedCompositionsHaveTimesToo() throws {
            _ = try folder.write(whole(), to: "inner.json")
            func outer(_ isTimed: Bool) throws -> String {
                let text = Text.project(
                    ["n": "inner.json"], [Text.track(1, "video", Text.clip("n", "0s", "1.8s", at: "0s"))],
                    size: Self.size, frame: "1/50"
                ).replacingOccurrences(
                    of: "{\"url\":\"inner.json\"}", with: "{\"kind\":\"composition\",\"url\":\"inner.json\"}")
                return try folder.write(isTimed ? timed(text) : text, to: isTimed ? "timed.json" : "even.json")
            }
            let film = folder.file("film.mov")
            let options = ["--workers", "1", "--chunk-seconds", "0.5", "--overwrite"]
            try program.render(try outer(true), to: film, options)
            #expect(try times(film) == (0..<Self.count).map(Self.source))
            #expect(try witness.luma(film).map { NumberedMedia.number($0) } == (0..<Self.count).map { $0 })
            try program.render(try outer(false), to: film, options)
            let read = try witness.luma(film).map { NumberedMedia.number($0) }
            #expect(read == (0..<90).map { Self.number(at: Fraction($0, 50)) })
        }

        /// Real films of phones and screens, some with edit lists and B-frames: ffprobe's times of both are the same.
        @Test(
            .enabled(if: SourceTree.hasCorpus, "the corpus of real films is not beside the project"),
            arguments: [
                ("video/st_awesome movie.mov", "mov", 640, 480), ("video/fo_VID_20191220_170832.mp4", "mp4", 320, 180),
                ("video/ax_sample_sef_slow_motion.mp4", "mp4", 320, 240),
            ])
        func realFilmsKeepTheirTimes(name: String, container: String, width: Int, height: Int) throws {
            let path = try #require(SourceTree.corpusFile(name))
            let text = timed(
                Text.project(
                    ["a": path], [Text.track(1, "video", Text.clip("a", "0s", "1.5s", at: "0s"))],
                    size: (width, height), frame: nil))
            let file = try folder.write(text, to: "real.json")
            let film = folder.file("real." + container)
            try program.render(file, to: film, ["--workers", "1", "--encoder-preset", "veryfast"])
            let expected = try times(path).filter { $0 < Fraction(3, 2) }
            #expect(try times(film) == expected)
            #expect(expected.count > 15)
        }
    }
}
