import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The ends of commands that go wrong early: a number for people, and one document for programs. Nothing is
    /// rendered.
    @Suite struct LastDocumentTests {
        private let folder: TestFolder
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("ends")
            program = try Splitreel(in: folder)
            _ = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":"red"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1s"]}]}]},
                "video":{"renderSize":[64,48],"frameDuration":"1/25"}}
                """, to: "cut.json")
            _ = try folder.write(
                """
                {"format":"splitreel/1",
                 "assets":{"c":{"kind":"color","color":"rad"}},"composition":{"tracks":[]}}
                """, to: "wrong.json")
        }

        /// The only document of standard output.
        private func document(_ result: ToolResult) throws -> [String: Any] {
            #expect(result.text.split(separator: "\n").count == 1, "\(result) \(result.text)")
            let document = try #require(result.json, "\(result)")
            #expect(document["schema"] as? Int == 1, "\(document)")
            return document
        }

        private func error(_ result: ToolResult) throws -> [String: Any] {
            try #require(try document(result)["error"] as? [String: Any], "\(result)")
        }

        @Test(arguments: [
            (["render", "cut.json", "-o", "a.mp4", "--size", "1280:720"], "--size takes"),
            (["render", "cut.json", "-o", "a.mp4", "--crf", "abc"], "--crf"),
            (["render", "cut.json", "-o", "a.mp4", "-y"], "did you mean ‘--overwrite’?"),
            (["render", "cut.json", "-o", "."], "it is a folder"),
            (["render", "cut.json", "-o", "a.mp4", "--range", "0s,30f"], "at 25 a second this is \"30/25\""),
            (["plan", "cut.json", "--fps", "fast"], "fast"), (["probe"], "Missing expected argument"),
            (["validate", "cut.json", "--strct"], "--strict"), (["verify", "a.mp4", "--every", "x"], "--every"),
        ])
        func aWrongOptionHasItsNumberAndADocument(arguments: [String], words: String) throws {
            let result = try program.run(arguments + ["--json"])
            #expect(result.status == 2 && result.standardError.hasPrefix("error 60001: "), "\(result)")
            #expect(result.standardError.contains(words), "\(result)")
            let error = try error(result)
            #expect(error["code"] as? Int == 60001 && (error["message"] as? String)?.isEmpty == false, "\(error)")
            if arguments[0] == "render" { #expect(try document(result)["state"] as? String == "failed") }
            let plain = try program.run(arguments)
            #expect(plain.status == 2 && plain.text.isEmpty, "\(plain)")
        }

        @Test func aFaultOfTheCompositionTellsItsPlace() throws {
            for arguments in [["render", "wrong.json", "-o", "a.mp4"], ["plan", "wrong.json"]] {
                let result = try program.run(arguments + ["--json"])
                let error = try error(result)
                #expect(result.status == 3 && error["file"] as? String == "wrong.json", "\(result) \(error)")
                #expect(error["line"] as? Int == 2 && error["column"] as? Int == 32, "\(error)")
                #expect(error["hint"] as? String == "did you mean `red`?", "\(error)")
            }
        }

        @Test func whatGoesWellHasTheNumberOfItsFormToo() throws {
            for arguments in [
                ["validate", "cut.json"], ["plan", "cut.json"], ["probe", "cut.json"], ["effects"], ["presets"],
            ] {
                let result = try program.run(arguments + ["--json"])
                let document = try document(result)
                #expect(result.status == 0 && document["error"] == nil, "\(result)")
            }
        }

        @Test func quietLeavesErrorsAlone() throws {
            _ = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":"red"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1s"]}]}]},
                "video":{"renderSize":[64,48],"frameDuration":"1/25"},"wholly-unlike":1}
                """, to: "odd.json")
            let loud = try program.run(["plan", "odd.json"])
            #expect(loud.status == 0 && loud.standardError.contains("wholly-unlike"), "\(loud)")
            let quiet = try program.run(["plan", "odd.json", "--quiet"])
            #expect(quiet.status == 0 && quiet.standardError.isEmpty && quiet.text == loud.text, "\(quiet)")
            let failed = try program.run(["plan", "wrong.json", "--quiet"])
            #expect(failed.status == 3 && failed.standardError.contains("did you mean `red`?"), "\(failed)")
        }

        /// The coordinator is not there, or the film cannot be: the folders that were made are gone again.
        @Test func foldersAreMadeWhereThatIsAskedForAndNotLeftEmpty() throws {
            func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.file(name)) }
            let without = try program.run(["render", "cut.json", "-o", "new/deep/a.mp4", "--workers", "1"])
            #expect(without.status == 5 && !exists("new"), "\(without)")
            #expect(without.standardError.contains("make it, or say --parents"), "\(without)")
            let nobody = ["--connect", "ipc://\(folder.file("nobody"))", "--timeout", "0.2"]
            let submitted = try program.run(["submit", "cut.json", "-o", "new/deep/a.mp4", "--parents"] + nobody)
            #expect(submitted.status == 6 && !exists("new"), "\(submitted)")
            let made = try program.run(
                [
                    "render", "cut.json", "-o", "new/deep/a.mp4", "--parents", "--workers", "1", "--quiet",
                    "--progress", "json",
                ], seconds: 60)
            #expect(made.status == 0 && exists("new/deep/a.mp4"), "\(made)")
            // Standard error has events alone, and the last one says that all is done.
            let events = try made.standardError.split(separator: "\n").map {
                try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\(made)")
            }
            let last = try #require(events.last)
            #expect(last["event"] as? String == "progress" && last["state"] as? String == "completed", "\(made)")
            #expect(last["frames"] as? Int == 25 && last["framesDone"] as? Int == 25 && last["schema"] as? Int == 1)
            let inFile = try program.run(["render", "cut.json", "-o", "cut.json/deep/b.mp4", "--parents"])
            #expect(inFile.status == 5 && inFile.standardError.contains("Not a directory"), "\(inFile)")
        }

        /// No job is made of what cannot be seen from here, unless that is left to the coordinator.
        @Test func submitLooksBeforeItAnswers() throws {
            _ = try folder.write(
                """
                {"format":"splitreel/1","assets":{"m":{"url":"nowhere.mp4"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"m","source":["0s","1s"],"target":["0s","1s"]}]}]}}
                """, to: "missing.json")
            _ = try folder.write("mine", to: "there.mp4")
            let farm = try Farm(in: folder, program, workers: [])
            func submit(_ words: String...) throws -> ToolResult {
                try program.run(["submit"] + words + ["--connect", farm.endpoint])
            }
            let missing = try submit("missing.json", "-o", "a.mp4", "--json")
            #expect(missing.status == 4 && missing.standardError.contains("nowhere.mp4"), "\(missing)")
            #expect(missing.standardError.contains("--no-check"), "\(missing)")
            #expect(try error(missing)["code"] != nil)
            let taken = try submit("cut.json", "-o", "there.mp4")
            #expect(taken.status == 5 && taken.standardError.contains("error 20104"), "\(taken)")
            let nowhere = try submit("cut.json", "-o", "no/such/a.mp4")
            #expect(nowhere.status == 5 && nowhere.standardError.contains("error 20105"), "\(nowhere)")
            #expect(try program.run(["jobs", "--connect", farm.endpoint, "--json"]).text.contains("[]"))
            #expect(try submit("missing.json", "-o", "a.mp4", "--no-check").status == 0)
        }

        @Test(arguments: [
            (["--progress", "xml"], "xml"), (["--progress-fd", "3"], "--progress json"),
            (["--progress", "json", "--progress-fd", "1"], "2 or more"),
            (["--progress", "json", "--progress-fd", "77"], "no descriptor of that number is open for writing"),
        ])
        func aWrongPlaceForProgressIsRefused(options: [String], words: String) throws {
            let result = try program.run(["render", "cut.json", "-o", "a.mp4"] + options)
            #expect(result.status == 2 && result.standardError.contains(words), "\(result)")
            let submitted = try program.run(["submit", "cut.json", "-o", "a.mp4", "--progress", "json"])
            #expect(submitted.status == 2 && submitted.standardError.contains("--watch"), "\(submitted)")
        }

        @Test func aHostWithoutAnAddressIsCalledOne() throws {
            let result = try program.run(
                ["jobs", "--connect", "tcp://nohost.invalid:7833", "--timeout", "0.2", "--json"], seconds: 60)
            #expect(result.status == 6 && result.standardError.contains("the name `nohost.invalid` cannot be resolved"))
            #expect(try error(result)["code"] as? Int == 10004)
        }

        /// The same number and words from all who read one file.
        @Test func aMissingFileIsToldAlike() throws {
            let probed = try program.run(["probe", "nix.mp4"])
            let verified = try program.run(["verify", "nix.mp4"])
            #expect(probed.status == 4 && probed.standardError.hasPrefix("error 20002"), "\(probed)")
            #expect(verified.status == 4 && verified.standardError.hasPrefix("error 20002"), "\(verified)")
            #expect(try program.run(["verify", "."]).status == 4)
        }

        @Test func aNearNameIsAskedFor() throws {
            let result = try program.run(["validate", "cutt.json"])
            #expect(result.status == 3 && result.text.contains("did you mean `cut.json`?"), "\(result)")
        }
    }
}
