import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The programs of examples/programs that place, turn, blur and draw over pictures, by the pixels of their films.
    @Suite struct ProgramsPictureTests {
        private let runs: ProgramRuns

        init() throws { runs = try ProgramRuns() }

        /// A clip whose left half has one colour, its right half another one.
        private func halves(_ name: String, _ left: String, _ right: String) throws {
            try runs.film(name, "color=\(left)", filter: "drawbox=x=80:w=80:h=90:t=fill:color=\(right)")
        }

        @Test func background() throws {
            try runs.film("blue.mov", "color=blue")
            try runs.run("background", "blue.mov", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            #expect(pictures.count == 50)
            for picture in [pictures[0], pictures[49]] {
                for (x, y) in [(4, 4), (155, 85), (34, 45), (126, 45), (80, 16), (80, 74)] {
                    #expect(picture.shows(RunPicture.red, x, y), "\(x) \(y)")
                }
                for (x, y) in [(46, 28), (114, 62), (80, 45)] {
                    #expect(picture.shows(RunPicture.blue, x, y), "\(x) \(y)")
                }
            }
        }

        /// A quarter of the canvas's sides, in the middle of its lower half.
        @Test func watermark() throws {
            try runs.film("black.mov", "color=black")
            try runs.picture("mark.png", "white", size: "40x22")
            try runs.run("watermark", "black.mov", "mark.png", "film.mp4")
            let picture = try #require(try runs.pictures("film.mp4").last)
            for (x, y) in [(80, 67), (64, 60), (96, 75)] { #expect(picture.shows(RunPicture.white, x, y), "\(x) \(y)") }
            for (x, y) in [(80, 22), (55, 67), (105, 67), (80, 52), (80, 84)] {
                #expect(picture.shows(RunPicture.black, x, y), "\(x) \(y)")
            }
        }

        /// A clip that is to be turned by a quarter stands as ffmpeg turns it.
        @Test func portrait() throws {
            try halves("plain.mov", "red", "blue")
            try runs.witness.ffmpeg([
                "-i", runs.folder.file("plain.mov"), "-c", "copy", "-metadata:s:v:0", "rotate=90",
                runs.folder.file("turned.mov"),
            ])
            let turned = try runs.witness.ffmpeg([
                "-i", runs.folder.file("turned.mov"), "-frames:v", "1", "-vf",
                "scale=in_color_matrix=bt709:in_range=tv,format=rgb24", "-f", "rawvideo", "-",
            ])
            let witness = RunPicture(width: 90, height: 160, bytes: [UInt8](turned.standardOutput))
            let ends = [witness[45, 30], witness[45, 130]].map { $0[0] > 128 }
            #expect(ends[0] != ends[1], "the halves stand above each other")

            let lines = try runs.run("portrait", "turned.mov", "plain.mov", "film.mov")
            #expect(
                lines == ["turned.mov is portrait", "plain.mov is landscape", "completed: 120 frames"])
            let video = try #require(try runs.stream("film.mov", "video"))
            #expect(video["width"] as? Int == 160 && video["height"] as? Int == 160)
            #expect(video["r_frame_rate"] as? String == "30/1" && video["codec_name"] as? String == "h264")
            let pictures = try runs.pictures("film.mov")
            #expect(pictures.count == 120)
            for (x, y) in [(10, 10), (45, 40), (80, 70), (10, 90), (45, 120), (80, 150)] {
                #expect(pictures[30].shows(witness[x, y], x, y), "\(x) \(y)")
            }
            #expect(pictures[30].shows(RunPicture.black, 125, 80))
            #expect(pictures[90].shows(RunPicture.red, 40, 45) && pictures[90].shows(RunPicture.blue, 120, 45))
            // Optimised for the network: the index stands before the media.
            let bytes = try Data(contentsOf: URL(fileURLWithPath: runs.folder.file("film.mov")))
            let (index, media) = (bytes.range(of: Data("moov".utf8)), bytes.range(of: Data("mdat".utf8)))
            #expect(try #require(index).lowerBound < (try #require(media).lowerBound))
        }

        @Test func prototype() throws {
            try runs.film("blue.mov", "color=blue")
            try runs.run("prototype", "blue.mov", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            #expect(pictures.count == 50 && pictures[0].width == 160 && pictures[0].height == 160)
            for picture in [pictures[0], pictures[49]] {
                #expect(picture.shows(RunPicture.green, 80, 10) && picture.shows(RunPicture.green, 80, 150))
                #expect(picture.shows(RunPicture.blue, 80, 42) && picture.shows(RunPicture.blue, 80, 118))
            }
        }

        /// An edge that is blurred is the integral of the Gaussian.
        @Test func blur() throws {
            try halves("edge.mov", "black", "white")
            try runs.run("blur", "edge.mov", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            #expect(pictures.count == 50)
            for number in [0, 13, 25, 49] {
                let deviation = 4 * Double(number) / 25
                for x in [56, 66, 74, 86, 94, 104] {
                    let share = (Double(x) + 0.5 - 80) / max(deviation, 0.001)
                    let level = 255 * erfc(-share / 2.squareRoot()) / 2
                    #expect(pictures[number].shows(RunPicture.grey(level), x, 45), "frame \(number), column \(x)")
                }
            }
        }

        /// The second clip in a quarter of the first one's sides, 10 pixels from the edges, from second 1 on.
        @Test func inset() throws {
            try runs.film("red.mov", "color=red")
            try runs.film("blue.mov", "color=blue", seconds: 3)
            try runs.run("inset", "red.mov", "blue.mov", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            #expect(pictures.count == 50)
            for (number, picture) in pictures.enumerated() {
                #expect(picture.shows(number < 25 ? RunPicture.red : RunPicture.blue, 30, 20), "frame \(number)")
                for (x, y) in [(4, 4), (56, 20), (30, 38), (120, 70)] {
                    #expect(picture.shows(RunPicture.red, x, y), "frame \(number)")
                }
            }
        }

        /// A quarter of the way from west to east in the first second, three quarters in the second one.
        @Test func route() throws {
            try runs.film("black.mov", "color=black")
            _ = try runs.folder.write(
                """
                {"start": 0, "latitude": 52.5, "longitude": -90}
                {"start": 1, "latitude": 48.1, "longitude": 90}
                """, to: "route.jsonl")
            try runs.run("route", "black.mov", "route.jsonl", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            #expect(pictures.count == 50)
            for (number, picture) in pictures.enumerated() {
                let lit = number < 25 ? 40 : 120
                for x in [40, 120] {
                    // Colour samples are shared; the line's luma is not.
                    let expected = x == lit ? RunPicture.white : RunPicture.black
                    #expect(picture.shows(expected, x, 45, within: 24), "frame \(number), column \(x)")
                }
            }
        }

        @Test func sticker() throws {
            try runs.film("black.mov", "color=black")
            try runs.gif("sticker.gif")
            try runs.picture("on.png", "white")
            try runs.picture("off.png", "blue")
            try runs.run("sticker", "black.mov", "sticker.gif", "on.png", "off.png", "film.mp4")
            let pictures = try runs.pictures("film.mp4")
            #expect(pictures.count == 50)
            for (number, picture) in pictures.enumerated() {
                let part = Double(number % 25) / 25
                #expect(picture.shows(part < 0.5 ? RunPicture.red : RunPicture.blue, 40, 45), "frame \(number)")
                #expect(picture.shows(part < 0.25 ? RunPicture.white : RunPicture.blue, 120, 45), "frame \(number)")
                #expect(picture.shows(RunPicture.black, 80, 45) && picture.shows(RunPicture.black, 80, 80))
            }
            // The text is written in its place, and nowhere else.
            let bright = (0..<90).map { y in (0..<160).count { x in pictures[10][x, y].min() ?? 0 > 128 } }
            #expect(bright[8...28].reduce(0, +) > 40 && bright[60...].reduce(0, +) == 0, "\(bright)")
        }
    }
}
