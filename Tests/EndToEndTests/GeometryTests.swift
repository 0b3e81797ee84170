import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Turns, easings and pass-through by the program, against ffmpeg's own turns and arithmetic.
    @Suite("Geometry that people write") struct GeometryTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private let lossless = ["--video-codec", "ffv1", "--pixel-format", "yuv444p"]

        init() throws {
            folder = try TestFolder("geometry")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// A second of a moving pattern in full chroma, so that turned samples are the same samples.
        private func pattern(_ size: Int = 64) throws -> String {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=\(size)x\(size):r=10:d=1", "-pix_fmt", "yuv444p", "-vf",
                "setparams=colorspace=bt709", "-c:v", "ffv1", folder.file("source.mkv"),
            ])
            return folder.file("source.mkv")
        }

        private func film(_ instruction: String, size: (Int, Int) = (64, 64)) throws -> String {
            let text = Text.project(
                ["s": "source.mkv"], [Text.track(1, "video", Text.clip("s", "0s", "1s", at: "0s"))], size: size,
                frame: "1/10", ["{\"range\":[\"0s\",\"1s\"],\(instruction)}"])
            _ = try folder.write(text, to: "cut.json")
            try program.render("cut.json", to: "film.mkv", lossless + ["--overwrite", "--chunk-seconds", "0.3"])
            return folder.file("film.mkv")
        }

        @Test(arguments: [
            (90, "transpose=clock"), (-90, "transpose=cclock"), (180, "hflip,vflip"), (450, "transpose=clock"),
        ])
        func quarterTurnsMoveSamples(degrees: Int, filter: String) throws {
            let source = try pattern()
            let turned = folder.file("turned.mkv")
            try witness.ffmpeg(["-i", source, "-vf", filter, "-c:v", "ffv1", turned])
            let transform = "{\"rotate\":\(degrees),\"anchor\":\"center\"}"
            let made = try film("\"layers\":[{\"track\":1,\"transform\":[{\"at\":\"0s\",\"value\":\(transform)}]}]")
            #expect(try witness.frameHashes(made) == witness.frameHashes(turned))
        }

        /// White of 40×24 at 4, 8 on the canvas, its corners round by 8, with a border of 4 that becomes one of 2.
        @Test func cornersAreRoundAndBordersLieInside() throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "color=white:s=40x24:r=10:d=1", "-pix_fmt", "yuv444p", "-vf",
                "setparams=colorspace=bt709", "-c:v", "ffv1", folder.file("source.mkv"),
            ])
            let made = try film(
                """
                "background":[0,0,0,1],"layers":[{"track":1,"transform":[{"at":"0s","value":{"translate":[4,8]}}],
                "cornerRadius":[{"at":"0s","value":8}],"borderColor":[0.5,0.5,0.5,1],
                "borderWidth":[{"at":"0s","value":4},{"range":["0.5s","0.4s"],"from":4,"to":2}]}]
                """)
            let frames = try witness.luma(made)
            try #require(frames.count == 10)
            func luma(_ frame: Int, _ x: Int, _ y: Int) -> Int { Int(frames[frame][y * 64 + x]) }
            // The corner's pixel lies outside of the circle about (12, 16), the one at (6, 10) inside of it.
            let grey = 16 + 219.0 / 2
            for frame in [0, 9] {
                #expect(luma(frame, 4, 8) == 16 && luma(frame, 43, 31) == 16 && luma(frame, 3, 20) == 16)
                #expect(abs(Double(luma(frame, 4, 20)) - grey) <= 1 && abs(Double(luma(frame, 20, 31)) - grey) <= 1)
                #expect(luma(frame, 24, 20) == 235)
            }
            #expect(abs(Double(luma(0, 7, 20)) - grey) <= 1 && luma(0, 8, 20) == 235 && luma(9, 7, 20) == 235)
            // Half way the border is 3 wide.
            #expect(abs(Double(luma(7, 6, 20)) - grey) <= 1 && luma(7, 7, 20) == 235)
            // A quarter of a disc at each corner: what is dark of the 40×24 is (4 − π)·8² pixels.
            let dark = (8..<32).reduce(0.0) { sum, y in
                (4..<44).reduce(sum) { $0 + max(0, 1 - (Double(luma(0, $1, y)) - 16) / 109.5) }
            }
            #expect(abs(dark - (4 - Double.pi) * 64) < 1.5, "\(dark)")
        }

        @Test func aPassThroughIsTheSource() throws {
            let source = try pattern()
            let made = try film("\"passthroughTrack\":1")
            #expect(try witness.frameHashes(made) == witness.frameHashes(source))
        }

        /// 64×64 on 128×64 with `stretch`: each line is the same samples, drawn twice as wide about their centres.
        @Test func stretchedFillsTheFrame() throws {
            let source = try pattern()
            let wide = folder.file("wide.mkv")
            try witness.ffmpeg(["-i", source, "-vf", "zscale=128:64:filter=bilinear", "-c:v", "ffv1", wide])
            let made = try film("\"layers\":[{\"track\":1,\"fit\":\"stretch\"}]", size: (128, 64))
            let (ours, theirs) = (try witness.luma(made), try witness.luma(wide))
            #expect(ours.count == 10 && theirs.count == 10)
            for (one, other) in zip(ours, theirs) {
                #expect(zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
            }
        }

        /// White over black, eased: what a bisection of the curve says, within a code value.
        @Test func opacityEases() throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "color=white:s=64x64:r=10:d=1", "-pix_fmt", "yuv444p", "-vf",
                "scale=out_color_matrix=bt709,setparams=colorspace=bt709", "-c:v", "ffv1", folder.file("source.mkv"),
            ])
            let ramp = "{\"range\":[\"0s\",\"1s\"],\"from\":0,\"to\":1,\"easing\":\"ease-in\"}"
            let made = try film("\"layers\":[{\"track\":1,\"opacity\":[\(ramp)]}]")
            let levels = try witness.luma(made).map { Int($0[32 * 64 + 32]) }
            // ease-in is (0.42, 0), (1, 1): x = 3·0.42·(1−u)²u + 3(1−u)u² + u³, y = 3(1−u)u² + u³.
            let expected = (0..<10).map { frame -> Double in
                var (low, high) = (0.0, 1.0)
                for _ in 0..<50 {
                    let u = (low + high) / 2
                    let x = 1.26 * (1 - u) * (1 - u) * u + 3 * (1 - u) * u * u + u * u * u
                    if x < Double(frame) / 10 { low = u } else { high = u }
                }
                return 16 + 219 * (3 * (1 - low) * low * low + low * low * low)
            }
            #expect(levels.count == 10)
            for (level, wanted) in zip(levels, expected) { #expect(abs(Double(level) - wanted) <= 1, "\(levels)") }
        }

        /// A volume that holds, then jumps, and one that eases: sample by sample.
        @Test func volumesEase() throws {
            let rate = 48_000
            let tone = SoundMedia.tone(440, count: rate, rate: rate)
            _ = try folder.write(SoundMedia.wave([tone], rate: rate), to: "s.wav")
            for easing in ["\"hold\"", "[0.5,0,0.5,1]"] {
                let key = "{\"range\":[\"0s\",\"0.5s\"],\"from\":0.25,\"to\":1,\"easing\":\(easing)}"
                let text = Text.project(
                    ["s": "s.wav"], [Text.track(1, "audio", Text.clip("s", "0s", "1s", at: "0s"))], size: (64, 64),
                    frame: nil, inputs: ["{\"track\":1,\"volume\":[\(key)]}"])
                _ = try folder.write(text, to: "sound.json")
                let options = ["--audio-codec", "flac", "--channels", "1", "--overwrite"]
                try program.render("sound.json", to: "sound.mkv", options)
                let samples = try #require(try witness.samples(folder.file("sound.mkv")).first)
                #expect(samples.count == rate)
                for index in stride(from: 17, to: rate, by: 331) {
                    let time = Double(index) / Double(rate) / 0.5
                    // The second curve is its own mirror: half way at half the time.
                    let gain: Double? =
                        time >= 1 ? 1 : easing == "\"hold\"" ? 0.25 : abs(time - 0.5) < 1e-9 ? 0.625 : nil
                    guard let gain else { continue }
                    #expect(abs(Double(samples[index]) - tone[index] * gain) < 1e-4, "\(easing), sample \(index)")
                }
                if easing != "\"hold\"" {
                    let loud = (0..<rate / 2).filter { abs(tone[$0]) > 0.3 }
                    let gains = loud.map { Double(samples[$0]) / tone[$0] }
                    #expect(zip(gains, gains.dropFirst()).allSatisfy { $1 > $0 - 1e-3 }, "it only rises")
                    let middle = try #require(loud.min { abs($0 - rate / 4) < abs($1 - rate / 4) })
                    #expect(abs(Double(samples[middle]) / tone[middle] - 0.625) < 0.01)
                }
            }
        }
    }
}
