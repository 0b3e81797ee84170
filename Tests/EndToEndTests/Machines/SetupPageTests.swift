import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// The page on setting up a farm, word by word, on machines that have the names which it gives them.
    @Suite(.enabled(if: Machines.lack == nil, "machines of a network: root, namespaces, /dev/net/tun, iproute2, perl"))
    struct SetupPageTests {
        /// A command of a page, and the machine at which it is given.
        private struct Command {
            let machine: String
            let line: String
            /// Whether it runs until it is told to end.
            var stays: Bool { line.hasPrefix("splitreel coordinator") || line.hasPrefix("splitreel worker ") }
        }

        /// The lines `    MACHINE$  COMMAND` of a section.
        private static func commands(of section: String) throws -> [Command] {
            guard let root = SourceTree.root() else { throw ToolFailure("the project's folder is not there") }
            let page = try String(contentsOfFile: root + "/docs/operating/two-machines.md", encoding: .utf8)
            let parts = page.components(separatedBy: "\n## ")
            guard let part = parts.first(where: { $0.hasPrefix(section + "\n") }) else {
                throw ToolFailure("the page has no section \(section)")
            }
            return part.split(separator: "\n").filter { $0.hasPrefix("    ") }.compactMap { line in
                let words = line.dropFirst(4).split(separator: "$", maxSplits: 1)
                guard words.count == 2, !words[0].contains(" ") else { return nil }
                return Command(
                    machine: String(words[0]), line: words[1].trimmingCharacters(in: .whitespaces))
            }
        }

        @Test func twoMachines() throws {
            let folder = try TestFolder("setup")
            let program = try Splitreel(in: folder)
            let commands = try Self.commands(of: "Two machines")
            let machines = try Machines(in: folder, program, Array(Set(commands.map(\.machine))).sorted())
            try makeMedia(machines, Witness(in: folder))
            var staying: [Tool] = []
            defer { for tool in staying where tool.isRunning { tool.send(SIGKILL) } }
            for command in commands {
                let words = command.line.split(separator: " ").map(String.init)
                if command.stays {
                    let tool = try machines.start(on: command.machine, command.line)
                    staying.append(tool)
                    let isUp = tool.until(seconds: 20) {
                        tool.outputSoFar.contains("listening on ") || tool.errorsSoFar.contains("registered")
                    }
                    #expect(isUp, "\(command.line): \(tool.errorsSoFar)")
                } else if words.count == 3, words[0] == "scp", words[2].hasSuffix(":") {
                    try bring(words[1], from: command.machine, to: String(words[2].dropLast()), machines)
                } else {
                    let result = try machines.shell(on: command.machine, command.line, seconds: 120)
                    #expect(result.status == 0, "\(command.line): \(result)")
                }
            }
            #expect(staying.count == 2)
            #expect(try machines.shell(on: "farm", "cp /srv/media/cut.mp4 film.mp4").status == 0)
            let film = machines.seen("film.mp4", on: "farm")
            #expect(try Witness(in: folder).frameHashes(film).count == 25)
        }

        /// One second of 25 frames below /srv/media of the machine with the coordinator.
        private func makeMedia(_ machines: Machines, _ witness: Witness) throws {
            let folder = machines.seen("media", on: "farm")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=1", "-c:v", "libx264", folder + "/a.mp4",
            ])
            let cut = Text.project(
                ["a": "a.mp4"], [Text.track(1, "video", Text.clip("a", "0s", "1s", at: "0s"))], size: (64, 48),
                frame: "1/25")
            try Data(cut.utf8).write(to: URL(fileURLWithPath: folder + "/cut.json"))
            #expect(try machines.shell(on: "farm", "cp -r media /srv/").status == 0)
        }

        /// Copies a file from home to home, with its mode, as scp does.
        private func bring(_ file: String, from one: String, to other: String, _ machines: Machines) throws {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: machines.seen(file, on: one)))
            let path = machines.seen(file, on: other)
            #expect(FileManager.default.createFile(atPath: path, contents: bytes) && chmod(path, 0o600) == 0)
        }
    }
}
