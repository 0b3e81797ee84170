import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// Pictures of a pixel, of more pixels than are read, and of very many frames.
    @Suite struct TinyAndHugeTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("tiny-and-huge")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// Made large in the first half of the film, in the second half as it is.
        private func composition(_ url: String, isFilm: Bool) throws -> String {
            let source = isFilm ? "\"source\":[\"0s\",\"0.4s\"]," : ""
            return try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"url":"\(url)"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"a",\(source)"target":["0s","0.4s"]}]}]},
                "video":{"renderSize":[64,48],"frameDuration":"1/10","instructions":[
                {"range":["0s","0.2s"],"layers":[{"track":1,"fit":"stretch"}]},
                {"range":["0.2s","0.2s"],"layers":[{"track":1,"fit":"none"}]}]}}
                """, to: "tiny.json")
        }

        /// The film is of that colour, and then black with that colour in the first pixel.
        private func expectSeen(_ url: String, isFilm: Bool = false, _ colour: [Double]) throws {
            let file = try composition(url, isFilm: isFilm)
            for (workers, chunks) in [(1, "none"), (2, "0.1")] {
                let path = folder.file("\(workers).mkv")
                try program.render(
                    file, to: path,
                    ["--video-codec", "ffv1", "--pixel-format", "yuv444p", "--workers", "\(workers)"]
                        + ["--chunk-seconds", chunks, "--overwrite"])
                let bytes = [UInt8](
                    try witness.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", "yuv444p", "-"]).standardOutput)
                let size = 64 * 48
                try #require(bytes.count == 4 * 3 * size)
                for (place, byte) in bytes.enumerated() {
                    let (frame, plane, pixel) = (place / (3 * size), place / size % 3, place % size)
                    let black = plane == 0 ? 16.0 : 128
                    let expected = frame < 2 || pixel == 0 ? colour[plane] : black
                    guard abs(Double(byte) - expected) > 0.75 else { continue }
                    Issue.record("\(url), frame \(frame), plane \(plane), pixel \(pixel): \(byte) for \(expected)")
                    return
                }
            }
        }

        /// 51, 102 and 204 of 255: 0.2, 0.4 and 0.8 of R'G'B', in BT.709's matrix.
        private static let blue: [Double] = {
            let luma = 0.2126 * 0.2 + 0.7152 * 0.4 + 0.0722 * 0.8
            return [16 + 219 * luma, 128 + 224 * (0.8 - luma) / 1.8556, 128 + 224 * (0.2 - luma) / 1.5748]
        }()

        /// FFV1 takes more slices of it than four, whatever the depth.
        @Test(arguments: ["yuv444p", "yuv444p10le"]) func aFrameOf8K(format: String) throws {
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0.2,0.4,0.8,1]}},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","0.1s"]}]}]},
                "video":{"renderSize":[7680,4320],"frameDuration":"1/10"}}
                """, to: "8k.json")
            try program.render(file, to: folder.file("8k.mkv"), ["--video-codec", "ffv1", "--pixel-format", format])
            let bytes = [UInt8](
                try witness.ffmpeg([
                    "-i", folder.file("8k.mkv"), "-vf", "crop=2:2:7678:4318", "-f", "rawvideo", "-pix_fmt", "yuv444p",
                    "-",
                ]).standardOutput)
            try #require(bytes.count == 12)
            for plane in 0..<3 { #expect(abs(Double(bytes[4 * plane + 3]) - Self.blue[plane]) <= 1) }
        }

        /// More pixels than are read again are refused before they are made.
        @Test func aWebPOfTooManyPixels() throws {
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0.2,0.4,0.8,1]}},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","0.1s"]}]}]},
                "video":{"renderSize":[64,64],"frameDuration":"1/10"},
                "outputs":[{"url":"w.webp","size":[8192,8192]}]}
                """, to: "8k.json")
            let run = try program.run(["render", file])
            #expect(run.status == 2 && run.standardError.contains("pixels at most"), "\(run)")
        }

        /// libavcodec 5.1 loses pictures of one row or column in slices, without a word.
        @Test(arguments: [[1, 1], [100, 1], [1, 100], [3, 1], [2, 2], [400, 2], [2, 400], [17, 4]])
        func filmsOfFewRows(size: [Int]) throws {
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0.2,0.4,0.8,1]}},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","0.2s"]}]}]},
                "video":{"renderSize":\(size),"frameDuration":"1/10"}}
                """, to: "narrow.json")
            // Slices are cut by rows and columns, whatever the samples' depth: two sizes for that.
            let isDeepToo = [[1, 1], [400, 2]].contains(size)
            for (name, options) in [
                ("a.mkv", ["--video-codec", "ffv1", "--pixel-format", "yuv444p"]),
                ("b.mkv", ["--video-codec", "ffv1", "--pixel-format", "yuv444p10le"]), ("c.gif", []),
            ] where name != "b.mkv" || isDeepToo {
                let film = folder.file(name)
                try program.render(file, to: film, options)
                let format = name == "c.gif" ? "rgb24" : "yuv444p"
                let bytes = [UInt8](
                    try witness.ffmpeg([
                        "-i", film, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", format, "-",
                    ]).standardOutput)
                let count = size[0] * size[1]
                try #require(bytes.count == 2 * 3 * count, "\(name)")
                for place in bytes.indices {
                    let channel = name == "c.gif" ? place % 3 : place / count % 3
                    let wanted = name == "c.gif" ? [51, 102, 204][channel] : Self.blue[channel]
                    guard abs(Double(bytes[place]) - wanted) > 1.5 else { continue }
                    Issue.record("\(name) has \(bytes[place]) at \(place), not \(wanted)")
                    break
                }
                #expect(try program.run(["verify", film]).status == 0)
            }
        }

        @Test func aStillOfOnePixel() throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "color=0x3366CC:s=1x1,format=rgb24", "-frames:v", "1", folder.file("one.png"),
            ])
            try expectSeen("one.png", Self.blue)
        }

        @Test func anAnimatedImageOfOnePixel() throws {
            // A GIF by hand: two colours, one pixel; three frames of 0.1 s that show the second, for ever.
            let table: [UInt8] = [0x80, 0, 0, 0, 0, 0, 51, 102, 204]
            let netscape = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
            let frame: [UInt8] =
                [0x21, 0xF9, 4, 4, 10, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0] + [2, 2, 0x4C, 1, 0]
            let bytes = Array("GIF89a".utf8) + [1, 0, 1, 0] + table + netscape + frame + frame + frame + [0x3B]
            _ = try folder.write(Data(bytes), to: "one.gif")
            let decoded = try witness.ffmpeg([
                "-i", folder.file("one.gif"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
            ]).standardOutput
            #expect([UInt8](decoded) == [51, 102, 204, 51, 102, 204, 51, 102, 204])
            try expectSeen("one.gif", Self.blue)
        }

        /// The codes are those of the film, tagged and not scaled: they go through as they are.
        @Test(arguments: ["yuv444p", "yuv420p"]) func aFilmOfOnePixel(format: String) throws {
            let raw = try folder.write(Data((0..<4).flatMap { _ in [100, 90, 160] as [UInt8] }), to: "raw")
            try witness.ffmpeg([
                "-f", "rawvideo", "-pix_fmt", format, "-s", "1x1", "-r", "10", "-i", raw, "-vf",
                "setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709", "-c:v", "ffv1",
                folder.file("one.mkv"),
            ])
            let stream = try #require(try witness.streams(folder.file("one.mkv")).first)
            #expect(stream["width"] as? Int == 1 && stream["height"] as? Int == 1)
            try expectSeen("one.mkv", isFilm: true, [100, 90, 160])
        }

        /// 144,000,000 pixels in a file of 100 KB: told by their number, with the place of the asset, before they take
        /// the 137 MiB that they have as bytes.
        @Test func aStillOfTooManyPixelsIsRefused() throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "color=white:s=16000x9000,format=monob", "-frames:v", "1", "-pred", "none",
                "-compression_level", "1", folder.file("huge.png"),
            ])
            let file = try composition("huge.png", isFilm: false)
            for arguments in [["render", file, "-o", folder.file("no.mkv")], ["validate", file]] {
                let (peaks, result) = try program.measured(arguments, seconds: 60)
                let said = result.text + result.standardError
                #expect(result.status == 4 && said.contains("error 20008"), "\(result)")
                #expect(said.contains("tiny.json:1:35") && said.contains("assets.a"), "\(said)")
                #expect(said.contains("16000×9000") && said.contains("huge.png"), "\(said)")
                #expect(peaks.most < 130, "\(peaks) MiB")
            }
            #expect(try folder.names().allSatisfy { !$0.contains("no.mkv") })
        }

        /// 4000 frames that would be 879 MiB as pixels, each of another grey than its neighbours; 80 s in one.
        @Test func anImageOfThousandsOfFramesStaysSmall() throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "color=black:s=1x1:r=50:d=80,format=gray,geq=lum='mod(7*N,239)'", "-vf",
                "scale=320:180:flags=neighbor,setsar=1", "-c:v", "gif", folder.file("many.gif"),
            ])
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"url":"many.gif"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"a","source":["0s","80s"],"target":["0s","1s"]}]}]},
                "video":{"renderSize":[320,180],"frameDuration":"1/25"}}
                """, to: "many.json")
            let film = folder.file("many.mkv")
            let (peaks, result) = try program.measured(
                ["render", file, "-o", film, "--video-codec", "ffv1", "--workers", "1"], seconds: 60)
            try #require(result.status == 0, "\(result)")
            #expect(peaks.slot > 20 && peaks.most < 220, "\(peaks) MiB")
            let luma = try witness.luma(film)
            try #require(luma.count == 25)
            for (frame, picture) in luma.enumerated() {
                // 80/25 s are 160 frames of the image.
                let expected = 16 + 219 * Double(7 * 160 * frame % 239) / 255
                let isRight = picture.allSatisfy { abs(Double($0) - expected) <= 0.75 }
                #expect(isRight, "frame \(frame): \(picture[0]) for \(expected)")
            }
        }
    }
}
