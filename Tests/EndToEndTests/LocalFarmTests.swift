import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// A program that renders on farms of its own and has no command: `Tests/Support/FarmProgram`.
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

        @Test func threeFilmsAtOnce() throws {
            let good = try write("good.json", seconds: 6, asset: #"{"kind":"noise","size":[160,90],"rate":25}"#)
            let bad = try write("bad.json", seconds: 1, asset: #"{"url":"missing.mov"}"#)
            let long = try write("long.json", seconds: 3600, asset: #"{"kind":"noise","size":[160,90],"rate":25}"#)
            let runtime = try folder.folder("run")
            let out = try folder.folder("out")
            let result = try program.sibling("FarmProgram").run(
                [good, bad, long, out], environment: ["XDG_RUNTIME_DIR": runtime])
            #expect(result.standardError.isEmpty)
            let lines = String(decoding: result.standardOutput, as: UTF8.self).split(separator: "\n").map(String.init)
                .filter { !$0.hasSuffix(" frames") }
            #expect(
                lines == [
                    "progress rises true, ends with 150 of 150 isDone true", "good made \(out)/good.mkv",
                    "bad failed 20002", "long true cancelled", "[\"\(out)/again.mkv\"]", "nowhere failed 50000",
                ])
            // Nothing but the films is left, on the disk and among the processes.
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
