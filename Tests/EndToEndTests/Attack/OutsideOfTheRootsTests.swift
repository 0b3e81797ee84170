import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Compositions that name what lies outside of a coordinator's roots, in every way that there is: none is read, and
    /// none of their films is made.
    @Suite struct OutsideOfTheRootsTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let coordinator: Tool
        private let endpoint: String
        /// The only root.
        private let root: String
        private let outside: String

        init() throws {
            folder = try TestFolder("roots")
            program = try Splitreel(in: folder)
            root = try folder.folder("in")
            outside = try folder.folder("out")
            try Self.fill(root: root, outside: outside, Witness(in: folder))
            endpoint = "ipc://\(folder.file("control"))"
            let words = ["coordinator", "--listen", endpoint, "--data", folder.file("state"), "--root", root]
            let coordinator = try program.start(words)
            guard coordinator.until(seconds: 20, { coordinator.outputSoFar.contains("listening on ") }) else {
                throw ToolFailure("\(coordinator.finish(seconds: 1))")
            }
            self.coordinator = coordinator
        }

        /// A film within the root; outside of it a file of each kind, and within it links and lists that lead there.
        private static func fill(root: String, outside: String, _ witness: Witness) throws {
            let files = FileManager.default
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=1", "-c:v", "libx264", "-pix_fmt", "yuv420p",
                outside + "/film.mp4",
            ])
            for number in 1...3 {
                try witness.ffmpeg([
                    "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", outside + "/still-\(number).png",
                ])
            }
            try files.copyItem(atPath: outside + "/film.mp4", toPath: root + "/good.mp4")
            try files.createSymbolicLink(atPath: root + "/link.mp4", withDestinationPath: outside + "/film.mp4")
            try files.createSymbolicLink(atPath: root + "/folder", withDestinationPath: outside)
            let rows = ["0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 0", "1 1 1"].joined(separator: "\n")
            let texts = [
                "\(outside)/look.cube": "LUT_3D_SIZE 2\n\(rows)\n",
                "\(outside)/words.srt": "1\n00:00:00,000 --> 00:00:01,000\nhi\n",
                "\(root)/list.m3u8":
                    "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(outside)/film.mp4\n#EXT-X-ENDLIST\n",
                "\(root)/list.ffconcat": "ffconcat version 1.0\nfile '\(outside)/film.mp4'\n",
            ]
            for (path, text) in texts { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
            try files.copyItem(
                atPath: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", toPath: outside + "/own.ttf")
        }

        /// A film of one second of an asset `a`; `more` stands beside its `url`.
        private func film(_ url: String, _ more: String = "", source: String = #", "source": ["0s", "1s"]"#) -> String {
            """
            {"format": "splitreel/1", "assets": {"a": {"url": "\(url)"\(more)}}, "composition": {"tracks": [
             {"id": 1, "type": "video", "segments": [{"asset": "a"\(source), "target": ["0s", "1s"]}]}]},
             "video": {"renderSize": [64, 48], "frameDuration": "1/25"}}
            """
        }

        /// The good film, with another asset `x` that its video or a track uses.
        private func withAsset(_ kind: String, _ name: String, video: String = "", tracks: String = "") -> String {
            """
            {"format": "splitreel/1", "assets": {"a": {"url": "\(root)/good.mp4"},
             "x": {"kind": "\(kind)", "url": "\(outside)/\(name)"}}, "composition": {"tracks": [
             {"id": 1, "type": "video", "segments": [
              {"asset": "a", "source": ["0s", "1s"], "target": ["0s", "1s"]}]}\(tracks)]},
             "video": {"renderSize": [64, 48], "frameDuration": "1/25"\(video)}}
            """
        }

        private func submit(_ composition: String, to output: String) throws -> ToolResult {
            let path = try folder.write(composition, to: "cut.json")
            return try program.run(
                ["submit", path, "-o", output, "--connect", endpoint, "--no-check", "--watch", "--timeout", "30"],
                seconds: 60)
        }

        private func expectRefused(_ composition: String, error: Int = 10005, _ about: String) throws {
            let result = try submit(composition, to: root + "/film.mp4")
            #expect(result.status != 0 && result.standardError.contains("error \(error)"), "\(about): \(result)")
            #expect(!FileManager.default.fileExists(atPath: root + "/film.mp4"), "\(about)")
        }

        @Test func noPathLeadsOut() throws {
            defer { coordinator.send(SIGKILL) }
            let paths = [
                "\(outside)/film.mp4", "\(root)/../out/film.mp4", "\(root)/link.mp4", "\(root)/folder/film.mp4",
                "file://\(outside)/film.mp4", "out/film.mp4", "/dev/zero", "/proc/self/environ",
            ]
            for path in paths {
                try expectRefused(film(path), path)
            }
        }

        @Test func noProtocolAndNoListIsFollowed() throws {
            defer { coordinator.send(SIGKILL) }
            try expectRefused(film("http://127.0.0.1:9/a.mp4"), error: 50090, "http")
            for name in ["list.m3u8", "list.ffconcat"] {
                try expectRefused(film("\(root)/\(name)"), error: 20006, name)
            }
            // What libav would take for a protocol is a name of a file here, which is not there.
            for name in ["concat:", "subfile,,start,0,end,100,,:"] {
                try expectRefused(film("\(name)\(outside)/film.mp4"), error: 20002, name)
            }
            for name in ["pipe:0", "data:text/plain,x", "cache:x"] {
                try expectRefused(film(name), error: 20002, name)
            }
        }

        @Test func noKindOfAssetReachesOutside() throws {
            defer { coordinator.send(SIGKILL) }
            try expectRefused(
                withAsset("lut", "look.cube", video: #", "effects": [{"id": "lut", "params": {"lut": "x"}}]"#), "lut")
            let text = #"{"bounds": [0, 0, 64, 20], "contents": {"text": {"string": "a", "font": "x", "size": 9}}}"#
            let layers = #"{"id": "f", "bounds": [0, 0, 64, 48], "position": [32, 24]}, "# + text
            let tree = #"{"bounds": [0, 0, 64, 48], "sublayers": [\#(layers)]}"#
            let animation = #", "animation": {"videoLayers": ["f"], "root": \#(tree)}"#
            try expectRefused(withAsset("font", "own.ttf", video: animation), "font")
            let cues =
                #", {"id": 2, "type": "text", "segments": [{"asset": "x", "source": ["0s", "1s"], "#
                + #""target": ["0s", "1s"]}]}"#
            try expectRefused(withAsset("subtitles", "words.srt", tracks: cues), "subtitles")
            try expectRefused(film(outside + "/still-1.png", #", "kind": "image""#, source: ""), "still")
            try expectRefused(film(outside + "/still-%d.png", #", "kind": "imageSequence""#, source: ""), "sequence")
            let nested = #", "kind": "composition", "project": \#(film(outside + "/film.mp4"))"#
            try expectRefused(film("nested.json", nested), "nested")
        }

        @Test func noFilmIsWrittenOutside() throws {
            defer { coordinator.send(SIGKILL) }
            for path in ["\(outside)/made.mp4", "\(root)/folder/made.mp4", "\(root)/../out/made.mp4"] {
                let result = try submit(film(root + "/good.mp4"), to: path)
                #expect(result.status == 6 && result.standardError.contains("error 10005"), "\(path): \(result)")
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: outside)
            #expect(!names.contains { $0.contains("made") }, "\(names)")
        }
    }
}
