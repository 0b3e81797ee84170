import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The programs of examples/programs that cut, mix and dissolve clips, by the frames and samples of their films.
    @Suite struct ProgramsCutTests {
        private let runs: ProgramRuns

        init() throws { runs = try ProgramRuns() }

        private func redAndBlue() throws {
            try runs.film("red.mov", "color=red")
            try runs.film("blue.mov", "color=blue", tone: 880)
        }

        private func expectRedThenBlue(_ film: String) throws {
            let pictures = try runs.pictures(film)
            #expect(pictures.count == 100)
            #expect(pictures.prefix(50).allSatisfy { $0.shows(RunPicture.red) })
            #expect(pictures.suffix(50).allSatisfy { $0.shows(RunPicture.blue) })
        }

        @Test func join() throws {
            try redAndBlue()
            try runs.song("song.m4a", seconds: 6)
            try runs.run("join", "red.mov", "blue.mov", "song.m4a", "film.mp4")
            try expectRedThenBlue("film.mp4")
            let sound = try runs.sound("film.mp4", seconds: 4)
            for second in [0.25, 1.75, 3.25] {
                #expect(abs(runs.amplitude(of: 220, in: sound, at: second) - 0.25) < 0.01)
                #expect(runs.amplitude(of: 440, in: sound, at: second) < 0.01)
            }
        }

        @Test func match() throws {
            try redAndBlue()
            let lines = try runs.run("match", "red.mov", "blue.mov", "film.mp4")
            #expect(
                lines == ["video needs track 1", "audio needs track 2", "video fits track 1", "audio fits track 2"])
            try expectRedThenBlue("film.mp4")
            let sound = try runs.sound("film.mp4", seconds: 4)
            let heard = [440, 880].map { hertz in [0.75, 2.75].map { runs.amplitude(of: hertz, in: sound, at: $0) } }
            #expect(abs(heard[0][0] - 0.5) < 0.01 && heard[0][1] < 0.01, "\(heard)")
            #expect(heard[1][0] < 0.01 && abs(heard[1][1] - 0.5) < 0.01, "\(heard)")
        }

        @Test func fadeOut() throws {
            try runs.film("red.mov", "color=red")
            try runs.run("fade-out", "red.mov", "film.mp4")
            let sound = try runs.sound("film.mp4", seconds: 2)
            // Half a second about a time has the mean of the slope, which is the gain at that time.
            for middle in [0.5, 1, 1.5] {
                let heard = runs.amplitude(of: 440, in: sound, at: middle - 0.25)
                #expect(abs(heard - 0.5 * (1 - middle / 2)) < 0.01, "\(heard) at \(middle)")
            }
            #expect(try runs.pictures("film.mp4").count == 50)
        }

        @Test func fadeClips() throws {
            try runs.film("white.mov", "color=white")
            try runs.film("blue.mov", "color=blue")
            try runs.run("fade-clips", "white.mov", "blue.mov", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            #expect(pictures.count == 100)
            for (number, picture) in pictures.prefix(50).enumerated() {
                #expect(picture.shows(RunPicture.grey(255 * (1 - Double(number) / 50))), "frame \(number)")
            }
            #expect(pictures.suffix(50).allSatisfy { $0.shows(RunPicture.blue) })
        }

        /// The first five seconds of six, twice.
        @Test func highlights() throws {
            for (name, colour) in [("red.mov", "red"), ("blue.mov", "blue")] {
                try runs.film(name, "color=\(colour)", seconds: 6, frames: 10, size: "64x36")
            }
            try runs.song("song.m4a", seconds: 12)
            try runs.run("highlights", "red.mov", "blue.mov", "song.m4a", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            #expect(pictures.count == 100)
            #expect(pictures[49].shows(RunPicture.red) && pictures[50].shows(RunPicture.blue))
            let sound = try runs.sound("film.mp4", seconds: 10)
            #expect(abs(runs.amplitude(of: 220, in: sound, at: 9.25) - 0.25) < 0.01)
            #expect(runs.amplitude(of: 440, in: sound, at: 9.25) < 0.01)
        }

        @Test func splice() throws {
            try redAndBlue()
            try runs.song("song.m4a", seconds: 6)
            try runs.run("splice", "red.mov", "blue.mov", "red.mov", "song.m4a", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            #expect(pictures.count == 150)
            #expect(pictures[49].shows(RunPicture.red) && pictures[50].shows(RunPicture.blue))
            #expect(pictures[99].shows(RunPicture.blue) && pictures[100].shows(RunPicture.red))
            let sound = try runs.sound("film.mp4", seconds: 6)
            for (second, own) in [(0.75, 440), (2.75, 880), (4.75, 440)] {
                #expect(abs(runs.amplitude(of: own, in: sound, at: second) - 0.2 * 0.5) < 0.01)
                #expect(abs(runs.amplitude(of: 220, in: sound, at: second) - 0.8 * 0.25) < 0.01)
            }
        }

        /// White and black by turns, half a second less for each overlap.
        @Test func dissolve() throws {
            try runs.film("white.mov", "color=white")
            try runs.film("black.mov", "color=black")
            try runs.run("dissolve", "white.mov", "black.mov", "white.mov", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            #expect(pictures.count == 125)
            for (number, picture) in pictures.enumerated() {
                let second = Double(number) / 25
                let white =
                    second < 2 ? min(1, (2 - second) / 0.5) : max(0, min(1, (second - 3) / 0.5))
                #expect(picture.shows(RunPicture.grey(255 * white)), "frame \(number)")
            }
        }

        /// The clip that goes shrinks to the top left while it fades.
        @Test func dissolveBuilt() throws {
            try runs.film("white.mov", "color=white")
            try runs.film("black.mov", "color=black")
            try runs.run("dissolve-built", "white.mov", "black.mov", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            // The last frame begins before the end at 3.5 s.
            #expect(pictures.count == 88)
            #expect(pictures[37].shows(RunPicture.white, 150, 80) && pictures[60].shows(RunPicture.black, 5, 5))
            // At 1.76 s it has 0.48 of its opacity and of its size.
            #expect(pictures[44].shows(RunPicture.grey(255 * 0.48), 30, 20))
            #expect(pictures[44].shows(RunPicture.grey(255 * 0.48), 70, 38))
            #expect(pictures[44].shows(RunPicture.black, 84, 20) && pictures[44].shows(RunPicture.black, 30, 50))
        }

        /// Each frame's luma says which frame of the clip it is.
        @Test func speed() throws {
            try runs.ramp("ramp.mov")
            #expect(try runs.run("speed", "ramp.mov", "film.mp4") == ["1.75 s"])
            let expected = (0..<44).map { frame in
                switch frame {
                case ..<13: 16 + 4 * 2 * frame
                case ..<25: 16
                case ..<38: 16 + 4 * frame
                default: 16 + 4 * (frame + 6)
                }
            }
            let found = try runs.lumas("film.mp4")
            #expect(found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(found)")
        }
    }
}
