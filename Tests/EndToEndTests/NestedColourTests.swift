import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// A nested composition that says its colour is made in it, as its own render makes it, and converted as a film of
    /// that colour is. Greys, by the formulas of BT.1886, BT.2100, BT.2390 and BT.2408 written out here.
    @Suite struct NestedColourTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("nested-colour")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private static let bt709 =
            #""color":{"primaries":"ITU_R_709_2","transfer":"ITU_R_709_2","matrix":"ITU_R_709_2"}"#
        private static let pq =
            #""color":{"primaries":"ITU_R_2020","transfer":"SMPTE_ST_2084_PQ","matrix":"ITU_R_2020"}"#

        /// A grey of an inner composition, the whole picture of an outer one; with an inner effect on request.
        ///
        /// - Parameter isDeeper: it stands in another one between, which says no colour.
        private func luma(
            _ grey: Double, inner: String, outer: String, _ pixelFormat: String, isDeeper: Bool = false
        ) throws -> [Int] {
            let colour = inner.isEmpty ? "" : inner + ","
            var project = """
                {"format":"splitreel/1","assets":{"g":{"kind":"color","color":[\(grey),\(grey),\(grey),1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"g","target":["0s","1s"]}]}]},
                "video":{\(colour)"renderSize":[64,48],"frameDuration":"1/10"}}
                """
            for around in isDeeper ? ["", outer + ","] : [outer + ","] {
                project = """
                    {"format":"splitreel/1","assets":{"n":{"kind":"composition","project":\(project)}},
                    "composition":{"tracks":[{"id":1,"type":"video","segments":[
                    {"asset":"n","source":["0s","0.2s"],"target":["0s","0.2s"]}]}]},
                    "video":{\(around)"renderSize":[64,48],"frameDuration":"1/10"}}
                    """
            }
            let file = try folder.write(project, to: "cut.json")
            try program.render(
                file, to: folder.file("film.mkv"),
                ["--video-codec", "ffv1", "--pixel-format", pixelFormat, "--overwrite"])
            let raw = try witness.ffmpeg([
                "-i", folder.file("film.mkv"), "-f", "rawvideo", "-pix_fmt", "gray16le", "-vf", "extractplanes=y", "-",
            ]).standardOutput
            let isDeep = pixelFormat.contains("10")
            return stride(from: 0, to: raw.count - 1, by: 2).map { place in
                let word = Int(raw[raw.startIndex + place]) | Int(raw[raw.startIndex + place + 1]) << 8
                // To 16 bits by repetition: the upper bits are the sample.
                return isDeep ? word >> 6 : word >> 8
            }
        }

        private func code(_ light: Double) -> Double {
            let p = pow(light / 10_000, 0.1593017578125)
            return pow((0.8359375 + 18.8515625 * p) / (1 + 18.6875 * p), 78.84375)
        }

        private func light(_ code: Double) -> Double {
            let p = pow(code, 1 / 78.84375)
            return 10_000 * pow(max(0, p - 0.8359375) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125)
        }

        /// White is 203 cd/m² in the inner one, 58 % of PQ, which the tone curve for 1,000 cd/m² lowers a little.
        @Test func hdrInSDR() throws {
            let most = code(203) / code(1000)
            let knee = 1.5 * most - 0.5
            let t = (most - knee) / (1 - knee)
            let mapped =
                (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
                + (3 * t * t - 2 * t * t * t) * most
            let expected = 16 + 219 * pow(light(mapped * code(1000)) / 203, 1 / 2.4)
            let found = try luma(1, inner: Self.pq, outer: Self.bt709, "yuv420p")
            #expect(found.count == 2 * 64 * 48 && found.allSatisfy { abs(Double($0) - expected) <= 1.5 }, "\(expected)")
            #expect(expected > 190 && expected < 225)
            // The one between is in the film's colour, not in that of what it shows.
            let deeper = try luma(1, inner: Self.pq, outer: Self.bt709, "yuv420p", isDeeper: true)
            #expect(deeper == found)
            // What says nothing is of the film's colour.
            let plain = try luma(0.58, inner: "", outer: Self.bt709, "yuv420p")
            #expect(plain.allSatisfy { abs(Double($0) - (16 + 219 * 0.58)) <= 1 }, "\(plain[0])")
        }

        /// No film is written in linear light: one of nothing but such sources is BT.709's.
        @Test func aFilmOfSourcesInLinearLight() throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "color=s=64x48:r=10:d=1,format=yuv444p10,geq=lum=283:cb=512:cr=512", "-c:v",
                "ffv1",
                "-color_primaries", "bt709", "-color_trc", "linear", "-colorspace", "bt709", "-color_range", "tv",
                folder.file("linear.mkv"),
            ])
            let file = try folder.write(
                Text.project(
                    ["a": "linear.mkv"], [Text.track(1, "video", Text.clip("a", "0s", "0.5s", at: "0s"))],
                    size: (64, 48), frame: "1/10"), to: "linear.json")
            try program.render(file, to: folder.file("shown.mkv"), ["--video-codec", "ffv1"])
            // A quarter of the light.
            let expected = 16 + 219 * pow(0.25, 1 / 2.4)
            #expect(try witness.luma(folder.file("shown.mkv")).joined().allSatisfy { abs(Double($0) - expected) <= 1 })
            let stream = try witness.streams(folder.file("shown.mkv")).first
            #expect(stream?["color_transfer"] as? String == "bt709")
        }

        /// White is 203 cd/m², whether the inner one says that it is SDR or is of the film's colour.
        @Test func sdrInHDR() throws {
            let expected = 64 + 876 * code(203 * pow(0.75, 2.4))
            for inner in [Self.bt709, ""] {
                let found = try luma(0.75, inner: inner, outer: Self.pq, "yuv420p10le")
                #expect(
                    found.count == 2 * 64 * 48 && found.allSatisfy { abs(Double($0) - expected) <= 4 }, "\(expected)")
            }
        }
    }
}
