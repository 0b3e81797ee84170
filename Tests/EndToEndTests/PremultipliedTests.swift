import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Pictures whose colours were multiplied by their alpha, over white: what shows is their codes and what white is
    /// left, whatever was made of them on the way.
    @Suite struct PremultipliedTests {
        private static let (width, height) = (64, 48)
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("premultiplied")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private static func alpha(_ x: Int) -> Int { min(255, 4 * x + 20) }

        /// R, G, B and alpha of each pixel, multiplied: strong colours that change from line to line.
        private static let pixels: [UInt8] = (0..<height).flatMap { y in
            (0..<width).flatMap { x in
                let colour = [200, 100, 40 + 4 * y].map { UInt8(($0 * alpha(x) + 127) / 255) }
                return colour + [UInt8(alpha(x))]
            }
        }

        private static func overWhite(_ pixels: [UInt8]) -> [Double] {
            (0..<pixels.count / 4).flatMap { place in
                let pixel = pixels[4 * place..<4 * place + 4].map(Double.init)
                return pixel.prefix(3).map { $0 + 255 - pixel[3] }
            }
        }

        /// ffmpeg 5.1 names no matrix in ProRes and FFV1 of frames that have none.
        private static func tag(_ name: String) -> String {
            ["a.png", "a.mov"].contains(name) ? "" : #","color":{"matrix":"ITU_R_709_2"}"#
        }

        /// A still, or a film of two frames.
        private func encode(_ name: String, _ coding: [String]) throws {
            let raw = folder.file("raw.rgba")
            try Data(Self.pixels + Self.pixels).write(to: URL(fileURLWithPath: raw))
            try witness.ffmpeg(
                ["-f", "rawvideo", "-pix_fmt", "rgba", "-s", "\(Self.width)x\(Self.height)", "-r", "10", "-i", raw]
                    + coding + [folder.file(name)])
        }

        private func shown(_ name: String, key: String, source: String) throws -> [UInt8] {
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"url":"\(name)"\(key)\(Self.tag(name))}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[
                {"asset":"a"\(source),"target":["0s","0.2s"]}]}]},
                "video":{"renderSize":[\(Self.width),\(Self.height)],"frameDuration":"1/10",
                "color":{"primaries":"ITU_R_709_2","transfer":"ITU_R_709_2","matrix":"ITU_R_709_2"},
                "instructions":[{"range":["0s","0.2s"],"background":[1,1,1,1],"layers":[{"track":1}]}]}}
                """, to: "cut.json")
            try program.render(
                file, to: folder.file("film.mkv"),
                ["--video-codec", "ffv1", "--pixel-format", "yuv444p", "--overwrite", "--chunk-seconds", "0.1"])
            let all = try witness.pixels(
                ["-i", folder.file("film.mkv")], "scale=in_color_matrix=bt709:flags=accurate_rnd+full_chroma_inp")
            #expect(all.count == 3 * Self.width * Self.height)
            return all
        }

        private static let matrix = ["-vf", "scale=out_color_matrix=bt709"]

        @Test(arguments: [
            ("a.png", ["-frames:v", "1"], 2.5), ("a.mov", ["-c:v", "qtrle", "-pix_fmt", "argb"], 2.5),
            (
                "p.mov",
                matrix + ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le", "-qscale:v", "1"], 6
            ),
            ("l.mkv", matrix + ["-c:v", "ffv1", "-pix_fmt", "yuva444p"], 3),
            ("h.mkv", matrix + ["-c:v", "ffv1", "-pix_fmt", "yuva420p"], 12),
        ])
        func whatIsSaidCounts(name: String, coding: [String], tolerance: Double) throws {
            try encode(name, coding)
            let source = name.hasSuffix("png") ? "" : #","source":["0s","0.2s"]"#
            let found = try shown(name, key: #","alpha":"premultiplied""#, source: source)
            let expected = Self.overWhite(Self.pixels)
            let worst = zip(found, expected).map { abs(Double($0) - $1) }.max() ?? 999
            #expect(worst <= tolerance, "\(name): \(worst)")
            // As if it were straight it is much darker.
            let straight = try shown(name, key: "", source: source)
            let apart = zip(straight, expected).map { $1 - Double($0) }.max() ?? 0
            #expect(apart > 30, "\(name): \(apart)")
        }

        /// Four pixels, with a TIFF's word on its alpha: 1 of that it is multiplied in, 2 that it is not.
        @Test(arguments: [1, 2]) func aTIFFSaysItself(kind: UInt8) throws {
            var bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
            func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
            let side = 16
            let pixels = [UInt8]((0..<side * side).flatMap { _ in [UInt8](repeating: 128, count: 4) })
            let entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
                (256, 3, 1, side), (257, 3, 1, side), (258, 3, 4, 146), (259, 3, 1, 1), (262, 3, 1, 2),
                (273, 4, 1, 154), (277, 3, 1, 4), (278, 3, 1, side), (279, 4, 1, pixels.count), (284, 3, 1, 1),
                (338, 3, 1, Int(kind)),
            ]
            bytes += word(entries.count)
            for entry in entries {
                bytes += word(entry.tag) + word(entry.type) + word(entry.count) + [0, 0] + word(entry.value) + [0, 0]
            }
            bytes += [0, 0, 0, 0]
            #expect(bytes.count == 146)
            bytes += [8, 0, 8, 0, 8, 0, 8, 0] + pixels
            try Data(bytes).write(to: URL(fileURLWithPath: folder.file("a.tiff")))
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"url":"a.tiff"}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"a","target":["0s","0.1s"]}]}]},
                "video":{"renderSize":[16,16],"frameDuration":"1/10",
                "instructions":[{"range":["0s","0.1s"],"background":[0,0,0,1],"layers":[{"track":1}]}]}}
                """, to: "tiff.json")
            try program.render(
                file, to: folder.file("tiff.mkv"), ["--video-codec", "ffv1", "--pixel-format", "yuv444p"])
            let found = try witness.pixels(["-i", folder.file("tiff.mkv")], "scale=in_color_matrix=bt709")
            // 128 of 255 over black is what stands in the file, or half of it.
            let expected = kind == 1 ? 128.0 : 128 * 128 / 255.0
            #expect(found.count == 3 * 256 && found.allSatisfy { abs(Double($0) - expected) <= 2 }, "\(found[0])")
        }
    }
}
