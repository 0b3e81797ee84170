import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Tracks of text and of data, in and out: what counts is what ffprobe and ffmpeg read.
    @Suite struct TextTrackTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("text-tracks")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private struct Cue: Equatable, CustomStringConvertible {
            var start, end: String
            var text: String

            var description: String { "\(start)-\(end) \(text)" }
        }

        /// The cues of one text stream that ffprobe tells, without empty samples; times in seconds as it writes them.
        private func cues(_ file: String, _ stream: Int) throws -> [Cue] {
            let packets = try witness.packets(file, stream: "\(stream)", ["-show_data"])
            return packets.compactMap { packet in
                guard let start = packet["pts_time"] as? String, let length = packet["duration_time"] as? String,
                    let dump = packet["data"] as? String, let first = Double(start), let duration = Double(length)
                else { return nil }
                let bytes = Self.bytes(dump)
                let count = bytes.count < 2 ? 0 : Int(bytes[0]) << 8 | Int(bytes[1])
                let isMov = bytes.count >= 2 && count <= bytes.count - 2
                let text = isMov ? Array(bytes[2..<(2 + count)]) : bytes
                return text.isEmpty
                    ? nil
                    : Cue(
                        start: start, end: String(format: "%.6f", first + duration),
                        text: String(decoding: text, as: UTF8.self))
            }
        }

        /// The bytes that ffprobe's table shows. Its lines have an address, eight groups of digits, and the characters.
        private static func bytes(_ dump: String) -> [UInt8] {
            dump.split(separator: "\n").flatMap { line -> [UInt8] in
                let digits = line.dropFirst(10).prefix(39).filter { $0.isHexDigit }
                return stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
                    UInt8(digits.dropFirst(place).prefix(2), radix: 16)
                }
            }
        }

        private func texts(_ file: String) throws -> [[String: Any]] {
            try witness.streams(file).filter { $0["codec_type"] as? String == "subtitle" }
        }

        /// A sample of mov_text has 65,535 bytes; beside each other they have room in Matroska.
        @Test func moreTextAtOnceThanASampleHolds() throws {
            let lines = (0..<7000).map { index in
                "\(index + 1)\n00:00:00,\(String(format: "%03d", index / 10)) --> 00:00:02,000\ntext \(index)\n"
            }
            _ = try folder.write(lines.joined(separator: "\n"), to: "many.srt")
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"bars"},"s":{"kind":"subtitles","url":"many.srt"}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","2s"]}]}]},
                "video":{"renderSize":[64,36],"frameDuration":"1/25","subtitles":[{"asset":"s","mode":"track"}]}}
                """, to: "many.json")
            let run = try program.run(["render", file, "-o", folder.file("many.mp4"), "--json"])
            #expect(run.status == 2, "\(run)")
            #expect(run.standardError.contains("65535 bytes of text at a time") && run.standardError.contains("mkv"))
            try program.render(file, to: folder.file("many.mkv"))
            #expect(try cues(folder.file("many.mkv"), 1).count == 7000)
        }

        private static let subRip = """
            1
            00:00:00,500 --> 00:00:01,250
            One <b>bold</b> & <i>more</i>

            2
            00:00:02,000 --> 00:00:03,500
            two
            lines

            3
            00:00:03,500 --> 00:00:09,000
            to the end
            """

        /// A track of text at double speed after an empty second, one of data, and subtitles as a track.
        private func composition() throws -> String {
            _ = try folder.write(Self.subRip, to: "a.srt")
            let data = (0..<8).map { "{\"start\": \(Double($0) / 2), \"speed\": \(10 + $0)}" }
            _ = try folder.write(data.joined(separator: "\n"), to: "gps.jsonl")
            return try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"bars"},"s":{"kind":"subtitles","url":"a.srt"},
                "d":{"kind":"timedMetadata","url":"gps.jsonl"}},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","4s"]}]},
                {"id":2,"type":"subtitle","language":"pt-BR","name":"Fast","disposition":["forced"],"segments":[
                {"target":["0s","1s"]},{"asset":"s","source":["0s","4s"],"target":["1s","2s"]}]},
                {"id":3,"type":"metadata","name":"GPS","segments":[
                {"asset":"d","source":["1s","2s"],"target":["0s","3s"]}]}]},
                "video":{"renderSize":[128,72],"frameDuration":"1001/30000",
                "subtitles":[{"asset":"s","mode":"track","language":"de","offset":"1/3","disposition":["default"]}]}}
                """, to: "film.json")
        }

        /// In fragments a track of text ends with the film, too: 120 frames of 1001/30000 s.
        @Test(arguments: ["mp4", "mov"]) func tracksInFragments(ending: String) throws {
            let film = folder.file("film.\(ending)")
            try program.render(
                try composition(), to: film, ["--workers", "1", "--chunk-seconds", "1", "--fragmented"])
            let streams = try witness.streams(film)
            #expect(streams.compactMap { $0["duration"] as? String }.count == 4)
            for stream in streams {
                let duration = try #require((stream["duration"] as? String).flatMap(Double.init))
                #expect(abs(duration - 4.004) < 0.0001, "\(stream)")
            }
            // Texts begin as they do in one piece; what is between them is empty.
            let starts = try (1...3).map { place in
                try witness.packets(film, stream: "\(place)").compactMap { packet -> String? in
                    packet["size"] as? String == "2" ? nil : packet["pts_time"] as? String
                }
            }
            #expect(
                starts == [
                    ["0.833333", "2.333333", "3.833333"], ["1.250000", "2.000000", "2.750000"],
                    ["0.000000", "0.750000", "1.500000", "2.250000"],
                ])
        }

        @Test(arguments: ["mp4", "mov", "mkv"]) func tracksInFilms(ending: String) throws {
            let film = folder.file("film.\(ending)")
            try program.render(try composition(), to: film, ["--workers", "2", "--chunk-seconds", "1"])
            let streams = try texts(film)
            let isMatroska = ending == "mkv"
            #expect(
                streams.map { $0["codec_name"] as? String }
                    == (isMatroska ? ["subrip", "subrip", "webvtt"] : ["mov_text", "mov_text", "mov_text"]))
            func tag(_ name: String, _ place: Int) -> String? {
                let tags = streams[place]["tags"] as? [String: String] ?? [:]
                return tags[name] ?? tags[name.uppercased()]
            }
            #expect(["deu", "ger"].contains(tag("language", 0)))
            #expect(tag("language", 1) == "por")
            #expect(tag(isMatroska ? "title" : "handler_name", 1) == "Fast")
            #expect(tag(isMatroska ? "title" : "handler_name", 2) == "GPS")
            let dispositions = streams.map { $0["disposition"] as? [String: Int] ?? [:] }
            #expect(dispositions[0]["default"] == 1)
            if ending != "mov" { #expect(dispositions[1]["forced"] == 1) }
            let bold = isMatroska ? "One <b>bold</b> & <i>more</i>" : "One bold & more"
            let rounds = isMatroska
            // A third of a second later; whole in a clock that is a multiple of 3, rounded to milliseconds in Matroska.
            #expect(
                try cues(film, 1) == [
                    Cue(start: rounds ? "0.833000" : "0.833333", end: rounds ? "1.583000" : "1.583333", text: bold),
                    Cue(
                        start: rounds ? "2.333000" : "2.333333", end: rounds ? "3.833000" : "3.833333",
                        text: "two\nlines"),
                    Cue(start: rounds ? "3.833000" : "3.833333", end: "4.000000", text: "to the end"),
                ])
            #expect(
                try cues(film, 2) == [
                    Cue(start: "1.250000", end: "1.625000", text: bold),
                    Cue(start: "2.000000", end: "2.750000", text: "two\nlines"),
                    Cue(start: "2.750000", end: "3.000000", text: "to the end"),
                ])
            // At two thirds of the speed: a sample of half a second lasts 0.75 s.
            #expect(
                try cues(film, 3)
                    == (0..<4).map { index in
                        Cue(
                            start: String(format: "%.6f", Double(index) * 0.75),
                            end: String(format: "%.6f", Double(index + 1) * 0.75), text: "{\"speed\":\(12 + index)}")
                    })
            let verified = try program.run(["verify", film])
            #expect(verified.status == 0, "\(verified)")
        }

        /// A range of the film has a range of the text.
        @Test func aRange() throws {
            let film = folder.file("range.mp4")
            try program.render(try composition(), to: film, ["--range", "1.5s,1s"])
            #expect(
                try cues(film, 2) == [
                    Cue(start: "0.000000", end: "0.125000", text: "One bold & more"),
                    Cue(start: "0.500000", end: "1.000000", text: "two\nlines"),
                ])
        }

        /// An ASS script stays one in Matroska; what comes out of the film can be drawn again and is the same picture.
        @Test func scriptsGoInAndComeOut() throws {
            let script = """
                [Script Info]
                ScriptType: v4.00+
                PlayResX: 256
                PlayResY: 144

                [V4+ Styles]
                Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, \
                Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, \
                MarginL, MarginR, MarginV, Encoding
                Style: Default,DejaVu Sans,24,&H0000FFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,5,\
                0,0,0,1

                [Events]
                Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
                Dialogue: 0,0:00:00.20,0:00:00.80,Default,,0,0,0,,Hello, {\\i1}you
                """
            let path = try folder.write(script, to: "a.ass")
            func film(_ asset: String, _ mode: String, _ name: String) throws -> String {
                let file = try folder.write(
                    """
                    {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0,0.2,0.4,1]},"s":\(asset)},
                    "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1s"]}]}]},
                    "video":{"renderSize":[256,144],"frameDuration":"1/25",
                    "subtitles":[{"asset":"s","mode":"\(mode)"}]}}
                    """, to: name + ".json")
                try program.render(file, to: folder.file(name), ["--video-codec", "ffv1"])
                return folder.file(name)
            }
            let both = try film("{\"kind\":\"subtitles\",\"url\":\"a.ass\"}", "both", "both.mkv")
            #expect(try texts(both).map { $0["codec_name"] as? String } == ["ass"])
            let back = folder.file("back.ass")
            try witness.ffmpeg(["-i", both, "-map", "0:s:0", back])
            let text = try String(contentsOfFile: back, encoding: .utf8)
            #expect(text.contains("Dialogue: 0,0:00:00.20,0:00:00.80,Default,,0,0,0,,Hello, {\\i1}you"))
            #expect(text.contains("Style: Default,DejaVu Sans,24,"))
            let again = try film("{\"url\":\"both.mkv\"}", "burn", "again.mkv")
            #expect(try texts(again).isEmpty)
            #expect(try witness.luma(again) == witness.luma(both))
            let carried = try film("{\"kind\":\"subtitles\",\"url\":\"\(path)\"}", "track", "carried.mkv")
            let plain = try witness.luma(carried)
            #expect(plain.allSatisfy { $0 == plain[0] })
            let shown = try witness.luma(both).map { $0 != plain[0] }
            #expect(shown == (0..<25).map { (5..<20).contains($0) })
        }

        /// Text tracks that ffmpeg wrote, of each kind, drawn as the file that they came from.
        @Test(arguments: [("mp4", "mov_text"), ("mkv", "subrip"), ("mkv", "webvtt")])
        func tracksOfFilmsAreDrawn(ending: String, codec: String) throws {
            _ = try folder.write(Self.subRip.replacingOccurrences(of: "& ", with: ""), to: "b.srt")
            let source = folder.file("source.\(ending)")
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "color=gray:s=256x144:r=25:d=4", "-i", folder.file("b.srt"), "-c:v", "libx264",
                "-c:s", codec, source,
            ])
            func film(_ asset: String, _ name: String) throws -> [[UInt8]] {
                let file = try folder.write(
                    """
                    {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0,0.2,0.4,1]},"s":\(asset)},
                    "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","4s"]}]}]},
                    "video":{"renderSize":[256,144],"frameDuration":"1/10","subtitles":[{"asset":"s"}]}}
                    """, to: name + ".json")
                try program.render(file, to: folder.file(name), ["--video-codec", "ffv1"])
                return try witness.luma(folder.file(name))
            }
            let wanted = try film("{\"kind\":\"subtitles\",\"url\":\"b.srt\"}", "wanted.mkv")
            #expect(try film("{\"url\":\"\(source)\"}", "drawn.mkv") == wanted)
            #expect(Set(wanted).count == 4)
        }

        @Test func whatCannotBeIsRefused() throws {
            try witness.ffmpeg(["-f", "lavfi", "-i", "color=gray:s=64x64:r=25:d=1", folder.file("bare.mp4")])
            func said(_ subtitles: String) throws -> String {
                let file = try folder.write(
                    """
                    {"format":"splitreel/1","assets":{"a":{"url":"bare.mp4"}},"composition":{"tracks":[
                    {"id":1,"type":"video","segments":[{"asset":"a","source":["0s","1s"],"target":["0s","1s"]}]}]},
                    "video":{"subtitles":[\(subtitles)]}}
                    """, to: "no.json")
                let result = try program.run(["render", file, "-o", folder.file("no.mkv")])
                #expect(result.status != 0)
                return "\(result)"
            }
            #expect(try said("{\"asset\":\"a\"}").contains("`a` has no track of text that can be read"))
            #expect(try said("{\"asset\":\"a\",\"track\":1}").contains("is video, h264, not text"))
            #expect(try said("{\"asset\":\"a\",\"track\":7}").contains("no track 7"))
        }
    }
}
