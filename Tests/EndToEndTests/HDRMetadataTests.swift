import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Mastering display and light levels of films in HDR, as ffprobe reads them of the films.
    @Suite struct HDRMetadataTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("hdr-metadata")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private static let tags = [
            "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv",
        ]

        /// Films shown one beside the other, the first over the others.
        private func project(_ files: [String], color: String = "", seconds: String = "1s") throws -> String {
            let assets = files.map { #""\#($0)": {"url": "\#($0)"}"# }.joined(separator: ", ")
            let tracks = files.enumerated().map { index, file in
                """
                {"id": \(index + 1), "type": "video", "segments": [
                  {"asset": "\(file)", "source": ["0s", "\(seconds)"], "target": ["0s", "\(seconds)"]}]}
                """
            }
            return try folder.write(
                """
                {"format": "splitreel/1", "assets": {\(assets)}, "composition": {"tracks": [
                  \(tracks.joined(separator: ","))]},
                 "video": {"frameDuration": "1/10", "color": {\(color)}}}
                """, to: "cut.json")
        }

        /// The numbers of a stream's or a frame's side data: the display's ten (primaries, white, least and most), and
        /// MaxCLL and MaxFALL. Luminances are in cd/m².
        private struct Said: Equatable {
            var display: [Double] = []
            var light: [Int] = []

            init(_ fields: [String: Any]) {
                for side in fields["side_data_list"] as? [[String: Any]] ?? [] {
                    if let most = side["max_content"] as? Int, let average = side["max_average"] as? Int {
                        light = [most, average]
                    }
                    let names = [
                        "red_x", "red_y", "green_x", "green_y", "blue_x", "blue_y", "white_point_x", "white_point_y",
                        "min_luminance", "max_luminance",
                    ]
                    let parts = names.compactMap {
                        (side[$0] as? String)?.split(separator: "/").compactMap { Double($0) }
                    }
                    guard parts.count == names.count, parts.allSatisfy({ $0.count == 2 }) else { continue }
                    // As the units of HEVC's SEI have it.
                    display = parts.map { ($0[0] / $0[1] * 50_000).rounded() / 50_000 }
                }
            }

            init(display: [Double], light: [Int]) { (self.display, self.light) = (display, light) }
        }

        private func said(_ file: String) throws -> Said {
            Said(try #require(try witness.streams(file).first { $0["codec_type"] as? String == "video" }))
        }

        // MARK: Generated

        private static func pq(_ code: Double) -> Double {
            let p = pow(min(max((code - 64) / 876, 0), 1), 1 / 78.84375)
            return 10_000 * pow(max(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125)
        }

        /// MaxCLL and MaxFALL of what ffmpeg decodes of a film in 4:2:0 of 10 bits: the largest of R, G and B of each
        /// pixel with its block's chroma, BT.2020.
        private func levels(_ file: String, width: Int, height: Int) throws -> [Int] {
            let data = try witness.ffmpeg([
                "-i", file, "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "pipe:1",
            ]).standardOutput
            let words = data.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }.map { Double($0) }
            let (luma, chroma) = (width * height, width * height / 4)
            var (most, average) = (0.0, 0.0)
            for start in stride(from: 0, to: words.count, by: luma + 2 * chroma) {
                var sum = 0.0
                for pixel in 0..<luma {
                    let place = pixel / width / 2 * (width / 2) + pixel % width / 2
                    let (cb, cr) = (words[start + luma + place] - 512, words[start + luma + chroma + place] - 512)
                    let (ofCb, ofCr) = (cb * 876 / 896, cr * 876 / 896)
                    let green = -(0.0593 * 1.8814 * ofCb + 0.2627 * 1.4746 * ofCr) / 0.678
                    let light = Self.pq(words[start + pixel] + max(1.8814 * ofCb, 1.4746 * ofCr, green))
                    (most, sum) = (max(most, light), sum + light)
                }
                average = max(average, sum / Double(luma))
            }
            return [Int(most.rounded()), Int(average.rounded())]
        }

        /// A patch that gets brighter, one frame in colour, the brightest one in the midst.
        @Test func generatedLevelsAreThoseOfTheFramesInAnySplit() throws {
            try witness.ffmpeg(
                [
                    "-f", "lavfi", "-i",
                    """
                    color=black:s=64x48:r=10:d=1,format=yuv420p10le,geq=lum='if(lt(X,16)*lt(Y,24),\
                    560+30*if(lt(N,7),N,7-N/2),200+N)':cb='if(eq(N,4),560,512)':cr='if(eq(N,4),600,512)'
                    """,
                ] + Self.tags + ["-c:v", "ffv1", folder.file("patches.mkv")])
            let file = try project(["patches.mkv"], color: #""hdrMetadata": "generate""#)
            var found: [Said] = []
            for (workers, chunks) in [(1, "none"), (2, "0.3"), (2, "0.1")] {
                let path = folder.file("film-\(workers)-\(chunks).mkv")
                try program.render(
                    file, to: path,
                    InvarianceCheck.lossless + ["--workers", "\(workers)", "--chunk-seconds", chunks]
                        // Both are put in at the end.
                        + (workers == 1 ? [] : ["--poster-time", "0.5s"]))
                found.append(try said(path))
            }
            let levels = try levels(folder.file("film-1-none.mkv"), width: 64, height: 48)
            #expect(levels[0] > 300 && levels[1] > 10)
            #expect(found[0].light == levels && found[0].display.count == 10)
            #expect(found[1] == found[0] && found[2] == found[0])
            #expect(found[0].display == [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.329, 0.0001, 1000])
            for (name, options) in [("film.mp4", []), ("film.mov", ["--video-codec", "prores"])] {
                try program.render(file, to: folder.file(name), options + ["--chunk-seconds", "0.4"])
                #expect(try said(folder.file(name)) == found[0], "\(name)")
            }
            for name in ["film-1-none.mkv", "film-2-0.3.mkv"] {
                try expectMatroskaChecksum(of: [0x16, 0x54, 0xAE, 0x6B], folder.file(name))
            }
            // The light is in the container alone: chunks are encoded before it is known. ffprobe gives what a
            // container says to the first frame too, so the stream is looked at by itself.
            let stream = folder.file("film.hevc")
            try witness.ffmpeg(["-i", folder.file("film.mp4"), "-map", "0:v:0", "-c", "copy", "-f", "hevc", stream])
            let frame = Said(try witness.firstFrame(stream))
            #expect(frame.display == found[0].display && frame.light.isEmpty)
        }

        // MARK: Propagated

        private func source(_ name: String, _ params: String?) throws {
            let x265 = "log-level=none:pools=none:frame-threads=1" + (params.map { ":" + $0 } ?? "")
            try witness.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.5,format=yuv420p10le"] + Self.tags
                    + ["-c:v", "libx265", "-x265-params", x265, "-tag:v", "hvc1", folder.file(name)])
        }

        private static let display = "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)"
        private static let numbers = [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329]

        @Test func whatSourcesSayIsTheFilms() throws {
            try source("a.mp4", Self.display + "L(10000000,50):max-cll=900,200")
            try source("b.mp4", Self.display + "L(40000000,100):max-cll=3000,150")
            try source("plain.mp4", nil)
            let own = Said(
                display: Self.numbers + [0.005, 1000].map { ($0 * 50_000).rounded() / 50_000 }, light: [900, 200])
            let file = try project(["a.mp4"], seconds: "0.5s")
            for (name, options) in [
                ("film.mp4", []), ("film.mkv", []), ("film.mov", ["--video-codec", "prores"]),
                ("high.mp4", ["--video-codec", "h264"]), ("chroma.mov", ["--pixel-format", "yuv422p10le"]),
            ] {
                try program.render(file, to: folder.file(name), options + ["--chunk-seconds", "0.2"])
                #expect(try said(folder.file(name)) == own, "\(name)")
                let frame = Said(try witness.firstFrame(folder.file(name)))
                #expect(options.contains("--video-codec") || frame == own, "\(name)")
            }
            let probed = try #require(try program.run(["probe", "film.mov", "--json"]).json)
            let track = try #require((probed["tracks"] as? [[String: Any]])?.first)
            #expect((track["contentLight"] as? [String: Int]) == ["maxCLL": 900, "maxFALL": 200])
            #expect((track["masteringDisplay"] as? [String: Any])?["maxLuminance"] as? Double == 1000)
            let text = try program.run(["probe", "film.mov"]).text
            #expect(text.contains("mastered on 0.005 to 1000 cd/m², MaxCLL 900, MaxFALL 200"))

            func joined(_ files: [String], _ color: String = "") throws -> Said {
                try program.render(
                    project(files, color: color, seconds: "0.2s"), to: folder.file("joined.mkv"),
                    InvarianceCheck.lossless + ["--overwrite"])
                return try said(folder.file("joined.mkv"))
            }
            #expect(
                try joined(["a.mp4", "b.mp4"]) == Said(display: Self.numbers + [0.005, 4000], light: [3000, 200]))
            #expect(try joined(["a.mp4", "plain.mp4"]) == Said(display: [], light: []))
            #expect(try joined(["a.mp4"], #""hdrMetadata": "none""#) == Said(display: [], light: []))
        }

        /// A source that says how bright it gets is tone mapped into SDR by that.
        @Test func theSourcesPeakRulesToneMapping() throws {
            for (name, params) in [
                ("dim.mp4", "max-cll=500,100"), ("bright.mp4", "max-cll=4000,100"), ("plain.mp4", nil),
            ] {
                let x265 = "log-level=none:pools=none:frame-threads=1:lossless=1" + (params.map { ":" + $0 } ?? "")
                try witness.ffmpeg(
                    ["-f", "lavfi", "-i", "color=gray:s=64x48:r=10:d=0.2,format=yuv420p10le,lutyuv=y=600:u=512:v=512"]
                        + Self.tags + ["-c:v", "libx265", "-x265-params", x265, "-tag:v", "hvc1", folder.file(name)])
                let color = [#""primaries""#, #""transfer""#, #""matrix""#].map { $0 + #": "ITU_R_709_2""# }
                try program.render(
                    project([name], color: color.joined(separator: ", "), seconds: "0.2s"),
                    to: folder.file(name + ".mkv"), InvarianceCheck.lossless)
                let peak = name == "dim.mp4" ? 500.0 : name == "bright.mp4" ? 4000 : 1000
                let luma = try witness.luma(folder.file(name + ".mkv"))
                let expected = Self.toneMapped(Self.pq(600), peak: peak)
                #expect(luma.allSatisfy { $0.allSatisfy { abs(Double($0) - expected) <= 1 } }, "\(name): \(expected)")
            }
        }

        /// A JPEG is SDR in BT.709.
        @Test func theCoverOfAnHDRFilmIsToneMapped() throws {
            try witness.ffmpeg(
                ["-f", "lavfi", "-i", "color=gray:s=64x48:r=10:d=0.2,format=yuv420p10le,lutyuv=y=600:u=512:v=512"]
                    + Self.tags + ["-c:v", "ffv1", folder.file("grey.mkv")])
            let film = folder.file("film.mp4")
            try program.render(project(["grey.mkv"], color: "", seconds: "0.2s"), to: film, ["--poster-time", "0.1s"])
            let covers = try witness.streams(film).filter {
                ($0["disposition"] as? [String: Any])?["attached_pic"] as? Int == 1
            }
            #expect(covers.count == 1 && covers.first?["width"] as? Int == 64)
            let shown = try witness.pixels(["-i", film, "-map", "0:v:1"], "scale=flags=accurate_rnd+full_chroma_int")
            let expected = (Self.toneMapped(Self.pq(600), peak: 1000) - 16) * 255 / 219
            #expect(shown.count == 3 * 64 * 48 && expected > 100 && expected < 250)
            #expect(shown.allSatisfy { abs(Double($0) - expected) <= 2 }, "\(expected), \(shown.prefix(3))")
            #expect(try program.run(["verify", film]).status == 0)
        }

        /// BT.2390's EETF and BT.1886: the 8-bit code of a grey.
        private static func toneMapped(_ light: Double, peak: Double) -> Double {
            func code(_ light: Double) -> Double {
                let p = pow(light / 10_000, 0.1593017578125)
                return pow((0.8359375 + 18.8515625 * p) / (1 + 18.6875 * p), 78.84375)
            }
            let (value, most) = (code(light) / code(peak), code(203) / code(peak))
            let knee = 1.5 * most - 0.5
            let t = (value - knee) / (1 - knee)
            let mapped =
                (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
                + (3 * t * t - 2 * t * t * t) * most
            let shown = value <= knee ? light : pq(64 + 876 * mapped * code(peak))
            return 16 + 219 * pow(min(shown / 203, 1), 1 / 2.4)
        }
    }

    @Suite(.enabled(if: SourceTree.hasCorpus, "the corpus of real films is not beside the project"))
    struct RealHDRMetadataTests {
        /// Of the second file, a telephone says that its display had 0.1 cd/m².
        @Test(arguments: [
            ("video/ax_sample_with_colr_mdcv_and_clli.mp4", 1000.0, [1100, 180]),
            ("video/ax_hdr10-video-with-sdr-container.mp4", nil, [1000, 200]),
            ("video/tc_testsrc2_hdr.mp4", nil, nil),
        ])
        func probed(name: String, display: Double?, light: [Int]?) throws {
            let folder = try TestFolder("real-hdr")
            let file = try #require(SourceTree.corpusFile(name))
            let report = try #require(try Splitreel(in: folder).run(["probe", file, "--json"]).json)
            let tracks = try #require(report["tracks"] as? [[String: Any]])
            let track = try #require(tracks.first { $0["type"] as? String == "video" })
            #expect((track["masteringDisplay"] as? [String: Any])?["maxLuminance"] as? Double == display)
            let said = track["contentLight"] as? [String: Any]
            #expect(said?["maxCLL"] as? Int == light?.first && said?["maxFALL"] as? Int == light?.last)
        }
    }
}
