import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// No file is longer than it may be, and noise takes what there is: lengths are the disk's.
    @Suite struct FileLengthFilmTests {
        private static let coding = ["--encoder-preset", "veryfast", "--audio-codec", "aac", "--audio-bitrate", "64k"]

        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("file-length")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// Noise to see and to hear: at the usual quality two seconds of it take 480 kB.
        private func composition(seconds: Int = 2) throws -> String {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=\(seconds),noise=alls=60:allf=t:all_seed=5", "-f",
                "lavfi", "-i", "anoisesrc=r=48000:d=\(seconds):a=0.5:seed=7", "-vf", "format=yuv420p", "-c:v", "ffv1",
                "-c:a", "pcm_s16le", folder.file("source.mkv"),
            ])
            let clip = Text.clip("a", "0s", "\(seconds)s", at: "0s")
            return try folder.write(
                Text.project(
                    ["a": "source.mkv"], [Text.track(1, "video", clip), Text.track(2, "audio", clip)], size: (160, 90),
                    frame: "1/25"), to: "film.json")
        }

        private func length(_ film: String) throws -> Int {
            try Data(contentsOf: URL(fileURLWithPath: film)).count
        }

        /// The share of the limit that the film takes; it decodes and has all its frames.
        private func share(_ name: String, _ limit: Int, _ composition: String, _ options: [String]) throws -> Double {
            let film = folder.file(name)
            try program.render(composition, to: film, ["--file-length-limit", "\(limit)", "--overwrite"] + options)
            try witness.decodeStrictly(film)
            #expect(try witness.packets(film, stream: "v:0").count == 50)
            return Double(try length(film)) / Double(limit)
        }

        /// A pass alone has a buffer of a second for each film, which short ones cannot use up.
        @Test(arguments: [("h264", "mp4"), ("hevc", "mkv")]) func onePass(codec: String, ending: String) throws {
            let file = try composition()
            for chunks in ["none", "0.5"] {
                let options = Self.coding + ["--video-codec", codec, "--chunk-seconds", chunks]
                let share = try share("film." + ending, 150_000, file, options)
                #expect(share <= 1 && share > 0.6, "\(codec) in \(ending), chunks \(chunks): \(share)")
            }
        }

        /// Two passes share the bits out, so that nearly all of them are used, whatever the limit is. Encodings of
        /// noise miss their bits by some hundredths, and mkv reserves some thousands of bytes for its index.
        @Test(arguments: [("mp4", 155_000), ("mkv", 150_000)])
        func twoPasses(ending: String, limit: Int) throws {
            let options = Self.coding + ["--video-bitrate", "2M", "--two-pass", "--chunk-seconds", "0.5"]
            let share = try share("film." + ending, limit, try composition(), options)
            #expect(share <= 1 && share > 0.85, "\(ending) of \(limit) bytes: \(share)")
        }

        /// What was asked for and fits stays as it is.
        @Test func aLimitThatIsNotReachedChangesNoPicture() throws {
            let file = try composition()
            let options = Self.coding + ["--video-bitrate", "300k", "--two-pass", "--chunk-seconds", "0.5"]
            _ = try share("limited.mp4", 400_000, file, options)
            try program.render(file, to: folder.file("free.mp4"), options)
            #expect(
                try witness.frameHashes(folder.file("limited.mp4")) == witness.frameHashes(folder.file("free.mp4")))
        }

        /// Ten seconds at 128 kb/s are 160 kB, of which Opus takes 110 for this noise; an index comes on top.
        @Test(arguments: [("ogg", "opus"), ("m4a", "aac"), ("mp3", "mp3")])
        func soundAlone(ending: String, codec: String) throws {
            let file = try composition(seconds: 10)
            let film = folder.file("sound." + ending)
            let options = ["--audio-codec", codec, "--audio-bitrate", "128k", "--file-length-limit"]
            try program.render(file, to: film, options + ["230000"])
            let found = try length(film)
            #expect(found <= 230_000 && Double(found) > 0.4 * 230_000, "\(found)")
            try witness.decodeStrictly(film)
            let samples = try witness.samples(film)
            #expect(samples.count == 2 && samples.allSatisfy { abs($0.count - 480_000) <= 2400 })
            let small = folder.file("small." + ending)
            let refused = try program.run(["render", file, "-o", small] + options + ["100000"])
            #expect(refused.status == 2 && refused.standardError.contains("--audio-bitrate"), "\(refused)")
        }

        private static let noise = "anoisesrc=r=48000:d=6:a=0.8:seed=7"
        private static let sweep = "aevalsrc='0.8*sin(10*PI*(400*t*t))':s=48000:d=6"

        /// What a refusal says that the film needs is enough, for sounds that take more than others as well.
        @Test(arguments: [
            (("ogg", "opus", "32k"), noise), (("mkv", "opus", "64k"), sweep), (("ogg", "vorbis", "128k"), noise),
            (("ogg", "vorbis", "128k"), sweep), (("mp3", "mp3", "64k"), noise),
        ])
        func theLeastLimitIsEnough(coding: (ending: String, codec: String, rate: String), source: String) throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", source, "-ac", "2", "-c:a", "pcm_s16le", folder.file("source.wav"),
            ])
            let clip = Text.clip("a", "0s", "6s", at: "0s")
            let file = try folder.write(
                Text.project(["a": "source.wav"], [Text.track(1, "audio", clip)], size: (160, 90), frame: nil),
                to: "sound.json")
            let film = folder.file("sound." + coding.ending)
            let options = ["--audio-codec", coding.codec, "--audio-bitrate", coding.rate, "--file-length-limit"]
            let refused = try program.run(["render", file, "-o", film] + options + ["900"])
            let least = try #require(
                refused.standardError.firstMatch(of: /needs (\d+) bytes at least/).flatMap { Int($0.1) }, "\(refused)")
            try program.render(file, to: film, options + ["\(least)"])
            let found = try length(film)
            #expect(found <= least && found > 10_000, "\(found) of \(least)")
            let samples = try witness.samples(film)
            #expect(samples.count == 2 && samples.allSatisfy { abs($0.count - 288_000) <= 2400 })
        }

        /// What is to be cut off at the end is cut off once.
        @Test(arguments: [
            ("libopus", 4.0), ("libopus", 1.003), ("libvorbis", 4.0), ("libvorbis", 2.5), ("flac", 1.003),
        ])
        func oggIsAsLongAsItDecodes(coder: String, seconds: Double) throws {
            let file = folder.file("long.ogg")
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "anoisesrc=r=48000:d=\(seconds):a=0.3:seed=3", "-c:a", coder, file,
            ])
            let count = try witness.samples(file)[0].count
            #expect(abs(count - Int((seconds * 48_000).rounded())) <= 1)
            let probed = try program.run(["probe", file])
            #expect(probed.text.contains(" \(count) samples"), "\(probed)")
        }

        /// libavformat tells the length of an only page's last packet modulo 2³².
        @Test(arguments: [0.02, 0.1, 0.3, 0.5]) func shortVorbisIsAsLongAsItIs(seconds: Double) throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "anoisesrc=r=48000:d=1:a=0.3:seed=3", "-c:a", "pcm_s16le",
                folder.file("source.wav"),
            ])
            let clip = Text.clip("a", "0s", "\(seconds)s", at: "0s")
            let file = try folder.write(
                Text.project(["a": "source.wav"], [Text.track(1, "audio", clip)], size: (160, 90), frame: nil),
                to: "short.json")
            let film = folder.file("short.ogg")
            try program.render(file, to: film, ["--audio-codec", "vorbis"])
            // ffmpeg 5.1 does not cut off what is beyond the last page's sample; its number stands in that page.
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: film)))
            let page = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("OggS".utf8)) })
            let end = bytes[(page + 6)..<(page + 14)].reversed().reduce(0) { $0 << 8 | Int($1) }
            #expect(end == Int((seconds * 48_000).rounded()))
            let probed = try program.run(["probe", film])
            // Of an only page libavformat begins at the first packet, which has no samples: half a block is missing.
            let count = try #require(probed.text.firstMatch(of: /(\d+) samples/).flatMap { Int($0.1) }, "\(probed)")
            #expect(count <= end && count >= end - 64, "\(count) of \(end)")
            #expect(try program.run(["verify", film]).status == 0)
        }

        /// How long sound without a bit rate becomes is known when it is there; nothing is left where it is too long.
        @Test(arguments: [("flac", "flac"), ("ogg", "vorbis")])
        func soundWithoutARateIsChecked(ending: String, codec: String) throws {
            let file = try composition()
            let film = folder.file("sound." + ending)
            let options = ["--audio-codec", codec, "--file-length-limit"]
            try program.render(file, to: film, options + ["400000"])
            let found = try length(film)
            #expect(found <= 400_000 && found > 10_000)
            try FileManager.default.removeItem(atPath: film)
            let refused = try program.run(["render", file, "-o", film] + options + ["\(found - 1)"])
            #expect(refused.status == 8 && refused.standardError.contains("\(found) bytes"), "\(refused)")
            #expect(refused.standardError.contains("failed: \(film)\n") && !refused.standardError.contains("/.sound"))
            let left = try folder.names()
            #expect(!left.contains { $0.contains("sound") }, "\(left)")
            try program.render(file, to: film, options + ["\(found)"])
            #expect(try length(film) == found)
        }
    }
}
