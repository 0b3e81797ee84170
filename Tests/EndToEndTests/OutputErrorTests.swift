import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Where results go: what must not be replaced, what is told at the end, and what is checked before the start.
    @Suite struct OutputErrorTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let witness: Witness

        init() throws {
            folder = try TestFolder("outputs")
            program = try Splitreel(in: folder)
            witness = Witness(in: folder)
            try NumberedMedia.write(
                25, rate: "25", to: folder.file("a.mkv"), coding: ["-c:v", "ffv1"], with: witness)
        }

        private func composition(_ name: String = "cut.json", outputs: String = "") throws -> String {
            let text = Text.project(
                ["a": "a.mkv"], [Text.track(1, "video", Text.clip("a", "0s", "1s", at: "0s"))],
                size: (NumberedMedia.width, NumberedMedia.height), frame: "1/25",
                [Text.instruction("0s", "1s", Text.layer(1, [1, 0, 0, 1, 0, 0]))])
            let end = outputs.isEmpty ? "}" : ",\"outputs\":[\(outputs)]}"
            return try folder.write(String(text.dropLast()) + end, to: name)
        }

        private func shell(_ script: String) throws -> ToolResult {
            try Tool(
                "/bin/sh", ["-c", script.replacingOccurrences(of: "PROGRAM", with: program.path)], in: folder,
                directory: folder.path
            ).finish(seconds: 60)
        }

        @Test func nothingReplacesWhatItIsMadeFrom() throws {
            let file = try composition("cut.mkv.json")
            let source = folder.file("a.mkv")
            let before = FileManager.default.contents(atPath: source)
            try FileManager.default.createSymbolicLink(atPath: folder.file("soft.mkv"), withDestinationPath: source)
            try FileManager.default.linkItem(atPath: source, toPath: folder.file("hard.mkv"))
            try FileManager.default.moveItem(atPath: file, toPath: folder.file("cut.mkv"))
            let names = try folder.names()
            let cut = folder.file("cut.mkv")
            let commands = [
                ["render", cut, "-o", source], ["render", cut, "-o", folder.file("soft.mkv")],
                ["render", cut, "-o", folder.file("hard.mkv")], ["render", cut, "-o", cut],
                ["frame", source, "--at", "0s", "-o", source], ["new", source, "-o", source],
            ]
            for command in commands {
                let result = try program.run(command + ["--overwrite"], seconds: 60)
                #expect(result.status == 5, "\(result)")
                #expect(result.standardError.contains(command[command.count - 1]), "\(result)")
            }
            #expect(FileManager.default.contents(atPath: source) == before)
            #expect(try folder.names() == names)
        }

        @Test func aFailureHasItsDocumentToo() throws {
            let missing = try program.run(["render", "nowhere.json", "-o", "out.mp4", "--json"])
            #expect(missing.status == 3)
            #expect(missing.json?["state"] as? String == "failed", "\(missing.text)")
            #expect((missing.json?["error"] as? [String: Any])?["code"] as? Int == 50000, "\(missing.text)")
            let file = try composition()
            for (arguments, status, code) in [
                ([file, "-o", "out.avi"], 2, 60001), ([file], 2, 60001),
                ([file, "-o", "nowhere/out.mp4"], 5, 20105), ([file, "-o", "out.mp4", "--range", "9s,1s"], 2, 60001),
            ] as [([String], Int32, Int)] {
                let result = try program.run(["render", "--json"] + arguments)
                #expect(result.status == status, "\(result)")
                #expect(result.json?["state"] as? String == "failed", "\(result) \(result.text)")
                #expect((result.json?["error"] as? [String: Any])?["code"] as? Int == code, "\(result.text)")
            }
        }

        @Test func everyOutputIsCheckedBeforeTheFirst() throws {
            let old = try folder.write("the old film", to: "first.mp4")
            for second in [
                "{\"url\":\"none/b.mkv\"}", "{\"url\":\"b.mp4\",\"videoSettings\":{\"codec\":\"ffv1\"}}",
                "{\"url\":\"./first.mp4\"}", "{\"url\":\"a.mkv\"}",
            ] {
                let file = try composition(outputs: "{\"url\":\"first.mp4\"},\(second)")
                let result = try program.run(["render", file, "--overwrite"], seconds: 60)
                #expect([2, 3, 5].contains(result.status), "\(result)")
                #expect(FileManager.default.contents(atPath: old) == Data("the old film".utf8), "\(second)")
            }
        }

        @Test func validateReadsTheOutputs() throws {
            let twice = try composition(outputs: "{\"url\":\"b.mp4\"},{\"url\":\"./b.mp4\"}")
            let codec = try composition(
                "codec.json", outputs: "{\"url\":\"b.mp4\",\"videoSettings\":{\"codec\":\"ffv1\"}}")
            let sound = try composition(
                "sound.json", outputs: "{\"url\":\"b.wav\",\"videoSettings\":{\"crf\":20}}")
            for (file, path, code) in [
                (twice, "outputs[1].url", 50006), (codec, "outputs[0].videoSettings.codec", 20103),
                (sound, "outputs[0].videoSettings.crf", 20110),
            ] {
                let result = try program.run(["validate", file, "--json"])
                #expect(result.status == 3, "\(result)")
                let problem = (result.json?["problems"] as? [[String: Any]])?.first
                #expect(problem?["path"] as? String == path && problem?["code"] as? Int == code, "\(result.text)")
            }
        }

        @Test func planShowsEveryOutput() throws {
            let file = try composition(outputs: "{\"url\":\"b.mp4\"},{\"url\":\"c.mkv\",\"range\":[\"0s\",\"0.2s\"]}")
            let documents = try program.run(["plan", file, "--json"])
            let counts = documents.text.split(separator: "\n").map { line in
                (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["frameCount"] as? Int
            }
            #expect(counts == [25, 5], "\(documents.text)")
            let table = try program.run(["plan", file])
            #expect(table.text.contains("b.mp4") && table.text.contains("c.mkv"), "\(table.text)")
            #expect(try program.run(["plan", file, "-o", "d.mp4", "--json"]).text.split(separator: "\n").count == 1)
        }

        @Test func encodersSayNothingOfThemselves() throws {
            let result = try program.run(
                ["render", try composition(), "-o", folder.file("b.mkv"), "--video-codec", "av1"], seconds: 60)
            #expect(result.status == 0 && !result.standardError.contains("Svt"), "\(result)")
            #expect(try witness.frameHashes(folder.file("b.mkv")).count == 25)
        }

        @Test func placesThatCannotBe() throws {
            let file = try composition()
            let gone = try shell("mkdir gone && cd gone && rmdir ../gone && PROGRAM render \(file) -o rel.mp4")
            #expect(gone.status == 2 && gone.standardError.contains("current folder"), "\(gone)")
            let long = String(repeating: "n", count: 260) + ".mp4"
            let named = try program.run(["render", file, "-o", long])
            #expect(named.status == 5 && !named.standardError.contains("running"), "\(named)")
            #expect(try folder.names().filter { !$0.hasPrefix("a.") } == ["cut.json"])
        }

        @Test func aLostResultIsAFailure() throws {
            let full = try shell("PROGRAM error 20001 > /dev/full")
            #expect(full.status == 1 && full.standardError.contains("standard output"), "\(full)")
            let left = try shell("PROGRAM error | true; echo over")
            #expect(left.standardError.isEmpty && left.text == "over\n", "\(left)")
        }

        @Test func picturesAndCompositionsHaveTheirNames() throws {
            let file = try composition()
            let frame = try program.run(["frame", file, "--at", "0s", "-o", "x.gif"])
            #expect(frame.status == 2 && frame.standardError.contains(".png"), "\(frame)")
            let new = try program.run(["new", "a.mkv", "-o", "x.mp4"])
            #expect(new.status == 2 && new.standardError.contains(".json"), "\(new)")
            for tolerance in ["0", "0s", "0/1"] {
                let exact = try program.run([
                    "frame", file, "--at", "0s", "-o", "x.png", "--overwrite", "--tolerance", tolerance,
                ])
                #expect(exact.status == 0, "\(exact)")
            }
        }
    }
}
