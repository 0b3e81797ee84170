import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Cuts that no encoder can see: two parts of one grey film. ffprobe says which frames are key frames.
    @Suite struct KeyFramesAtCutsTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("cuts")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "color=gray:s=160x90:r=25:d=4", "-vf", "format=yuv420p", "-c:v", "ffv1",
                folder.file("source.mkv"),
            ])
        }

        /// Cut at 1.3 s, within frame 32. `instructions` begin at these times.
        private func composition(instructions: [(String, String)]) throws -> String {
            try folder.write(
                Text.project(
                    ["a": "source.mkv"],
                    [
                        Text.track(
                            1, "video", Text.clip("a", "0s", "1.3s", at: "0s"),
                            Text.clip("a", "2s", "1.3s", at: "1.3s"))
                    ], size: (160, 90), frame: "1/25",
                    instructions.map { Text.instruction($0.0, $0.1, "{\"track\":1}") }), to: "film.json")
        }

        private func keys(_ file: String, _ codec: String, _ options: [String]) throws -> [Int] {
            let film = folder.file("film.mp4")
            try program.render(
                file, to: film,
                [
                    "--video-codec", codec, "--encoder-preset", "veryfast", "--chunk-seconds", "none",
                    "--key-frame-interval", "250", "--overwrite",
                ] + options)
            return try witness.packets(film, stream: "v:0").compactMap { packet in
                guard (packet["flags"] as? String)?.hasPrefix("K") == true else { return nil }
                return try #require(
                    (packet["pts_time"] as? String).flatMap(Double.init).map { Int(($0 * 25).rounded()) })
            }
        }

        @Test(arguments: ["h264", "hevc"]) func aSegmentUnderOneInstructionBegins(codec: String) throws {
            let file = try composition(instructions: [("0s", "2.6s")])
            #expect(try keys(file, codec, []) == [0])
            #expect(try keys(file, codec, ["--key-frames-at-cuts"]) == [0, 33])
            // The range begins with frame 20, and 0.5 s after that comes the cut, with frame 12.5 of the film.
            #expect(try keys(file, codec, ["--key-frames-at-cuts", "--range", "0.8s,1.6s"]) == [0, 13])
        }

        @Test(arguments: [[], [("0s", "1.3s"), ("1.3s", "1.3s")]] as [[(String, String)]])
        func instructionsBegin(instructions: [(String, String)]) throws {
            let file = try composition(instructions: instructions)
            #expect(try keys(file, "h264", []) == [0])
            #expect(try keys(file, "h264", ["--key-frames-at-cuts"]) == [0, 33])
        }

        /// Chunks begin with key frames as it is, and have those within.
        @Test func chunksHaveThemToo() throws {
            let file = try composition(instructions: [("0s", "2.6s")])
            let whole = ["--chunk-seconds", "1", "--workers", "2"]
            let without = try keys(file, "h264", whole)
            let with = try keys(file, "h264", whole + ["--key-frames-at-cuts"])
            #expect(without.count > 1 && Set(with) == Set(without).union([33]), "\(without), \(with)")
        }
    }
}
