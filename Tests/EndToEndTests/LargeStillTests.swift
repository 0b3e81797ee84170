import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// A picture of 4096×4096 with 16 bits a channel and alpha is 128 MiB, decoded as well as converted.
    @Suite struct LargeStillTests {
        private static let pictureMiB = 128.0

        /// It is held once: with what it was decoded to beside it, and its planes as floats, it would be held four
        /// times.
        @Test func isHeldOnce() throws {
            let folder = try TestFolder("large-still")
            _ = try Witness(in: folder).ffmpeg([
                "-f", "lavfi", "-i", "color=c=orange@0.5:s=4096x4096,format=rgba64be", "-frames:v", "1",
                folder.file("large.png"),
            ])
            let (cosine, sine) = (0.02 * cos(0.5), 0.02 * sin(0.5))
            let composition = try folder.write(
                Text.project(
                    ["a": "large.png"],
                    [
                        Text.track(1, "video", "{\"asset\":\"a\",\"target\":[\"0s\",\"1s\"]}"),
                        Text.track(2, "video", "{\"asset\":\"a\",\"target\":[\"0s\",\"1s\"]}"),
                    ], size: (320, 180), frame: "1/25",
                    [
                        Text.instruction(
                            "0s", "1s", Text.layer(1, [0.04, 0, 0, 0.04, 0, 0]),
                            Text.layer(2, [cosine, sine, -sine, cosine, 200, 20]))
                    ]), to: "still.json")
            let (peaks, result) = try Splitreel(in: folder).measured(
                ["render", composition, "-o", folder.file("out.mp4"), "--workers", "1"], seconds: 200)
            try #require(result.status == 0, "\(result)")
            #expect(peaks.slot > Self.pictureMiB && peaks.slot < 2.5 * Self.pictureMiB, "\(peaks) MiB")
            #expect(peaks.media < 2.5 * Self.pictureMiB, "\(peaks) MiB")
        }
    }
}
