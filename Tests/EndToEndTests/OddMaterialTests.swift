import Foundation
import TestTools
import Testing

extension EndToEnd {
    @Suite struct OddMaterialTests {
        /// Each field of interlaced film becomes a frame: those of ffmpeg's bwdif, whatever the chunks.
        @Test func fieldsBecomeFrames() throws {
            let folder = try TestFolder("fields")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=50:d=1", "-vf", "tinterlace=interleave_top", "-c:v",
                "mpeg2video", "-flags", "+ilme+ildct", "-top", "1", "-q:v", "2", "-g", "8", "-bf", "2", "-colorspace",
                "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", folder.file("fields.mkv"),
            ])
            let text = Text.project(
                ["a": "fields.mkv"], [Text.track(1, "video", Text.clip("a", "0s", "1s", at: "0s"))], size: (160, 120),
                frame: "1/50")
            let file = try folder.write(
                text.replacingOccurrences(of: "fields.mkv\"", with: "fields.mkv\",\"fieldRate\":true"), to: "cut.json")
            try witness.ffmpeg([
                "-i", folder.file("fields.mkv"), "-vf", "bwdif=mode=send_field:deint=interlaced", "-c:v", "ffv1",
                folder.file("whole.mkv"),
            ])
            let expected = try witness.frameHashes(folder.file("whole.mkv"))
            #expect(expected.count == 50 && Set(expected).count == 50)
            for (workers, chunks) in [(1, "none"), (2, "0.26")] {
                let options = ["--workers", "\(workers)", "--chunk-seconds", chunks, "--overwrite"]
                try program.render(file, to: folder.file("film.mkv"), ["--video-codec", "ffv1"] + options)
                #expect(try witness.frameHashes(folder.file("film.mkv")) == expected, "\(workers) workers")
            }
        }

        /// A stream of two sizes shows what its two parts show, the second one at half its size.
        @Test func aChangeOfSizeIsScaledIntoTheFirst() throws {
            let folder = try TestFolder("odd")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            for (name, size, rate) in [("small", "160x90", "20"), ("large", "320x180", "12")] {
                try witness.ffmpeg(
                    [
                        "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=1", "-vf", "hue=h=\(rate)", "-c:v", "libx264",
                        "-pix_fmt", "yuv420p", "-g", "10", "-bf", "2", "-threads", "1", folder.file(name + ".ts"),
                    ])
            }
            let list = try folder.write("file small.ts\nfile large.ts\n", to: "list.txt")
            try witness.ffmpeg(["-f", "concat", "-i", list, "-c", "copy", folder.file("both.ts")])
            let whole = [Text.track(1, "video", Text.clip("a", "0s", "2s", at: "0s"))]
            let both = try folder.write(
                Text.project(["a": "both.ts"], whole, size: (160, 90), frame: "1/25"), to: "both.json")
            let parts = try folder.write(
                Text.project(
                    ["a": "small.ts", "b": "large.ts"],
                    [
                        Text.track(1, "video", Text.clip("a", "0s", "1s", at: "0s")),
                        Text.track(2, "video", Text.gap("0s", "1s"), Text.clip("b", "0s", "1s", at: "1s")),
                    ], size: (160, 90), frame: "1/25",
                    [
                        Text.instruction("0s", "1s", Text.layer(1, [1, 0, 0, 1, 0, 0])),
                        Text.instruction("1s", "1s", Text.layer(2, [0.5, 0, 0, 0.5, 0, 0])),
                    ]), to: "parts.json")
            func frames(_ file: String, workers: Int = 1, chunks: String = "none") throws -> [String] {
                let path = folder.file("film.mkv")
                let options = ["--workers", "\(workers)", "--chunk-seconds", chunks, "--overwrite"]
                try program.render(file, to: path, InvarianceCheck.lossless + options)
                return try witness.frameHashes(path)
            }
            let expected = try frames(parts)
            #expect(Set(expected).count == 50)
            #expect(try frames(both) == expected)
            #expect(try frames(both, workers: 2, chunks: "0.28") == expected)
            let result = try program.render(both, to: folder.file("told.mkv"), InvarianceCheck.lossless)
            #expect(result.standardError.contains("320×180"), "\(result)")
        }
    }
}
