import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The first steps of somebody who has never used the program: slips, and the answers to them.
    @Suite struct NewcomerTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let witness: Witness

        init() throws {
            folder = try TestFolder("newcomer")
            program = try Splitreel(in: folder)
            witness = Witness(in: folder)
        }

        private func run(_ arguments: String..., status: Int32, sourceLocation: SourceLocation = #_sourceLocation)
            throws -> ToolResult
        {
            let result = try program.run(arguments, seconds: 60)
            #expect(result.status == status, "\(result)", sourceLocation: sourceLocation)
            return result
        }

        private func clip(_ name: String, rate: String = "25", seconds: String = "1", coding: [String] = []) throws {
            try witness.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=\(rate):d=\(seconds)", "-f", "lavfi", "-i"]
                    + ["sine=d=\(seconds)", "-c:v", "libx264", "-pix_fmt", "yuv420p"] + coding + [folder.file(name)])
        }

        /// A composition of one colour; its only instruction has no layers.
        private func black(_ name: String, url: String? = nil) throws {
            let asset = url.map { "{\"url\":\"\($0)\"}" } ?? "{\"kind\":\"color\",\"color\":[1,1,1,1]}"
            let source = url == nil ? "" : "\"source\":[\"0s\",\"1s\"],"
            _ = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":\(asset)},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c",\(source)"target":["0s","1s"]}]}]},
                "video":{"renderSize":[96,64],"frameDuration":"1/25","instructions":[
                {"range":["0s","1s"]}]}}
                """, to: name)
        }

        /// A warning has one text, with file, line, column and what to do, whoever tells it.
        @Test func warningsReadAlikeEverywhere() throws {
            try black("black.json")
            let text = try run("validate", "black.json", status: 0).text
            let warning = text.components(separatedBy: "\nvalid").first ?? ""
            #expect(warning.hasPrefix("black.json:3:54: warning 50104 at video.instructions: the whole film is empty"))
            #expect(warning.contains("\n  try: list the tracks to draw, such as \"layers\": [{\"track\": 1}]"))
            for arguments in [
                ["plan", "black.json", "-o", "a.mp4"], ["render", "black.json", "-o", "a.mp4", "--workers", "1"],
                ["frame", "black.json", "--at", "0s", "-o", "a.png"],
            ] {
                let result = try program.run(arguments, seconds: 60)
                #expect(result.status == 0 && result.standardError.contains(warning), "\(result)")
            }
            let farm = try Farm(in: folder, program, workers: ["w"])
            let result = try program.run(
                ["submit", "black.json", "-o", "b.mp4", "--connect", farm.endpoint, "--watch"], seconds: 60)
            #expect(result.status == 0 && result.standardError.contains(warning), "\(result)")
        }

        @Test func aMissingFileIsNamedWithItsAssetAndItsLine() throws {
            try black("cut.json", url: "nowhere.mp4")
            let text = try run("validate", "cut.json", status: 4).text
            #expect(text.contains("cut.json:1:") && text.contains("assets.c") && text.contains("\n  try: "), "\(text)")
            for arguments in [["plan"], ["render", "--workers", "1"]] {
                let result = try program.run(arguments + ["cut.json", "-o", "a.mp4"], seconds: 60)
                #expect(result.status == 4, "\(result)")
                #expect(
                    result.standardError.contains("cut.json:1:35: assets.c: \(folder.file("nowhere.mp4"))"), "\(result)"
                )
                #expect(result.standardError.contains("\n  try: check the name"), "\(result)")
            }
        }

        @Test func aFilmInPlaceOfACompositionIsCalledOne() throws {
            try clip("a.mp4", seconds: "0.2")
            for arguments in [["render", "a.mp4", "-o", "b.mp4"], ["plan", "a.mp4"], ["validate", "a.mp4"]] {
                let result = try program.run(arguments, seconds: 60)
                let said = result.text + result.standardError
                #expect(result.status == 3 && said.contains("it is media (mov), not a composition"), "\(result)")
                #expect(said.contains("splitreel new a.mp4 -o comp.json"), "\(result)")
            }
        }

        @Test func newNamesAllBadClipsAtOnce() throws {
            try clip("a.mp4", seconds: "0.2")
            _ = try folder.write("words", to: "words.mp4")
            try witness.ffmpeg(["-f", "lavfi", "-i", "sine=d=1", folder.file("tone.wav")])
            let result = try run("new", "a.mp4", "words.mp4", "no.mp4", "tone.wav", "-o", "cut.json", status: 4)
            for name in [
                "words.mp4: it is text", "no.mp4: No such file", "tone.wav: it has no picture", "3 of 4 files",
            ] {
                #expect(result.standardError.contains(name), "\(result)")
            }
            let one = try run("new", "a.mp4", "no.mp4", "-o", "cut.json", status: 4)
            #expect(one.standardError.contains("error 20002") && one.standardError.contains("\n  try: "), "\(one)")
            #expect(try folder.names() == ["a.mp4", "tone.wav", "words.mp4"])
        }

        /// What people are told on standard error stands in the document, too.
        @Test func newTellsItsFilmInADocument() throws {
            try clip("a.mp4", rate: "30000/1001")
            let made = try run("new", "a.mp4", "--title", "Hello you", "-o", "doc.json", "--json", status: 0)
            let document = try #require(made.json, "\(made)")
            #expect(document["schema"] as? Int == 1 && document["path"] as? String == folder.file("doc.json"))
            #expect(document["clips"] as? Int == 1 && document["size"] as? [Int] == [96, 64], "\(document)")
            #expect(document["rate"] as? String == "30000/1001", "\(document)")
            // 30 frames of 1001/30000 s.
            #expect(document["duration"] as? String == "1001/1000", "\(document)")
            let remarks = try #require(document["remarks"] as? [String])
            #expect(remarks.count == 1 && remarks.allSatisfy { made.standardError.contains($0) }, "\(made)")
            #expect((document["problems"] as? [Any])?.isEmpty == true, "\(document)")
        }

        @Test func planSaysWhatBecomesOfHDRAmongOthers() throws {
            try clip("sdr.mp4", seconds: "0.2")
            try clip(
                "hdr.mp4", seconds: "0.2",
                coding: ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"])
            let made = try run("new", "hdr.mp4", "sdr.mp4", "-o", "cut.json", status: 0)
            #expect(!made.standardError.contains("warning"), "\(made)")
            let plan = try run("plan", "cut.json", status: 0)
            #expect(plan.text.contains("colour ITU_R_709_2: \"clip2\" is not tagged"), "\(plan)")
        }

        /// Clips of 25 and 29.97 frames a second and a dissolve: every instruction begins and ends with a frame, times
        /// read as people write them, and what `new` made is valid without a warning.
        @Test(arguments: [("30000/1001", 30000, 1001), ("25", 25, 1), ("24", 24, 1)])
        func newLiesOnTheFrames(rate: String, top: Int, bottom: Int) throws {
            try clip("a.mp4", seconds: "2")
            try clip("b.mp4", rate: "30000/1001", seconds: "2")
            _ = try run(
                "new", "a.mp4", "b.mp4", "a.mp4", "--dissolve", "0.5s", "--fps", rate, "-o", "c.json", status: 0)
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("c.json")))
            let cut = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            let instructions = (cut["video"] as? [String: Any])?["instructions"] as? [[String: Any]] ?? []
            #expect(instructions.count == 5)
            for time in instructions.flatMap({ $0["range"] as? [String] ?? [] }) {
                let frames = try Self.seconds(time) * Fraction(top, bottom)
                #expect(frames.bottom == 1, "\(time)")
                #expect(!time.hasSuffix("/1") && !time.hasSuffix("/10"), "\(time)")
            }
            let text = try run("validate", "c.json", "--strict", status: 0).text
            #expect(text == "valid\n")
        }

        /// A time as the file has it: `2.5s` or `751/250`.
        private static func seconds(_ text: String) throws -> Fraction {
            if text.hasSuffix("s") {
                let parts = text.dropLast().split(separator: ".")
                let places = parts.count > 1 ? parts[1].count : 0
                let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
                return Fraction(try #require(Int(parts.joined())), scale)
            }
            let parts = text.split(separator: "/").compactMap { Int($0) }
            try #require(parts.count == 2)
            return Fraction(parts[0], parts[1])
        }

        @Test func slipsInOptionsAreAnsweredWithWhatWasMeant() throws {
            try black("cut.json")
            _ = try folder.write("x", to: "there.mp4")
            let slips: [([String], String)] = [
                (["frame", "cut.json", "--at", "2.5", "-o", "a.png"], "did you mean ‘2.5s’?"),
                (["frame", "cut.json", "--at", "1:30", "-o", "a.png"], "did you mean ‘00:01:30’?"),
                (["new", "a.mp4", "--dissolve", "1", "-o", "b.json"], "did you mean ‘1s’?"),
                (["render", "cut.json", "-o", "a.mp4", "--codec", "h264"], "‘--audio-codec’ or ‘--video-codec’"),
                (["render", "cut.json", "-o", "a.mp4", "--video-codec", "h256"], "did you mean ‘h264’?"),
                (["render", "cut.json", "a.mp4"], "did you mean ‘-o a.mp4’?"),
                (["cut.json"], "did you mean ‘render cut.json -o FILM.mp4’?"),
                (["render", "cut.json", "-o", "a.avi"], "option or argument not usable: "),
                // The range is wrong, whatever else is in the way.
                (["render", "cut.json", "-o", "there.mp4", "--range", "1,5"], "did you mean ‘1s’?"),
                (["render", "cut.json", "-o", "there.mp4", "--range", "100s,5s"], "--range 100s,5s"),
            ]
            for (arguments, answer) in slips {
                let result = try program.run(arguments, seconds: 30)
                #expect(result.status == 2 && result.standardError.contains(answer), "\(result)")
            }
        }

        /// In 80 columns an example stays on its line: what is wrapped cannot be copied.
        @Test func examplesInHelpAreNotWrapped() throws {
            let overview = try run("--help", status: 0).text
            let list = overview.components(separatedBy: "SUBCOMMANDS:").last
            let names = list?.matches(of: #/\n {2}([a-z][a-z-]+) /#) ?? []
            #expect(names.count > 15)
            for name in [[]] + names.map({ [String($0.1)] }) {
                let lines = try program.run(name + ["--help"]).text.components(separatedBy: "\n")
                for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  splitreel ") {
                    #expect(next.isEmpty || next.hasPrefix("  "), "\(line)\n\(next)")
                }
            }
        }

        @Test func aJobThatSomebodyElseCancelledIsSaidToBe() throws {
            try black("cut.json")
            let farm = try Farm(in: folder, program, workers: [])
            let watching = try program.start(
                ["submit", "cut.json", "-o", "a.mp4", "--connect", farm.endpoint, "--watch"])
            let isSubmitted = watching.until(seconds: 30) { watching.errorsSoFar.contains(/job \S+\n/) }
            #expect(isSubmitted)
            let job = try #require(watching.errorsSoFar.firstMatch(of: /job (\S+)\n/)).1
            _ = try run("cancel", String(job), "--connect", farm.endpoint, status: 0)
            let result = watching.finish(seconds: 30)
            #expect(result.status == 7 && result.standardError.contains("somebody stopped job \(job)"), "\(result)")
        }

        @Test func verifyOfACompositionNamesWhatChecksIt() throws {
            try clip("a.mp4", seconds: "0.5")
            _ = try run("new", "a.mp4", "-o", "cut.json", status: 0)
            let told = try run("verify", "cut.json", status: 4).standardError
            #expect(told.contains("try: ") && told.contains("`splitreel validate cut.json`"), "\(told)")
        }

        @Test func verifySaysOfWhatIsNoFilmThatItIsNone() throws {
            for name in ["still.jpg", "still.png"] {
                try witness.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=96x64", "-frames:v", "1", folder.file(name)])
                #expect(try run("verify", name, status: 0).text.contains("frames: 1"))
            }
            _ = try folder.write("A letter, and no film.\n", to: "letter.mp4")
            let told = try run("verify", "letter.mp4", status: 4).standardError
            #expect(told.contains("it is text, not media") && told.contains("try: ") && told.count < 400, "\(told)")
        }

        @Test func verifyExplainsSoundBeforeTheBeginning() throws {
            try clip("a.mp4", seconds: "0.5")
            _ = try run("new", "a.mp4", "-o", "cut.json", status: 0)
            try program.render("cut.json", to: "film.mp4")
            let text = try run("verify", "film.mp4", status: 0).text
            // 1024 samples at 48 kHz, as every AAC encoder's first packet.
            #expect(text.contains("sound start: -8/375 s: 1024 samples of the coder's priming"), "\(text)")
        }
    }
}
