import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Films in 4:2:2 and 4:4:4 say what their samples stand for, in SDR and in HDR.
    @Suite struct ChromaTagTests {
        private struct Film {
            let name: String
            let settings: String
            let found: [String]

            init(_ name: String, _ codec: String, _ more: String, _ format: String) {
                self.name = name
                settings = "{\"codec\":\"\(codec)\"\(more)}"
                found = [codec, format]
            }

            /// A film of that pixel format.
            init(_ name: String, _ codec: String, in format: String) {
                self.init(name, codec, ",\"pixelFormat\":\"\(format)\"", format)
            }
        }

        private static let films = [
            Film("hevc422.mp4", "hevc", in: "yuv422p10le"), Film("hevc444.mkv", "hevc", in: "yuv444p10le"),
            Film("avc422.mp4", "h264", in: "yuv422p10le"), Film("avc444.mov", "h264", in: "yuv444p10le"),
            Film("lossless.mkv", "ffv1", in: "yuv422p10le"), Film("prores.mov", "prores", "", "yuv422p10le"),
            Film("prores4444.mov", "prores", ",\"encoderPreset\":\"4444\"", "yuv444p12le"),
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
            // One job makes them all: SeveralOutputsTests say that each is what it is alone.
            let outputs = Self.films.map { #"{"url": "\#($0.name)", "videoSettings": \#($0.settings)}"# }
            let file = try folder.write(
                """
                {"format": "splitreel/1", "assets": {"a": {"url": "source.mkv"}},
                 "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
                   {"asset": "a", "source": ["0s", "0.2s"], "target": ["0s", "0.2s"]}]}]},
                 "outputs": [\(outputs.joined(separator: ", "))]}
                """, to: "cut.json")
            let run = try Splitreel(in: folder).run(["render", file])
            try #require(run.status == 0, "\(run)")
            for film in Self.films {
                let stream = try #require(try witness.streams(folder.file(film.name)).first)
                let names = ["codec_name", "pix_fmt", "color_primaries", "color_transfer", "color_space"]
                #expect(names.compactMap { stream[$0] as? String } == film.found + kind, "\(film.name)")
                // ProRes and QuickTime have no word for the range; nothing is limited there too.
                #expect(["tv", nil].contains(stream["color_range"] as? String), "\(film.name)")
            }
        }
    }
}
