import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// From clips to a composition, and from its mistakes to their places.
    @Suite struct AuthoringTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let witness: Witness

        init() throws {
            folder = try TestFolder("authoring")
            program = try Splitreel(in: folder)
            witness = Witness(in: folder)
        }

        private func done(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws
            -> ToolResult
        {
            let result = try program.run(arguments, seconds: 120)
            #expect(result.status == 0, "\(result)", sourceLocation: sourceLocation)
            return result
        }

        private func clip(_ name: String, rate: String = "25", seconds: String = "2", filter: String = "null") throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=96x64:r=\(rate):d=\(seconds)", "-f", "lavfi", "-i",
                "sine=d=\(seconds)", "-vf", filter, "-fps_mode", "passthrough", "-c:v", "libx264", "-g", "10",
                "-pix_fmt", "yuv420p", folder.file(name),
            ])
        }

        private func document(_ name: String) throws -> [String: Any] {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
            return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }

        /// A composition that needs no file: a colour of 96×64 for a second, at 25 frames a second.
        private func colour(_ layer: String = "", _ rest: String = "") throws -> String {
            try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[1,1,1,1],"size":[96,64]}},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1s"]}]}]},
                "video":{"renderSize":[96,64],"frameDuration":"1/25","instructions":[
                {"range":["0s","1s"],"layers":[{"track":1\(layer)}]}]}\(rest)}
                """, to: "cut.json")
        }

        @Test func validateNamesFileLineAndColumn() throws {
            _ = try colour(",\"opactiy\":[]")
            let slip = try program.run(["validate", "cut.json"])
            #expect(slip.text.contains("cut.json:5:43: error 50108 at video.instructions[0].layers[0].opactiy"))
            #expect(slip.status == 3 && slip.text.contains("did you mean `opacity`?"), "\(slip)")
            _ = try colour(",\"remembrance\":[]")
            let loose = try done("validate", "cut.json")
            #expect(loose.text.contains("cut.json:5:43: warning 50108 at video.instructions[0].layers[0].remembrance"))
            let strict = try program.run(["validate", "cut.json", "--strict"])
            #expect(strict.status == 3 && strict.text.contains("cut.json:5:43: error 50108"))
            for command in [["render", "cut.json", "-o", "a.mp4"], ["plan", "cut.json", "-o", "a.mp4"]] {
                let refused = try program.run(command + ["--strict"])
                #expect(refused.status == 3 && refused.standardError.contains("cut.json:5:43"), "\(refused)")
            }
            let json = try done("validate", "cut.json", "--json").json
            let first = (json?["problems"] as? [[String: Any]])?.first
            #expect(first?["line"] as? Int == 5 && first?["column"] as? Int == 43)
            _ = try colour(",\"opacity\":[{\"at\":\"0s\",\"value\":2}]")
            let wrong = try program.run(["render", "cut.json", "-o", "a.mp4"])
            #expect(wrong.status == 3 && wrong.standardError.contains("cut.json:5:65"), "\(wrong)")
        }

        @Test func aMisspeltCommandIsAnsweredByItsNearest() throws {
            for arguments in [["vaildate", "a.json"], ["help", "vaildate"]] {
                let result = try program.run(arguments)
                #expect(result.status == 2 && result.standardError.contains("did you mean ‘validate’?"), "\(result)")
            }
            let option = try program.run(["validate", "--strct", "a.json"])
            #expect(option.status == 2 && option.standardError.contains("--strict"), "\(option)")
        }

        @Test func anErrorNumberOfAWarningSaysSo() throws {
            let warning = try done("error", "50104").text
            #expect(warning.contains("a warning: it does not stop a render") && !warning.contains("exit status"))
            #expect(try done("error", "50012").text.contains("exit status 3"))
        }

        @Test func snapAndCanonical() throws {
            _ = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[1,1,1,1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","2s"]}]}]},
                "video":{"renderSize":[96,64],"instructions":[
                {"range":["0s","1s"],"layers":[{"track":1}]},
                {"range":["1.000001s","0.999999s"],"layers":[{"track":1}]}]}}
                """, to: "gap.json")
            #expect(try program.run(["validate", "gap.json"]).status == 3)
            let snapped = try done("snap", "gap.json", "-o", "even.json")
            #expect(snapped.standardError.contains("video.instructions[1].range"))
            _ = try done("validate", "even.json")
            #expect(try program.run(["snap", "gap.json", "-o", "even.json"]).status == 5)
            let plain = try done("canonical", "even.json").standardOutput
            _ = try done("canonical", "even.json", "-o", "plain.json")
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("plain.json"))) == plain)
            #expect(try done("canonical", "plain.json").standardOutput == plain)
            #expect(plain.starts(with: Data("{\"assets\":".utf8)))
            #expect(plain.filter { $0 == UInt8(ascii: "\n") }.count == 1 && plain.last == UInt8(ascii: "\n"))
        }

        @Test func newTakesRatesSizesAndMusicThatLoops() throws {
            _ = try folder.folder("cuts")
            try clip("a.mp4")
            // Every seventh frame is missing: holes make no other rate, so the largest is 30.
            try clip("b.mp4", rate: "30", filter: "select='mod(n,7)'")
            try witness.ffmpeg(["-f", "lavfi", "-i", "sine=d=0.7:r=48000", folder.file("m.wav")])
            _ = try done("new", "a.mp4", "b.mp4", "-o", "cuts/cut.json")
            var cut = try document("cuts/cut.json")
            let urls = (cut["assets"] as? [String: [String: Any]])?.mapValues { $0["url"] as? String }
            #expect(urls == ["clip1": "../a.mp4", "clip2": "../b.mp4"])
            #expect((cut["video"] as? [String: Any])?["frameDuration"] as? String == "1/30")
            _ = try done(
                "new", "a.mp4", folder.file("b.mp4"), "--size", "48x32", "--fps", "30000/1001", "--music", "m.wav",
                "--music-loop", "-o", "cuts/cut.json", "--overwrite")
            cut = try document("cuts/cut.json")
            let video = cut["video"] as? [String: Any]
            #expect(video?["frameDuration"] as? String == "1001/30000" && video?["renderSize"] as? [Int] == [48, 32])
            #expect((cut["assets"] as? [String: [String: Any]])?["clip2"]?["url"] as? String == folder.file("b.mp4"))
            let tracks = (cut["composition"] as? [String: Any])?["tracks"] as? [[String: Any]]
            #expect((tracks?.last?["segments"] as? [Any])?.count == 6)
            #expect(try done("validate", "cuts/cut.json", "--strict").text.contains("valid"))
        }

        /// Frames 25 to 44 of a clip and its first ten, of a file whose name looks like a piece, too.
        @Test func newTakesPieces() throws {
            try clip("a@1s.mp4")
            try FileManager.default.copyItem(atPath: folder.file("a@1s.mp4"), toPath: folder.file("b.mp4@1s-1.8s"))
            _ = try done("new", "a@1s.mp4@1s-1.8s", "a@1s.mp4@-0.4s", "-o", "cut.json")
            _ = try done("render", "cut.json", "-o", "film.mkv", "--video-codec", "ffv1")
            let frames = try witness.luma(folder.file("a@1s.mp4"))
            let wanted = Array(25..<45) + Array(0..<10)
            // The clip's colours are brought into the film's: of all its frames the one that is most like is meant.
            func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
                zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            }
            let film = try witness.luma(folder.file("film.mkv"))
            let shown = film.map { picture in
                frames.indices.min { distance(picture, frames[$0]) < distance(picture, frames[$1]) }
            }
            #expect(shown == wanted)
            _ = try done("new", "b.mp4@1s-1.8s", "-o", "whole.json")
            let assets = try document("whole.json")["assets"] as? [String: [String: Any]]
            #expect(assets?["clip1"]?["url"] as? String == "b.mp4@1s-1.8s")
            let others: [(String, Int32, String)] = [
                ("a@1s.mp4@1-2", 2, "‘1s’"), ("no@home.mp4", 4, "no@home.mp4"),
            ]
            for (name, status, word) in others {
                let refused = try program.run(["new", name, "-o", "no.json"])
                #expect(refused.status == status && refused.standardError.contains(word), "\(refused)")
            }
        }

        /// White between black: frame k of ten has k tenths of 219 codes over black's 16, and so backwards.
        @Test func newFadesInAndOut() throws {
            try clip("white.mp4", filter: "lutyuv=y=235:u=128:v=128")
            _ = try done("new", "white.mp4", "--fade", "0.4s", "-o", "cut.json")
            #expect(try done("validate", "cut.json", "--strict").text.contains("valid"))
            _ = try done("render", "cut.json", "-o", "film.mkv", "--video-codec", "ffv1")
            let frames = try witness.luma(folder.file("film.mkv"))
            try #require(frames.count == 50)
            for (number, share) in [(0, 0.0), (5, 0.5), (10, 1), (39, 1), (40, 1), (45, 0.5), (49, 0.1)] {
                let code = Int((16 + 219 * share).rounded())
                #expect(frames[number].allSatisfy { abs(Int($0) - code) <= 2 }, "frame \(number)")
            }
        }

        /// Clips of two seconds that meet for one: halfway, the right half is the second one's.
        @Test func newWritesTransitions() throws {
            try clip("black.mp4", filter: "lutyuv=y=16:u=128:v=128")
            try clip("white.mp4", filter: "lutyuv=y=235:u=128:v=128")
            _ = try done("new", "black.mp4", "white.mp4", "--transition", "wipe.left", "-o", "cut.json")
            _ = try done("render", "cut.json", "-o", "film.mkv", "--video-codec", "ffv1")
            let frames = try witness.luma(folder.file("film.mkv"))
            try #require(frames.count == 75)
            for (index, edge) in [(24, 96), (37, 50), (50, 0)] {
                let row = frames[index].prefix(96)
                let isRight = row.enumerated().allSatisfy { x, luma in
                    abs(x - edge) <= 1 || abs(Int(luma) - (x < edge ? 16 : 235)) <= 2
                }
                #expect(isRight, "frame \(index): \(Array(row))")
            }
            for (name, word) in [("wip.left", "wipe.left"), ("luma-matte", "matte")] {
                let refused = try program.run(["new", "black.mp4", "white.mp4", "--transition", name, "-o", "no.json"])
                #expect(refused.status == 2 && refused.standardError.contains(word), "\(refused)")
                #expect(!FileManager.default.fileExists(atPath: folder.file("no.json")))
            }
        }

        /// Beside a narrow picture stands black, and it dissolves with the picture.
        @Test(
            arguments: [
                (["narrow.mp4", "wide.mp4"], 16...16, 118...124), (["wide.mp4", "narrow.mp4"], 235...235, 127...133),
            ] as [([String], ClosedRange<UInt8>, ClosedRange<UInt8>)])
        func barsDissolveToo(clips: [String], before: ClosedRange<UInt8>, within: ClosedRange<UInt8>) throws {
            let white = "lutyuv=y=235:u=128:v=128"
            try clip("narrow.mp4", filter: "scale=32:64,setsar=1,\(white)")
            try clip("wide.mp4", filter: white)
            let result = try program.run(["new"] + clips + ["--dissolve", "1s", "-o", "cut.json"])
            #expect(result.status == 0, "\(result)")
            try program.render("cut.json", to: "film.mkv", ["--video-codec", "ffv1"])
            let pictures = try witness.luma(folder.file("film.mkv"))
            let bar = pictures.map { $0[32 * 96 + 2] }
            #expect(before.contains(bar[24]) && within.contains(bar[37]), "\(bar)")
            #expect(pictures[37][32 * 96 + 48] == 235)
        }

        /// A letterboxed clip into a pillarboxed one, both white: nowhere does a frame differ from the one before by
        /// more than a frame's part of the dissolve, 219 / 25 = 8.8, and a code for rounding and one for the coding.
        @Test func noBarPops() throws {
            let white = "lutyuv=y=235:u=128:v=128"
            try clip("letter.mp4", filter: "scale=96:32,setsar=1,\(white)")
            try clip("pillar.mp4", filter: "scale=32:64,setsar=1,\(white)")
            _ = try done("new", "letter.mp4", "pillar.mp4", "--size", "96x64", "--dissolve", "1s", "-o", "cut.json")
            try program.render("cut.json", to: "film.mkv", ["--video-codec", "ffv1", "--chunk-seconds", "0.6"])
            let pictures = try witness.luma(folder.file("film.mkv"))
            #expect(pictures.count == 75)
            for (number, (before, after)) in zip(pictures, pictures.dropFirst()).enumerated() {
                let step = zip(before, after).map { abs(Int($0) - Int($1)) }.max() ?? 0
                #expect(step <= 11, "between frames \(number) and \(number + 1)")
            }
            func course(_ x: Int, _ y: Int) -> [Int] { [0, 24, 74].map { Int(pictures[$0][y * 96 + x]) } }
            #expect(
                course(48, 4) == [16, 16, 235] && course(4, 32) == [235, 235, 16] && course(4, 4) == [16, 16, 16])
        }

        @Test func clipsCanCoverTheFrame() throws {
            let white = "lutyuv=y=235:u=128:v=128"
            try clip("a.mp4", filter: white)
            try clip("tall.mp4", filter: "scale=32:64,setsar=1,\(white)")
            _ = try done("new", "a.mp4", "tall.mp4", "--fit", "cover", "-o", "cut.json")
            let video = try document("cut.json")["video"] as? [String: Any]
            let layers = (video?["instructions"] as? [[String: Any]])?.map { $0["layers"] as? [[String: Any]] }
            #expect(layers?.map { $0?.first?["fit"] as? String } == [nil, "cover"])
            try program.render("cut.json", to: "film.mkv", ["--video-codec", "ffv1"])
            #expect(try witness.luma(folder.file("film.mkv")).joined().allSatisfy { $0 >= 234 })
            let refused = try program.run(["new", "a.mp4", "--fit", "fill", "-o", "b.json"])
            #expect(refused.status == 2 && refused.standardError.contains("contain, cover or stretch"), "\(refused)")
        }

        @Test func aRenderTakesAnotherSizeAndRate() throws {
            _ = try colour("", ",\"metadata\":{\"title\":\"White\"}")
            try program.render("cut.json", to: "wide.mkv", ["--video-codec", "ffv1", "--size", "96x32", "--fps", "10"])
            let pictures = try witness.luma(folder.file("wide.mkv"))
            #expect(pictures.count == 10)
            // 48 white columns in the middle, black beside them.
            let row = Array(pictures[0][0..<96])
            #expect(row == (0..<96).map { (24..<72).contains($0) ? 235 : 16 })
            let tags = try witness.format(folder.file("wide.mkv"))["tags"] as? [String: Any]
            #expect(tags?["title"] as? String == "White")
        }

        @Test func crfZeroIsLossless() throws {
            try clip("a.mp4")
            _ = try done("new", "a.mp4", "-o", "cut.json")
            try program.render("cut.json", to: "a.mkv", ["--video-codec", "ffv1", "--chunk-seconds", "0.5"])
            try program.render("cut.json", to: "zero.mp4", ["--crf", "0", "--chunk-seconds", "0.5"])
            #expect(try witness.frameHashes(folder.file("zero.mp4")) == witness.frameHashes(folder.file("a.mkv")))
        }

        /// Few distinct sources, many layers: neither the stack nor memory grows with their square.
        @Test func thousandsOfLayersAndTracksRender() throws {
            try clip("a.mp4", seconds: "0.2")
            func write(_ name: String, tracks: Int, layers: Int) throws {
                let listed = (1...tracks).map {
                    Text.track($0, "video", Text.clip("a", "0s", "0.2s", at: "0s"))
                }
                let shown = (0..<layers).map { Text.layer(1 + $0 % tracks, [0.01, 0, 0, 0.01, Double($0 % 90), 3]) }
                let instruction = "{\"range\":[\"0s\",\"0.2s\"],\"layers\":[\(shown.joined(separator: ","))]}"
                _ = try folder.write(
                    Text.project(["a": "a.mp4"], listed, size: (96, 64), frame: "1/10", [instruction]), to: name)
            }
            try write("layers.json", tracks: 1, layers: 10_000)
            try write("tracks.json", tracks: 5000, layers: 5000)
            for name in ["layers", "tracks"] {
                let result = try program.render(name + ".json", to: name + ".mkv", ["--video-codec", "ffv1"])
                #expect(try witness.luma(folder.file(name + ".mkv")).count == 2, "\(result)")
            }
        }
    }
}
