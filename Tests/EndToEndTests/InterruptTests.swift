import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// A render that is stopped leaves nothing: no process, no temporary file, no part of a film.
    @Suite struct InterruptTests {
        private static func start(in folder: TestFolder, more: [String] = []) throws -> (
            Tool, films: String, run: String
        ) {
            let composition = try LongFilm.write(in: folder)
            let films = try folder.folder("films")
            let run = try folder.folder("run")
            let tool = try Splitreel(in: folder).start(
                ["render", composition, "-o", films + "/out.mp4", "--workers", "2", "--chunk-seconds", "1"] + more,
                environment: ["XDG_RUNTIME_DIR": run])
            // Frames are being made: a chunk's segment or its temporary file is there.
            let isBusy = tool.until(seconds: 60) {
                let inside = FileManager.default.enumerator(atPath: films)?.compactMap { $0 as? String } ?? []
                return inside.contains { $0.contains(".nut") }
            }
            guard isBusy, tool.isRunning else { throw ToolFailure("it did not start to render: \(tool.errorsSoFar)") }
            return (tool, films, run)
        }

        @Test(arguments: [SIGINT, SIGTERM]) func interrupt(signal: Int32) throws {
            let folder = try TestFolder("interrupt")
            let (tool, films, run) = try Self.start(in: folder)
            let children = ProcessTable.children(of: tool.identifier)
            let slots = children.filter { !ProcessTable.commandLine(of: $0).contains("splitreel media") }
            #expect(slots.count == 2)
            tool.send(signal)
            let result = tool.finish(seconds: 15)
            #expect(result.status == 7, "\(result)")
            // A media process that had no work ends by the kernel's word of its parent's end, a moment after it.
            #expect(eventually(seconds: 5) { !children.contains(where: ProcessTable.isAlive) })
            #expect(try folder.names(in: "films").isEmpty, "\(films)")
            #expect(try folder.names(in: "run").isEmpty, "\(run)")
            #expect(result.text.isEmpty)
        }

        /// As soon as the program has its handlers, which is before it reads a file, an interrupt is a cancellation.
        @Test(arguments: [SIGINT, SIGTERM, SIGHUP].filter { !ProcessTable.ignores($0, getpid()) })
        func interruptAtTheStart(signal: Int32) throws {
            let folder = try TestFolder("interrupt")
            let composition = try LongFilm.write(in: folder)
            _ = try folder.folder("films")
            let run = try folder.folder("run")
            let tool = try Splitreel(in: folder).start(
                ["render", composition, "-o", "films/out.mp4", "--json"], environment: ["XDG_RUNTIME_DIR": run])
            let isCaught = tool.until(seconds: 10) { ProcessTable.catches(signal, tool.identifier) }
            #expect(isCaught)
            tool.send(signal)
            let result = tool.finish(seconds: 15)
            #expect(result.status == 7, "\(result)")
            #expect(try folder.names(in: "films").isEmpty)
            #expect(try folder.names(in: "run").isEmpty)
        }

        /// The last resort stays one: what it leaves is for the next render to remove.
        @Test func quitKills() throws {
            let folder = try TestFolder("quit")
            let (tool, _, _) = try Self.start(in: folder)
            let children = ProcessTable.children(of: tool.identifier)
            tool.send(SIGQUIT)
            #expect(tool.finish(seconds: 5).signal == SIGQUIT)
            #expect(eventually(seconds: 8) { !children.contains(where: ProcessTable.isAlive) })
        }

        /// The job is the coordinator's: only the looking on ends.
        @Test func interruptEndsTheWatchingOnly() throws {
            let folder = try TestFolder("watch")
            let program = try Splitreel(in: folder)
            let composition = try LongFilm.write(in: folder)
            let farm = try Farm(in: folder, program, workers: [])
            let tool = try program.start([
                "submit", composition, "-o", folder.file("out.mp4"), "--connect", farm.endpoint, "--watch", "--json",
            ])
            let isWaiting = tool.until(seconds: 30) { tool.errorsSoFar.contains("none is connected") }
            #expect(isWaiting && tool.errorsSoFar.contains(farm.endpoint), "\(tool.errorsSoFar)")
            tool.send(SIGINT)
            let result = tool.finish(seconds: 15)
            #expect(result.status == 7, "\(result)")
            #expect(result.standardError.contains("goes on"), "\(result)")
            #expect(result.json?["state"] as? String == "waiting", "\(result.text)")
            let job = try #require(result.json?["job"] as? String)
            #expect(try farm.job(job).state == "waiting")
        }

        /// The bars are wiped, lines wrap again, and the last word stands on a line of its own.
        @Test func interruptLeavesACleanLine() throws {
            let folder = try TestFolder("interrupt")
            let composition = try LongFilm.write(in: folder)
            let program = try Splitreel(in: folder)
            let screen = folder.file("screen")
            let render = "exec '\(program.path)' render '\(composition)' -o '\(folder.file("out.mp4"))'"
            let terminal = try Tool(
                "/usr/bin/script", ["-qfec", "stty cols 80 rows 24; " + render, screen], in: folder,
                environment: ["TERM": "xterm"])
            func shown() -> String {
                let bytes = FileManager.default.contents(atPath: screen) ?? Data()
                return String(decoding: bytes.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            }
            let isBusy = terminal.until(seconds: 60) { shown().contains(/frame [1-9]/) }
            let children = ProcessTable.children(of: terminal.identifier)
            let tool = try #require(children.first { ProcessTable.commandLine(of: $0).contains(" render ") })
            #expect(isBusy)
            kill(tool, SIGINT)
            let result = terminal.finish(seconds: 15)
            #expect(result.status == 7, "\(result)")
            let log = shown()
            let end = try #require(log.range(of: "\n\nScript done", options: .backwards))
            let last = String(log[..<end.lowerBound].suffix(30))
            let isClean = last.contains(/\u{1B}\[\?7h\u{1B}\[\d+A\u{1B}\[Jcancelled$/)
            #expect(isClean, "\(last.debugDescription)")
        }

        @Test func interruptKeepsTheFilmThatWasThere() throws {
            let folder = try TestFolder("interrupt")
            _ = try folder.folder("films")
            let old = try folder.write("the old film", to: "films/out.mp4")
            let (tool, _, _) = try Self.start(in: folder, more: ["--overwrite"])
            tool.send(SIGINT)
            #expect(tool.finish(seconds: 15).status == 7)
            #expect(try folder.names(in: "films") == ["out.mp4"])
            #expect(FileManager.default.contents(atPath: old) == Data("the old film".utf8))
        }

        /// Whoever reads a segment or joins the film is replaced, and the film is the same.
        @Test func killedMediaProcessesCostNothing() throws {
            let folder = try TestFolder("media-killed")
            let composition = try LongFilm.write(in: folder, seconds: 16)
            let program = try Splitreel(in: folder)
            func arguments(_ name: String) -> [String] {
                ["render", composition, "-o", folder.file(name), "--workers", "2", "--size", "320x180"]
            }
            #expect(try program.run(arguments("calm.mp4")).status == 0)
            let tool = try program.start(arguments("killed.mp4"))
            for count in [1, 3, 5] {
                // How many there are differs from moment to moment; each time one at least dies.
                let isHit = try tool.until(seconds: 60) {
                    guard try Self.segments(in: folder) >= count else { return false }
                    let media = ProcessTable.children(of: tool.identifier).filter {
                        ProcessTable.commandLine(of: $0).contains("splitreel media")
                    }
                    return media.count { kill($0, SIGKILL) == 0 } > 0
                }
                #expect(isHit, "after \(count) segments")
            }
            let result = tool.finish(seconds: 60)
            #expect(result.status == 0, "\(result)")
            let (calm, killed) = ("calm.mp4", "killed.mp4")
            #expect(
                FileManager.default.contents(atPath: folder.file(killed))
                    == FileManager.default.contents(atPath: folder.file(calm)))
        }

        /// Segments that lie ready in the hidden folder beside the film.
        private static func segments(in folder: TestFolder) throws -> Int {
            let work = try folder.names().filter { $0.hasPrefix(".killed.mp4.splitreel-") && !$0.hasSuffix("-lock") }
            return try work.reduce(0) { count, name in
                try count + folder.names(in: name).count { $0.hasSuffix(".json") && $0 != "plan.json" }
            }
        }

        /// The children notice by their closed standard input, within 5 s.
        @Test func killedParentLeavesNoProcess() throws {
            let folder = try TestFolder("killed")
            let (tool, _, _) = try Self.start(in: folder)
            let children = ProcessTable.children(of: tool.identifier)
            #expect(children.contains { ProcessTable.commandLine(of: $0).contains("splitreel media") })
            tool.send(SIGKILL)
            _ = tool.finish(seconds: 5)
            #expect(eventually(seconds: 5) { !children.contains(where: ProcessTable.isAlive) })
            #expect(!FileManager.default.fileExists(atPath: folder.file("films/out.mp4")))
        }
    }
}
