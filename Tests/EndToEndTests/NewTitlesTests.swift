import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The templates that `new` puts over a film, before it and after it.
    @Suite struct NewTitlesTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let witness: Witness

        init() throws {
            folder = try TestFolder("titles")
            program = try Splitreel(in: folder)
            witness = Witness(in: folder)
        }

        private func picture(_ name: String, _ source: String) throws {
            try witness.ffmpeg(["-f", "lavfi", "-i", source, "-frames:v", "1", folder.file(name)])
        }

        private func document(_ name: String) throws -> [String: Any] {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
            return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }

        private func made(_ arguments: [String]) throws {
            let result = try program.run(["new"] + arguments + ["--overwrite"], seconds: 120)
            #expect(result.status == 0 && !result.standardError.contains("warning"), "\(result)")
        }

        private static let title = #"The "<b>Trip</b>" \n & {{co}}"#

        @Test func everythingAtOnce() throws {
            try picture("grey.png", "color=gray:s=96x64")
            try picture("logo.png", "color=white:s=20x10")
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "color=gray:s=96x64:r=5:d=4", "-f", "lavfi", "-i", "sine=d=4", "-c:v", "ffv1",
                folder.file("a.mkv"),
            ])
            _ = try folder.write("1\n00:00:00,000 --> 00:00:02,000\nHello\n", to: "a.srt")
            _ = try folder.write("\u{FEFF}Direction\r\nAda\r\n\r\nThe end\r\n\r\n", to: "end.txt")
            try made([
                "a.mkv", "grey.png", "--title", Self.title + "|2026", "--lower-third", "", "--lower-third", "Ada|Eng|X",
                "--chapter", "One|1", "--watermark", "logo.png", "--subtitles", "a.srt", "--credits", "end.txt",
                "--countdown", "2", "--progress-bar", "--ken-burns", "-o", "cut.json",
            ])
            let strict = try program.run(["validate", "cut.json", "--strict"])
            #expect(strict.status == 0, "\(strict)")
            let video = try #require(try document("cut.json")["video"] as? [String: Any])
            let tree = try #require(video["animation"] as? [String: Any])
            let layers = (tree["root"] as? [String: Any])?["sublayers"] as? [[String: Any]] ?? []
            #expect(
                layers.map { $0["id"] as? String } == [
                    "film", "watermark", "lower-third-2", "chapter-1", "title", "progress", "credits", "countdown",
                ])
            // The first lies beneath: the bar is not darkened by title and card.
            let words = Self.strings(["sublayers": layers])
            for text in [Self.title, "2026", "Ada", "Eng|X", "The end"] { #expect(words.contains(text), "\(words)") }
            #expect(((video["subtitles"] as? [[String: Any]])?.first?["offset"] as? String) == "2s")
            try program.render("cut.json", to: "film.mkv", ["--video-codec", "ffv1"])
            let frames = try witness.luma(folder.file("film.mkv"))
            // 2 s, 4 s and 5 s, and credits: (64 + 4 · 1.5 · 0.055 · 64) / (0.15 · 64) = 8.9, 9 whole ones.
            try #require(frames.count == (2 + 4 + 5 + 9) * 5)
            #expect(frames[1] != frames[6] && frames[1].contains(235))
            // The film's grey beneath what lies over it: a corner that nothing touches, once the title is gone.
            #expect((124...128).contains(frames[2 * 5 + 4 * 5 + 10][2]) && frames[11 * 5 + 2][2] == 16)
            #expect(frames[99].allSatisfy { $0 == 16 || $0 > 16 } && frames[99][32 * 96 + 10] == 16)
        }

        private static func strings(_ value: Any) -> [String] {
            switch value {
            case let text as String: [text]
            case let list as [Any]: list.flatMap(strings)
            case let object as [String: Any]: object.values.flatMap(strings)
            default: []
            }
        }

        /// A black line in white at x = 26 of 96: at t of 5 s the scale is 1.04 + 0.16 · t / 5 about the middle, and
        /// the picture has gone 6 · t / 5 to the right. It always covers the frame.
        @Test func aStillMovesSlowly() throws {
            try picture("line.png", "color=white:s=96x64,drawbox=x=24:y=0:w=4:h=64:color=black:t=fill")
            try made(["line.png", "--ken-burns", "--fps", "5", "-o", "cut.json"])
            try program.render("cut.json", to: "film.mkv", ["--video-codec", "ffv1"])
            let frames = try witness.luma(folder.file("film.mkv"))
            try #require(frames.count == 25)
            for (index, frame) in frames.enumerated() {
                let share = Double(index) / 25
                let middle = 48 + (26 - 48) * (1.04 + 0.16 * share) + 6 * share
                for y in [0, 31, 63] {
                    let row = frame[(y * 96)..<(y * 96 + 96)].enumerated()
                    let dark = row.map { (Double($0.offset) + 0.5, 235 - Double($0.element)) }
                    let weight = dark.reduce(0) { $0 + $1.1 }
                    let found = dark.reduce(0) { $0 + $1.0 * $1.1 } / max(weight, 1)
                    #expect(abs(found - middle) < 0.3, "frame \(index), row \(y): \(found), \(middle)")
                }
                #expect(frame[0] > 230 && frame[95] > 230 && frame[63 * 96] > 230 && frame[64 * 96 - 1] > 230)
            }
        }

        @Test func wrongOptionsAreNamed() throws {
            try picture("a.png", "color=gray:s=96x64")
            _ = try folder.write("", to: "empty.txt")
            _ = try folder.write(Data([0xFF, 0xFE, 0xFF]), to: "bad.txt")
            _ = try folder.write("no cue at all", to: "bad.srt")
            let cases: [([String], String)] = [
                (["--countdown", "0"], "1 to 99"), (["--lower-third", "a", "--lower-third", "b"], "1 clip"),
                (["--credits", "empty.txt"], "no words"), (["--credits", "bad.txt"], "UTF-8"),
                (["--credits", "none.txt"], "none.txt"), (["--watermark", "empty.txt"], "empty.txt"),
                (["--subtitles", "bad.srt"], "bad.srt"),
                (["--title", String(repeating: "x", count: 9000)], "title-card"),
            ]
            for (options, words) in cases {
                let result = try program.run(["new", "a.png", "-o", "no.json"] + options)
                #expect(result.status != 0 && result.standardError.contains(words), "\(options): \(result)")
                #expect(!FileManager.default.fileExists(atPath: folder.file("no.json")))
            }
        }

        @Test func templatesAreListedAndExpanded() throws {
            let list = try program.run(["templates"])
            #expect(list.status == 0 && list.text.contains("lower-third") && list.text.contains("karaoke-captions"))
            let one = try program.run(["templates", "countdown"])
            #expect(one.text.contains("1…99, whole"))
            let json = try program.run(["templates", "--json"]).json?["templates"] as? [[String: Any]]
            #expect(json?.count == 8)
            let expanded = try program.run([
                "templates", "lower-third", "--expand", "--size", "200x100", "--set", "name=a=b", "--set",
                "accent=#ff0000", "--set", "size=0.1",
            ])
            let fragment = try JSONSerialization.jsonObject(with: expanded.standardOutput) as? [String: Any]
            let layer = try #require((fragment?["sublayers"] as? [[String: Any]])?.first, "\(expanded)")
            #expect(layer["bounds"] as? [Double] == [0, 0, 140, 17] && Self.strings(layer).contains("a=b"))
            for (arguments, words) in [
                (["lower-thrid"], "lower-third"), (["countdown", "--expand", "--set", "from=x"], "countdown.from"),
                (["countdown", "--expand", "--set", "frm=3"], "did you mean `from`"), (["--expand"], "say its name"),
            ] {
                let refused = try program.run(["templates"] + arguments)
                #expect(refused.status == 2 && refused.standardError.contains(words), "\(refused)")
            }
        }
    }
}
