import TestTools
import Testing

extension EndToEnd {
    /// Films of sources with B-frames and without any. ffmpeg made the sources. It reads and copies the films, and
    /// complains of nothing.
    @Suite("Copies with B-frames and without") struct CopiedDepthsTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("depths")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// No B-frames, B-frames, and B-frames that others refer to.
        private static func coding(_ codec: String) -> [[String]] {
            let groups = "keyint=12:min-keyint=12:scenecut=0:b-adapt=0:"
            let kinds =
                codec == "h264"
                ? ["bframes=0:ref=1", "bframes=3:b-pyramid=none", "bframes=3:b-pyramid=normal"]
                : ["bframes=0:ref=1", "bframes=3:b-pyramid=0", "bframes=3:b-pyramid=1"]
                    .map { $0 + ":open-gop=0:log-level=none" }
            let encoder = codec == "h264" ? ["-c:v", "libx264", "-x264-params"] : ["-c:v", "libx265", "-x265-params"]
            let rest = [
                "-preset", "fast", "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709",
                "-color_trc", "bt709",
            ]
            return kinds.map { encoder + [groups + $0] + rest + (codec == "h264" ? [] : ["-tag:v", "hvc1"]) }
        }

        /// A source's number, its first frame and a length, in frames.
        private typealias Cut = (source: Int, start: Int, length: Int)

        /// The last cut is seven frames, a group, and five frames.
        @Test("Each order of them", arguments: ["h264", "hevc"], ["mp4", "mkv"])
        func orders(codec: String, container: String) throws {
            for (number, options) in Self.coding(codec).enumerated() {
                try NumberedMedia.write(
                    36, rate: "25", to: folder.file("s\(number).mp4"), coding: options, first: 100 * number,
                    with: witness)
            }
            let sums = try (0..<3).map { try witness.frameHashes(folder.file("s\($0).mp4")) }
            #expect(Set(sums.flatMap(\.self)).count == 108)
            let films: [[Cut]] = [
                [(0, 0, 24), (2, 12, 24)], [(1, 0, 12), (0, 0, 12), (2, 0, 12), (0, 5, 24)], [(0, 12, 12), (1, 5, 24)],
            ]
            for (number, cuts) in films.enumerated() {
                let film = folder.file("film\(number).\(container)")
                let isRendered = cuts.last.map { $0.length > 12 && $0.start == 5 } == true
                let chunks = try render(cuts, to: film, codec)
                #expect(chunks["passthrough"] as? Int == cuts.count, "\(chunks)")
                #expect(chunks["rendered"] as? Int == (isRendered ? 2 : 0), "\(chunks)")
                let expected = cuts.flatMap { sums[$0.source][$0.start..<$0.start + $0.length] }
                let found = try witness.frameHashes(film)
                #expect(found.count == expected.count)
                let last = expected.count - 24
                for (frame, sum) in found.enumerated()
                where !isRendered || frame < last || (last + 7..<last + 19).contains(frame) {
                    #expect(sum == expected[frame], "frame \(frame) of \(cuts) is no copy")
                }
                try checkSilence(film)
            }
        }

        private func render(_ cuts: [Cut], to film: String, _ codec: String) throws -> [String: Any] {
            var (clips, next) = ([String](), 0)
            for cut in cuts {
                clips.append(Text.clip("s\(cut.source)", "\(cut.start)/25", "\(cut.length)/25", at: "\(next)/25"))
                next += cut.length
            }
            let assets = Dictionary(uniqueKeysWithValues: (0..<3).map { ("s\($0)", "s\($0).mp4") })
            let project = Text.project(
                assets, [Text.track(1, "video", clips.joined(separator: ","))],
                size: (NumberedMedia.width, NumberedMedia.height), frame: "1/25")
            let result = try program.render(
                try folder.write(project, to: "cuts.json"), to: film,
                ["--passthrough", "auto", "--no-cache", "--video-codec", codec])
            return try #require(result.json?["chunks"] as? [String: Any])
        }

        /// ffmpeg decodes the film, and its copies in other containers, without a word.
        private func checkSilence(_ film: String) throws {
            let strict = ["-v", "warning", "-xerror", "-err_detect", "explode", "-i"]
            let decoded = try witness.ffmpeg(strict + [film, "-f", "null", "-"])
            #expect(decoded.standardError.isEmpty, "\(film): \(decoded.standardError)")
            for ending in ["mkv", "ts", "mp4"] {
                let copy = folder.file("copy.\(ending)")
                let copied = try witness.ffmpeg(["-v", "warning", "-y", "-i", film, "-c", "copy", copy])
                #expect(copied.standardError.isEmpty, "\(film) to \(ending): \(copied.standardError)")
                let read = try witness.ffmpeg(strict + [copy, "-f", "null", "-"])
                #expect(read.standardError.isEmpty, "\(film) as \(ending): \(read.standardError)")
            }
        }
    }
}
