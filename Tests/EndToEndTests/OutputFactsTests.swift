import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Facts of containers, images and presets that ffprobe and ffmpeg read back.
    @Suite struct OutputFactsTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("output-facts")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// Two seconds, or less of them, of pictures and noise.
        private func composition(_ seconds: String, size: (Int, Int) = (160, 96), subtitles: String = "") throws
            -> String
        {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=\(size.0)x\(size.1):r=25:d=2", "-f", "lavfi", "-i",
                "anoisesrc=r=48000:d=2:a=0.3:seed=3", "-vf", "scale=out_color_matrix=bt709,format=yuv420p",
                "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
                "-c:v", "ffv1", "-c:a", "pcm_s16le", folder.file("source.mkv"),
            ])
            let asset = subtitles.isEmpty ? "" : ",\"s\":{\"kind\":\"subtitles\",\"url\":\"\(subtitles)\"}"
            let shown = subtitles.isEmpty ? "" : ",\"subtitles\":[{\"asset\":\"s\",\"mode\":\"track\"}]"
            let clip = Text.clip("a", "0s", seconds, at: "0s")
            return try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"url":"source.mkv"}\(asset)},
                "composition":{"tracks":[\(Text.track(1, "video", clip)),\(Text.track(2, "audio", clip))]},
                "video":{"renderSize":[\(size.0),\(size.1)],"frameDuration":"1/25"\(shown)}}
                """, to: "film.json")
        }

        private static let subRip = """
            1
            00:00:00,200 --> 00:00:00,700
            One & two

            2
            00:00:01,000 --> 00:00:01,500
            lines
            of three

            3
            00:00:01,500 --> 00:00:01,960
            Grüße, 日本
            """

        /// In webm Opus begins some milliseconds before the film, and ffmpeg counts from there unless it copies times.
        @Test(arguments: [("webm", "webvtt"), ("mkv", "subrip")]) func cuesComeBack(ending: String, codec: String)
            throws
        {
            _ = try folder.write(Self.subRip, to: "s.srt")
            let film = folder.file("film." + ending)
            let preset = ending == "webm" ? ["--encoder-preset", "8"] : []
            try program.render(
                try composition("2s", subtitles: "s.srt"), to: film, ["--chunk-seconds", "0.5"] + preset)
            let texts = try witness.streams(film).filter { $0["codec_type"] as? String == "subtitle" }
            #expect(texts.map { $0["codec_name"] as? String } == [codec])
            let found = try witness.ffmpeg(["-copyts", "-i", film, "-map", "0:s:0", "-f", "srt", "-"]).text
            // ffmpeg ends the lines within a cue in its own way.
            let lines = found.replacingOccurrences(of: "\r\n", with: "\n")
            #expect(lines.trimmingCharacters(in: .whitespacesAndNewlines) == Self.subRip)
        }

        /// Each image is its frame's, and no neighbour's.
        @Test func jpegsShowTheirFrames() throws {
            _ = try folder.folder("set")
            try program.render(try composition("0.4s"), to: folder.file("set/%03d.jpg"), ["--chunk-seconds", "0.2"])
            #expect(try folder.names(in: "set") == (1...10).map { String(format: "%03d.jpg", $0) })
            let flags = "flags=accurate_rnd+full_chroma_int+full_chroma_inp"
            let frames = try (0..<11).map {
                try witness.pixels(
                    ["-i", folder.file("source.mkv")], "select=eq(n\\,\($0)),scale=in_color_matrix=bt709:\(flags)")
            }
            for index in 0..<10 {
                let image = folder.file(String(format: "set/%03d.jpg", index + 1))
                let found = try witness.pixels(["-i", image], "scale=\(flags)")
                try #require(found.count == 3 * 160 * 96 && frames[index].count == found.count)
                let own = apart(found, frames[index])
                let others = [index - 1, index + 1].filter { $0 >= 0 }.map { apart(found, frames[$0]) }
                #expect(own < 4 && others.allSatisfy { own < 0.8 * $0 }, "\(index): \(own), \(others)")
            }
        }

        /// SMPTE ST 377-1 and 378: the label of operational pattern 1a has 01 for one item and 01 for one package as
        /// its 13th and 14th byte; the bits of the next one say that essence lies within, as a stream, in several
        /// tracks.
        @Test(arguments: ["mpeg2", "prores", "dnxhr"]) func mxfIsOfPattern1a(codec: String) throws {
            let film = folder.file("film.mxf")
            let size = codec == "dnxhr" ? (256, 144) : (160, 96)
            try program.render(try composition("0.4s", size: size), to: film, ["--video-codec", codec])
            let tags = try witness.format(film)["tags"] as? [String: String]
            let label = try #require(tags?["operational_pattern_ul"]).replacingOccurrences(of: ".", with: "")
            let bytes = stride(from: 0, to: label.count - 1, by: 2).compactMap {
                UInt8(label.dropFirst($0).prefix(2), radix: 16)
            }
            // The eighth is the register's version.
            try #require(bytes.count == 16)
            #expect(Array(bytes[0..<7]) == [0x06, 0x0E, 0x2B, 0x34, 0x04, 0x01, 0x01])
            #expect(Array(bytes[8..<14]) == [0x0D, 0x01, 0x02, 0x01, 0x01, 0x01] && bytes[14] == 0b1001, "\(label)")
            #expect(try witness.frameHashes(film).count == 10)
            #expect(try witness.samples(film).map(\.count) == [19_200, 19_200])
        }
    }
}
