import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Four seconds of examples/demo at a third of its size, over clips of one grey each and two tones in place of
    /// music and voice: what is seen and heard where follows from the demo's file.
    @Suite struct DemoTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        /// Codes of luma: white, black, and the middle grey of ffmpeg.
        private static let valley = 235
        private static let street = 16
        private static let portrait = 126

        init() throws {
            folder = try TestFolder("demo")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            let demo = try #require(SourceTree.root(from: #filePath)) + "/examples/demo/"
            for name in ["demo.json", "words.srt", "scenes"] {
                try FileManager.default.copyItem(atPath: demo + name, toPath: folder.file(name))
            }
            _ = try folder.folder("media")
            for (name, grey, rate) in [("valley", "white", 30), ("street", "black", 25), ("portrait", "gray", 24)] {
                try witness.ffmpeg([
                    "-f", "lavfi", "-i", "color=\(grey):s=1280x720:r=\(rate):d=6", "-c:v", "libx264",
                    "-preset", "ultrafast", "-pix_fmt", "yuv420p", folder.file("media/\(name).mp4"),
                ])
            }
            // The voice begins at 12.5 s.
            for (name, tone) in [("music", "sin(600*PI*t)"), ("voice", "sin(5000*PI*t)*gte(t\\,12.5)")] {
                try witness.ffmpeg([
                    "-f", "lavfi", "-i", "aevalsrc=0.3*\(tone):s=48000:d=24.5", folder.file("media/\(name).m4a"),
                ])
            }
        }

        @Test func fourSecondsAreAsTheFileSays() throws {
            let checked = try program.run(["validate", "demo.json", "--strict"])
            #expect(checked.status == 0, "\(checked)")
            let film = folder.file("film.mkv")
            try program.render(
                "demo.json", to: film, ["--range", "10.5s,4s", "--size", "426x240", "--workers", "1"])
            try pictures(of: film)
            try sound(of: film)
        }

        /// The wipe goes from 11.3 s to 12.1 s towards the left, the picture in the picture is in its place from 12.9 s
        /// on.
        private func pictures(of film: String) throws {
            let frames = try witness.luma(film)
            try #require(frames.count == 120)
            func expect(_ code: Int, frame: Int, x: Int, y: Int) {
                let found = Int(frames[frame][y * 426 + x])
                #expect(abs(found - code) <= 6, "frame \(frame), \(x), \(y): \(found)")
            }
            expect(Self.valley, frame: 9, x: 300, y: 100)
            expect(Self.valley, frame: 36, x: 20, y: 100)
            expect(Self.street, frame: 36, x: 410, y: 100)
            expect(Self.street, frame: 51, x: 20, y: 100)
            expect(Self.portrait, frame: 105, x: 357, y: 53)
            expect(Self.street, frame: 105, x: 150, y: 60)
        }

        /// While the voice is heard the music is lower by the 9 dB that the file says.
        private func sound(of film: String) throws {
            let left = try #require(try witness.samples(film).first)
            try #require(left.count == 4 * 48_000)
            let quiet = Self.level(of: 300, in: left[24_000..<72_000])
            let ducked = Self.level(of: 300, in: left[140_000..<188_000])
            let voice = Self.level(of: 2500, in: left[140_000..<188_000])
            let decibels = 20 * log10(quiet / ducked)
            #expect(abs(decibels - 9) < 0.3, "\(decibels) dB")
            #expect(Self.level(of: 2500, in: left[24_000..<72_000]) < 0.001 && voice > ducked)
        }

        /// The amplitude of one frequency in a second of samples, by its Fourier coefficient.
        private static func level(of hertz: Double, in samples: ArraySlice<Float>) -> Double {
            var real = 0.0
            var imaginary = 0.0
            for (index, sample) in samples.enumerated() {
                let angle = 2 * Double.pi * hertz * Double(index) / 48_000
                real += Double(sample) * cos(angle)
                imaginary += Double(sample) * sin(angle)
            }
            return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
        }
    }
}
