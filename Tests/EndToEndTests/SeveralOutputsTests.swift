import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Outputs of one range are one job's, and what each would be alone.
    @Suite struct SeveralOutputsTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        private static let outputs = [
            "{\"url\":\"a.mp4\"}", "{\"url\":\"b.mkv\",\"videoSettings\":{\"codec\":\"ffv1\"}}",
            """
            {"url":"below/c.mkv","videoSettings":{"codec":"ffv1","pixelAspect":[16,15]},\
            "audioSettings":{"codec":"pcm","sampleRate":44100,"channels":1}}
            """, "{\"url\":\"d.flac\"}",
        ]
        private static let names = ["a.mp4", "b.mkv", "below/c.mkv", "d.flac"]

        init() throws {
            folder = try TestFolder("several-outputs")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            let tone = SoundMedia.tone(440, count: 96_000, rate: 48_000)
            try NumberedMedia.write(
                50, rate: "25", to: folder.file("m.mov"),
                coding: ["-c:v", "libx264", "-crf", "12", "-g", "12", "-c:a", "pcm_s16le"],
                sound: try folder.write(SoundMedia.wave([tone], rate: 48_000), to: "tone.wav"), with: witness)
            _ = try folder.folder("below")
        }

        /// Two seconds that fade, in 256 × 144.
        private func composition(_ outputs: [String], in place: String = "") throws -> String {
            let clip = Text.clip("m", "0s", "2s", at: "0s")
            let text = Text.project(
                ["m": folder.file("m.mov")], [Text.track(1, "video", clip), Text.track(2, "audio", clip)],
                size: (NumberedMedia.width, NumberedMedia.height), frame: "1/25",
                [
                    Text.instruction(
                        "0s", "2s",
                        Text.layer(
                            1, [1, 0, 0, 1, 0, 0], more: Text.ramp("opacity", "0s", "2s", "1", "0.2")))
                ])
            return try folder.write(
                String(text.dropLast()) + ",\"outputs\":[\(outputs.joined(separator: ","))]}",
                to: place + "cut.json")
        }

        private func hashes(_ file: String) throws -> [String] {
            if file.hasSuffix("flac") { return [try witness.soundHash(file)] }
            let (frames, times, sound) = try witness.hashes(file, hasSound: true)
            return frames + times + [sound]
        }

        /// As each is when it is rendered alone, by one worker.
        private func reference(_ chunks: String) throws -> [[String]] {
            _ = try folder.folder("alone")
            _ = try folder.folder("alone/below")
            return try zip(Self.outputs, Self.names).map { output, name in
                let file = try composition([output], in: "alone/")
                let result = try program.run(["render", file, "--workers", "1", "--chunk-seconds", chunks])
                #expect(result.status == 0, "\(result)")
                return try hashes(folder.file("alone/" + name))
            }
        }

        @Test func eachIsWhatItIsAlone() throws {
            let wanted = try reference("0.4s")
            let file = try composition(Self.outputs)
            let result = try program.run(["render", file, "--workers", "2", "--chunk-seconds", "0.4s", "--json"])
            let paths = Self.names.map(folder.file)
            #expect(result.status == 0 && result.text.split(separator: "\n").count == 1, "\(result)")
            #expect(result.json?["output"] as? String == paths[0] && result.json?["outputs"] as? [String] == paths)
            #expect(try paths.map(hashes) == wanted)
            #expect(wanted[1].count == 101 && wanted[0] != wanted[1] && wanted[1] != wanted[2])
            #expect(try folder.names().filter { $0.hasPrefix(".") }.isEmpty)
            let below = try FileManager.default.contentsOfDirectory(atPath: folder.file("below"))
            #expect(below == ["c.mkv"])
            // Paths alone for people, a line each.
            let again = try program.run(["render", file, "--workers", "2", "--overwrite"])
            #expect(again.text == paths.map { $0 + "\n" }.joined(), "\(again)")
        }

        /// A small copy and one of twice the rate beside the master: what the command line's options would make.
        @Test func outputsHaveSizesAndRatesOfTheirOwn() throws {
            let lossless = "\"videoSettings\":{\"codec\":\"ffv1\"}"
            let file = try composition([
                "{\"url\":\"m.mkv\",\(lossless)}", "{\"url\":\"s.mkv\",\"size\":[128,72],\(lossless)}",
                "{\"url\":\"f.mkv\",\"frameDuration\":\"1/50\",\(lossless)}",
            ])
            let result = try program.run(["render", file, "--workers", "2"])
            #expect(result.status == 0, "\(result)")
            let wanted = [("m", 256, 144, "25/1", 50), ("s", 128, 72, "25/1", 50), ("f", 256, 144, "50/1", 100)]
            for (name, width, height, rate, count) in wanted {
                let film = folder.file(name + ".mkv")
                let stream = try #require(try witness.streams(film).first { $0["codec_type"] as? String == "video" })
                #expect(stream["width"] as? Int == width && stream["height"] as? Int == height, "\(stream)")
                #expect(stream["r_frame_rate"] as? String == rate, "\(stream)")
                let alone = folder.file("alone.mkv")
                try program.render(
                    file, to: alone,
                    ["--video-codec", "ffv1", "--size", "\(width)x\(height)", "--fps", rate, "--overwrite"])
                let hashes = try hashes(film)
                #expect(try hashes == self.hashes(alone) && hashes.count == 2 * count + 1, "\(name)")
            }
        }

        @Test func oneThatExistsIsRefusedBeforeAnyWork() throws {
            let file = try composition(Self.outputs)
            let before = try folder.write("mine", to: "b.mkv")
            let result = try program.run(["render", file, "--workers", "1"])
            #expect(result.status == 5 && result.standardError.contains(before), "\(result)")
            #expect(try String(contentsOfFile: before, encoding: .utf8) == "mine")
            let left = try folder.names().filter { !$0.hasPrefix("m.") }
            #expect(left == ["b.mkv", "below", "cut.json", "tone.wav"])
            let farm = try Farm(in: folder, program, workers: [])
            let submitted = try program.run([
                "submit", file, "--connect", farm.endpoint, "--watch", "--json",
            ])
            #expect(submitted.status == 5 && submitted.standardError.contains(before), "\(submitted)")
        }

        /// A worker's process and then the coordinator are killed in the middle of it.
        @Test func crashesChangeNothing() throws {
            let file = try composition(Self.outputs)
            let calm = try program.run(["render", file, "--workers", "1", "--chunk-seconds", "0.08s"])
            #expect(calm.status == 0, "\(calm)")
            let paths = Self.names.map(folder.file)
            let wanted = try paths.map(hashes)
            for path in paths { try FileManager.default.removeItem(atPath: path) }
            let farm = try Farm(in: folder, program, workers: [])
            let submitted = try program.run([
                "submit", file, "--connect", farm.endpoint, "--chunk-seconds", "0.08s",
            ])
            let job = submitted.text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(submitted.status == 0 && !job.contains("\n"), "\(submitted)")
            try farm.addWorker("w")
            let rendering = try farm.wait(for: job) { $0.chunks.contains { $0.state == "done" } }
            #expect(!rendering.isOver)
            farm.killSlot(ofWorker: 0)
            farm.coordinator.send(SIGKILL)
            _ = farm.coordinator.finish(seconds: 10)
            #expect(try folder.names().filter { !$0.hasPrefix(".") }.allSatisfy { !Self.names.contains($0) })
            try farm.restartCoordinator()
            #expect(try farm.wait(for: job).state == "completed")
            #expect(try paths.map(hashes) == wanted)
            #expect(try folder.names().filter { $0.hasPrefix(".") }.isEmpty)
            let told = try program.run(["job", job, "--connect", farm.endpoint, "--json"])
            #expect(told.json?["outputs"] as? [String] == paths, "\(told)")
        }
    }
}
