import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Assets of several files: image sequences, live photos, originals with proxies. Their pictures are numbered.
    @Suite struct SeveralFilesTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("several-files")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private func numbered(_ name: String, _ count: Int, first: Int = 0, _ coding: [String]) throws {
            try NumberedMedia.write(
                count, rate: "25", to: folder.file(name), coding: coding, first: first, with: witness)
        }

        private func composition(_ assets: String, _ segments: String, sound: String = "", layer: String = "") throws
            -> String
        {
            let audio = sound.isEmpty ? "" : ",{\"id\":2,\"type\":\"audio\",\"segments\":[\(sound)]}"
            return try folder.write(
                """
                {"format":"splitreel/1","assets":{\(assets)},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[\(segments)]}\(audio)]},
                "video":{"renderSize":[256,144],"frameDuration":"1/25","instructions":[
                {"range":["0s","1s"],"layers":[{"track":1\(layer)}]}]}}
                """, to: "film.json")
        }

        private func film(_ file: String, _ workers: Int, _ chunks: String, _ more: [String] = []) throws -> String {
            let path = folder.file("\(workers)-\(chunks)\(more.joined()).mkv")
            try program.render(
                file, to: path,
                ["--video-codec", "ffv1", "--audio-codec", "pcm", "--workers", "\(workers)", "--chunk-seconds", chunks]
                    + more)
            return path
        }

        /// The numbers of one film, which any split gives.
        private func numbers(_ file: String, _ more: [String] = []) throws -> [Int?] {
            let whole = try witness.luma(try film(file, 1, "none", more))
            #expect(try witness.luma(try film(file, 2, "0.2", more)) == whole)
            return whole.map { NumberedMedia.number($0) }
        }

        private func refusal(_ file: String, _ more: [String] = []) throws -> String {
            let result = try program.run(["render", file, "-o", folder.file("no.mkv"), "--overwrite"] + more)
            #expect(result.status != 0)
            return "\(result)"
        }

        /// Ten pictures at 20 a second, which begin at 98: whole, with the last held, and a part of them.
        @Test func sequencesOfAPattern() throws {
            try numbered("s.%03d.png", 10, ["-start_number", "98", "-f", "image2"])
            _ = try folder.write("no picture, and no name of the pattern", to: "s.97.png")
            let part = "{\"asset\":\"s\",\"source\":[\"0.1s\",\"0.4s\"],\"target\":[\"0.6s\",\"0.4s\"]}"
            let file = try composition(
                "\"s\":{\"kind\":\"imageSequence\",\"url\":\"s.%03d.png\",\"rate\":20}",
                "{\"asset\":\"s\",\"target\":[\"0s\",\"0.6s\"]},\(part)")
            let expected = (0..<25).map { $0 < 15 ? min($0 * 40 / 50, 9) : (100 + ($0 - 15) * 40) / 50 }
            #expect(try numbers(file) == expected)

            try FileManager.default.removeItem(atPath: folder.file("s.101.png"))
            let said = try refusal(file)
            #expect(said.contains("s.101.png") && said.contains("from 98 to 107"), "\(said)")
        }

        /// Names in the order of their numbers; the usual rate; another size in their midst.
        @Test func sequencesOfAFolder() throws {
            try FileManager.default.createDirectory(atPath: folder.file("pictures"), withIntermediateDirectories: true)
            for (place, name) in ["a1", "a2", "a9", "a10", "a100", "b0"].enumerated() {
                try numbered("pictures/\(name).png", 1, first: place, ["-frames:v", "1"])
            }
            let file = try composition(
                "\"s\":{\"kind\":\"imageSequence\",\"url\":\"pictures\"}",
                "{\"asset\":\"s\",\"target\":[\"0s\",\"1s\"]}")
            #expect(try numbers(file) == (0..<25).map { min($0, 5) })

            try witness.ffmpeg(["-f", "lavfi", "-i", "color=s=64x48", "-frames:v", "1", folder.file("pictures/a3.png")])
            let said = try refusal(file)
            #expect(said.contains("a3.png") && said.contains("64×48"), "\(said)")
            #expect(said.contains(#/film.json:1:\d+: assets\.s: /#), "\(said)")
        }

        /// The still where there is no source, the movie and its sound where there is one.
        @Test func livePhotos() throws {
            try numbered("still.jpg", 1, first: 77, ["-frames:v", "1", "-q:v", "2"])
            let tone = SoundMedia.tone(440, count: 48_000, rate: 48_000)
            let wave = try folder.write(SoundMedia.wave([tone], rate: 48_000), to: "tone.wav")
            try NumberedMedia.write(
                25, rate: "25", to: folder.file("movie.mov"),
                coding: ["-c:v", "libx264", "-crf", "12", "-g", "5", "-c:a", "pcm_s16le"], sound: wave, with: witness)
            let moving = "{\"asset\":\"p\",\"source\":[\"0.4s\",\"0.6s\"],\"target\":[\"0.4s\",\"0.6s\"]}"
            let file = try composition(
                "\"p\":{\"kind\":\"livePhoto\",\"url\":\"still.jpg\",\"movie\":\"movie.mov\"}",
                "{\"asset\":\"p\",\"target\":[\"0s\",\"0.4s\"]},\(moving)",
                sound: "{\"target\":[\"0s\",\"0.4s\"]},\(moving)")
            #expect(try numbers(file) == (0..<25).map { $0 < 10 ? 77 : $0 })
            let samples = try #require(try witness.samples(folder.file("1-none.mkv")).first)
            let expected = try #require(try witness.samples(wave).first)
            #expect(samples.prefix(19_200).allSatisfy { $0 == 0 })
            // The film is in stereo.
            for index in stride(from: 19_200, to: 48_000, by: 7) {
                #expect(abs(samples[index] - expected[index] * Float(0.5).squareRoot()) < 1e-4)
            }
        }

        /// As a phone writes them; ffmpeg would call it a damaged film.
        @Test func heicIsNamed() throws {
            let box: [UInt8] = [0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)
            _ = try folder.write(Data(box + [UInt8](repeating: 0, count: 4000)), to: "still.heic")
            let file = try composition(
                "\"p\":{\"kind\":\"livePhoto\",\"url\":\"still.heic\",\"movie\":\"still.heic\"}",
                "{\"asset\":\"p\",\"target\":[\"0s\",\"1s\"]}")
            #expect(try refusal(file).contains("HEIC"))
        }

        /// Half as large, numbered from 100 on, in the same place; one stored upright of a film that is not.
        @Test(arguments: [false, true]) func proxies(isTurned: Bool) throws {
            let coding = ["-c:v", "libx264", "-crf", "8", "-g", "5"]
            try numbered("stored.mp4", 25, (isTurned ? ["-vf", "hflip,vflip"] : []) + coding)
            try witness.ffmpeg(
                ["-i", folder.file("stored.mp4"), "-c", "copy"]
                    + (isTurned ? ["-metadata:s:v:0", "rotate=180"] : []) + [folder.file("a.mp4")])
            try numbered("small.mp4", 25, first: 100, ["-vf", "scale=128:72:flags=area"] + coding)
            let file = try composition(
                "\"a\":{\"url\":\"a.mp4\",\"proxy\":\"small.mp4\"}",
                "{\"asset\":\"a\",\"source\":[\"0s\",\"1s\"],\"target\":[\"0s\",\"1s\"]}",
                layer: isTurned ? ",\"fit\":\"contain\"" : ",\"crop\":[{\"at\":\"0s\",\"value\":[0,0,256,100]}]")
            #expect(try numbers(file) == Array(0..<25))
            #expect(try numbers(file, ["--proxy"]) == Array(100..<125))
            // The place of the key that names it.
            try FileManager.default.moveItem(atPath: folder.file("small.mp4"), toPath: folder.file("gone.mp4"))
            let said = try refusal(file, ["--proxy"])
            #expect(said.contains(#/film.json:1:\d+: assets\.a\.proxy: /#), "\(said)")
            let bottoms = try [[], ["--proxy"]].map { more in
                try witness.luma(folder.file("1-none\(more.joined()).mkv")).map { Array($0[(101 * 256)...]) }
            }
            if !isTurned { #expect(Set(bottoms.joined()) == [[UInt8](repeating: 16, count: 43 * 256)]) }
        }
    }
}
