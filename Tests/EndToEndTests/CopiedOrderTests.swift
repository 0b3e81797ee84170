import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// A source whose container has lost the order of its B-frames is rendered by the times that are left, and the one
    /// beside it is copied. ffmpeg made the sources and reads the films: every frame carries the number of the one that
    /// it is.
    @Suite("Copies and times that pictures deny") struct CopiedOrderTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("order")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private static let frames = 36
        private static let usual = [
            "-preset", "fast", "-crf", "16", "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709",
            "-color_trc", "bt709", "-use_editlist", "0",
        ]
        private static let h264 =
            ["-c:v", "libx264", "-x264-params", "keyint=12:min-keyint=12:scenecut=0:bframes=3:b-adapt=0"] + usual
        private static let hevc =
            [
                "-c:v", "libx265", "-tag:v", "hvc1", "-x265-params",
                "keyint=12:min-keyint=12:scenecut=0:open-gop=0:bframes=3:b-adapt=0:log-level=none",
            ] + usual

        /// All of a source without times of presentation, then two groups of one that has them.
        private func composition(_ coding: [String]) throws -> String {
            for number in 0..<2 {
                try NumberedMedia.write(
                    Self.frames, rate: "25", to: folder.file("s\(number).mp4"), coding: coding, first: 1000 * number,
                    with: witness)
            }
            // A box that nobody knows stands where the times were.
            let path = folder.file("s0.mp4")
            var bytes = try Data(contentsOf: URL(filePath: path))
            bytes.replaceSubrange(try #require(bytes.range(of: Data("ctts".utf8))), with: Data("skip".utf8))
            try bytes.write(to: URL(filePath: path))
            let clips = [
                Text.clip("s0", "0s", "\(Self.frames)/25", at: "0s"),
                Text.clip("s1", "0s", "24/25", at: "\(Self.frames)/25"),
            ]
            let track = "{\"id\":1,\"type\":\"video\",\"segments\":[\(clips.joined(separator: ","))]}"
            return try folder.write(
                Text.project(
                    ["s0": "s0.mp4", "s1": "s1.mp4"], [track], size: (NumberedMedia.width, NumberedMedia.height),
                    frame: "1/25"),
                to: "order.json")
        }

        @Test(arguments: [("h264", h264), ("hevc", hevc)])
        func aSourceThatLostTheOrderOfItsFrames(codec: (name: String, options: [String])) throws {
            let composition = try composition(codec.options)
            let options = ["--no-cache", "--video-codec", codec.name, "--passthrough"]
            let (copied, rendered) = (folder.file("auto.mp4"), folder.file("never.mp4"))
            let result = try program.render(composition, to: copied, options + ["auto"])
            let chunks = try #require(result.json?["chunks"] as? [String: Any])
            #expect(chunks["passthrough"] as? Int == 1, "\(chunks)")
            try program.render(composition, to: rendered, options + ["never"])
            let numbers = try witness.luma(copied).map { try #require(NumberedMedia.number($0)) }
            #expect(numbers == (try witness.luma(rendered).map { try #require(NumberedMedia.number($0)) }))
            // Each frame once, though not in the order in which they were made.
            #expect(numbers.prefix(Self.frames) != Array(0..<Self.frames)[...])
            #expect(numbers.sorted() == Array(0..<Self.frames) + Array(1000..<1024))
            #expect(numbers.suffix(24) == Array(1000..<1024)[...])
            let sums = try witness.frameHashes(copied)
            #expect(sums.suffix(24).elementsEqual(try witness.frameHashes(folder.file("s1.mp4")).prefix(24)))
            try witness.decodeStrictly(copied)
            let plan = try program.run(["plan", composition, "-o", copied] + options.dropFirst() + ["auto"])
            let reason = "its file shows frame 1 before frame 2, its pictures say it the other way round"
            #expect(plan.status == 0 && plan.text.contains("not copied: s0: " + reason), "\(plan)")
        }

        /// Cuts alone are allowed there.
        @Test func aCopyThatIsRequiredIsRefused() throws {
            let composition = try composition(Self.h264)
            let plan = try program.run([
                "plan", composition, "-o", folder.file("film.mp4"), "--video-codec", "h264", "--passthrough", "require",
            ])
            #expect(plan.status == 3 && plan.standardError.contains("shows frame 1 before frame 2"), "\(plan)")
        }
    }
}
