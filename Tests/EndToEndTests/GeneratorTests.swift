import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Pictures and sound that no file holds, in a film, in any split.
    @Suite struct GeneratorTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("generators")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// A film of 25 frames a second; each asset is shown or heard for 0.2 s.
        private func composition(_ size: (Int, Int), pictures: [String], sounds: [String] = []) throws -> String {
            func named(_ list: [String], _ letter: String) -> [String] {
                list.enumerated().map { "\"\(letter)\($0)\":\($1)" }
            }
            func segments(_ list: [String], _ letter: String) -> String {
                list.indices.map {
                    "{\"asset\":\"\(letter)\($0)\",\"target\":[\"\(2 * $0)/10\",\"2/10\"]}"
                }.joined(separator: ",")
            }
            let sound = "{\"id\":2,\"type\":\"audio\",\"segments\":[\(segments(sounds, "s"))]}"
            return try folder.write(
                """
                {"format":"splitreel/1",
                "assets":{\((named(pictures, "p") + named(sounds, "s")).joined(separator: ","))},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[\(segments(pictures, "p"))]}\
                \(sounds.isEmpty ? "" : "," + sound)]},
                "video":{"renderSize":[\(size.0),\(size.1)],"frameDuration":"1/25",
                "color":{"matrix":"ITU_R_601_4"}}}
                """, to: "film.json")
        }

        private func film(_ file: String, _ workers: Int = 1, chunks: String = "none") throws -> String {
            let path = folder.file("\(workers)-\(chunks).mkv")
            try program.render(
                file, to: path,
                [
                    "--video-codec", "ffv1", "--pixel-format", "yuv444p", "--audio-codec", "pcm", "--workers",
                    "\(workers)", "--chunk-seconds", chunks,
                ])
            return path
        }

        /// Y', Cb and Cr of one frame.
        private func planes(_ input: [String], frame: Int, _ size: (Int, Int)) throws -> [[Int]] {
            let bytes = [UInt8](
                try witness.ffmpeg(input + ["-f", "rawvideo", "-pix_fmt", "yuv444p", "-"]).standardOutput)
            let count = size.0 * size.1
            try #require(bytes.count >= (frame + 1) * 3 * count)
            return (0..<3).map { plane in
                bytes[((frame * 3 + plane) * count)...].prefix(count).map { Int($0) }
            }
        }

        /// ffmpeg's own bars; its -I and +Q are colours that R'G'B' has not.
        @Test(arguments: [("smpte", "smptebars", 252), ("ebu", "pal75bars", 256)])
        func barsAreTheUsualOnes(standard: String, source: String, width: Int) throws {
            let size = (width, 144)
            let file = try composition(size, pictures: ["{\"kind\":\"bars\",\"standard\":\"\(standard)\"}"])
            let found = try planes(["-i", try film(file)], frame: 0, size)
            let expected = try planes(
                ["-f", "lavfi", "-i", "\(source)=s=\(width)x144,format=yuv444p", "-frames:v", "1"], frame: 0, size)
            for place in found[0].indices {
                let (x, y) = (place % width, place / width)
                if standard == "smpte", y >= 108, x < 45 || (90..<135).contains(x) { continue }
                // ffmpeg's black between the reversed bars is three codes lighter than its other black.
                let limit = standard == "smpte" && (96..<108).contains(y) ? 3 : 1
                for plane in 0..<3 {
                    let difference = abs(found[plane][place] - expected[plane][place])
                    try #require(difference <= limit, "plane \(plane) at \(x), \(y): \(difference)")
                }
            }
        }

        /// Bars, a gradient and noise of ten pictures a second; a tone, silence and another tone.
        @Test func anySplitGivesTheSame() throws {
            let size = (64, 48)
            let stops = "[{\"at\":0,\"color\":[1,0,0,1]},{\"at\":1,\"color\":[0,0,1,1]}]"
            let file = try composition(
                size,
                pictures: [
                    "{\"kind\":\"checker\",\"size\":[64,48],\"cell\":[8,8]}",
                    "{\"kind\":\"gradient\",\"gradient\":{\"stops\":\(stops)}}",
                    "{\"kind\":\"noise\",\"seed\":3,\"rate\":10}",
                ],
                sounds: [
                    "{\"kind\":\"tone\",\"frequency\":500,\"volume\":0.25}", "{\"kind\":\"silence\"}",
                    "{\"kind\":\"tone\"}",
                ])
            let path = try film(file)
            let whole = try InvarianceCheck.Film(path, witness)
            for (workers, chunks) in [(1, "0.2"), (2, "0.08"), (2, "0.36")] {
                #expect(try InvarianceCheck.Film(try film(file, workers, chunks: chunks), witness) == whole)
            }
            // Noise n/10 s after its start: 0, 40, 80, 120 and 160 ms.
            let numbers = whole.frames.map { hash in whole.frames.firstIndex(of: hash) ?? -1 }
            #expect(numbers == [0, 0, 0, 0, 0, 5, 5, 5, 5, 5, 10, 10, 10, 13, 13])
            try expectGradient(try planes(["-i", path], frame: 5, size), size)
            try expectTones(path)
        }

        private func expectGradient(_ found: [[Int]], _ size: (Int, Int)) throws {
            for x in 0..<size.0 {
                let place = (Double(x) + 0.5) / Double(size.0)
                let luma = 0.299 * (1 - place) + 0.114 * place
                let expected = [
                    16 + 219 * luma, 128 + 112 * (place - luma) / 0.886, 128 + 112 * (1 - place - luma) / 0.701,
                ]
                for plane in 0..<3 { #expect(abs(Double(found[plane][9 * size.0 + x]) - expected[plane]) < 0.51) }
            }
        }

        private func expectTones(_ path: String) throws {
            let samples = try #require(try witness.samples(path).first)
            try #require(samples.count == 28_800)
            for (index, sample) in samples.enumerated() {
                let expected: Double
                switch index {
                case ..<9600: expected = 0.25 * sin(2 * .pi * 500 * Double(index) / 48_000)
                case ..<19_200: expected = 0
                default: expected = 0.1 * sin(2 * .pi * 1000 * Double(index - 19_200) / 48_000)
                }
                // PCM of 24 bits.
                try #require(abs(Double(sample) - expected) < 2.5e-7, "sample \(index)")
            }
        }
    }
}
