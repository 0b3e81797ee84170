import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// A person and a coordinator without a common folder: the coordinator's only root is empty.
    @Suite struct UploadTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let endpoint: String
        private let data: String
        private let root: String

        init() throws {
            folder = try TestFolder("upload")
            program = try Splitreel(in: folder)
            endpoint = "ipc://" + folder.file("control")
            data = folder.file("state")
            root = try folder.folder("root")
        }

        private func coordinator() throws -> Tool {
            let tool = try program.start(["coordinator", "--listen", endpoint, "--data", data, "--root", root])
            #expect(tool.until(seconds: 20) { tool.outputSoFar.contains("listening on ") })
            return tool
        }

        /// The composition of a person: a made clip that ends with 256 MB of nothing, and a real one where it is there.
        private func composition() throws -> String {
            let media = try folder.folder("person")
            let first = media + "/a.mp4"
            try Witness(in: folder).ffmpeg([
                "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=1", "-f", "lavfi", "-i", "sine=440:d=1", "-c:v", "libx264",
                "-c:a", "aac", "-shortest", first,
            ])
            // A box that readers skip (ISO/IEC 14496-12, 8.1.2).
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: first))
            let length: UInt64 = 256 << 20
            let end = try file.seekToEnd()
            try file.write(contentsOf: Data([0x10, 0, 0, 0]) + Data("free".utf8))
            try file.truncate(atOffset: end + length)
            try file.close()
            let second = media + "/b.webm"
            let real = SourceTree.corpusFile("video/ax_bear-vp9.webm")
            try FileManager.default.copyItem(atPath: real ?? first, toPath: second)
            let clips = Text.clip("a", "0s", "1s", at: "0s") + "," + Text.clip("b", "0s", "1s", at: "1s")
            let sound = Text.clip("a", "0s", "1s", at: "0s")
            return try folder.write(
                Text.project(
                    ["a": "person/a.mp4", "b": "person/b.webm"],
                    [Text.track(1, "video", clips), Text.track(2, "audio", sound)], size: (64, 48), frame: "1/25"),
                to: "cut.json")
        }

        private func names(_ folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }

        /// The bytes of the uploads that are not whole.
        private func partBytes() -> Int {
            names(data + "/store/parts").reduce(0) { sum, name in
                let facts = try? FileManager.default.attributesOfItem(atPath: data + "/store/parts/" + name)
                return sum + (facts?[.size] as? Int ?? 0)
            }
        }

        @Test func aFilmIsMadeWhateverIsKilled() throws {
            let cut = try composition()
            let options = ["--chunk-seconds", "1", "--encoder-preset", "ultrafast"]
            try program.render(cut, to: folder.file("alone.mp4"), options + ["--workers", "1"])

            var running = [try coordinator()]
            running.append(try program.start(["worker", "--connect", endpoint, "--slots", "1", "--name", "w"]))
            defer { for tool in running where tool.isRunning { tool.send(SIGKILL) } }
            let output = try folder.folder("out") + "/film.mp4"
            let submit = ["submit", cut, "-o", output, "--connect", endpoint, "--watch", "--json"] + options

            // The client dies in the middle, and another one goes on; then the coordinator does.
            let killed = try program.start(submit)
            #expect(killed.until(seconds: 60) { partBytes() > 4 << 20 })
            killed.send(SIGKILL)
            _ = killed.finish(seconds: 20)
            let had = partBytes()
            #expect(had > 0, "the upload was over before its client was killed")
            let client = try program.start(submit)
            running.append(client)
            let more = had + 4_194_304
            #expect(client.until(seconds: 60) { partBytes() > more })
            running[0].send(SIGKILL)
            _ = running[0].finish(seconds: 20)
            #expect(partBytes() >= more, "the upload was over before its coordinator was killed")
            running.append(try coordinator())
            let film = client.finish(seconds: 120)
            #expect(film.status == 0, "\(film)")
            #expect(film.json?["output"] as? String == output, "\(film)")

            let witness = Witness(in: folder)
            let near = try witness.hashes(folder.file("alone.mp4"), hasSound: true)
            let far = try witness.hashes(output, hasSound: true)
            #expect(near.frames == far.frames && near.frames.count == 50)
            #expect(near.sound == far.sound && near.times == far.times)
            let bytes = try [folder.file("alone.mp4"), output].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            #expect(bytes[0] == bytes[1])

            // Nothing else is left: no part, no mark, and the film waits for whoever asks again.
            let contents = SourceTree.corpusFile("video/ax_bear-vp9.webm") == nil ? 1 : 2
            #expect(names(data + "/store/parts").isEmpty && names(data + "/store/contents").count == contents)
            #expect(names(folder.file("out")) == ["film.mp4"])
            let job = try #require(film.json?["job"] as? String)
            let other = folder.file("other.mp4")
            let again = try program.run(["download", job, "-o", other, "--connect", endpoint])
            #expect(again.status == 0 && again.text == other + "\n", "\(again)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == bytes[0])
            let unknown = try program.run(["download", "nonesuch", "--connect", endpoint], seconds: 30)
            #expect(unknown.status == 1, "\(unknown)")

            // What is known is not sent again.
            let store = try #require(try program.run(["store", "stat", "--connect", endpoint, "--json"]).json)
            #expect(store["files"] as? Int == contents && store["films"] as? Int == 1 && store["parts"] as? Int == 0)
        }

        /// A film in `scenes`, of a clip and a sequence that lie above it. Another one is behind a link to `elsewhere`,
        /// and so is its clip: `..` there leads to the folder above the one that the link leads to.
        private func compositionWithStepsUp() throws -> String {
            for name in ["person/film/scenes", "person/media", "person/frames", "elsewhere/scenes", "elsewhere/media"] {
                _ = try folder.folder(name)
            }
            try FileManager.default.createSymbolicLink(
                atPath: folder.file("person/film/linked"), withDestinationPath: "../../elsewhere/scenes")
            let witness = Witness(in: folder)
            func film(_ source: String, _ coding: [String]) throws {
                try witness.ffmpeg(["-f", "lavfi", "-i", "\(source)=s=64x48:r=25:d=1"] + coding)
            }
            try film("testsrc", ["-c:v", "libx264", folder.file("person/media/a.mp4")])
            try film("testsrc2", ["-c:v", "libx264", folder.file("elsewhere/media/b.mp4")])
            try film("testsrc", ["-frames:v", "5", folder.file("person/frames/%03d.png")])
            func write(_ assets: [String: String], kinds: [String: String], _ clips: [String], to name: String) throws {
                let track = Text.track(1, "video", clips.joined(separator: ","))
                var text = Text.project(assets, [track], size: (64, 48), frame: "1/25")
                for (url, keys) in kinds {
                    text = text.replacingOccurrences(of: "{\"url\":\"\(url)\"}", with: "{\(keys),\"url\":\"\(url)\"}")
                }
                _ = try folder.write(text, to: name)
            }
            let frames = "../../frames/%03d.png"
            try write(
                ["a": "../../media/a.mp4", "f": frames],
                kinds: [frames: "\"kind\":\"imageSequence\",\"rate\":5"],
                [Text.clip("a", "0s", "1s", at: "0s"), Text.clip("f", "0s", "1s", at: "1s")],
                to: "person/film/scenes/inner.json")
            try write(
                ["b": "../media/b.mp4"], kinds: [:], [Text.clip("b", "0s", "1s", at: "0s")],
                to: "elsewhere/scenes/inner.json")
            let nested = ["scenes/inner.json", "linked/inner.json"]
            try write(
                ["a": "./..//media/a.mp4", "n": nested[0], "l": nested[1]],
                kinds: Dictionary(uniqueKeysWithValues: nested.map { ($0, "\"kind\":\"composition\"") }),
                [
                    Text.clip("n", "0s", "2s", at: "0s"), Text.clip("l", "0s", "1s", at: "2s"),
                    Text.clip("a", "0s", "1s", at: "3s"),
                ], to: "person/film/cut.json")
            return folder.file("person/film/cut.json")
        }

        @Test func filesAboveANestedCompositionAreUploaded() throws {
            let cut = try compositionWithStepsUp()
            let options = ["--chunk-seconds", "1", "--encoder-preset", "ultrafast"]
            try program.render(cut, to: folder.file("alone.mp4"), options + ["--workers", "1"])

            var running = [try coordinator()]
            running.append(try program.start(["worker", "--connect", endpoint, "--slots", "1", "--name", "w"]))
            defer { for tool in running where tool.isRunning { tool.send(SIGKILL) } }
            let output = try folder.folder("out") + "/film.mp4"
            let film = try program.run(
                ["submit", cut, "-o", output, "--connect", endpoint, "--watch", "--json"] + options)
            #expect(film.status == 0 && film.json?["output"] as? String == output, "\(film)")

            let witness = Witness(in: folder)
            let near = try witness.hashes(folder.file("alone.mp4"), hasSound: false)
            let far = try witness.hashes(output, hasSound: false)
            #expect(near.frames == far.frames && near.frames.count == 100 && Set(near.frames).count > 30)
            // Two clips and five pictures, each once, whatever name it has.
            #expect(names(data + "/store/contents").count == 7)
        }

        /// `frame` and `sheet` have the farm make a film in a hidden folder beside the picture, which they fetch.
        @Test func picturesComeFromAFarmThatSeesNoFolder() throws {
            let media = folder.file("a.mp4")
            let witness = Witness(in: folder)
            try witness.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=2", "-c:v", "libx264", media])
            var running = [try coordinator()]
            running.append(try program.start(["worker", "--connect", endpoint, "--slots", "1", "--name", "w"]))
            defer { for tool in running where tool.isRunning { tool.send(SIGKILL) } }
            for (command, options) in [("frame", ["--at", "1.3s"]), ("sheet", ["--every", "0.5s"])] {
                let hashes = try [[], ["--connect", endpoint]].map { farm in
                    let picture = folder.file("\(command)-\(farm.count).png")
                    let run = try program.run([command, media, "-o", picture] + options + farm)
                    #expect(run.status == 0, "\(run)")
                    return try witness.frameHashes(picture)
                }
                #expect(hashes[0] == hashes[1] && hashes[0].count == 1, "\(command)")
            }
        }
    }
}
