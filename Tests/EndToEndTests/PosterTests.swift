import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// A film's cover is the frame that was asked for, whoever renders it; ffmpeg decodes both.
    @Suite struct PosterTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private let composition: String

        init() throws {
            folder = try TestFolder("poster")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=24:d=2", "-vf",
                "scale=out_color_matrix=bt709,format=yuv444p", "-colorspace", "bt709", "-color_primaries", "bt709",
                "-color_trc", "bt709", "-color_range", "tv", "-c:v", "ffv1", folder.file("source.mkv"),
            ])
            composition = try folder.write(
                Text.project(
                    ["a": "source.mkv"],
                    [Text.track(1, "video", Text.clip("a", "0s", "2s", at: "0s"))], size: (320, 180), frame: "1/24"),
                to: "film.json")
        }

        /// 1.48 s is within frame 35, which is one of a later chunk than the first; the range begins with frame 12.
        @Test(arguments: ["mp4", "mkv"]) func theCoverIsTheFrame(container: String) throws {
            let film = folder.file("a." + container)
            // Between samples of chroma programs paint differently: here every pixel has its own.
            let options = [
                "--poster-time", "1.48s", "--range", "0.5s,1.5s", "--chunk-seconds", "0.4", "--pixel-format", "yuv444p",
            ]
            try program.render(composition, to: film, options + ["--workers", "2"])
            let streams = try witness.streams(film)
            let covers = streams.filter { ($0["disposition"] as? [String: Any])?["attached_pic"] as? Int == 1 }
            #expect(streams.count == 2 && covers.count == 1 && covers.first?["codec_name"] as? String == "mjpeg")
            let cover = try witness.pixels(["-i", film, "-map", "0:v:1"], "scale=flags=accurate_rnd+full_chroma_int")
            let flags = "scale=in_color_matrix=bt709:flags=accurate_rnd+full_chroma_int+full_chroma_inp"
            let frames = try [34, 35, 36].map {
                try witness.pixels(["-i", folder.file("source.mkv")], "select=eq(n\\,\($0)),\(flags)")
            }
            try #require(cover.count == 3 * 320 * 180 && frames[1].count == cover.count)
            #expect(apart(cover, frames[1]) < 2)
            #expect(apart(cover, frames[1]) < 0.5 * min(apart(cover, frames[0]), apart(cover, frames[2])))
            #expect(try program.run(["verify", film]).status == 0)
            let alone = folder.file("b." + container)
            try program.render(composition, to: alone, options + ["--workers", "1"])
            let other = try Data(contentsOf: URL(fileURLWithPath: alone))
            #expect(try other == Data(contentsOf: URL(fileURLWithPath: film)))
            let plain = folder.file("c." + container)
            try program.render(composition, to: plain, Array(options.dropFirst(2)))
            #expect(try witness.frameHashes(film) == witness.frameHashes(plain))
            try witness.decodeStrictly(film)
            guard container == "mkv" else { return }
            let said = covers.first?["tags"] as? [String: String]
            #expect(said?["filename"] == "cover.jpg" && said?["mimetype"] == "image/jpeg", "\(said ?? [:])")
            try expectMatroskaChecksum(of: [0x19, 0x41, 0xA4, 0x69], film)
        }

        /// The others are PosterTimeTests'.
        @Test(arguments: [("a.webm", "1s"), ("a.mp4", "-1000000000000000000s")])
        func whatCannotBeIsRefused(name: String, time: String) throws {
            let result = try program.run(["render", composition, "-o", folder.file(name), "--poster-time=\(time)"])
            #expect(result.status == 2 && result.standardError.contains("--poster-time"), "\(result)")
        }
    }
}
