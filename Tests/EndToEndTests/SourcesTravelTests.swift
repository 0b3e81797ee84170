import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// A worker that sees no file of the farm's makes the film that `render` makes.
    @Suite(.enabled(if: SourceTree.hasCorpus, "the corpus of real films is not beside the project"))
    struct SourcesTravelTests {
        private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

        private static func composition(_ first: String, _ second: String, _ sound: String) -> String {
            let clips = Text.clip("a", "0s", "1s", at: "0s") + "," + Text.clip("b", "0s", "1s", at: "1s")
            return """
                {"format": "splitreel/1",
                 "assets": {"a": {"url": "\(first)"}, "b": {"url": "\(second)"}, "s": {"url": "\(sound)"},
                  "look": {"kind": "lut", "url": "media/look.cube"}, "own": {"kind": "font", "url": "media/own.ttf"}},
                 "composition": {"tracks": [
                  {"id": 1, "type": "video", "segments": [\(clips)]},
                  {"id": 2, "type": "audio", "segments": [\(Text.clip("s", "0s", "2s", at: "0s"))]}]},
                 "video": {"renderSize": [160, 120], "frameDuration": "1/25",
                  "effects": [{"id": "lut", "params": {"lut": "look"}}],
                  "animation": {"videoLayers": ["film"], "root": {"bounds": [0, 0, 160, 120], "sublayers": [
                   {"id": "film", "bounds": [0, 0, 160, 120]},
                   {"bounds": [0, 0, 160, 40], "position": [80, 20],
                    "contents": {"text": {"string": "afar", "font": "own", "size": 24}}}]}}}}
                """
        }

        private func size(_ path: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        }

        @Test func aWorkerWithoutAnyFileMakesTheSameFilm() throws {
            let folder = try TestFolder("afar")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            let first = try #require(SourceTree.corpusFile("video/ax_sample.mp4"))
            let second = try #require(SourceTree.corpusFile("video/ax_bear-vp9.webm"))
            let sound = try #require(SourceTree.corpusFile("audio/ax_bear.flac"))
            let media = try folder.folder("media")
            try FileManager.default.copyItem(atPath: Self.font, toPath: media + "/own.ttf")
            // Red and blue change places.
            let rows = ["0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 0", "1 1 1"]
            _ = try folder.write("LUT_3D_SIZE 2\n" + rows.joined(separator: "\n") + "\n", to: "media/look.cube")
            let composition = try folder.write(Self.composition(first, second, sound), to: "cut.json")
            let options = ["--chunk-seconds", "1"]
            let alone = folder.file("alone.mp4")
            let run = try program.run(["render", composition, "-o", alone, "--workers", "1"] + options)
            #expect(run.status == 0, "\(run)")

            let farm = try Farm(in: folder, program, workers: [])
            let words = ["--root", try folder.folder("empty"), "--data", folder.file("own")]
            try farm.addWorker("far", options: words)
            let output = folder.file("far.mp4")
            let identifier = try farm.submit(composition, to: output, options)
            let job = try farm.wait(for: identifier)
            #expect(job.state == "completed" && job.chunks.allSatisfy { $0.attempt == 1 })
            let near = try witness.hashes(alone, hasSound: true)
            let far = try witness.hashes(output, hasSound: true)
            #expect(near.frames == far.frames && near.frames.count == 50)
            #expect(near.sound == far.sound && near.times == far.times)

            // Each of the four files is one block, and came once.
            let told = try program.run(["job", identifier, "--connect", farm.endpoint, "--json"], seconds: 30)
            let report = try #require(told.json)
            let sizes = try [first, second, media + "/own.ttf", media + "/look.cube"].map(size)
            let all = sizes.reduce(0, +)
            #expect(sizes.allSatisfy { $0 < 1_048_576 })
            #expect(report["bytesNeeded"] as? Int == all && report["bytesFetched"] as? Int == all)
            let length = try size(sound)
            let soundNeeded = try #require(report["soundBytesNeeded"] as? Int)
            let soundFetched = try #require(report["soundBytesFetched"] as? Int)
            #expect(soundNeeded > 0 && soundNeeded <= soundFetched && soundFetched <= length)
        }
    }
}
