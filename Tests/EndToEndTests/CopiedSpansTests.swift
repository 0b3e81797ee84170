import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Films of cuts whose untouched groups of pictures are copied. ffmpeg made the sources and reads the films: a
    /// copied frame has the source's own sum, and every frame carries the number of the one that belongs there.
    @Suite("Copied spans") struct CopiedSpansTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("copies")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// A clip: the source's number, its first frame and its length in frames.
        typealias Cut = (source: Int, start: Int, length: Int)

        /// Cuts at arbitrary frames: groups cut on both sides, at their keys, short of one frame, and none whole.
        static let cuts: [Cut] = [
            (0, 5, 31), (1, 12, 24), (2, 7, 17), (0, 0, 13), (1, 35, 25), (2, 46, 1), (0, 23, 14),
        ]
        private static let group = 12
        private static let frames = 60
        /// Frames of the film that follow a key frame of the source by a whole group, and so are copied.
        private static func copied(_ cut: Cut, isIntra: Bool) -> Range<Int> {
            guard !isIntra else { return cut.start..<cut.start + cut.length }
            let first = (cut.start + group - 1) / group * group
            return first..<max(first, (cut.start + cut.length) / group * group)
        }

        private static let tags = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
        static let h264 =
            [
                "-c:v", "libx264", "-preset", "fast", "-crf", "16", "-g", "12", "-keyint_min", "12", "-sc_threshold",
                "0", "-bf", "3", "-b-pyramid", "normal", "-b_strategy", "0", "-pix_fmt", "yuv420p",
            ] + tags
        static let hevc =
            [
                "-c:v", "libx265", "-preset", "fast", "-crf", "16", "-tag:v", "hvc1", "-pix_fmt", "yuv420p",
                "-x265-params", "keyint=12:min-keyint=12:scenecut=0:open-gop=0:log-level=none",
            ] + tags
        static let prores =
            [
                "-c:v", "prores_ks", "-profile:v", "3", "-vendor", "apl0", "-pix_fmt", "yuv422p10le", "-bsf:v",
                "prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709",
            ] + tags
        static let mjpeg = ["-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj420p", "-colorspace", "smpte170m"]

        /// Makes the three sources of one family, and the composition; answers its path.
        private func composition(_ coding: [String], as ending: String, _ cuts: [Cut] = Self.cuts) throws -> String {
            for number in 0..<3 {
                try NumberedMedia.write(
                    Self.frames, rate: "25", to: folder.file("s\(number).\(ending)"), coding: coding,
                    first: 1000 * number, with: witness)
            }
            var (clips, next) = ([String](), 0)
            for cut in cuts {
                clips.append(
                    Text.clip("s\(cut.source)", "\(cut.start)/25", "\(cut.length)/25", at: "\(next)/25"))
                next += cut.length
            }
            let track = "{\"id\":1,\"type\":\"video\",\"segments\":[\(clips.joined(separator: ","))]}"
            let assets = Dictionary(uniqueKeysWithValues: (0..<3).map { ("s\($0)", "s\($0).\(ending)") })
            let size = (NumberedMedia.width, NumberedMedia.height)
            return try folder.write(Text.project(assets, [track], size: size, frame: "1/25"), to: "cuts.json")
        }

        /// The film's frames against the sources', one by one.
        private func check(
            _ film: String, _ ending: String, isIntra: Bool = false, _ cuts: [Cut] = Self.cuts
        ) throws {
            let sources = try (0..<3).map { number in
                let path = folder.file("s\(number).\(ending)")
                return (sums: try witness.frameHashes(path), luma: try witness.luma(path))
            }
            let (sums, luma) = (try witness.frameHashes(film), try witness.luma(film))
            #expect(sums.count == cuts.reduce(0) { $0 + $1.length } && luma.count == sums.count)
            var frame = 0
            for cut in cuts {
                for place in cut.start..<cut.start + cut.length where luma.indices.contains(frame) {
                    #expect(NumberedMedia.number(luma[frame]) == 1000 * cut.source + place, "frame \(frame)")
                    if Self.copied(cut, isIntra: isIntra).contains(place) {
                        #expect(sums[frame] == sources[cut.source].sums[place], "frame \(frame) is no copy")
                    } else {
                        let ratio = Self.decibels(luma[frame], sources[cut.source].luma[place])
                        #expect(ratio > 35, "frame \(frame): \(ratio) dB")
                    }
                    frame += 1
                }
            }
            try witness.decodeStrictly(film)
        }

        private static func decibels(_ one: [UInt8], _ other: [UInt8]) -> Double {
            let sum = zip(one, other).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
            return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(one.count) / sum)
        }

        /// Seeking to each join shows the frame that belongs there.
        private func checkSeeking(_ film: String, _ cuts: [Cut] = Self.cuts) throws {
            var frame = 0
            for cut in cuts {
                // ffmpeg shows the first frame from there on.
                let time = "\(max(0, Double(frame) - 0.5) / 25)"
                let bytes = try witness.ffmpeg([
                    "-ss", time, "-i", film, "-frames:v", "1", "-vf", "extractplanes=y", "-f", "rawvideo", "-pix_fmt",
                    "gray", "-",
                ]).standardOutput
                #expect(NumberedMedia.number([UInt8](bytes)) == 1000 * cut.source + cut.start, "frame \(frame)")
                frame += cut.length
            }
        }

        private func render(_ composition: String, to film: String, _ options: [String]) throws -> [String: Int] {
            let result = try program.render(
                composition, to: film, ["--passthrough", "auto", "--workers", "2", "--overwrite"] + options)
            let chunks = try #require(result.json?["chunks"] as? [String: Any])
            return chunks.compactMapValues { $0 as? Int }
        }

        @Test("H.264 of three files of one family", arguments: ["mp4", "mov", "mkv"])
        func h264(container: String) throws {
            let composition = try composition(Self.h264, as: "mp4")
            let film = folder.file("film.\(container)")
            let chunks = try render(composition, to: film, ["--video-codec", "h264"])
            #expect(chunks["passthrough", default: 0] >= 6)
            #expect(chunks["total"] == chunks["rendered", default: 0] + chunks["passthrough", default: 0])
            try check(film, "mp4")
            guard container != "mkv" else { return }
            // One length for all: editors read a rate of that.
            let lengths = Set(try witness.packets(film, stream: "v:0").map { $0["duration"] as? Int ?? 0 })
            #expect(lengths.count == 1, "\(lengths)")
            let verified = try program.run(["verify", film])
            #expect(verified.status == 0, "\(verified)")
        }

        /// Packets in their frames' order, the encoder's too: whoever guesses times of decoding by the first packets,
        /// as of Matroska, need not go back at a join.
        @Test("sources without B-frames", arguments: [("h264", "mkv"), ("hevc", "mov")])
        func noReordering(codec: String, container: String) throws {
            let plain = codec == "h264" ? Self.h264 + ["-bf", "0"] : Self.hevc + ["-bf", "0"]
            let cuts: [Cut] = [(0, 0, 24), (0, 17, 30)]
            let film = folder.file("film.\(container)")
            let chunks = try render(try composition(plain, as: "mp4", cuts), to: film, ["--video-codec", codec])
            #expect(chunks["passthrough", default: 0] >= 2 && chunks["rendered", default: 0] >= 1)
            try check(film, "mp4", cuts)
            let copied = try witness.ffmpeg([
                "-v", "warning", "-y", "-i", film, "-c", "copy", folder.file("again.mp4"), "-f", "null", "-",
            ])
            #expect(copied.standardError.isEmpty, "\(copied.standardError)")
        }

        @Test func h264InFragments() throws {
            let film = folder.file("film.mp4")
            _ = try render(try composition(Self.h264, as: "mp4"), to: film, ["--video-codec", "h264", "--fragmented"])
            try check(film, "mp4")
        }

        /// Annex B, with delimiters, and parameter sets in each group.
        @Test func h264OfTransportStreams() throws {
            let film = folder.file("film.mp4")
            let chunks = try render(try composition(Self.h264, as: "ts"), to: film, ["--video-codec", "h264"])
            #expect(chunks["passthrough", default: 0] >= 6)
            try check(film, "ts")
        }

        @Test("HEVC of three files of one family", arguments: ["mp4", "mkv"]) func hevc(container: String) throws {
            let film = folder.file("film.\(container)")
            _ = try render(try composition(Self.hevc, as: "mp4"), to: film, ["--video-codec", "hevc"])
            try check(film, "mp4")
        }

        /// Every frame is a place to cut: nothing at all is rendered.
        @Test(arguments: [("prores", prores), ("mjpeg", mjpeg)])
        func codecsOfKeyFrames(codec: (String, [String])) throws {
            let film = folder.file("film.mov")
            let chunks = try render(try composition(codec.1, as: "mov"), to: film, ["--video-codec", codec.0])
            #expect(chunks["rendered"] == 0 && chunks["passthrough"] == chunks["total"])
            try check(film, "mov", isIntra: true)
        }

        /// The editor's own grid: a last group of which one to four frames are left, which others re-encode badly.
        @Test(arguments: 1...4) func fewFramesBehindAKey(left: Int) throws {
            let cuts: [Cut] = [(0, 12, 12 + left), (1, 24, 12 + left)]
            let film = folder.file("film.mp4")
            _ = try render(try composition(Self.h264, as: "mp4", cuts), to: film, ["--video-codec", "h264"])
            try check(film, "mp4", cuts)
            let rates = try #require(try witness.streams(film).first)
            #expect(rates["r_frame_rate"] as? String == "25/1" && rates["avg_frame_rate"] as? String == "25/1")
        }

        @Test func everyJoinCanBeSoughtFor() throws {
            let film = folder.file("film.mp4")
            _ = try render(try composition(Self.h264, as: "mp4"), to: film, ["--video-codec", "h264"])
            try checkSeeking(film)
        }

        /// The bytes of copies do not depend on who renders, and a farm's job tells of them.
        @Test func theSameFilmForAnyWorkers() throws {
            let composition = try composition(Self.h264, as: "mp4")
            var films: [Data] = []
            for workers in ["1", "3"] {
                let film = folder.file("film\(workers).mp4")
                try program.render(
                    composition, to: film, ["--passthrough", "auto", "--video-codec", "h264", "--workers", workers])
                films.append(try Data(contentsOf: URL(fileURLWithPath: film)))
            }
            #expect(films[0] == films[1])
        }

        /// Task by task, as engines run them: what is copied is no task, and the film is the same.
        @Test func aPlanFolderCopiesWhenItStitches() throws {
            let composition = try composition(Self.h264, as: "mp4", [(0, 5, 31), (1, 12, 24)])
            let exported = try program.run([
                "export", "--openjd", composition, "-o", "plan", "--film", folder.file("film.mp4"), "--video-codec",
                "h264",
                "--passthrough", "auto", "--json",
            ])
            let tasks = try #require(exported.json?["tasks"] as? [String: Any], "\(exported)")
            let chunks = try #require(tasks["chunks"] as? String).split(separator: ",")
            for range in chunks {
                let ends = range.split(separator: "-").compactMap { Int($0) }
                for task in try #require(ends.first)...(try #require(ends.last)) {
                    let made = try program.run(["render-chunk", "plan", "\(task)"])
                    #expect(made.status == 0, "\(made)")
                }
            }
            let copied = try program.run(["render-chunk", "plan", "1"])
            #expect(copied.status != 0 && copied.standardError.contains("copied"), "\(copied)")
            let stitched = try program.run(["stitch", "plan"])
            #expect(stitched.status == 0, "\(stitched)")
            try check(folder.file("film.mp4"), "mp4", [(0, 5, 31), (1, 12, 24)])
        }

        /// A source that changes behind the plan fails the film, which is not put in its place.
        @Test func aSourceThatChangedIsFound() throws {
            let composition = try composition(Self.h264, as: "mp4", [(0, 12, 24)])
            let exported = try program.run([
                "export", "--openjd", composition, "-o", "plan", "--film", folder.file("film.mp4"), "--video-codec",
                "h264",
                "--passthrough", "auto",
            ])
            #expect(exported.status == 0, "\(exported)")
            try NumberedMedia.write(
                Self.frames, rate: "25", to: folder.file("s0.mp4"), coding: Self.h264, first: 7, with: witness)
            let stitched = try program.run(["stitch", "plan"])
            #expect(stitched.status != 0 && stitched.standardError.contains("s0.mp4"), "\(stitched)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("film.mp4")))
        }
    }
}
