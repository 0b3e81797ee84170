import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Every command, over files, compositions, jobs and workers with names that try to write on the terminal.
    @Suite struct HostileNameTests {
        /// Clears the screen, sets a title, turns the line around, forges a line of ours.
        private static let evil = "e\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}gpm\nFORGED: done"

        private static func check(_ result: ToolResult, sourceLocation: SourceLocation = #_sourceLocation) {
            for text in [result.text, result.standardError] {
                let harmful = text.unicodeScalars.filter {
                    ($0.properties.generalCategory == .control && $0 != "\n") || (0x202A...0x202E).contains($0.value)
                }
                let forged = text.split(separator: "\n").filter { $0.hasPrefix("FORGED") }
                #expect(harmful.isEmpty && forged.isEmpty, "\(result)", sourceLocation: sourceLocation)
            }
            #expect(!result.standardError.isEmpty || !result.text.isEmpty, "\(result)", sourceLocation: sourceLocation)
        }

        private static func composition(_ folder: TestFolder) throws -> String {
            let evil = Self.evil
            try NumberedMedia.write(
                25, rate: "25", to: folder.file("\(evil).mp4"), coding: ["-c:v", "libx264", "-g", "25"],
                with: Witness(in: folder))
            let url = "\(evil).mp4"
            let project: [String: Any] = [
                "format": "splitreel/1", "assets": [evil: ["url": url]], "metadata": [evil: evil],
                "composition": [
                    "tracks": [
                        [
                            "id": 1, "type": "video",
                            "segments": [["asset": evil, "source": ["0s", "1s"], "target": ["0s", "1s"]]],
                        ]
                    ]
                ],
                "video": [
                    "renderSize": [320, 240], "frameDuration": "1/25",
                    "instructions": [["range": ["0s", "1s"], "layers": [["track": 1]]]],
                ],
            ]
            return try folder.write(JSONSerialization.data(withJSONObject: project), to: "\(evil).json")
        }

        @Test func commandsOverFiles() throws {
            let folder = try TestFolder("evil")
            let program = try Splitreel(in: folder)
            let composition = try Self.composition(folder)
            let (evil, media) = (Self.evil, folder.file("\(Self.evil).mp4"))
            let broken = try folder.write(
                "{\"assets\": {\"\u{202E}x\": 3}, \"\u{9B}31m\": 1}", to: "broken\(evil).json")
            let wrong = try folder.write(
                #"{"format": "splitreel/1", "metadata": {"creationDate": "no"}, "composition": {"tracks": []}}"#,
                to: "wrong\(evil).json")
            let runs: [[String]] = [
                ["validate", wrong], ["plan", wrong], ["render", wrong, "-o", folder.file("wrong.mp4")],
                ["probe", media], ["probe", media, "--json"], ["probe", folder.file("no\(evil)")],
                ["probe", composition], ["validate", composition], ["validate", broken],
                ["validate", broken, "--json"], ["validate", composition, "--json"], ["plan", composition],
                ["plan", composition, "--json"], ["plan", broken], ["plan", composition, "-o", "\(evil).xyz"],
                ["frame", composition, "--at", "0s", "-o", folder.file("\(evil).png")],
                ["new", media, "-o", folder.file("new\(evil).json")], ["new", evil, "-o", "x.json"],
                ["render", composition, "-o", folder.file("\(evil)-film.mp4"), "--encoder-preset", "ultrafast"],
                ["render", composition, "-o", folder.file("\(evil)-film.mp4"), "--json"],
                ["render", evil, "-o", "film.mp4"], ["verify", folder.file("\(evil)-film.mp4")],
                ["verify", composition],
                ["doctor", folder.file(evil)], [evil], ["render", "--\(evil)"], ["render", "--crf", evil, composition],
                ["error", evil], ["jobs", "--connect", evil], ["coordinator", "--listen", evil],
                ["worker", "--connect", evil], ["worker", "--config", broken], ["help", evil],
            ]
            for arguments in runs { Self.check(try program.run(arguments)) }
            #expect(FileManager.default.fileExists(atPath: folder.file("\(evil)-film.mp4")))
        }

        @Test func commandsOfAFarm() throws {
            let folder = try TestFolder("evil")
            let program = try Splitreel(in: folder)
            let composition = try Self.composition(folder)
            let farm = try Farm(in: folder, program, workers: [Self.evil])
            let at = ["--connect", farm.endpoint]
            let film = folder.file("\(Self.evil)-film.mp4")
            let options = ["--encoder-preset", "ultrafast"]
            Self.check(try program.run(["submit", composition, "-o", film, "--watch"] + at + options))
            // The film is there, so this one fails, and its reason names it.
            Self.check(try program.run(["submit", composition, "-o", film, "--watch"] + at + options))
            for command in ["jobs", "workers"] {
                let plain = try program.run([command] + at)
                Self.check(plain)
                #expect(plain.status == 0)
                Self.check(try program.run([command, "--json"] + at))
            }
            let list = try program.run(["jobs", "--json"] + at)
            let jobs = try JSONSerialization.jsonObject(with: list.standardOutput) as? [[String: Any]] ?? []
            #expect(jobs.contains { $0["output"] as? String == film })
            for job in jobs.compactMap({ $0["job"] as? String }) {
                for command in ["job", "watch", "cancel"] { Self.check(try program.run([command, job] + at)) }
                Self.check(try program.run(["job", job, "--json"] + at))
            }
            for command in ["job", "watch", "cancel"] { Self.check(try program.run([command, Self.evil] + at)) }
            // What the services log of it.
            for tool in [farm.coordinator] + farm.workers {
                tool.send(SIGTERM)
                Self.check(tool.finish(seconds: 20))
            }
            #expect(farm.coordinator.errorsSoFar.contains("job submitted"))
        }

        /// top and ps show the name of the program, not of the link that was executed.
        @Test func slotsAreNamedInTheProcessTable() throws {
            let folder = try TestFolder("names")
            let program = try Splitreel(in: folder)
            let farm = try Farm(in: folder, program, workers: ["studio"])
            let slot = try #require(eventually(seconds: 20) { !slots(farm).isEmpty } ? slots(farm).first : nil)
            #expect(ProcessTable.commandLine(of: slot).hasPrefix("splitreel worker --slot-of studio"))
            let isNamed = eventually(seconds: 10) {
                let name = FileManager.default.contents(atPath: "/proc/\(slot)/comm") ?? Data()
                return name == Data("splitreel\n".utf8)
            }
            #expect(isNamed)
        }

        /// Standard output may be for a film: what a program's own effects print in a slot goes to standard error.
        @Test func slotsWriteToStandardError() throws {
            let folder = try TestFolder("streams")
            let farm = try Farm(in: folder, Splitreel(in: folder), workers: ["studio"])
            let worker = try #require(farm.workers.first).identifier
            let slot = try #require(eventually(seconds: 20) { !slots(farm).isEmpty } ? slots(farm).first : nil)
            func file(_ descriptor: Int, _ process: Int32) throws -> String {
                try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(descriptor)")
            }
            let (output, errors, written) = try (file(1, worker), file(2, worker), file(1, slot))
            #expect(output != errors && written == errors)
        }

        private func slots(_ farm: Farm) -> [Int32] {
            farm.workers.flatMap { ProcessTable.children(of: $0.identifier) }
        }

        /// A journal of the coordinator tells what became of a job.
        @Test func theLogTellsAJobsLife() throws {
            let folder = try TestFolder("log")
            let program = try Splitreel(in: folder)
            let composition = try LongFilm.write(in: folder, seconds: 4)
            let farm = try Farm(in: folder, program, workers: ["studio"])
            let options = ["--connect", farm.endpoint, "--chunk-seconds", "2", "--encoder-preset", "ultrafast"]
            let result = try program.run(["submit", composition, "-o", folder.file("a.mp4"), "--watch"] + options)
            #expect(result.status == 0, "\(result)")
            let log = farm.coordinator.errorsSoFar.split(separator: "\n").filter { $0.contains("job.id=") }
            let steps = [
                "job submitted", "job planned chunks=2 frames=100", "chunk attempt started attempt=1",
                "chunk attempt finished attempt=1", "every chunk is done", "film stitched and checked",
                "job ended elapsed=",
            ]
            let places = steps.map { step in log.firstIndex { $0.contains(step) } ?? -1 }
            #expect(places == places.sorted() && places.first == 0, "\(places)\n\(log.joined(separator: "\n"))")
            #expect(log.count { $0.contains("chunk attempt started") } == 2)
            #expect(log.contains { $0.contains("chunk attempt finished") && $0.contains("worker.id=studio/") })
            #expect(farm.workers[0].errorsSoFar.contains("chunk attempt finished"))
        }
    }
}
