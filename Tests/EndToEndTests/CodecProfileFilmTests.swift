import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Each profile of ProRes and DNxHR: ffprobe names it, and ffmpeg's decode is as near to the source as it should
    /// be.
    @Suite struct CodecProfileFilmTests {
        private static let (width, height, frames) = (256, 144, 10)
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("profiles")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private func composition(_ format: String, alpha: String? = nil, outputs: [String] = []) throws -> String {
            let ramp = alpha.map { ",geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='\($0)'" } ?? ""
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=256x144:r=25:d=0.4", "-vf",
                "scale=out_color_matrix=bt709,format=\(format)\(ramp)", "-colorspace", "bt709", "-color_primaries",
                "bt709", "-color_trc", "bt709", "-color_range", "tv", "-c:v", "ffv1", folder.file("source.mkv"),
            ])
            let background = alpha == nil ? "" : "\"background\":[0,0,0,0],"
            var text = Text.project(
                ["a": "source.mkv"],
                [Text.track(1, "video", Text.clip("a", "0s", "0.4s", at: "0s"))],
                size: (Self.width, Self.height), frame: "1/25",
                ["{\"range\":[\"0s\",\"0.4s\"],\(background)\"layers\":[{\"track\":1}]}"])
            if !outputs.isEmpty {
                text.removeLast()
                text += ",\"outputs\":[\(outputs.joined(separator: ","))]}"
            }
            return try folder.write(text, to: "film.json")
        }

        /// All samples of all planes and frames.
        private func samples(_ film: String, _ format: String) throws -> [Int] {
            let arguments = ["-i", film, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", format, "-"]
            let data = try witness.ffmpeg(arguments).standardOutput
            guard format.hasSuffix("le") else { return data.map { Int($0) } }
            return data.withUnsafeBytes { bytes in
                bytes.bindMemory(to: UInt16.self).map { Int(UInt16(littleEndian: $0)) }
            }
        }

        private func psnr(_ one: [Int], _ other: [Int], peak: Double) -> Double {
            let error = zip(one, other).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
            return 10 * log10(peak * peak * Double(one.count) / max(error, 1))
        }

        private struct Kind {
            var codec: String
            var preset: String
            /// As ffprobe names it.
            var profile: String
            var tag: String
            var format: String
            /// Some three decibels below what there is.
            var least: Double

            init(_ codec: String, _ preset: String, _ profile: String, _ tag: String, _ format: String, _ least: Double)
            {
                (self.codec, self.preset, self.profile) = (codec, preset, profile)
                (self.tag, self.format, self.least) = (tag, format, least)
            }
        }

        private static let kinds = [
            Kind("prores", "proxy", "Proxy", "apco", "yuv422p10le", 28),
            Kind("prores", "lt", "LT", "apcs", "yuv422p10le", 36),
            Kind("prores", "standard", "Standard", "apcn", "yuv422p10le", 40),
            Kind("prores", "hq", "HQ", "apch", "yuv422p10le", 46),
            Kind("prores", "4444", "4444", "ap4h", "yuv444p10le", 49),
            Kind("prores", "4444xq", "XQ", "ap4x", "yuv444p10le", 56),
            Kind("dnxhr", "lb", "DNXHR LB", "AVdn", "yuv422p", 36),
            Kind("dnxhr", "sq", "DNXHR SQ", "AVdn", "yuv422p", 43),
            Kind("dnxhr", "hq", "DNXHR HQ", "AVdn", "yuv422p", 50),
            Kind("dnxhr", "hqx", "DNXHR HQX", "AVdn", "yuv422p10le", 52),
            Kind("dnxhr", "444", "DNXHR 444", "AVdn", "yuv444p10le", 62),
        ]

        /// The profiles of a pixel format are made by one job: SeveralOutputsTests say that each is what it is alone.
        @Test(arguments: Set(kinds.map(\.format)).sorted()) func aProfileIsWhatItIsCalled(format: String) throws {
            let kinds = Self.kinds.filter { $0.format == format }
            let outputs = kinds.map {
                #"{"url":"\#($0.preset).mov","videoSettings":{"codec":"\#($0.codec)","encoderPreset":"\#($0.preset)"}}"#
            }
            let run = try program.run(["render", try composition(format, outputs: outputs)])
            try #require(run.status == 0, "\(run)")
            let source = try samples(folder.file("source.mkv"), format)
            for kind in kinds {
                let film = folder.file(kind.preset + ".mov")
                let stream = try #require(try witness.streams(film).first)
                #expect(stream["profile"] as? String == kind.profile, "\(stream)")
                #expect(stream["codec_tag_string"] as? String == kind.tag, "\(stream)")
                let found = try samples(film, format)
                let planes = format.contains("444") ? 3 : 2
                try #require(found.count == source.count && found.count == 256 * 144 * planes * Self.frames)
                let psnr = psnr(found, source, peak: format.hasSuffix("10le") ? 1023 : 255)
                #expect(psnr > kind.least, "\(kind.codec) \(kind.preset): \(psnr) dB")
            }
        }

        /// Alpha grows from column to column, and is coded without loss; the decoder's codes have 12 bits.
        @Test(arguments: ["4444", "4444xq"]) func alphaIsExact(profile: String) throws {
            let film = folder.file("film.mov")
            try program.render(
                try composition("yuva444p10le", alpha: "X*1023/(W-1)"), to: film,
                ["--video-codec", "prores", "--encoder-preset", profile, "--pixel-format", "yuva444p10le"])
            #expect(try witness.streams(film).first?["pix_fmt"] as? String == "yuva444p12le")
            let all = try samples(film, "yuva444p12le")
            let plane = Self.width * Self.height
            try #require(all.count == 4 * plane * Self.frames)
            for frame in 0..<Self.frames {
                let alpha = all[((4 * frame + 3) * plane)..<((4 * frame + 4) * plane)]
                let errors = alpha.enumerated().map { place, code in
                    abs(Double(code) / 4095 - Double(place % Self.width) / Double(Self.width - 1))
                }
                // A code of 10 bits and one of 12.
                #expect((errors.max() ?? 1) <= 1.25 / 1023, "frame \(frame): \(errors.max() ?? 1)")
            }
        }
    }
}
