import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Outputs of pixels that are not square: as many columns as show the canvas, scaled once, and tagged.
    @Suite struct PixelAspectTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private static let coding = [
            "-c:v", "ffv1", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
        ]

        init() throws {
            folder = try TestFolder("aspect")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try witness.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.4", "-pix_fmt", "yuv420p"] + Self.coding
                    + [folder.file("a.mkv")])
        }

        private func project(_ settings: String, url: String) throws -> String {
            try project([(url, settings)])
        }

        private func project(_ outputs: [(url: String, settings: String)]) throws -> String {
            let text = Text.project(
                ["a": "a.mkv"], [Text.track(1, "video", Text.clip("a", "0s", "0.4s", at: "0s"))], size: (320, 180),
                frame: "1/25")
            let list = outputs.map { "{\"url\":\"\($0.url)\",\"videoSettings\":{\($0.settings)}}" }
            let output = "\"outputs\":[\(list.joined(separator: ","))],\"audio\""
            return try folder.write(text.replacingOccurrences(of: "\"audio\"", with: output), to: "cut.json")
        }

        private func picture(_ file: String) throws -> [String: Any] {
            try #require(try witness.streams(file).first { $0["codec_type"] as? String == "video" })
        }

        /// In decibels, of the luma of all frames.
        private func likeness(_ left: String, _ right: String) throws -> Double {
            let (a, b) = (try witness.luma(left), try witness.luma(right))
            #expect(a.count == b.count && a.first?.count == b.first?.count)
            var sum = 0
            for (one, other) in zip(a, b) {
                for (x, y) in zip(one, other) { sum += (Int(x) - Int(y)) * (Int(x) - Int(y)) }
            }
            return sum == 0 ? 99 : 10 * log10(255 * 255 * Double(a.count * (a.first?.count ?? 0)) / Double(sum))
        }

        /// 320 square pixels are 300 of 16:15, 426.7 of 3:4 and 225 of 64:45: the nearest even number of columns.
        private static let films: [(codec: String, name: String, aspect: [Int], width: Int)] = [
            ("ffv1", "g.mkv", [16, 15], 300), ("h264", "b.mp4", [16, 15], 300), ("hevc", "c.mov", [32, 24], 240),
            ("prores", "d.mov", [3, 4], 426), ("h264", "e.mkv", [64, 45], 226), ("ffv1", "f.mkv", [8, 8], 320),
        ]

        /// One job makes them all: SeveralOutputsTests say that each is what it is alone.
        @Test func columnsShowTheCanvas() throws {
            let outputs = Self.films.map { film in
                let quality = film.codec == "h264" ? ",\"crf\":4" : ""
                return (
                    url: film.name, settings: "\"codec\":\"\(film.codec)\",\"pixelAspect\":\(film.aspect)\(quality)"
                )
            }
            let result = try program.run([
                "render", try project(outputs), "--workers", "1", "--chunk-seconds", "0.2",
            ])
            try #require(result.status == 0, "\(result)")
            for film in Self.films {
                try check(folder.file(film.name), codec: film.codec, aspect: film.aspect, width: film.width)
            }
        }

        private func check(_ film: String, codec: String, aspect: [Int], width: Int) throws {
            let stream = try picture(film)
            #expect(stream["width"] as? Int == width && stream["height"] as? Int == 180)
            let wanted = Fraction(aspect[0], aspect[1])
            let told = (stream["sample_aspect_ratio"] as? String ?? "").split(separator: ":").compactMap { Int($0) }
            let found = try #require(told.count == 2 ? Fraction(told[0], told[1]) : nil)
            // Matroska tells the width that is shown, in whole pixels.
            let apart = (found - wanted) * Fraction(width)
            #expect(film.hasSuffix("mkv") ? abs(apart.top) <= apart.bottom : found == wanted, "\(told)")
            let reference = folder.file("reference.mkv")
            try witness.ffmpeg(
                ["-i", folder.file("a.mkv"), "-vf", "zscale=w=\(width):h=180:filter=bilinear"] + Self.coding + [
                    reference
                ])
            let likeness = try likeness(film, reference)
            #expect(likeness > (codec == "ffv1" ? 50 : 32), "\(likeness) dB")
            if codec == "h264" {
                // The pictures say so too, not only the file.
                let raw = folder.file("raw.h264")
                try witness.ffmpeg(["-i", film, "-c", "copy", raw])
                #expect(try picture(raw)["sample_aspect_ratio"] as? String == "\(wanted.top):\(wanted.bottom)")
            }
        }

        @Test(arguments: ["[0, 1]", "[1]", "[1, 17]", "[5000, 4999]", "[-1, 1]", "[]"]) func others(aspect: String)
            throws
        {
            let file = try project("\"pixelAspect\":\(aspect)", url: "film.mp4")
            let result = try program.run(["validate", file, "--json"])
            #expect(result.status == 3, "\(result)")
            #expect(result.text.contains("outputs[0].videoSettings.pixelAspect"))
            let render = try program.run(["render", file])
            #expect(render.status == 3, "\(render)")
            #expect(render.standardError.contains("outputs[0].videoSettings.pixelAspect"), "\(render)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("film.mp4")))
        }
    }
}
