import Foundation
import TestTools
import Testing

extension EndToEnd {
    @Suite("Compositions larger than a message") struct LargeCompositionTests {
        /// Five seconds of a clip, and megabytes of what is nobody's business.
        private func composition(in folder: TestFolder, megabytes: Int) throws -> String {
            let clip = folder.file("clip.mp4")
            try NumberedMedia.write(
                25, rate: "25", to: clip, coding: ["-c:v", "libx264", "-g", "12"], with: Witness(in: folder))
            let plain = Text.project(
                ["clip": clip], [Text.track(1, "video", Text.clip("clip", "0s", "1s", at: "0s"))],
                size: (NumberedMedia.width, NumberedMedia.height), frame: "1/25")
            let padding = String(repeating: "é", count: megabytes << 19)
            return try folder.write(
                plain.replacing("\"format\":", with: "\"metadata\":{\"note\":\"\(padding)\"},\"format\":"),
                to: "large.json")
        }

        /// The way from a command to its own coordinator and to another's is one.
        @Test(arguments: [2, 20]) func renderAndSubmitTakeThem(megabytes: Int) throws {
            let folder = try TestFolder("large")
            let program = try Splitreel(in: folder)
            let composition = try composition(in: folder, megabytes: megabytes)
            let (rendered, submitted) = (folder.file("rendered.mkv"), folder.file("submitted.mkv"))
            let witness = Witness(in: folder)
            if megabytes == 2 {
                try program.render(composition, to: rendered, ["--video-codec", "ffv1", "--workers", "1"])
                #expect(try witness.luma(rendered).map { NumberedMedia.number($0) } == Array(0..<25))
            }
            let farm = try Farm(in: folder, program, workers: ["one"])
            let result = try program.run(
                [
                    "submit", composition, "-o", submitted, "--video-codec", "ffv1", "--watch", "--json", "--connect",
                    farm.endpoint,
                ])
            #expect(result.status == 0, "\(result)")
            #expect(try witness.luma(submitted).map { NumberedMedia.number($0) } == Array(0..<25))
        }
    }
}
