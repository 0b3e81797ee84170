import Foundation
import TestTools
import Testing

/// A control group of one core for a command.
private enum ControlGroup {
    /// Whether the long form is asked for.
    static let isFull = ProcessInfo.processInfo.environment["SPLITREEL_SLURM"] == "full"

    /// The reason why no group can be made here; nil where one can.
    static let lack: String? = {
        guard let folder = try? TestFolder("groups-lack"),
            let made = try? run(["/bin/true"], mebibytes: 256, in: folder)
        else { return "no script" }
        return made.status == 0 ? nil : made.standardError
    }()

    /// Runs a command in a group of one core.
    static func run(_ words: [String], mebibytes: Int, in folder: TestFolder) throws -> ToolResult {
        guard let root = SourceTree.root() else { throw ToolFailure("the project's folder is not there") }
        let script = ["\(root)/Tests/clusters/group.sh", "1", "\(mebibytes << 20)"]
        return try Tool("/bin/bash", script + words, in: folder).finish(seconds: 240)
    }
}

extension EndToEndAlone {
    /// Films in a control group of one core and little memory, of the version that this machine has. The long form is
    /// `make slurm`.
    @Suite(.enabled(if: ControlGroup.lack == nil, "control groups: root, and a tree of them that may be written"))
    struct ControlGroupTests {
        private let folder: TestFolder
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("groups")
            program = try Splitreel(in: folder)
        }

        /// A film of two seconds of noise beneath bars.
        private func film(_ width: Int, _ height: Int) throws -> String {
            try folder.write(
                """
                {"format": "splitreel/1",
                 "assets": {"n": {"kind": "noise", "size": [\(width), \(height)], "rate": 25, "monochrome": false},
                  "b": {"kind": "bars"}},
                 "composition": {"tracks": [
                  {"id": 1, "type": "video", "segments": [{"asset": "n", "target": ["0s", "2s"]}]},
                  {"id": 2, "type": "video", "segments": [{"asset": "b", "target": ["0s", "2s"]}]}]},
                 "video": {"renderSize": [\(width), \(height)], "frameDuration": "1/25", "instructions": [
                  {"range": ["0s", "2s"], "layers": [{"track": 2, "opacity": 0.5}, {"track": 1}]}]}}
                """, to: "film-\(width).json")
        }

        /// The figures of the group: processes that were killed for want of memory, and the most bytes.
        private func figures(_ result: ToolResult) throws -> (killed: Int, most: Int) {
            let told = try #require(
                result.standardError.firstMatch(of: /group: version \d, killed (\d+), most (\d+)/), "\(result)")
            return (try #require(Int(told.1)), try #require(Int(told.2)))
        }

        @Test("one core and 1.5 GiB: one slot, no process is killed, the film is made")
        func room() throws {
            let looked = try ControlGroup.run([program.path, "doctor", folder.path], mebibytes: 1536, in: folder)
            let machine = looked.text.split(separator: "\n").first { $0.contains("machine:") } ?? ""
            let wanted = /machine: 1 core\b.*1\.5 GiB of .*\(memory\..*\): 1 worker by default/
            #expect(machine.contains(wanted), "\(machine)")
            let words = [program.path, "render", try film(480, 270), "-o", folder.file("room.mp4")]
            let result = try ControlGroup.run(words, mebibytes: 1536, in: folder)
            let group = try figures(result)
            #expect(result.status == 0 && group.killed == 0 && group.most < 1536 << 20, "\(result)")
            #expect(try Witness(in: folder).frameHashes(folder.file("room.mp4")).count == 50)
        }

        /// 36 MiB is what the parent takes, and little more: what renders has to go, and not who tells of it.
        @Test(
            "with little memory the film is made, or it is told why it is not and nothing is left",
            arguments: ControlGroup.isFull ? [(400, 480), (64, 480), (36, 480), (400, 3840)] : [(400, 480), (36, 480)])
        func little(mebibytes: Int, width: Int) throws {
            let films = try folder.folder("films-\(mebibytes)-\(width)")
            let words = [program.path, "render", try film(width, width * 9 / 16), "-o", films + "/little.mp4"]
            let result = try ControlGroup.run(words, mebibytes: mebibytes, in: folder)
            let group = try figures(result)
            print("\(mebibytes) MiB, \(width) wide: status \(result.status ?? -1), \(group)")
            let left = try FileManager.default.contentsOfDirectory(atPath: films)
            if result.status == 0 {
                #expect(group.killed == 0 || width > 480, "\(result)")
                #expect(left == ["little.mp4"])
                #expect(try Witness(in: folder).frameHashes(films + "/little.mp4").count == 50)
            } else {
                #expect(result.status == 1 && result.standardError.contains("error 40010"), "\(result)")
                #expect(left.isEmpty, "\(left)")
                #expect(mebibytes < 400 || width > 480)
            }
        }
    }
}
