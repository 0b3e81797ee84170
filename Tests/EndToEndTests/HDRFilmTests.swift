import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// A filmed colour chart in HLG, 1920×1080, nine frames.
    @Suite(.enabled(if: SourceTree.hasCorpus, "the corpus of real films is not beside the project"))
    struct HDRFilmTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private let chart: String

        init() throws {
            folder = try TestFolder("hdr")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            chart = try #require(SourceTree.corpusFile("video/ax_hlg10-color-test.mp4"))
        }

        private func project(_ video: String, _ assets: String = "", _ tracks: String = "") throws -> String {
            try folder.write(
                """
                {"format": "splitreel/1", "assets": {"chart": {"url": "\(chart)"}\(assets)},
                 "composition": {"tracks": [\(tracks){"id": 1, "type": "video", "segments": [
                   {"asset": "chart", "source": ["0s", "0.3s"], "target": ["0s", "0.3s"]}]}]},
                 "video": {"frameDuration": "1/30", \(video)}}
                """, to: "cut.json")
        }

        private func tags(_ file: String) throws -> [String?] {
            let stream = try #require(try witness.streams(file).first { $0["codec_type"] as? String == "video" })
            return ["codec_name", "profile", "pix_fmt", "color_primaries", "color_transfer", "color_space"].map {
                stream[$0] as? String
            }
        }

        @Test func anHDRFilmIsHEVCInTenBitsAndTagged() throws {
            let file = try project(
                """
                "renderSize": [320, 180],
                "instructions": [{"range": ["0s", "0.3s"], "layers": [{"track": 1, "fit": "contain"}]}]
                """)
            _ = try program.render(file, to: folder.file("film.mp4"))
            #expect(
                try tags(folder.file("film.mp4")) == [
                    "hevc", "Main 10", "yuv420p10le", "bt2020", "arib-std-b67", "bt2020nc",
                ])
            let plan = try program.run(["plan", file])
            #expect(plan.text.contains("ITU_R_2020 / ITU_R_2100_HLG / ITU_R_2020: all its films are tagged so"))
        }

        /// Two frames, which both show the chart's first: its rate is a little less than 30, so that its second comes
        /// after 1/30 s.
        @Test func hlgBecomesPQAsByZscale() throws {
            let file = try project(
                """
                "renderSize": [1920, 1080],
                "color": {"primaries": "ITU_R_2020", "transfer": "SMPTE_ST_2084_PQ", "matrix": "ITU_R_2020"}
                """)
            _ = try program.render(
                file, to: folder.file("film.mkv"), InvarianceCheck.lossless + ["--range", "0s,0.06s"])
            #expect(try Array(tags(folder.file("film.mkv"))[3...]) == ["bt2020", "smpte2084", "bt2020nc"])
            let convert = """
                [1:v]zscale=tin=arib-std-b67:t=smpte2084:pin=2020:p=2020:min=2020_ncl:m=2020_ncl:npl=203:\
                filter=bilinear,format=yuv420p10le[w];[0:v]trim=end_frame=2[f];[w]trim=end_frame=1[v];[f][v]psnr=\
                stats_file=-
                """
            let said = try witness.ffmpeg([
                "-i", folder.file("film.mkv"), "-i", chart, "-filter_complex", convert, "-f", "null", "-",
            ]).text
            for plane in ["psnr_y", "psnr_u", "psnr_v"] {
                let values = said.components(separatedBy: plane + ":").dropFirst().compactMap {
                    Double($0.prefix { $0 != " " && $0 != "\n" })
                }
                #expect(values.count == 2 && values.allSatisfy { $0 >= 40 }, "\(plane): \(values)")
            }
        }

        /// HLG over SDR, fading: tone mapped into BT.709, the same frames for any split.
        @Test func hdrAmongSDRIsTheSameForAnySplit() throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=0.4", "-c:v", "ffv1", folder.file("sdr.mkv"),
            ])
            let file = try project(
                """
                "renderSize": [320, 180], "instructions": [{"range": ["0s", "0.3s"], "layers": [
                  {"track": 1, "transform": [{"at": "0s", "value": [0.15, 0.02, -0.02, 0.15, 10, 4]}],
                   "opacity": [{"range": ["0s", "0.3s"], "from": 1, "to": 0.2}]}, {"track": 2}]}]
                """, #", "sdr": {"url": "sdr.mkv"}"#,
                """
                {"id": 2, "type": "video", "segments": [
                  {"asset": "sdr", "source": ["0s", "0.3s"], "target": ["0s", "0.3s"]}]},
                """)
            var films: [[String]] = []
            for (workers, chunks) in [(1, "none"), (1, "0.1"), (2, "0.1")] {
                let path = folder.file("film-\(workers)-\(chunks).mkv")
                _ = try program.render(
                    file, to: path,
                    ["--video-codec", "ffv1", "--workers", "\(workers)", "--chunk-seconds", chunks])
                #expect(try tags(path) == ["ffv1", nil, "yuv420p", "bt709", "bt709", "bt709"])
                films.append(try witness.frameHashes(path))
            }
            #expect(Set(films).count == 1 && Set(films[0]).count == 9)
        }
    }

    /// What an asset's `color` and `range` say counts in place of the file's tags.
    @Suite struct SourceColourTests {
        /// BT.2100's HLG: the scene's light, 1,000 cd/m² times its power of 1.2; below the tone mapping's knee.
        private static var hlgGrey: Double {
            let scene: Double = (exp((110.0 / 219 - 0.5599107) / 0.17883277) + 0.28466892) / 12
            let shown: Double = 1000 * pow(scene, 1.2)
            return 16 + 219 * pow(shown / 203, 1 / 2.4)
        }

        private static let hlg =
            #""color": {"primaries": "ITU_R_2020", "transfer": "ITU_R_2100_HLG", "matrix": "ITU_R_2020"}"#

        @Test(arguments: [(#""range": "full""#, 16 + 219 * 126.0 / 255), (Self.hlg, Self.hlgGrey)])
        func countsInPlaceOfTags(said: String, expected: Double) throws {
            let folder = try TestFolder("overrides")
            let witness = Witness(in: folder)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "color=gray:s=64x48:r=10:d=0.3,format=yuv420p,lutyuv=y=126:u=128:v=128",
                "-color_range", "tv", "-colorspace", "bt709", "-color_trc", "bt709", "-color_primaries", "bt709",
                "-c:v", "ffv1", folder.file("grey.mkv"),
            ])
            let file = try folder.write(
                """
                {"format": "splitreel/1", "assets": {"a": {"url": "grey.mkv", \(said)}},
                 "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
                   {"asset": "a", "source": ["0s", "0.3s"], "target": ["0s", "0.3s"]}]}]},
                 "video": {"color": {"primaries": "ITU_R_709_2", "transfer": "ITU_R_709_2", "matrix": "ITU_R_709_2"}}}
                """, to: "cut.json")
            _ = try Splitreel(in: folder).render(file, to: folder.file("film.mkv"), ["--video-codec", "ffv1"])
            let luma = try witness.luma(folder.file("film.mkv"))
            #expect(luma.count == 3 && luma.allSatisfy { $0.allSatisfy { abs(Double($0) - expected) <= 1 } })
        }
    }
}
