import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// VP9 with alpha, decoded by libvpx through ffmpeg: what lies beside the pictures comes through segments and
    /// joins.
    @Suite struct AlphaFilmTests {
        private static let (width, height, frames) = (96, 64, 24)
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private let composition: String

        init() throws {
            folder = try TestFolder("alpha")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=96x64:r=24:d=1", "-c:v", "ffv1", folder.file("source.mkv"),
            ])
            // The left half is there at a share that grows from 0.25 to 0.75, the right half not at all.
            composition = try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"url":"source.mkv"}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[
                {"asset":"a","source":["0s","1s"],"target":["0s","1s"]}]}]},
                "video":{"renderSize":[96,64],"frameDuration":"1/24","instructions":[{"range":["0s","1s"],
                "background":[0,0,0,0],"layers":[{"track":1,"transform":[{"at":"0s","value":[0.5,0,0,1,0,0]}],
                "opacity":[{"range":["0s","1s"],"from":0.25,"to":0.75}]}]}]}}
                """, to: "film.json")
        }

        /// Alpha of all frames.
        private func alpha(_ film: String, by decoder: String = "libvpx-vp9") throws -> [UInt8] {
            [UInt8](
                try witness.ffmpeg([
                    "-c:v", decoder, "-i", film, "-vf", "alphaextract", "-fps_mode", "passthrough", "-f", "rawvideo",
                    "-pix_fmt", "gray", "-",
                ]).standardOutput)
        }

        @Test(arguments: ["webm", "mkv"]) func alphaComesThrough(ending: String) throws {
            let options = [
                "--video-codec", "vp9", "--pixel-format", "yuva420p", "--crf", "10", "--chunk-seconds", "0.2",
            ]
            let film = folder.file("a." + ending)
            try program.render(composition, to: film, options + ["--workers", "2"])
            let tags = try #require(try witness.streams(film).first)["tags"] as? [String: Any]
            #expect((tags?["alpha_mode"] ?? tags?["ALPHA_MODE"]) as? String == "1")
            let found = try alpha(film)
            let (width, height) = (Self.width, Self.height)
            try #require(found.count == width * height * Self.frames)
            for frame in 0..<Self.frames {
                let share = 255 * (0.25 + 0.5 * Double(frame) / Double(Self.frames))
                for (columns, wanted) in [(4..<(width / 2 - 4), share), ((width / 2 + 4)..<(width - 4), 0)] {
                    let row = (frame * height + height / 2) * width
                    let mean = columns.reduce(0) { $0 + Double(found[row + $1]) } / Double(columns.count)
                    #expect(abs(mean - wanted) < 6, "frame \(frame): \(mean), \(wanted) expected")
                }
            }
            try program.render(composition, to: folder.file("b." + ending), options + ["--workers", "1"])
            let other = try Data(contentsOf: URL(fileURLWithPath: folder.file("b." + ending)))
            #expect(try other == Data(contentsOf: URL(fileURLWithPath: film)))
            #expect(try program.run(["verify", film]).status == 0)
        }

        @Test func noPlaceForItIsTold() throws {
            let result = try program.run([
                "render", composition, "-o", folder.file("a.mp4"), "--video-codec", "vp9", "--pixel-format", "yuva420p",
            ])
            #expect(result.status == 2 && result.standardError.contains("webm or mkv"), "\(result)")
        }
    }
}
