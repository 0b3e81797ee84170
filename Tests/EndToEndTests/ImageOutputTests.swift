import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Moving images and sequences, against ffmpeg's decode of the same film without loss.
    @Suite struct ImageOutputTests {
        private static let (width, height, frames) = (96, 64, 24)
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private let composition: String

        init() throws {
            folder = try TestFolder("images")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            let source = folder.file("source.mkv")
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=96x64:r=24:d=1", "-vf", "scale=out_color_matrix=bt709,format=yuv444p",
                "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
                "-c:v", "ffv1", source,
            ])
            composition = try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"url":"source.mkv"}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[
                {"asset":"a","source":["0s","1s"],"target":["0s","1s"]}]}]},
                "video":{"renderSize":[96,64],"frameDuration":"1/24"}}
                """, to: "film.json")
        }

        private func made(_ name: String, _ options: [String] = [], workers: Int = 1, chunks: String = "none") throws {
            try program.render(
                composition, to: folder.file(name),
                ["--workers", "\(workers)", "--chunk-seconds", chunks, "--overwrite"] + options)
        }

        /// R, G and B of all frames.
        private func pixels(_ input: [String]) throws -> [UInt8] {
            let filter = "scale=in_color_matrix=bt709:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"
            return [UInt8](
                try witness.ffmpeg(
                    input + ["-vf", filter, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
                ).standardOutput)
        }

        private func film() throws -> [UInt8] {
            try made("film.mkv", ["--video-codec", "ffv1", "--pixel-format", "yuv444p"])
            let pixels = try pixels(["-i", folder.file("film.mkv")])
            try #require(pixels.count == 3 * Self.width * Self.height * Self.frames)
            return pixels
        }

        /// Mean square of what two films are apart.
        private func error(_ one: [UInt8], _ other: [UInt8]) -> Double {
            zip(one, other).reduce(0) { $0 + pow(Double($1.0) - Double($1.1), 2) } / Double(one.count)
        }

        private func bytes(_ name: String) throws -> Data {
            try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
        }

        @Test func gif() throws {
            let film = try film()
            try made("one.gif")
            try made("many.gif", workers: 2, chunks: "0.2")
            let one = try bytes("one.gif")
            #expect(try one == bytes("many.gif"))
            // One table of 256 colours at its beginning: no image has one of its own.
            #expect(one[10] & 0x87 == 0x87)
            let packets = try witness.packets(folder.file("one.gif"), stream: "v:0")
            let times = packets.compactMap { $0["pts"] as? Int }
            #expect(times == (0..<Self.frames).map { ($0 * 200 + 24) / 48 })
            let found = try pixels(["-i", folder.file("one.gif")])
            try #require(found.count == film.count)
            let pixel = { (place: Int) in [found[place], found[place + 1], found[place + 2]] }
            #expect(Set(stride(from: 0, to: found.count, by: 3).map(pixel)).count <= 255)
            let usual = folder.file("usual.gif")
            try witness.ffmpeg([
                "-i", folder.file("film.mkv"), "-filter_complex",
                "scale=in_color_matrix=bt709,format=rgb24,split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none",
                usual,
            ])
            // A decibel.
            #expect(try error(found, film) <= error(pixels(["-i", usual]), film) * 1.259)
        }

        @Test(arguments: ["png", "tiff"]) func sequenceIsTheFilm(ending: String) throws {
            let film = try film()
            _ = try folder.folder("one")
            _ = try folder.folder("many")
            try made("one/%03d.\(ending)")
            try made("many/%03d.\(ending)", workers: 2, chunks: "0.2")
            let names = (1...Self.frames).map { String(format: "%03d.\(ending)", $0) }
            #expect(try folder.names(in: "one") == names)
            for name in names { #expect(try bytes("one/" + name) == bytes("many/" + name), "\(name)") }
            let found = try pixels(["-framerate", "24", "-i", folder.file("one/%03d.\(ending)")])
            try #require(found.count == film.count)
            #expect(zip(found, film).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        }

        @Test func webP() throws {
            try made("one.webp", ["--crf", "0"])
            try made("many.webp", ["--crf", "0"], workers: 2, chunks: "0.2")
            let one = [UInt8](try bytes("one.webp"))
            #expect(try one == [UInt8](bytes("many.webp")))
            // Each chunk ANMF says how long it is shown: the times' differences, in milliseconds.
            var (place, lengths) = (12, [Int]())
            while place + 8 <= one.count {
                let size = (0..<4).reduce(0) { $0 | Int(one[place + 4 + $1]) << (8 * $1) }
                if one[place..<(place + 4)].elementsEqual("ANMF".utf8) {
                    lengths.append((0..<3).reduce(0) { $0 | Int(one[place + 20 + $1]) << (8 * $1) })
                }
                place += 8 + size + size % 2
            }
            #expect(place == one.count)
            let times = (0...Self.frames).map { ($0 * 2000 + 24) / 48 }
            #expect(lengths == zip(times.dropFirst(), times).map { $0 - $1 })
        }

        @Test func nothingIsReplacedUnasked() throws {
            _ = try folder.folder("set")
            let old = try folder.write("mine", to: "set/0007.jpg")
            let result = try program.run(["render", composition, "-o", folder.file("set/%04d.jpg")])
            #expect(result.status == 5)
            #expect(result.standardError.contains("0007.jpg") && result.standardError.contains("--overwrite"))
            #expect(try String(contentsOfFile: old, encoding: .utf8) == "mine")
            #expect(try folder.names(in: "set") == ["0007.jpg"])
        }

        @Test(arguments: ["poster.png", "a.exr", "%d-%d.png"]) func oneImageIsNoFilm(name: String) throws {
            let result = try program.run(["render", composition, "-o", folder.file(name)])
            #expect(result.status == 2 && result.standardError.contains("splitreel frame"))
        }

        /// NETSCAPE's block counts how often a GIF begins again; WebP's chunk how often it plays.
        @Test(arguments: [(0, [UInt8(0), 0]), (1, nil), (3, [2, 0])] as [(Int, [UInt8]?)])
        func playsSoOften(count: Int, gif: [UInt8]?) throws {
            try made("a.gif", ["--loop-count", "\(count)"])
            let moving = [UInt8](try bytes("a.gif"))
            let name = Array("NETSCAPE2.0".utf8)
            let place = moving.indices.first { moving[$0...].starts(with: name) }
            #expect(place.map { Array(moving[($0 + 13)..<($0 + 15)]) } == gif)
            try made("a.webp", ["--loop-count", "\(count)"])
            let web = [UInt8](try bytes("a.webp"))
            let chunk = try #require(web.indices.first { web[$0...].starts(with: Array("ANIM".utf8)) })
            #expect(web[(chunk + 12)..<(chunk + 14)].elementsEqual([UInt8(count), 0]))
        }

        @Test func imagesCountFromWhereTheyAreTold() throws {
            _ = try folder.folder("set")
            try made("set/%03d.jpg", ["--start-number", "0"], workers: 2, chunks: "0.2")
            #expect(try folder.names(in: "set") == (0..<Self.frames).map { String(format: "%03d.jpg", $0) })
            let again = try program.run(
                ["render", composition, "-o", folder.file("set/%03d.jpg"), "--start-number", "23"])
            #expect(again.status == 5 && again.standardError.contains("023.jpg"), "\(again)")
            try program.render(composition, to: folder.file("set/%03d.jpg"), ["--start-number", "24"])
            #expect(try folder.names(in: "set") == (0..<48).map { String(format: "%03d.jpg", $0) })
            let wrong = try program.run(
                ["render", composition, "-o", folder.file("a.mp4"), "--start-number", "2", "--loop-count", "1"])
            #expect(wrong.status == 2 && wrong.standardError.contains("--start-number"))
        }

        @Test func soundIsRefused() throws {
            let result = try program.run(
                ["render", composition, "-o", folder.file("a.gif"), "--audio-codec", "aac"])
            #expect(result.status == 2 && result.standardError.contains("pictures alone"))
        }
    }
}
