import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Files whose times begin below 0, and films whose samples become others midway.
    @Suite struct NegativeTimesTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("negative-times")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// In samples of 48 kHz.
        private static let clicks = [100, 12_345, 30_000, 47_900]

        /// A second of numbered frames, with clicks.
        private func source(_ name: String, _ coding: [String]) throws -> String {
            let sound = SoundMedia.impulses(Self.clicks, count: 48_000)
            let wave = try folder.write(SoundMedia.wave([sound], rate: 48_000), to: "clicks.wav")
            try NumberedMedia.write(
                25, rate: "25", to: folder.file(name), coding: coding + ["-c:a", "pcm_s16le"], sound: wave,
                with: witness)
            return folder.file(name)
        }

        /// The same packets earlier; what ffprobe tells of the times of the picture's, nil where it tells none.
        private func moved(_ path: String, by seconds: String, to name: String) throws -> [Double?] {
            try witness.ffmpeg([
                "-i", path, "-map", "0", "-c", "copy", "-output_ts_offset", seconds, "-avoid_negative_ts", "disabled",
                folder.file(name),
            ])
            return try witness.packets(folder.file(name), stream: "v:0").map {
                ($0["pts_time"] as? String).flatMap(Double.init)
            }
        }

        /// Numbers of the frames, and where the clicks are.
        private func shown(_ url: String, lasting seconds: String, _ workers: Int = 1, chunks: String = "none") throws
            -> (numbers: [Int?], clicks: [Int])
        {
            let whole = Text.clip("a", "0s", seconds, at: "0s")
            let text = Text.project(
                ["a": url], [Text.track(1, "video", whole), Text.track(2, "audio", whole)],
                size: (NumberedMedia.width, NumberedMedia.height), frame: "1/25")
            let file = try folder.write(text, to: "cut.json")
            let film = folder.file("film.mkv")
            try program.render(
                file, to: film,
                ["--video-codec", "ffv1", "--audio-codec", "pcm", "--channels", "1", "--overwrite"]
                    + ["--workers", "\(workers)", "--chunk-seconds", chunks])
            let samples = try #require(try witness.samples(film).first)
            return (
                try witness.luma(film).map { NumberedMedia.number($0) },
                SoundMedia.peaks(samples, above: 0.3, gap: 500)
            )
        }

        /// Matroska's times may be below 0, and those of pictures that are coded out of order may then be lost: it all
        /// begins with what comes first.
        @Test(arguments: [
            ["-c:v", "ffv1"], ["-c:v", "libx264", "-g", "10", "-bf", "0"],
            ["-c:v", "libx264", "-g", "10", "-bf", "2"],
        ])
        func matroskaBeginsWithWhatComesFirst(coding: [String]) throws {
            let plain = try source("plain.mkv", coding)
            let times = try moved(plain, by: "-0.48", to: "negative.mkv")
            #expect(times.count == 25 && times.allSatisfy { ($0 ?? -1) < 0.6 })
            if coding.count == 2 { #expect(times.first == -0.48) }
            let sound = try witness.packets(folder.file("negative.mkv"), stream: "a:0")
            #expect(sound.first?["pts_time"] as? String == "-0.480000")
            for (name, workers, chunks) in [
                ("plain.mkv", 1, "none"), ("negative.mkv", 1, "none"), ("negative.mkv", 2, "0.28"),
            ] {
                let film = try shown(name, lasting: "1s", workers, chunks: chunks)
                #expect(film.numbers == Array(0..<25), "\(name), \(workers) workers")
                #expect(film.clicks == Self.clicks, "\(name), \(workers) workers")
            }
        }

        /// A fifth of a second between picture and sound stays one, whichever comes first and however early.
        @Test(arguments: [true, false]) func tracksKeepTheirDistance(isSoundLate: Bool) throws {
            let plain = try source("plain.mkv", ["-c:v", "ffv1"])
            let maps = isSoundLate ? ["-map", "0:v", "-map", "1:a"] : ["-map", "1:v", "-map", "0:a"]
            let apart = folder.file("apart.mkv")
            try witness.ffmpeg(["-i", plain, "-itsoffset", "0.2", "-i", plain] + maps + ["-c", "copy", apart])
            _ = try moved(apart, by: "-0.48", to: "negative.mkv")
            let starts = try witness.streams(folder.file("negative.mkv")).map { $0["start_time"] as? String }
            #expect(starts == (isSoundLate ? ["-0.480000", "-0.280000"] : ["-0.280000", "-0.480000"]))
            for name in ["apart.mkv", "negative.mkv"] {
                let film = try shown(name, lasting: "1.2s")
                // What has not begun shows nothing; what has ended stays.
                let numbers = film.numbers
                #expect(numbers.count == 30)
                if isSoundLate {
                    #expect(numbers == (0..<30).map { min($0, 24) }, "\(name)")
                    #expect(film.clicks == Self.clicks.map { $0 + 9600 }, "\(name)")
                } else {
                    #expect(numbers.prefix(5).allSatisfy { ($0 ?? 0) == 0 }, "\(name)")
                    #expect(Array(numbers.dropFirst(5)) == Array(0..<25), "\(name)")
                    #expect(film.clicks == Self.clicks, "\(name)")
                }
            }
        }

        /// In MOV and MP4 an edit list says that what lies before 0 is not shown; here it ends within a group of
        /// pictures. The frames are those that ffmpeg shows.
        @Test(arguments: [("mov", "0"), ("mp4", "2")])
        func editListsCutWhatIsBeforeZero(ending: String, bFrames: String) throws {
            let plain = try source("plain.mov", ["-c:v", "libx264", "-g", "10", "-bf", bFrames])
            let name = "negative.\(ending)"
            let options = ending == "mp4" ? ["-c:a", "alac"] : []
            try witness.ffmpeg(
                ["-i", plain, "-map", "0", "-c", "copy"] + options
                    + ["-output_ts_offset", "-0.48", "-avoid_negative_ts", "disabled", folder.file(name)])
            let packets = try witness.packets(folder.file(name), stream: "v:0")
            let first = packets.first?["pts_time"] as? String
            #expect(first?.hasPrefix("-") == true)
            let numbers = try witness.luma(folder.file(name)).map { NumberedMedia.number($0) }
            #expect(numbers == Array(12..<25))
            for (workers, chunks) in [(1, "none"), (2, "0.2")] {
                let film = try shown(name, lasting: "0.52s", workers, chunks: chunks)
                #expect(film.numbers == numbers, "\(workers) workers")
                #expect(film.clicks == [30_000 - 23_040, 47_900 - 23_040], "\(workers) workers")
            }
        }

        /// A transport stream's clock goes over its end within the film: ffprobe calls what lies before that negative.
        /// The picture begins some milliseconds after the sound, so that each frame is seen one late.
        @Test func aTransportStreamsClockGoesOver() throws {
            let plain = try source("plain.mkv", ["-c:v", "libx264", "-g", "10", "-bf", "2"])
            for (name, offset) in [("plain.ts", "0"), ("over.ts", "95441.8")] {
                try witness.ffmpeg([
                    "-i", plain, "-c:v", "copy", "-c:a", "mp2", "-b:a", "384k", "-output_ts_offset", offset,
                    folder.file(name),
                ])
            }
            let starts = try witness.streams(folder.file("over.ts")).compactMap {
                ($0["start_time"] as? String).flatMap(Double.init)
            }
            try #require(starts.count == 2)
            #expect(starts[0] < 0 && starts[1] < starts[0] && starts[0] - starts[1] < 0.04)
            let (early, late) = (try shown("plain.ts", lasting: "1s"), try shown("over.ts", lasting: "1s"))
            #expect(late.numbers == (0..<25).map { max(0, $0 - 1) } && late.numbers == early.numbers)
            #expect(late.clicks == early.clicks && late.clicks.count >= 3)
            let split = try shown("over.ts", lasting: "1s", 2, chunks: "0.28")
            #expect(split.numbers == late.numbers && split.clicks == late.clicks)
        }

        // MARK: - Other samples midway

        /// Fifteen frames tagged as the film is, so that its codes are theirs.
        private func part(_ name: String, _ format: String, hue: Int) throws {
            let tags = "setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709"
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=0.6,hue=h=\(hue),\(tags)", "-c:v", "libx264", "-crf",
                "12", "-pix_fmt", format, "-g", "10", "-bf", "2", "-threads", "1", "-colorspace", "bt709",
                "-color_primaries", "bt709", "-color_trc", "bt709", folder.file(name),
            ])
        }

        /// A film in each half's format has that half's samples as ffmpeg decodes them, and the other half's luma.
        @Test(arguments: [(("yuv420p", "yuv422p"), "ts"), (("yuv420p10le", "yuv420p"), "mkv")])
        func otherSamplesMidway(formats: (String, String), ending: String) throws {
            try part("first.ts", formats.0, hue: 0)
            try part("second.ts", formats.1, hue: 70)
            let list = try folder.write("file first.ts\nfile second.ts\n", to: "list.txt")
            let both = folder.file("both.\(ending)")
            try witness.ffmpeg(["-f", "concat", "-i", list, "-c", "copy", both])
            let told = try witness.frames(both, stream: "v:0").compactMap { $0["pix_fmt"] as? String }
            #expect(told == [String](repeating: formats.0, count: 15) + [String](repeating: formats.1, count: 15))
            let parts = try ["first.ts", "second.ts"].map { try witness.frameHashes(folder.file($0)) }
            let text = Text.project(
                ["a": "both.\(ending)"], [Text.track(1, "video", Text.clip("a", "0s", "1.2s", at: "0s"))],
                size: (160, 90), frame: "1/25")
            let file = try folder.write(text, to: "both.json")
            for (half, format, workers, chunks) in [(0, formats.0, "1", "none"), (1, formats.1, "2", "0.28")] {
                let film = folder.file("\(half).mkv")
                let options = ["--pixel-format", format, "--workers", workers, "--chunk-seconds", chunks]
                let told = try program.render(file, to: film, ["--video-codec", "ffv1"] + options).text
                if workers == "1" {
                    #expect(told.contains("format changes from \(formats.0) to \(formats.1)"), "\(told)")
                }
                let hashes = try witness.frameHashes(film)
                try #require(hashes.count == 30)
                #expect(Array(half == 0 ? hashes.prefix(15) : hashes.suffix(15)) == parts[half], "\(format)")
                let luma = try witness.luma(film)
                let other = try witness.luma(folder.file(half == 0 ? "second.ts" : "first.ts"))
                for (ours, theirs) in zip(half == 0 ? luma.suffix(15) : luma.prefix(15), other) {
                    #expect(zip(ours, theirs).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(format)")
                }
            }
        }
    }
}
