import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// A program that exports films, works for a farm and has no command: `Tests/Support/FarmProgram`.
    @Suite struct LocalFarmTests {
        private let folder: TestFolder
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("own-farm")
            program = try Splitreel(in: folder)
        }

        private func write(_ name: String, seconds: Int, asset: String) throws -> String {
            try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":\(asset)},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"a","target":["0s","\(seconds)s"]}]}]},
                "video":{"renderSize":[160,90],"frameDuration":"1/25"}}
                """, to: name)
        }

        /// Three exports at once in one process, by workers of its own and by its threads: each tells how it ended, and
        /// nothing but the films is left.
        @Test(arguments: [[], ["threads"]]) func threeFilmsAtOnce(words: [String]) throws {
            let good = try write("good.json", seconds: 6, asset: #"{"kind":"noise","size":[160,90],"rate":25}"#)
            let bad = try write("bad.json", seconds: 1, asset: #"{"url":"missing.mov"}"#)
            let long = try write("long.json", seconds: 3600, asset: #"{"kind":"noise","size":[160,90],"rate":25}"#)
            let runtime = try folder.folder("run")
            let out = try folder.folder("out")
            let result = try program.sibling("FarmProgram").run(
                ["three", good, bad, long, out] + words, environment: ["XDG_RUNTIME_DIR": runtime])
            #expect(result.standardError.isEmpty, "\(result)")
            let lines = String(decoding: result.standardOutput, as: UTF8.self).split(separator: "\n").map(String.init)
                .filter { !$0.hasSuffix(" frames") }
            #expect(
                lines == [
                    "progress rises true, ends with 150 of 150, 1.0, completed",
                    "good made \(out)/good.mkv, 150 frames, 6.0 s, 0 warnings", "bad failed 20002", "long cancelled",
                    "once more failed", "[\"\(out)/again.mkv\"]", "nowhere failed 50000",
                ])
            #expect(try FileManager.default.contentsOfDirectory(atPath: out).sorted() == ["again.mkv", "good.mkv"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: runtime).isEmpty)
            #expect(ProcessTable.running(runtime).isEmpty)
            // The film is the one that the command makes.
            try program.render(good, to: folder.file("command.mkv"), ["--workers", "1"])
            let film = FileManager.default.contents(atPath: folder.file("command.mkv"))
            for name in ["good.mkv", "again.mkv"] {
                #expect(FileManager.default.contents(atPath: "\(out)/\(name)") == film, "\(name)")
            }
        }

        /// A program without commands submits to a farm with keys, and another one of its kind is the worker: both have
        /// an effect of their own. The coordinator is a program that knows it, too.
        @Test func ofAFarmWithKeysAndAnEffectOfItsOwn() throws {
            let negative = #""effects":[{"id":"example.negative"}]"#
            func cut(_ name: String, seconds: Int) throws -> String {
                try folder.write(
                    """
                    {"format":"splitreel/1","assets":{"a":{"kind":"noise","size":[160,90],"rate":25}},
                    "composition":{"tracks":[
                    {"id":1,"type":"video","segments":[{"asset":"a","target":["0s","\(seconds)s"]}]}]},
                    "video":{"renderSize":[160,90],"frameDuration":"1/25","instructions":[
                    {"range":["0s","\(seconds)s"],"layers":[{"track":1,\(negative)}]}]}}
                    """, to: name)
            }
            let (short, long) = (try cut("short.json", seconds: 4), try cut("long.json", seconds: 3600))
            let own = try program.sibling("CustomCompositor")
            let (data, endpoint) = (folder.file("state"), "ipc://\(folder.file("control"))")
            #expect(try program.run(["keys", "init", "--data", data]).status == 0)
            for (name, role) in [("w", "worker"), ("ana", "submit")] {
                let added = try program.run([
                    "keys", "add", name, "--role", role, "--endpoint", endpoint, "-o", folder.file(name + ".token"),
                    "--data", data,
                ])
                #expect(added.status == 0, "\(added)")
            }
            let coordinator = try own.start(["coordinator", "--listen", endpoint, "--data", data])
            // The worker has the token's text, and its slots by it; the client has the path.
            let text = try String(contentsOfFile: folder.file("w.token"), encoding: .utf8)
            let worker = try program.sibling("FarmProgram").start(["serve", endpoint, text])
            defer { for tool in [coordinator, worker] where tool.isRunning { tool.send(SIGKILL) } }
            #expect(coordinator.until(seconds: 20) { coordinator.outputSoFar.contains("listening on ") })
            let film = folder.file("far.mkv")
            let made = try program.sibling("FarmProgram").run([
                "connect", endpoint, folder.file("ana.token"), short, film, long,
            ])
            let lines = made.text.split(separator: "\n").map(String.init)
            #expect(lines == ["film made \(film), 100 frames, 4.0 s, 0 warnings", "long cancelled"], "\(made)")
            #expect(made.standardError.isEmpty, "\(made)")
            #expect(!FileManager.default.fileExists(atPath: film + ".long.mkv"))
            try own.render(short, to: folder.file("here.mkv"), ["--workers", "1"])
            let here = FileManager.default.contents(atPath: folder.file("here.mkv"))
            #expect(FileManager.default.contents(atPath: film) == here)
            worker.send(SIGTERM)
            let left = worker.finish(seconds: 30)
            #expect(left.status == 0 && left.text == "left\n" && left.standardError.isEmpty, "\(left)")
            // A token for another role, and none at all.
            for token in [folder.file("w.token"), folder.file("none.token")] {
                let refused = try program.sibling("FarmProgram").run(["connect", endpoint, token, short, film, long])
                #expect(refused.text.hasPrefix("film failed "), "\(refused)")
            }
            coordinator.send(SIGTERM)
            #expect(coordinator.finish(seconds: 30).status == 0)
        }

        /// Whichever half of a slot is killed in the midst of a chunk, the other one goes with it, and another slot
        /// makes the film.
        @Test func aHalfThatIsKilledTakesTheOtherOne() throws {
            let noise = #"{"kind":"noise","size":[160,90],"rate":25}"#
            let film = try write("half.json", seconds: 10, asset: noise)
            let tool = try program.start(
                ["render", film, "-o", folder.file("half.mkv"), "--workers", "1", "--chunk-seconds", "none"])
            var begun: Set<String> = []
            var killed: [Int32] = []
            for killsRenderer in [true, false] {
                let isAtWork = tool.until(seconds: 60) {
                    let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
                    let chunks = files.filter { $0.contains("/chunk-") && $0.hasSuffix(".nut.part") }
                    defer { begun.formUnion(chunks) }
                    return !begun.isSuperset(of: chunks)
                }
                #expect(isAtWork)
                let slots = ProcessTable.children(of: tool.identifier).filter {
                    ProcessTable.commandLine(of: $0).contains("--slot-of") && !killed.contains($0)
                }
                let slot = try #require(slots.first)
                let renderer = try #require(ProcessTable.children(of: slot).first)
                killed += [slot, renderer]
                kill(killsRenderer ? renderer : slot, SIGKILL)
                #expect(tool.until(seconds: 5) { killed.allSatisfy { !ProcessTable.isAlive($0) } })
            }
            let result = tool.finish(seconds: 60)
            #expect(result.status == 0, "\(result)")
        }
    }
}
