import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Films in 4:2:2 and 4:4:4 say what their samples stand for, in SDR and in HDR.
    @Suite struct ChromaTagTests {
        struct Film: Sendable, CustomTestStringConvertible {
            let name: String
            let options: [String]
            let found: [String]

            var testDescription: String { name }
        }

        private static let films = [
            Film(name: "hevc422.mp4", options: ["--pixel-format", "yuv422p10le"], found: ["hevc", "yuv422p10le"]),
            Film(name: "hevc444.mkv", options: ["--pixel-format", "yuv444p10le"], found: ["hevc", "yuv444p10le"]),
            Film(
                name: "avc422.mp4", options: ["--video-codec", "h264", "--pixel-format", "yuv422p10le"],
                found: ["h264", "yuv422p10le"]),
            Film(
                name: "avc444.mov", options: ["--video-codec", "h264", "--pixel-format", "yuv444p10le"],
                found: ["h264", "yuv444p10le"]),
            Film(
                name: "lossless.mkv", options: ["--video-codec", "ffv1", "--pixel-format", "yuv422p10le"],
                found: ["ffv1", "yuv422p10le"]),
            Film(name: "prores.mov", options: ["--video-codec", "prores"], found: ["prores", "yuv422p10le"]),
            Film(
                name: "prores4444.mov", options: ["--video-codec", "prores", "--encoder-preset", "4444"],
                found: ["prores", "yuv444p12le"]),
        ]

        private static let kinds = [
            ["bt709", "bt709", "bt709"], ["bt2020", "smpte2084", "bt2020nc"], ["bt2020", "arib-std-b67", "bt2020nc"],
        ]

        @Test(arguments: kinds) func everyFilmIsTagged(kind: [String]) throws {
            let folder = try TestFolder("chroma-tags")
            let witness = Witness(in: folder)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.2,format=yuv420p10le", "-color_primaries", kind[0],
                "-color_trc", kind[1], "-colorspace", kind[2], "-color_range", "tv", "-c:v", "ffv1",
                folder.file("source.mkv"),
            ])
            let file = try folder.write(
                """
                {"format": "splitreel/1", "assets": {"a": {"url": "source.mkv"}},
                 "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
                   {"asset": "a", "source": ["0s", "0.2s"], "target": ["0s", "0.2s"]}]}]}}
                """, to: "cut.json")
            let program = try Splitreel(in: folder)
            for film in Self.films {
                let codec = film.options.contains("--video-codec") ? [] : ["--video-codec", "hevc"]
                try program.render(file, to: folder.file(film.name), film.options + codec)
                let stream = try #require(try witness.streams(folder.file(film.name)).first)
                let names = ["codec_name", "pix_fmt", "color_primaries", "color_transfer", "color_space"]
                #expect(names.compactMap { stream[$0] as? String } == film.found + kind, "\(film.name)")
                // ProRes and QuickTime have no word for the range; nothing is limited there too.
                #expect(["tv", nil].contains(stream["color_range"] as? String), "\(film.name)")
            }
        }
    }
}
