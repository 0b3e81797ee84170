import Foundation
import TestTools

/// A composition that takes a while: 40 s of numbered frames, enlarged and turned, in many chunks. One that comes to
/// its end in a test has as few seconds and pixels as it needs.
enum LongFilm {
    static func write(in folder: TestFolder, seconds: Int = 40, size: (Int, Int) = (1280, 720)) throws -> String {
        let media = try folder.folder("media")
        try NumberedMedia.write(
            100, rate: "25", to: media + "/a.mp4", coding: ["-c:v", "libx264", "-crf", "20", "-g", "25"],
            with: Witness(in: folder))
        let clips = (0..<(seconds / 4)).map { Text.clip("a", "0s", "4s", at: "\($0 * 4)s") }.joined(separator: ",")
        let text = Text.project(
            ["a": "media/a.mp4"], ["{\"id\":1,\"type\":\"video\",\"segments\":[\(clips)]}"], size: size,
            frame: "1/25",
            [
                Text.instruction(
                    "0s", "\(seconds)s",
                    Text.layer(1, [4, 1, -1, 4, 100, 0], to: [5, 0, 0, 5, 0, 0], "0s", "\(seconds)s"))
            ])
        return try folder.write(text, to: "long.json")
    }
}
