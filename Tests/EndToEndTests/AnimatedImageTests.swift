import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// GIF, APNG and WebP by themselves and in parts; their frames are numbered, or compared with what ffmpeg coded.
    @Suite struct AnimatedImageTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        private static let palette = "split[a][b];[a]palettegen[p];[b][p]paletteuse"
        private static let identity: [Double] = [1, 0, 0, 1, 0, 0]

        init() throws {
            folder = try TestFolder("animated")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// Eight frames of 50 ms.
        private func numbered(_ name: String, _ coding: [String]) throws {
            try NumberedMedia.write(8, rate: "20", to: folder.file(name), coding: coding, with: witness)
        }

        private func composition(_ segments: String, seconds: String, _ size: (Int, Int), _ assets: String) throws
            -> String
        {
            try folder.write(
                """
                {"format":"splitreel/1","assets":{\(assets)},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[\(segments)]}]},
                "video":{"renderSize":[\(size.0),\(size.1)],"frameDuration":"1/25","instructions":[
                \(Text.instruction("0s", seconds, Text.layer(1, Self.identity)))]}}
                """, to: "film.json")
        }

        /// The luma codes of a film's frames, which are the same in any split.
        private func luma(_ file: String) throws -> [[UInt8]] {
            func frames(_ workers: Int, _ chunks: String) throws -> [[UInt8]] {
                let path = folder.file("\(workers)-\(chunks).mkv")
                try program.render(
                    file, to: path,
                    ["--video-codec", "ffv1", "--workers", "\(workers)", "--chunk-seconds", chunks])
                return try witness.luma(path)
            }
            let whole = try frames(1, "none")
            // Chunks begin where no frame of an image does.
            #expect(try frames(2, "0.28") == whole)
            return whole
        }

        /// Twice as the GIF says, then its last frame; for ever as the APNG says; a part at half speed, and from that
        /// part's end on the rest; three times as the WebP says.
        @Test func playsAsItsFileSays() throws {
            try numbered("twice.gif", ["-vf", Self.palette, "-loop", "1"])
            try numbered("ever.png", ["-pix_fmt", "gray", "-c:v", "apng", "-f", "apng", "-plays", "0"])
            try numbered(
                "thrice.webp", ["-c:v", "libwebp_anim", "-pix_fmt", "bgra", "-lossless", "1", "-loop", "3"])
            let (one, two) = ("\"target\":[\"0s\",\"1s\"]", "\"target\":[\"1s\",\"1s\"]")
            let part = "\"source\":[\"0.1s\",\"0.2s\"],\"target\":[\"2s\",\"0.4s\"]"
            let webP = "{\"asset\":\"w\",\"target\":[\"2.4s\",\"1.6s\"]}"
            let file = try composition(
                "{\"asset\":\"g\",\(one)},{\"asset\":\"p\",\(two)},{\"asset\":\"g\",\(part)},\(webP)",
                seconds: "4s", (NumberedMedia.width, NumberedMedia.height),
                "\"g\":{\"url\":\"twice.gif\"},\"p\":{\"kind\":\"animatedImage\",\"url\":\"ever.png\"},"
                    + "\"w\":{\"url\":\"thrice.webp\"}")
            let numbers = try luma(file).map { NumberedMedia.number($0) }
            let expected = (0..<100).map { frame -> Int in
                let milliseconds = frame * 40
                switch frame {
                case ..<25: return milliseconds < 800 ? milliseconds % 400 / 50 : 7
                case ..<50: return (milliseconds - 1000) % 400 / 50
                case ..<60: return (100 + (milliseconds - 2000) / 2) / 50
                default: return milliseconds < 3600 ? (milliseconds - 2400) % 400 / 50 : 7
                }
            }
            #expect(numbers == expected)
        }

        /// A box that moves over nothing: what it leaves is seen through again, as ffmpeg decodes it.
        @Test(arguments: ["gif", "apng", "webp"]) func disposesOfFrames(format: String) throws {
            let path = folder.file("box.\(format)")
            let box =
                "color=white:s=64x48:r=10:d=0.8,format=rgba,"
                + "geq=r='40*N':g=200:b=90:a='if(between(X,N*7,N*7+9)*gt(Y,8),255,0)'"
            let coding = format == "webp" ? ["-c:v", "libwebp_anim", "-lossless", "1"] : ["-f", format]
            try witness.ffmpeg(
                ["-f", "lavfi", "-i", box + (format == "gif" ? ",\(Self.palette)" : "")] + coding + [path])
            let file = try composition(
                "{\"asset\":\"b\",\"target\":[\"0s\",\"0.8s\"]}", seconds: "0.8s", (64, 48),
                "\"b\":{\"url\":\"box.\(format)\"}")
            // ffmpeg does not read a WebP that moves.
            let original = format == "webp" ? ["-f", "lavfi", "-i", box] : ["-i", path]
            let black = ["-f", "lavfi", "-i", "color=black:s=64x48:r=10:d=0.8,format=gbrp"]
            let decoded = try witness.ffmpeg(
                black + original + [
                    "-filter_complex",
                    "[0][1]overlay=format=gbrp,format=gbrp", "-f", "rawvideo", "-pix_fmt", "gbrp", "-",
                ]
            ).standardOutput
            let size = 64 * 48
            try #require(decoded.count == 8 * 3 * size)
            let bytes = [UInt8](decoded)
            for (frame, luma) in try luma(file).enumerated() {
                let base = frame * 40 / 100 * 3 * size
                let worst =
                    (0..<size).map { pixel -> Double in
                        let (g, b, r) = (
                            Double(bytes[base + pixel]), Double(bytes[base + size + pixel]),
                            Double(bytes[base + 2 * size + pixel])
                        )
                        let expected = 16 + 219 / 255 * (0.2126 * r + 0.7152 * g + 0.0722 * b)
                        return abs(expected - Double(luma[pixel]))
                    }.max() ?? 99
                #expect(worst < 1.01, "frame \(frame) differs by \(worst)")
            }
        }

        /// A hundred bytes that say to be a picture of gigabytes.
        @Test(arguments: [(65535, 65535), (16384, 8192), (8192, 4097)]) func bombsAreRefused(size: (Int, Int)) throws {
            var bytes: [UInt8] = Array("GIF89a".utf8)
            for side in [size.0, size.1] { bytes += [UInt8(side & 255), UInt8(side >> 8)] }
            bytes += [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            for _ in 0..<3 { bytes += [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0] }
            _ = try folder.write(Data(bytes + [0x3B]), to: "bomb.gif")
            let file = try composition(
                "{\"asset\":\"g\",\"target\":[\"0s\",\"1s\"]}", seconds: "1s", (64, 48),
                "\"g\":{\"url\":\"bomb.gif\"}")
            let result = try program.run(["render", file, "-o", folder.file("no.mkv")])
            #expect(result.status != 0 && "\(result)".contains("\(size.0)×\(size.1)"), "\(result)")
        }

        /// A source that leaves it is an error, and so is sound of it.
        @Test func refusesWhatItHasNot() throws {
            try numbered("a.gif", ["-vf", Self.palette])
            let late = "{\"asset\":\"g\",\"source\":[\"0s\",\"3s\"],\"target\":[\"0s\",\"3s\"]}"
            let file = try composition(late, seconds: "3s", (256, 144), "\"g\":{\"url\":\"a.gif\"}")
            let result = try program.run(["render", file, "-o", folder.file("no.mkv")])
            #expect(result.status != 0 && "\(result)".contains("but `g` ends at"), "\(result)")
        }
    }
}
