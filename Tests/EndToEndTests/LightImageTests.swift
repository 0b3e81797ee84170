import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// EXR's light against the formula over the codes of the same film without loss, both read by ffmpeg.
    @Suite struct LightImageTests {
        private static let (width, height) = (64, 48)
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private let composition: String

        init() throws {
            folder = try TestFolder("light")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=64x48:r=24:d=0.125", "-vf",
                "scale=out_color_matrix=bt709,format=yuv444p", "-colorspace", "bt709", "-color_primaries", "bt709",
                "-color_trc", "bt709", "-color_range", "tv", "-c:v", "ffv1", folder.file("source.mkv"),
            ])
            // Half of it lets something through, a quarter all.
            composition = try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"url":"source.mkv"}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[
                {"asset":"a","source":["0s","0.125s"],"target":["0s","0.125s"]}]},{"id":2,"type":"video","segments":[
                {"asset":"a","source":["0s","0.125s"],"target":["0s","0.125s"]}]}]},
                "video":{"renderSize":[64,48],"frameDuration":"1/24","instructions":[{"range":["0s","0.125s"],
                "background":[0,0,0,0],"layers":[
                {"track":1,"transform":[{"at":"0s","value":[0.5,0,0,1,0,0]}]},
                {"track":2,"opacity":[{"at":"0s","value":0.4}],
                "transform":[{"at":"0s","value":[0.25,0,0,1,32,0]}]}]}]}}
                """, to: "film.json")
        }

        private func raw(_ input: [String], _ format: String) throws -> Data {
            try witness.ffmpeg(input + ["-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", format, "-"])
                .standardOutput
        }

        /// Luma, Cb, Cr and alpha of all frames, one plane after the other.
        private func codes() throws -> [Double] {
            try program.render(composition, to: folder.file("film.nut"), ["--pixel-format", "yuva444p10le"])
            let bytes = [UInt8](try raw(["-i", folder.file("film.nut")], "yuva444p10le"))
            return stride(from: 0, to: bytes.count - 1, by: 2).map { (place: Int) -> Double in
                Double(Int(bytes[place]) | Int(bytes[place + 1]) << 8)
            }
        }

        /// G, B, R and alpha.
        private func light(_ pattern: String) throws -> [Double] {
            let data = try raw(["-framerate", "24", "-i", folder.file(pattern)], "gbrapf32le")
            return data.withUnsafeBytes { bytes in
                (0..<(bytes.count / 4)).map {
                    Double(Float(bitPattern: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
                }
            }
        }

        @Test(arguments: [("float", 0.0002), ("half", 0.001)]) func lightIsTheFormulas(kind: String, slack: Double)
            throws
        {
            _ = try folder.folder(kind)
            try program.render(
                composition, to: folder.file(kind + "/%02d.exr"),
                [
                    "--encoder-preset", kind, "--pixel-format", "yuva444p10le", "--workers", "2", "--chunk-seconds",
                    "0.05",
                ])
            let (codes, light) = (try codes(), try light(kind + "/%02d.exr"))
            let plane = Self.width * Self.height
            try #require(codes.count == 3 * 4 * plane && light.count == codes.count)
            var (worst, least, most) = (0.0, 1.0, 0.0)
            for frame in 0..<3 {
                for pixel in 0..<plane {
                    func code(_ place: Int) -> Double { codes[(frame * 4 + place) * plane + pixel] }
                    func found(_ place: Int) -> Double { light[(frame * 4 + place) * plane + pixel] }
                    let (y, cb, cr) = ((code(0) - 64) / 876, (code(1) - 512) / 896, (code(2) - 512) / 896)
                    let (red, blue) = (y + 1.5748 * cr, y + 1.8556 * cb)
                    let green = (y - 0.2126 * red - 0.0722 * blue) / 0.7152
                    let share = code(3) / 1023
                    for (value, place) in zip([green, blue, red], 0...) {
                        let wanted = pow(max(0, value), 2.4) * share
                        worst = max(worst, abs(found(place) - wanted) / max(1, wanted))
                        (least, most) = (min(least, wanted), max(most, wanted))
                    }
                    worst = max(worst, abs(found(3) - share))
                }
            }
            #expect(worst < slack, "\(worst)")
            #expect(least == 0 && most > 0.9)
        }
    }
}
