import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Stills and films that say by profiles and code points what their samples stand for.
    @Suite struct StillProfileTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        /// Greys, and colours that BT.709 holds: with pictures in R'G'B' of 8 bits, as in ours, each is a code off.
        private static let patches: [[UInt8]] = [
            [128, 128, 128], [30, 30, 30], [200, 120, 90], [110, 140, 115], [100, 110, 190], [250, 250, 250],
        ]

        init() throws {
            folder = try TestFolder("profiles")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// One column of 16 pixels a patch.
        private func png() throws -> [UInt8] {
            let row = Self.patches.flatMap { colour in (0..<16).flatMap { _ in colour } }
            let raw = (0..<32).flatMap { _ in row }
            try Data(raw).write(to: URL(fileURLWithPath: folder.file("raw.rgb")))
            try witness.ffmpeg([
                "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "96x32", "-i", folder.file("raw.rgb"), "-c:v", "png",
                folder.file("plain.png"),
            ])
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("plain.png"))))
        }

        /// R'G'B' of each patch as the film shows it, and what the program warned of.
        private func rendered(_ name: String, _ bytes: [UInt8], asset: String = "") throws
            -> (patches: [[Double]], warnings: String)
        {
            try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
            let tags = #""primaries": "ITU_R_709_2", "transfer": "ITU_R_709_2", "matrix": "ITU_R_709_2""#
            let source = name.hasSuffix(".mov") ? #", "source": ["0s", "0.2s"]"# : ""
            let file = try folder.write(
                """
                {"format": "splitreel/1", "assets": {"a": {"url": "\(name)"\(asset)}},
                 "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
                   {"asset": "a"\(source), "target": ["0s", "0.2s"]}]}]},
                 "video": {"frameDuration": "1/10", "color": {\(tags)}}}
                """, to: name + ".json")
            let film = folder.file(name + ".mkv")
            let result = try program.render(
                file, to: film, ["--video-codec", "ffv1", "--pixel-format", "yuv444p10le", "--chunk-seconds", "0.1"])
            let data = try witness.ffmpeg(["-i", film, "-f", "rawvideo", "-pix_fmt", "yuv444p10le", "pipe:1"])
                .standardOutput
            let words = data.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }.map { Double($0) }
            try #require(words.count == 2 * 3 * 96 * 32)
            let colours = Self.patches.indices.map { patch -> [Double] in
                let place = 16 * 96 + patch * 16 + 8
                let (y, cb, cr) = (words[place], words[place + 3072] - 512, words[place + 6144] - 512)
                let luma = (y - 64) / 876
                let (red, blue) = (luma + 1.5748 * cr / 896, luma + 1.8556 * cb / 896)
                return [red, (luma - 0.2126 * red - 0.0722 * blue) / 0.7152, blue]
            }
            return (colours, result.standardError + result.text)
        }

        private func expectClose(_ made: [[Double]], _ wanted: [[Double]], _ name: String, slack: Double = 0.012) {
            for (patch, pair) in zip(made, wanted).enumerated() {
                #expect(zip(pair.0, pair.1).allSatisfy { abs($0 - $1) <= slack }, "\(name) \(patch): \(pair)")
            }
        }

        // MARK: By formula

        private static func screenLight(_ code: Double) -> Double {
            code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
        }

        private static func screenCode(_ light: Double) -> Double {
            light <= 0.0031308 ? 12.92 * max(light, 0) : 1.055 * pow(light, 1 / 2.4) - 0.055
        }

        /// The usual matrices to sRGB (D65), from the primaries of Display P3 and of Adobe RGB, and from ProPhoto's
        /// with Bradford's adaptation; `light` is the profile's curve.
        private static func expected(_ matrix: [[Double]], _ light: (Double) -> Double) -> [[Double]] {
            patches.map { patch in
                let linear = patch.map { light(Double($0) / 255) }
                return matrix.map { row in screenCode(zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 }) }
            }
        }

        private static let fromP3 = [[1.2249, -0.2247, 0], [-0.0420, 1.0419, 0], [-0.0197, -0.0786, 1.0979]]
        private static let fromAdobe = [[1.3984, -0.3984, 0], [0, 1, 0], [0, -0.0429, 1.0429]]
        private static let fromProPhoto = [
            [2.0341, -0.7275, -0.3067], [-0.2288, 1.2317, -0.0029], [-0.0086, -0.1533, 1.1619],
        ]

        @Test func profilesOfAMatrixCount() throws {
            let png = try png()
            let plain = try rendered("plain.png", png).patches
            expectClose(plain, Self.patches.map { $0.map { Double($0) / 255 } }, "plain")
            func withProfile(_ name: String, _ colorants: [[Double]], _ curve: [UInt8]) throws -> [[Double]] {
                let profile = ProfileBytes(colorants, [curve]).bytes
                let (patches, said) = try rendered(name, PNGChunks.insert(profile: profile, into: png))
                #expect(!said.contains("ICC"), "\(name)")
                return patches
            }
            #expect(try withProfile("srgb.png", ProfileBytes.srgb, ProfileBytes.screen) == plain)
            expectClose(
                try withProfile("p3.png", ProfileBytes.displayP3, ProfileBytes.screen),
                Self.expected(Self.fromP3, Self.screenLight), "P3")
            expectClose(
                try withProfile("adobe.png", ProfileBytes.adobe, ProfileBytes.gamma(2.19921875)),
                Self.expected(Self.fromAdobe) { pow($0, 2.19921875) }, "Adobe RGB")
            expectClose(
                try withProfile("prophoto.png", ProfileBytes.proPhoto, ProfileBytes.gamma(1.80078125)),
                Self.expected(Self.fromProPhoto) { pow($0, 1.80078125) }, "ProPhoto", slack: 0.02)
            let table = ProfileBytes.curve((0..<256).map { Int(pow(Double($0) / 255, 2.2) * 65_535) })
            expectClose(
                try withProfile("table.png", ProfileBytes.srgb, table),
                Self.expected([[1, 0, 0], [0, 1, 0], [0, 0, 1]]) { pow($0, 2.2) }, "a table")
            let probed = try program.run(["probe", "adobe.png"]).text
            #expect(probed.contains("colours by its ICC profile"))
        }

        @Test func codePointsRuleOverProfilesAndAnAssetOverBoth() throws {
            let png = try png()
            let wide = ProfileBytes(ProfileBytes.adobe, [ProfileBytes.gamma(2.19921875)]).bytes
            let both = PNGChunks.insert("cICP", [12, 13, 0, 1], into: PNGChunks.insert(profile: wide, into: png))
            expectClose(
                try rendered("coded.png", both).patches, Self.expected(Self.fromP3, Self.screenLight), "cICP")
            let said = #", "color": {"primaries": "ITU_R_709_2", "transfer": "IEC_sRGB"}"#
            #expect(try rendered("said.png", both, asset: said).patches == rendered("plain.png", png).patches)
        }

        @Test func profilesInJPEGCount() throws {
            _ = try png()
            try witness.ffmpeg([
                "-i", folder.file("plain.png"), "-q:v", "1", "-pix_fmt", "yuvj444p", folder.file("plain.jpg"),
            ])
            let jpeg = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("plain.jpg"))))
            let profile = ProfileBytes(ProfileBytes.adobe, [ProfileBytes.gamma(2.19921875)]).bytes
            let made = try rendered("adobe.jpg", PNGChunks.insert(profile: profile, intoJPEG: jpeg)).patches
            expectClose(made, Self.expected(Self.fromAdobe) { pow($0, 2.19921875) }, "JPEG", slack: 0.025)
        }

        /// A film's profile counts where its stream has no tags of primaries and transfer, and nobody says others.
        @Test func profilesOfFilmsCount() throws {
            _ = try png()
            let frames = ["-loop", "1", "-i", folder.file("plain.png"), "-t", "0.2", "-r", "10", "-pix_fmt", "yuv444p"]
            let matrix = ["-vf", "scale=out_color_matrix=bt709:flags=accurate_rnd", "-colorspace", "bt709"]
            let tags = ["-color_primaries", "bt709", "-color_trc", "bt709"]
            let coder = ["-c:v", "libx264", "-qp", "0", "-movflags", "-write_colr"]
            try witness.ffmpeg(frames + matrix + coder + [folder.file("plain.mov")])
            try witness.ffmpeg(frames + matrix + tags + coder + [folder.file("tagged.mov")])
            var count = 0
            func rendered(_ profile: ProfileBytes?, into name: String, asset: String = "") throws -> [[Double]] {
                count += 1
                var film = try EditedFilm(path: folder.file(name))
                if let profile { try film.describe("colr", Array("prof".utf8) + profile.bytes) }
                return try self.rendered("film\(count).mov", film.bytes, asset: asset).patches
            }
            let adobe = ProfileBytes(ProfileBytes.adobe, [ProfileBytes.gamma(2.19921875)])
            let plain = try rendered(nil, into: "plain.mov")
            let wanted = Self.expected(Self.fromAdobe) { pow($0, 2.19921875) }
            expectClose(try rendered(adobe, into: "plain.mov"), wanted, "Adobe RGB", slack: 0.02)
            let probed = try program.run(["probe", "film2.mov"]).text
            #expect(probed.contains("colours by its ICC profile"))
            let p3 = ProfileBytes(ProfileBytes.displayP3, [ProfileBytes.screen])
            expectClose(
                try rendered(p3, into: "plain.mov"), Self.expected(Self.fromP3, Self.screenLight), "P3", slack: 0.02)
            #expect(try rendered(adobe, into: "tagged.mov") == plain)
            let said = #", "color": {"primaries": "ITU_R_709_2", "transfer": "ITU_R_709_2"}"#
            #expect(try rendered(adobe, into: "plain.mov", asset: said) == plain)
        }

        @Test func whatCannotBeUsedIsSRGBWithAWarning() throws {
            let png = try png()
            let plain = try rendered("plain.png", png).patches
            var tables = ProfileBytes([], [])
            tables.tags = [("A2B0", [UInt8](repeating: 7, count: 40))]
            let lying = ProfileBytes(ProfileBytes.proPhoto.map { $0.map { $0 / 3 } }, [ProfileBytes.screen])
            for (index, bytes) in [tables.bytes, lying.bytes, Array(lying.bytes[..<130])].enumerated() {
                let name = "broken\(index).png"
                let (patches, said) = try rendered(name, PNGChunks.insert(profile: bytes, into: png))
                #expect(patches == plain, "\(name)")
                #expect(said.contains("its ICC profile is not used") && said.contains("sRGB"), "\(name): \(said)")
            }
            let (_, quiet) = try rendered(
                "overridden.png", PNGChunks.insert(profile: tables.bytes, into: png),
                asset: #", "color": {"primaries": "P3_D65", "transfer": "IEC_sRGB"}"#)
            #expect(!quiet.contains("ICC"))
        }
    }
}
