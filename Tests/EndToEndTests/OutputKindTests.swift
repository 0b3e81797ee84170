import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// One command makes a film, its sound, stills of chosen moments and a waveform; ffmpeg's decode of the sources is
    /// what they are held against. Films that begin with a frame of theirs.
    @Suite struct OutputKindTests {
        private static let (width, height, frames) = (160, 96, 48)
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("output-kinds")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=160x96:r=24:d=2", "-f", "lavfi", "-i",
                "aevalsrc='(random(0)-0.5)*t/3|0.3*sin(2*PI*440*t)+0.1*random(1)':s=48000:d=2", "-vf",
                "scale=out_color_matrix=bt709,format=yuv444p", "-colorspace", "bt709", "-color_primaries", "bt709",
                "-color_trc", "bt709", "-color_range", "tv", "-c:v", "ffv1", "-c:a", "pcm_s16le",
                folder.file("source.mkv"),
            ])
        }

        private func composition(_ outputs: String, _ name: String = "film.json") throws -> String {
            try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"url":"source.mkv"}},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"a","source":["0s","2s"],"target":["0s","2s"]}]},
                {"id":2,"type":"audio","segments":[{"asset":"a","source":["0s","2s"],"target":["0s","2s"]}]}]},
                "video":{"renderSize":[160,96],"frameDuration":"1/24"},"outputs":[\(outputs)]}
                """, to: name)
        }

        /// 0.52 s is within frame 12; the moments are in no order.
        @Test func oneCommandMakesThemAll() throws {
            let file = try composition(
                """
                {"url":"film.mkv","videoSettings":{"codec":"ffv1","pixelFormat":"yuv444p"}},
                {"url":"sound.flac"},
                {"type":"images","url":"still-%02d.png","times":["1.5s","0s","0.52s","1.9s","1.5s"],
                 "toleranceBefore":"0/1","toleranceAfter":"+inf"},
                {"type":"images","url":"small-%d.jpg","times":["1/1"],"maximumSize":[99,99]},
                {"type":"images","url":"one.png","times":["0.52s"]},
                {"type":"waveform","url":"wave.json","samplesPerBucket":500},
                {"type":"waveform","url":"wave.dat","samplesPerBucket":500}
                """)
            let run = try program.run(["render", file, "--workers", "2"])
            #expect(run.status == 0, "\(run)")
            let flags = "scale=in_color_matrix=bt709:flags=accurate_rnd+full_chroma_int+full_chroma_inp"
            for (index, frame) in [36, 0, 12, 45, 36].enumerated() {
                let still = try witness.pixels(["-i", folder.file("still-0\(index + 1).png")], "null")
                let wanted = try [frame, frame == 0 ? 1 : frame - 1, frame + 1].map {
                    try witness.pixels(["-i", folder.file("source.mkv")], "select=eq(n\\,\($0)),\(flags)")
                }
                try #require(still.count == 3 * Self.width * Self.height && wanted[0].count == still.count)
                #expect(apart(still, wanted[0]) < 1, "still \(index + 1): \(apart(still, wanted[0]))")
                #expect(apart(still, wanted[0]) < 0.5 * min(apart(still, wanted[1]), apart(still, wanted[2])))
            }
            #expect(try bytes("one.png") == bytes("still-03.png"))
            let small = try #require(try witness.streams(folder.file("small-1.jpg")).first)
            // JPEG's sides are even here.
            #expect(small["width"] as? Int == 98 && small["height"] as? Int == 60)
            #expect(try witness.frameHashes(folder.file("film.mkv")) == witness.frameHashes(folder.file("source.mkv")))
            try checkWaveforms(try witness.samples(folder.file("sound.flac")))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.count { $0.hasPrefix("still-") } == 5 && names.count { $0.hasPrefix("small-") } == 1)
            #expect(!names.contains { $0.contains(".part") || $0.hasSuffix(".rms") }, "\(names)")
        }

        /// A name without a number is that of one moment's image, which is replaced only on request.
        @Test func aNameWithoutANumberIsOfOneImage() throws {
            let one = try composition(#"{"type":"images","url":"one.png","times":["0.52s"]}"#)
            #expect(try program.run(["render", one]).status == 0)
            let image = try bytes("one.png")
            let again = try program.run(["render", one])
            #expect(again.status == 5 && again.standardError.contains("one.png"), "\(again)")
            #expect(try program.run(["render", one, "--overwrite"]).status == 0)
            #expect(try bytes("one.png") == image)
            let two = try composition(#"{"type":"images","url":"two.png","times":["0.5s","1s"]}"#, "two.json")
            let refused = try program.run(["render", two])
            #expect(refused.status == 2 && refused.standardError.contains("several images"), "\(refused)")
            try FileManager.default.createDirectory(atPath: folder.file("three.png"), withIntermediateDirectories: true)
            let three = try composition(#"{"type":"images","url":"three.png","times":["0.5s"]}"#, "three.json")
            let folderThere = try program.run(["render", three, "--overwrite"])
            #expect(folderThere.status == 5 && folderThere.standardError.contains("folder"), "\(folderThere)")
        }

        @Test func theReportOfSoundAloneCountsSamples() throws {
            let run = try program.run(["render", try composition(""), "-o", folder.file("sound.flac"), "--json"])
            #expect(run.json?["samples"] as? Int == 96_000 && run.json?["frames"] as? Int == 0, "\(run)")
        }

        private func bytes(_ name: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
        }

        /// Least and most of the channels' mean in each bucket.
        private func checkWaveforms(_ channels: [[Float]]) throws {
            try #require(channels.count == 2 && channels[0].count == 96_000)
            let mean = zip(channels[0], channels[1]).map { ($0 + $1) / 2 }
            let wanted = stride(from: 0, to: mean.count, by: 500).flatMap { start -> [Int] in
                let part = mean[start..<min(mean.count, start + 500)].map { Int(($0 * 32768).rounded()) }
                return [part.min() ?? 0, part.max() ?? 0]
            }
            let json = try #require(
                try JSONSerialization.jsonObject(
                    with: Data(contentsOf: URL(fileURLWithPath: folder.file("wave.json")))) as? [String: Any])
            let found = try #require(json["data"] as? [Int])
            #expect(json["samples_per_pixel"] as? Int == 500 && json["sample_rate"] as? Int == 48_000)
            #expect(json["length"] as? Int == 192 && found.count == wanted.count)
            #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 1 })
            let bytes = try bytes("wave.dat")
            let values = stride(from: 24, to: bytes.count, by: 2).map { (place: Int) -> Int in
                Int(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
            }
            #expect(values == found)
        }

        /// What it would replace may be a composition, its own or another's.
        @Test func aWaveformReplacesWaveformsAlone() throws {
            let file = try composition(#"{"type":"waveform","url":"wave.json"}"#)
            let path = try folder.write("{\"format\":\"splitreel/1\"}", to: "wave.json")
            let refused = try program.run(["render", file, "--overwrite"])
            #expect(refused.status == 5 && refused.standardError.contains("no waveform"), "\(refused)")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\"format\":\"splitreel/1\"}")
            try FileManager.default.removeItem(atPath: path)
            for _ in 0..<2 { #expect(try program.run(["render", file, "--overwrite"]).status == 0) }
            #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("{\"version\":2,"))
        }

        /// Frame 36 stands for five frames, 10,000 samples of silence; then all is as without it. The range begins
        /// with frame 12.
        @Test(arguments: [("none", "1", false), ("0.4", "2", false), ("1", "2", true)])
        func aFilmBeginsWithAFrame(chunks: String, workers: String, hasRange: Bool) throws {
            let file = try composition("")
            let film = folder.file("led.mkv")
            var options = [
                "--poster-time", "1.51s", "--cover-frames", "5", "--video-codec", "ffv1", "--pixel-format", "yuv444p",
                "--chunk-seconds", chunks, "--sound-part-seconds", "1", "--workers", workers,
            ]
            if hasRange { options += ["--range", "0.5s,1.25s"] }
            try program.render(file, to: film, options)
            let source = try witness.frameHashes(folder.file("source.mkv"))
            let shown = hasRange ? 12..<42 : 0..<48
            #expect(try witness.frameHashes(film) == Array(repeating: source[36], count: 5) + source[shown])
            let sound = try witness.samples(folder.file("source.mkv"))
            let found = try witness.samples(film)
            for channel in 0..<2 {
                let part: ArraySlice<Float> = sound[channel][(shown.lowerBound * 2000)..<(shown.upperBound * 2000)]
                let wanted: [Float] = [Float](repeating: 0, count: 10_000) + part
                #expect(found[channel] == wanted, "channel \(channel)")
            }
            #expect(try program.run(["verify", film]).status == 0)
            let against = ["verify", film, "--against", file, "--cover-frames", "5", "--min-psnr", "90"]
            let range = hasRange ? ["--range", "0.5s,1.25s"] : []
            let right = try program.run(against + ["--poster-time", "1.51s"] + range)
            #expect(right.status == 0, "\(right)")
            #expect(try program.run(against + ["--poster-time", "1s"] + range).status == 8)
        }

        /// Chapters and subtitles move with the film; the first chapter begins with it. In an mp4 it is the cover, too.
        @Test func whatIsSaidOfTheFilmIsLater() throws {
            _ = try folder.write("1\n00:00:00,500 --> 00:00:01,000\nHello\n", to: "s.srt")
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"url":"source.mkv"},"s":{"kind":"subtitles","url":"s.srt"}},
                "chapters":[{"time":"0s","title":"One"},{"time":"1s","title":"Two"}],
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"a","source":["0s","2s"],"target":["0s","2s"]}]}]},
                "video":{"renderSize":[160,96],"frameDuration":"1/24","subtitles":[{"asset":"s","mode":"track"}]},
                "outputs":[{"url":"told.mp4","posterTime":"0.5s","coverFrames":12}]}
                """, to: "told.json")
            let run = try program.run(["render", file, "--workers", "2"])
            try #require(run.status == 0, "\(run)")
            let film = folder.file("told.mp4")
            let chapters = try witness.chapters(film).map { "\($0["start_time"] ?? "")" }
            #expect(chapters.map { Double($0) ?? -1 } == [0, 1.5], "\(chapters)")
            let cues = try witness.packets(film, stream: "s").filter { ($0["size"] as? String) != "2" }
            #expect(cues.count == 1 && abs((Double("\(cues[0]["pts_time"] ?? "")") ?? 0) - 1) < 0.002, "\(cues)")
            let covers = try witness.streams(film).filter {
                ($0["disposition"] as? [String: Any])?["attached_pic"] as? Int == 1
            }
            #expect(covers.count == 1)
        }

        /// A tone at double speed: kept by the usual way, an octave higher by varispeed, which the input of another
        /// composition names itself.
        @Test func anOutputSaysHowPitchIsKept() throws {
            try witness.ffmpeg(["-f", "lavfi", "-i", "sine=1000:r=48000:d=4", folder.file("tone.wav")])
            for (input, expected) in [("", [1000, 2000]), (#","pitch":"spectral""#, [1000, 1000])] {
                let file = try folder.write(
                    """
                    {"format":"splitreel/1","assets":{"t":{"url":"tone.wav"}},
                    "composition":{"tracks":[{"id":1,"type":"audio","segments":[
                    {"asset":"t","source":["0s","4s"],"target":["0s","2s"]}]}]},
                    "audio":{"inputs":[{"track":1\(input)}]},
                    "outputs":[{"url":"kept.flac"},{"url":"higher.flac","pitch":"varispeed"}]}
                    """, to: "pitch.json")
                let run = try program.run(["render", file, "--workers", "1", "--overwrite"])
                try #require(run.status == 0, "\(run)")
                let found = try ["kept.flac", "higher.flac"].map { name -> Double in
                    let sound = try witness.samples(folder.file(name))[0]
                    let middle = sound[24_000..<72_000]
                    return Double(zip(middle, middle.dropFirst()).count { ($0 < 0) != ($1 < 0) }) / 2
                }
                #expect(zip(found, expected).allSatisfy { abs($0 - Double($1)) <= 3 }, "\(found)")
            }
        }

        /// A sequence would have replaced the picture that it is made from.
        @Test func aSequenceReplacesNoSource() throws {
            try witness.ffmpeg(["-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", folder.file("p-3.png")])
            let picture = URL(fileURLWithPath: folder.file("p-3.png"))
            let before = try Data(contentsOf: picture)
            let clip = #"{"asset":"p","target":["0s","1s"]}"#
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"p":{"url":"p-3.png"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[\(clip)]}]},"video":{"renderSize":[64,64],"frameDuration":"1/5"},
                "outputs":[{"url":"p-%d.png"}]}
                """, to: "picture.json")
            for arguments in [["validate", file], ["render", file, "--overwrite"]] {
                let run = try program.run(arguments)
                #expect(run.status != 0, "\(run)")
                #expect((run.text + run.standardError).contains("one of these images"), "\(run)")
            }
            // Names of three digits are others, and so are later numbers.
            try program.render(file, to: folder.file("p-%d.png"), ["--start-number", "4"])
            try program.render(file, to: folder.file("p-%03d.png"))
            #expect(try Data(contentsOf: picture) == before)
        }

        /// A name that says nothing is one, where the file type is said.
        @Test func aFileTypeNeedsNoEnding() throws {
            let own = try program.run(["render", composition(#"{"url":"film","fileType":"mkv"}"#, "named.json")])
            #expect(own.status == 0, "\(own)")
            try program.render(composition(#"{"url":"o.mp4"}"#), to: folder.file("other"), ["--format", "mov"])
            for (name, format) in [("film", "matroska"), ("other", "mov")] {
                let found = try #require(try witness.format(folder.file(name))["format_name"] as? String)
                #expect(found.contains(format), "\(found)")
            }
        }

        /// Loudness as players hear it: that of speech with pauses moves by tenths where it is measured some hundred
        /// samples elsewhere, such as with what coders put in front.
        @Test(arguments: ["l.m4a", "l.mp3", "l.ogg", "l.mp4"]) func speechIsAsLoudAsIsSaid(name: String) throws {
            let speech = try #require(SourceTree.corpusFile("audio/fo_debian.wav"))
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"s":{"url":"\(speech)"}},"composition":{"tracks":[
                {"id":1,"type":"audio","segments":[{"asset":"s","source":["0s","5s"],"target":["0s","5s"]}]}]},
                "audio":{"loudness":{"target":-23}},
                "outputs":[{"url":"\(name)","audioSettings":{"channels":1,"bitRate":64000}}]}
                """, to: "speech.json")
            let run = try program.run(["render", file])
            #expect(run.status == 0 && !run.standardError.contains("warning"), "\(run)")
            let text = try witness.ffmpeg([
                "-v", "info", "-i", folder.file(name), "-af", "ebur128", "-f", "null", "-",
            ]).standardError
            let summary = try #require(text.range(of: "Summary:", options: .backwards)).upperBound
            let words = text[summary...].split(whereSeparator: \.isWhitespace)
            let loudness = try #require(words.firstIndex(of: "I:").flatMap { Double(words[$0 + 1]) })
            #expect(abs(loudness + 23) <= 0.2, "\(loudness)")
        }

        /// Whoever reads a pipe would wait for ever, and a device would be gone.
        @Test func aPipeIsNotReplaced() throws {
            let pipe = folder.file("pipe.mp4")
            #expect(mkfifo(pipe, 0o600) == 0)
            let run = try program.run([
                "render", composition(#"{"url":"o.mp4"}"#), "-o", pipe, "--overwrite",
            ])
            #expect(run.status == 5 && run.standardError.contains("a pipe"), "\(run)")
            var facts = stat()
            #expect(stat(pipe, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
        }

        @Test func whatWouldReplaceItsSourceIsInvalid() throws {
            let run = try program.run(["validate", composition(#"{"url":"source.mkv"}"#)])
            let told = run.text + run.standardError
            #expect(run.status == 3 && told.contains("outputs[0]"), "\(run)")
            #expect(told.contains("made from this very file"), "\(run)")
        }

        /// Faults of the form, of the file's sense, of what a container takes and of two outputs. OutputRefusalTests of
        /// Preparation know the others.
        @Test(arguments: [
            (#"{"type":"images","url":"s-%d.png","times":["2s"]}"#, "times"),
            (#"{"url":"f.mp4","size":[0,9]}"#, "outputs[0].size"),
            (#"{"url":"f.mp4","videoSettings":{"codec":"ffv1"}}"#, "outputs[0].videoSettings.codec"),
            (#"{"url":"s-%d.png"},{"url":"s-%02d.png","startNumber":12}"#, "goes to the same file"),
        ])
        func whatCannotBeIsRefused(output: String, word: String) throws {
            let file = try composition(output, "wrong.json")
            for command in ["render", "validate"] {
                let run = try program.run([command, file])
                let told = run.text + run.standardError
                #expect(run.status != 0 && told.contains(word), "\(command): \(run.status) \(told)")
            }
        }
    }
}
