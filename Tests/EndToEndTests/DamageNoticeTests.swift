import Foundation
import TestTools
import Testing

extension EndToEnd {
    @Suite("A damaged source is told") struct DamageNoticeTests {
        /// From the slot that met it to the last line and the document, with the file's name and a time in it.
        @Test func theEndOfARenderNamesTheFile() throws {
            let folder = try TestFolder("damage")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            let whole = folder.file("whole.mp4")
            try witness.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=s=192x144:r=25:d=3", "-c:v", "libx264", "-preset", "veryfast"]
                    + ["-g", "12", "-threads", "1", whole])
            try DamagedMedia.write(.hole, seed: 1, from: whole, to: folder.file("v.mp4"))
            let composition = try folder.write(
                Text.project(
                    ["v": "v.mp4"], [Text.track(1, "video", Text.clip("v", "0s", "3s", at: "0s"))], size: (192, 144),
                    frame: "1/25"), to: "cut.json")
            let result = try program.render(
                composition, to: folder.file("out.mkv"), ["--video-codec", "ffv1", "--chunk-seconds", "1"])
            let warnings = try #require(result.json?["warnings"] as? [[String: Any]])
            let damage = warnings.filter { [20301, 20302].contains($0["code"] as? Int) }
            #expect(!damage.isEmpty)
            for warning in damage {
                #expect((warning["subject"] as? String)?.hasSuffix("v.mp4, track 1") == true)
                let first = try #require(warning["firstSeconds"] as? Double)
                #expect((0..<3).contains(first))
                #expect((1...75).contains(warning["count"] as? Int ?? 0))
                let message = try #require(warning["message"] as? String)
                #expect(result.standardError.contains("warning: \(message)"))
            }
        }
    }
}
