import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The programs of examples/programs that look, read, write and export, by what ffmpeg finds and by what they say.
    @Suite struct ProgramsMediaTests {
        private let runs: ProgramRuns

        init() throws { runs = try ProgramRuns() }

        /// The R'G'B' level of the frame of a number of a ramp.
        private func level(_ frame: Int) -> Double { Double(4 * frame) * 255 / 219 }

        @Test func thumbnails() throws {
            try runs.ramp("ramp.mov")
            let words = try runs.run("thumbnails", "ramp.mov").map { $0.split(separator: " ").map(String.init) }
            try #require(words.count == 6, "\(words)")
            func expectFrame(_ frame: Int, _ time: String, _ red: String) {
                #expect(Double(time) == Double(frame) / 25)
                #expect(abs((Double(red) ?? -9) - level(frame)) <= 3, "\(red) for frame \(frame)")
            }
            // A third of two seconds lies in frame 16.
            #expect(words[0][2] == "80×45")
            expectFrame(16, words[0][1], words[0][3])
            for (index, frame) in [0, 16, 33].enumerated() {
                #expect(words[1 + index][1] == "\(index)")
                expectFrame(frame, words[1 + index][2], words[1 + index][3])
            }
            #expect(words[4].prefix(3) == ["many", "3", "failed:"])
            #expect(words[5] == ["cancelled", "true", "20"])
        }

        @Test func trim() throws {
            try runs.ramp("ramp.mov", step: 3, seconds: 6, frames: 10, size: "64x36")
            let lines = try runs.run("trim", "ramp.mov", "film.mp4")
            #expect(lines.last == "made 30 frames, 3.0 s" && lines.dropLast().last == "completed 100 %", "\(lines)")
            let shares = lines.dropLast().compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
            #expect(shares.count == lines.count - 1 && shares == shares.sorted(), "\(lines)")
            let found = try runs.lumas("film.mp4")
            #expect(found.count == 30)
            for (number, luma) in found.enumerated() {
                #expect(abs(luma - 16 - 3 * (10 + number)) <= 3, "frame \(number): \(luma)")
            }
            #expect(try runs.stream("film.mp4", "video")?["codec_name"] as? String == "h264")
            let tags = try runs.witness.format(runs.folder.file("film.mp4"))["tags"] as? [String: String]
            #expect(tags?["title"] == "Three seconds")
        }

        @Test func nothingIsLeftOfATrimThatIsCancelled() throws {
            try runs.ramp("ramp.mov", step: 3, seconds: 6, frames: 10, size: "64x36")
            let lines = try runs.run("trim", "ramp.mov", "film.mp4", "cancel")
            #expect(lines.last == "nothing is made", "\(lines)")
            #expect(try runs.folder.names() == ["ramp.mov"])
        }

        @Test func read() throws {
            try runs.film("red.mov", "color=red")
            let lines = try runs.run("read", "red.mov")
            let words = lines.map { $0.split(separator: " ").map(String.init) }
            try #require(words.count == 3 && words[0].count == 4 && words[1].count == 3, "\(lines)")
            #expect(words[0][0] == "track" && words[0][1] == "96000" && words[0][3] == "completed")
            #expect(abs((Double(words[0][2]) ?? 0) - 0.5) < 0.001)
            #expect(words[1][0] == "mix" && words[1][1] == "96000")
            #expect(abs((Double(words[1][2]) ?? 0) - 0.25) < 0.001)
            #expect(lines[2] == "picture 50 160×90 2.0 completed")
        }

        /// The second half of what is written.
        @Test func write() throws {
            #expect(try runs.run("write", "film.mp4") == ["25 frames, 44100 samples, 1.0 s"])
            let found = try runs.lumas("film.mp4")
            #expect(found.count == 25)
            for (number, luma) in found.enumerated() {
                let expected = 16 + 219 * Double(125 + 5 * number) / 255
                #expect(abs(Double(luma) - expected) <= 1.5, "frame \(number): \(luma)")
            }
            let sound = try #require(try runs.stream("film.mp4", "audio"))
            #expect(sound["codec_name"] as? String == "aac" && sound["sample_rate"] as? String == "44100")
            #expect(sound["channels"] as? Int == 2)
            let rate = Double(sound["bit_rate"] as? String ?? "") ?? 0
            #expect((100_000...150_000).contains(rate), "\(rate)")
            let samples = try runs.witness.samples(runs.folder.file("film.mp4"))
            for channel in samples {
                #expect(abs(runs.amplitude(of: 440, in: channel, rate: 44_100) - 0.5) < 0.01)
            }
            let length = Double(try runs.witness.format(runs.folder.file("film.mp4"))["duration"] as? String ?? "") ?? 0
            #expect(abs(length - 1) < 0.05, "\(length)")
        }

        @Test func reencode() throws {
            try runs.ramp("ramp.mov")
            #expect(try runs.run("reencode", "ramp.mov", "film.mp4") == ["50 frames"])
            let found = try runs.lumas("film.mp4")
            #expect(found.count == 50)
            for (number, luma) in found.enumerated() { #expect(abs(luma - 16 - 4 * number) <= 3, "frame \(number)") }
            #expect(abs(runs.amplitude(of: 440, in: try runs.sound("film.mp4", seconds: 2), at: 0.75) - 0.5) < 0.01)
            try runs.witness.decodeStrictly(runs.folder.file("film.mp4"))

            #expect(try runs.run("reencode", "ramp.mov", "other.mp4", "cancel") == ["cancelled"])
            #expect(try runs.folder.names() == ["film.mp4", "ramp.mov"])
        }

        /// Frame 25 for a second, then the clip.
        @Test func cover() throws {
            try runs.ramp("ramp.mov")
            try runs.run("cover", "ramp.mov", "1", "film.mp4")
            let found = try runs.lumas("film.mp4")
            let expected = [Int](repeating: 16 + 4 * 25, count: 25) + (0..<50).map { 16 + 4 * $0 }
            #expect(found.count == 75 && zip(found, expected).allSatisfy { abs($0 - $1) <= 2 }, "\(found)")
            // The sound waits for the clip.
            let sound = try runs.sound("film.mp4", seconds: 3)
            #expect(runs.amplitude(of: 440, in: sound) < 0.01)
            #expect(abs(runs.amplitude(of: 440, in: sound, at: 1.75) - 0.5) < 0.01)
        }

        @Test func slideshow() throws {
            for colour in ["red", "green", "blue"] { try runs.picture("\(colour).png", colour) }
            try runs.run("slideshow", "red.png", "green.png", "blue.png", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            #expect(pictures.count == 15)
            for (number, picture) in pictures.enumerated() {
                let colour = [RunPicture.red, RunPicture.green, RunPicture.blue][number / 5]
                #expect(picture.shows(colour), "frame \(number)")
            }
        }

        /// Red and blue for half a second each, twice.
        @Test func gif() throws {
            try runs.gif("sticker.gif")
            try runs.run("gif", "sticker.gif", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            let length = Double(try runs.witness.format(runs.folder.file("film.mp4"))["duration"] as? String ?? "") ?? 0
            #expect(abs(length - 2) < 0.01 && pictures.count.isMultiple(of: 4) && !pictures.isEmpty)
            for (number, picture) in pictures.enumerated() {
                let part = number * 4 / pictures.count
                #expect(picture.shows(part.isMultiple(of: 2) ? RunPicture.red : RunPicture.blue), "frame \(number)")
            }
        }

        @Test func livePhoto() throws {
            try runs.picture("still.jpg", "red")
            try runs.film("movie.mov", "color=blue")
            try runs.run("live-photo", "still.jpg", "movie.mov", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            #expect(pictures.count == 75)
            for (number, picture) in pictures.enumerated() {
                #expect(picture.shows(number < 25 ? RunPicture.red : RunPicture.blue), "frame \(number)")
            }
        }

        /// A word that is no program, and too few files.
        @Test func wordsThatFitNothing() throws {
            let programs = try Splitreel(in: runs.folder).sibling("Programs")
            let list = try programs.run([])
            #expect(list.status == 0 && list.text.split(separator: "\n").count == 26, "\(list)")
            #expect(try programs.run(["carve"]).status == 64)
            let few = try programs.run(["join", "a.mov"])
            #expect(few.status == 64 && few.text == "Programs join A B SONG FILM\n", "\(few)")
            let missing = try programs.run(["speed", "nowhere.mov", "film.mp4"])
            #expect(missing.status == 1 && missing.standardError.contains("nowhere.mov"), "\(missing)")
            #expect(try runs.folder.names().isEmpty)
        }
    }
}
