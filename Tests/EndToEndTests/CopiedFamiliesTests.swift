import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Films of sources whose parameter sets have equal numbers and other content. ffmpeg made the sources and reads
    /// the films: a copied frame has the source's own sum, and every frame carries the number of the one that belongs
    /// there.
    @Suite("Copies of several families") struct CopiedFamiliesTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("families")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private static let group = 12
        private static let usual = [
            "-preset", "fast", "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc",
            "bt709",
        ]
        /// One reference and CABAC; four, weights and CAVLC; nothing but key frames.
        static let h264 = [
            "keyint=12:min-keyint=12:scenecut=0:ref=1:bframes=0:weightp=0",
            "keyint=12:min-keyint=12:scenecut=0:ref=4:bframes=3:b-pyramid=normal:weightp=2:cabac=0", "keyint=1",
        ].map { ["-c:v", "libx264", "-x264-params", $0] + usual }
        private static let closed = "keyint=12:min-keyint=12:scenecut=0:open-gop=0:log-level=none"
        static let hevc = [
            ":ref=1:bframes=0", ":ref=4:bframes=4:weightb=1:sao=0", ":slices=2:hrd=1:vbv-maxrate=900:vbv-bufsize=900",
        ].map { ["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params", closed + $0] + usual }

        /// Clips: the source's number, its first frame and its length in frames. Every group is copied on, but for
        /// seven frames of the first clip and five of the third.
        private static let cuts = [(0, 5, 31), (1, 12, 24), (0, 7, 29), (2, 12, 12), (1, 36, 12), (2, 0, 12)]
        private static let rendered = Set(Array(0..<7) + Array(55..<60))

        private func composition(_ coding: [[String]]) throws -> String {
            for (number, options) in coding.enumerated() {
                try NumberedMedia.write(
                    60, rate: "25", to: folder.file("s\(number).mp4"), coding: options, first: 1000 * number,
                    with: witness)
            }
            var (clips, next) = ([String](), 0)
            for (source, start, length) in Self.cuts {
                clips.append(Text.clip("s\(source)", "\(start)/25", "\(length)/25", at: "\(next)/25"))
                next += length
            }
            let track = "{\"id\":1,\"type\":\"video\",\"segments\":[\(clips.joined(separator: ","))]}"
            let assets = Dictionary(uniqueKeysWithValues: coding.indices.map { ("s\($0)", "s\($0).mp4") })
            let size = (NumberedMedia.width, NumberedMedia.height)
            return try folder.write(Text.project(assets, [track], size: size, frame: "1/25"), to: "cuts.json")
        }

        private func check(_ film: String) throws {
            let sources = try (0..<3).map { try witness.frameHashes(folder.file("s\($0).mp4")) }
            #expect(Set(sources.flatMap(\.self)).count == 180)
            let expected = Self.cuts.flatMap { source, start, length in
                (start..<start + length).map { (number: 1000 * source + $0, sum: sources[source][$0]) }
            }
            let (sums, luma) = (try witness.frameHashes(film), try witness.luma(film))
            #expect(luma.map { NumberedMedia.number($0) } == expected.map(\.number))
            #expect(sums.count == expected.count)
            for (frame, sum) in sums.enumerated() where !Self.rendered.contains(frame) {
                #expect(sum == expected[frame].sum, "frame \(frame) is no copy")
            }
            try witness.decodeStrictly(film)
        }

        private func render(_ composition: String, to film: String, _ codec: String) throws {
            let result = try program.render(
                composition, to: film, ["--passthrough", "auto", "--no-cache", "--video-codec", codec])
            let chunks = try #require(result.json?["chunks"] as? [String: Any])
            #expect(chunks["passthrough"] as? Int == 6 && chunks["rendered"] as? Int == 2, "\(chunks)")
        }

        /// The same bytes come from a plan folder, whose plan has the numbers.
        @Test("H.264 of three encoders' settings") func h264() throws {
            let composition = try composition(Self.h264)
            let film = folder.file("film.mp4")
            try render(composition, to: film, "h264")
            try check(film)
            let verified = try program.run(["verify", film])
            #expect(verified.status == 0, "\(verified)")

            let options = ["-o", "plan", "--film", folder.file("stitched.mp4"), "--video-codec", "h264"]
            let exported = try program.run(
                ["export", "--openjd", composition, "--passthrough", "auto", "--json"] + options)
            let tasks = try #require(exported.json?["tasks"] as? [String: Any], "\(exported)")
            for task in try #require(tasks["chunks"] as? String).split(separator: ",") {
                let made = try program.run(["render-chunk", "plan", String(task)])
                #expect(made.status == 0, "\(made)")
            }
            let stitched = try program.run(["stitch", "plan"])
            #expect(stitched.status == 0, "\(stitched)")
            let films = try ["stitched.mp4", "film.mp4"].map {
                try Data(contentsOf: URL(fileURLWithPath: folder.file($0)))
            }
            #expect(films[0] == films[1])
        }

        @Test("HEVC of three encoders' settings") func hevc() throws {
            let film = folder.file("film.mp4")
            try render(try composition(Self.hevc), to: film, "hevc")
            try check(film)
        }

        /// More sources than the header of H.264 can count sequences: the last ones are rendered.
        @Test func moreFamiliesThanAHeaderHolds() throws {
            let count = 33
            var clips: [String] = []
            for number in 0..<count {
                let options = "keyint=5:bframes=0:ref=\(1 + number / 12):chroma-qp-offset=\(number % 12 - 6)"
                _ = try witness.ffmpeg(
                    ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.2", "-c:v", "libx264", "-x264-params", options]
                        + Self.usual + [folder.file("m\(number).mp4")])
                clips.append(Text.clip("m\(number)", "0s", "0.2s", at: "\(number)/5"))
            }
            let assets = Dictionary(uniqueKeysWithValues: (0..<count).map { ("m\($0)", "m\($0).mp4") })
            let track = Text.track(1, "video", clips.joined(separator: ","))
            let project = Text.project(assets, [track], size: (96, 64), frame: "1/25")
            let film = folder.file("many.mp4")
            try program.render(
                try folder.write(project, to: "many.json"), to: film, ["--no-cache", "--video-codec", "h264"])
            let sums = try witness.frameHashes(film)
            let sources = try (0..<count).flatMap { try witness.frameHashes(folder.file("m\($0).mp4")) }
            #expect(sums.count == 5 * count && zip(sums, sources).count { $0 == $1 } >= 5 * 30)
            try witness.decodeStrictly(film)
        }

        /// Packets of HEVC without tags outweigh the container's: the film holds to its plan in either form.
        @Test func aFilmOfUntaggedCopiesHoldsToItsPlan() throws {
            _ = try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-c:v", "libx265", "-tag:v", "hvc1", "-pix_fmt",
                "yuv420p", "-x265-params", Self.closed, folder.file("u.mp4"),
            ])
            let composition = try folder.write(
                """
                {"format":"splitreel/1","assets":{"u":{"url":"u.mp4"}},
                "composition":{"tracks":[\(Text.track(1, "video", Text.clip("u", "0s", "1.5s", at: "0s")))]},
                "video":{"renderSize":[96,64],"frameDuration":"1/25",
                "color":{"primaries":"EBU_3213","matrix":"ITU_R_601_4"}}}
                """, to: "untagged.json")
            let film = folder.file("untagged.mp4")
            let options = ["--video-codec", "hevc"]
            try program.render(composition, to: film, options + ["--no-cache"])
            let plan = try program.run(["plan", composition, "-o", film, "--json"] + options)
            #expect(plan.text.contains("passthrough"), "\(plan)")
            let path = try folder.write(plan.text, to: "untagged.plan.json")
            let verified = try program.run(["verify", film, "--plan", path])
            #expect(verified.status == 0, "\(verified)")
        }
    }
}
