import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Each exit status of the command line's contract, and what the person is told.
    @Suite struct ErrorTests {
        private let folder: TestFolder
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("errors")
            program = try Splitreel(in: folder)
            try NumberedMedia.write(
                50, rate: "25", to: folder.file("a.mkv"), coding: ["-c:v", "ffv1"], with: Witness(in: folder))
        }

        private static let identity: [Double] = [1, 0, 0, 1, 0, 0]

        private func composition(
            _ name: String = "cut.json", url: String = "a.mkv", instructions: [String]? = nil, seconds: Int = 2
        ) throws -> String {
            let clips = (0..<(seconds / 2)).map { Text.clip("a", "0s", "2s", at: "\($0 * 2)s") }.joined(separator: ",")
            let whole = Text.instruction("0s", "\(seconds)s", Text.layer(1, Self.identity))
            return try folder.write(
                Text.project(
                    ["a": url], ["{\"id\":1,\"type\":\"video\",\"segments\":[\(clips)]}"],
                    size: (NumberedMedia.width, NumberedMedia.height), frame: "1/25", instructions ?? [whole]), to: name
            )
        }

        /// Runs it and holds the exit status, the shape of the message and the folder against what is promised.
        private func fails(
            _ status: Int32, saying words: [String], _ arguments: [String],
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let before = try folder.names()
            let result = try program.run(arguments, seconds: 60)
            #expect(result.status == status, "\(result)", sourceLocation: sourceLocation)
            for word in words {
                #expect(result.standardError.contains(word), "\(result)", sourceLocation: sourceLocation)
            }
            let lines = result.standardError.split(separator: "\n")
            #expect(lines.count <= 12, "\(result)", sourceLocation: sourceLocation)
            #expect(!result.standardError.contains("Fatal error"), "\(result)", sourceLocation: sourceLocation)
            #expect(try folder.names() == before, "something was left", sourceLocation: sourceLocation)
        }

        private func render(_ composition: String, _ output: String = "out.mp4", _ more: [String] = []) -> [String] {
            ["render", composition, "-o", folder.file(output)] + more
        }

        @Test func usage() throws {
            let file = try composition()
            try fails(2, saying: ["h264", "ffv1"], render(file, "out.mp4", ["--video-codec", "cinepak"]))
            try fails(2, saying: ["aac", "opus"], render(file, "out.mp4", ["--audio-codec", "mp2"]))
            try fails(2, saying: ["mp4", "ffv1"], render(file, "out.mp4", ["--video-codec", "ffv1"]))
            try fails(2, saying: [".mkv"], render(file, "out.avi"))
            try fails(2, saying: ["--chunk-seconds"], render(file, "out.mp4", ["--chunk-seconds", "soon"]))
            try fails(2, saying: ["--range"], render(file, "out.mp4", ["--range", "2s,1s"]))
            try fails(2, saying: ["--no-such-option"], render(file, "out.mp4", ["--no-such-option"]))
            try fails(2, saying: [], ["no-such-command"])
            try fails(2, saying: ["yuv444p"], render(file, "out.mp4", ["--pixel-format", "rgb24"]))
        }

        @Test func oddSizeNeedsAnotherFormat() throws {
            let file = try folder.write(
                Text.project(
                    ["a": "a.mkv"], [Text.track(1, "video", Text.clip("a", "0s", "1s", at: "0s"))], size: (255, 143),
                    frame: "1/25"), to: "odd.json")
            let result = try program.run(render(file))
            #expect(result.status == 2 || result.status == 3, "\(result)")
            #expect(result.standardError.contains("yuv444p"), "\(result)")
        }

        @Test func invalidComposition() throws {
            try fails(3, saying: ["nowhere.json"], render(folder.file("nowhere.json")))
            let garbage = try folder.write("{ this is not JSON", to: "garbage.json")
            try fails(3, saying: ["garbage.json"], render(garbage))
            try fails(3, saying: ["error 50000", "garbage.json:1:3"], ["probe", garbage])
            let foreign = try folder.write("{\"format\":\"other/7\"}", to: "foreign.json")
            try fails(3, saying: ["other/7"], render(foreign))
            let unknown = try composition(
                "unknown.json", instructions: [Text.instruction("0s", "2s", Text.layer(9, Self.identity))])
            try fails(3, saying: ["9", "layers[0]"], render(unknown))
            let problems = try program.run(["validate", unknown, "--json"])
            #expect(problems.status == 3)
            #expect(problems.json?["valid"] as? Bool == false)
            #expect(try program.run(["validate", try composition(), "--json"]).status == 0)
        }

        @Test func mediaThatCannotBeRead() throws {
            try fails(4, saying: ["nowhere.mkv"], render(try composition("missing.json", url: "nowhere.mkv")))
            _ = try folder.write("no film at all", to: "text.mp4")
            try fails(4, saying: ["text.mp4"], render(try composition("text.json", url: "text.mp4")))
            // libav's words, without where its objects lie in memory.
            #expect(try !program.run(["probe", folder.file("text.mp4")]).standardError.contains("0x"))
            try fails(4, saying: ["nowhere.mkv"], ["probe", folder.file("nowhere.mkv")])
            // A pipe that nobody writes to is not waited for.
            #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
            try fails(4, saying: ["pipe"], ["probe", folder.file("pipe")])
            #expect(try program.run(["validate", folder.file("missing.json")]).status == 4)
        }

        @Test func outputThatExistsOrCannotBe() throws {
            let file = try composition()
            let old = try folder.write("the old film", to: "out.mp4")
            try fails(5, saying: ["out.mp4", "--overwrite"], render(file))
            #expect(FileManager.default.contents(atPath: old) == Data("the old film".utf8))
            try fails(5, saying: ["nowhere"], render(file, "nowhere/out2.mp4"))
            try fails(5, saying: [], render(file, "a.mkv/out3.mp4"))
            try fails(5, saying: [], ["render", file, "-o", "/proc/out.mp4"])
            #expect(try program.run(render(file, "out.mp4", ["--overwrite"])).status == 0)
            #expect(try Witness(in: folder).frameHashes(old).count == 50)
        }

        /// A file system of 512 KiB while `body` runs; false where none can be mounted.
        private static func withSmallDisk(in folder: TestFolder, _ body: (String) throws -> Void) throws -> Bool {
            let disk = try folder.folder("disk")
            let mount = try Tool("/bin/mount", ["-t", "tmpfs", "-o", "size=512k", "none", disk], in: folder).finish()
            guard mount.status == 0 else { return false }
            defer { _ = try? Tool("/bin/umount", [disk], in: folder).finish() }
            try body(disk)
            return true
        }

        private static let canMount = (try? withSmallDisk(in: TestFolder("mount")) { _ in }) ?? false

        @Test(.enabled(if: canMount, "no small file system can be mounted here")) func fullDisk() throws {
            let file = try composition("long.json", seconds: 40)
            let wasMounted = try Self.withSmallDisk(in: folder) { disk in
                try fails(
                    5, saying: ["disk full"],
                    ["render", file, "-o", disk + "/out.mkv", "--video-codec", "ffv1", "--chunk-seconds", "2"])
                #expect(try FileManager.default.contentsOfDirectory(atPath: disk).isEmpty)
            }
            #expect(wasMounted)
        }

        @Test func coordinatorThatIsNotThere() throws {
            let file = try composition()
            let nobody = "ipc://\(folder.file("nobody"))"
            for arguments in [["submit", file, "-o", folder.file("out.mp4")], ["jobs"], ["workers"], ["job", "1"]] {
                let result = try program.run(arguments + ["--connect", nobody, "--timeout", "1"], seconds: 20)
                #expect(result.status == 6, "\(result)")
                #expect(result.standardError.contains(nobody), "\(result)")
                #expect(result.seconds < 5 * patience)
            }
            // What cannot be is told before anyone is asked.
            for (status, option) in [
                (2, ["--video-codec", "ffv1"]), (2, ["--audio-codec", "flac"]), (2, ["--chunk-seconds", "-"]),
                (2, ["--encoder-preset", "bogus"]),
            ] {
                let arguments = ["submit", file, "-o", folder.file("out.mp4"), "--connect", nobody] + option
                try fails(Int32(status), saying: [option[1]], arguments)
            }
            let unknown = try self.composition(
                "unknown.json", instructions: [Text.instruction("0s", "2s", Text.layer(9, Self.identity))])
            try fails(3, saying: ["layers[0]"], ["submit", unknown, "-o", folder.file("out.mp4"), "--connect", nobody])
            // An odd size that a scale makes even is nothing to refuse: only the coordinator is missing.
            let odd = Text.project(
                ["a": "a.mkv"], [Text.track(1, "video", Text.clip("a", "0s", "1s", at: "0s"))], size: (127, 71),
                frame: "1/25"
            ).replacing("\"renderSize\"", with: "\"renderScale\":2,\"renderSize\"")
            let scaled = try folder.write(odd, to: "scaled.json")
            try fails(
                6, saying: [nobody],
                ["submit", scaled, "-o", folder.file("out.mp4"), "--connect", nobody, "--timeout", "1"])
            let bad = try program.run(["jobs", "--connect", "carrier-pigeon"], seconds: 20)
            #expect(bad.status == 2 || bad.status == 6, "\(bad)")
        }

        @Test func verification() throws {
            let file = try composition()
            let output = folder.file("good.mp4")
            try program.render(file, to: output)
            let good = try program.run(["verify", output, "--json"])
            #expect(good.status == 0 && good.json?["ok"] as? Bool == true && good.json?["frames"] as? Int == 50)
            // Twenty frames come a third of a frame late.
            let late = folder.file("late.mp4")
            try Witness(in: folder).ffmpeg([
                "-i", output, "-c", "copy", "-video_track_timescale", "75", "-bsf:v",
                "setts=pts=PTS+if(gt(N\\,30)\\,1\\,0):dts=DTS+if(gt(N\\,30)\\,1\\,0)", late,
            ])
            let bad = try program.run(["verify", late, "--json"])
            #expect(bad.status == 8, "\(bad)")
            #expect(bad.json?["ok"] as? Bool == false && (bad.json?["warnings"] as? [Any])?.count == 0)
        }

        @Test func numbersAreExplained() throws {
            let known = try program.run(["error", "20107"])
            #expect(known.status == 0 && known.text.contains("20107"))
            #expect(try program.run(["error", "99999999"]).status != 0)
        }
    }
}
