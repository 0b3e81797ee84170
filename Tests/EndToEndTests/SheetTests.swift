import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Contact sheets: which frame is in which cell, by the numbers that frames carry.
    @Suite struct SheetTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private static let (width, height) = (NumberedMedia.width, NumberedMedia.height)
        /// The line for the time below a cell of 144 rows: letters of 14, a tenth, and half of that more.
        private static let line = 21

        init() throws {
            folder = try TestFolder("sheet")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try NumberedMedia.write(
                50, rate: "25", to: folder.file("a.mp4"),
                coding: [
                    "-c:v", "libx264", "-crf", "12", "-g", "12", "-colorspace", "bt709", "-color_primaries", "bt709",
                    "-color_trc", "bt709",
                ], with: witness)
        }

        private struct Sheet {
            var width: Int
            var height: Int
            var grey: [UInt8]

            /// The luma of a cell of that size, with a line for its time below it.
            func cell(_ column: Int, _ row: Int, gap: Int) -> [UInt8] {
                let x: Int = gap + column * (SheetTests.width + gap)
                let y: Int = gap + row * (SheetTests.height + SheetTests.line + gap)
                return part(x: x, y: y, rows: SheetTests.height)
            }

            /// The luma of the line below a cell of the first row, without gaps.
            func line(_ column: Int) -> [UInt8] {
                part(x: column * SheetTests.width, y: SheetTests.height, rows: SheetTests.line)
            }

            private func part(x: Int, y: Int, rows: Int) -> [UInt8] {
                var found: [UInt8] = []
                for row in 0..<rows {
                    let start: Int = (y + row) * width + x
                    found += grey[start..<(start + SheetTests.width)]
                }
                return found
            }
        }

        private func sheet(_ options: [String], to name: String = "s.png") throws -> (sheet: Sheet, run: ToolResult) {
            let run = try program.run(["sheet", "-o", name, "--overwrite", "--json"] + options)
            #expect(run.status == 0, "\(run)")
            let file = folder.file(name)
            let stream = try #require(try witness.streams(file).first)
            let grey = try witness.ffmpeg(["-i", file, "-f", "rawvideo", "-pix_fmt", "gray", "-"]).standardOutput
            let sheet = Sheet(
                width: try #require(stream["width"] as? Int), height: try #require(stream["height"] as? Int),
                grey: [UInt8](grey))
            #expect(sheet.grey.count == sheet.width * sheet.height)
            return (sheet, run)
        }

        @Test(arguments: ["s.png", "s.webp", "s.tiff", "s.jpg"])
        func cellsHoldTheirFrames(name: String) throws {
            let (sheet, run) = try sheet(
                ["a.mp4", "--columns", "3", "--rows", "2", "--width", "1000", "--gap", "8"], to: name)
            #expect(sheet.width == 3 * (Self.width + 8) + 8 && sheet.height == 2 * (Self.height + Self.line + 8) + 8)
            // The middles of sixths of two seconds.
            let expected = [4, 12, 20, 29, 37, 45]
            let found = (0..<6).map { NumberedMedia.number(sheet.cell($0 % 3, $0 / 3, gap: 8)) }
            #expect(found == expected)
            let frames = try #require(run.json?["frames"] as? [[String: Any]])
            #expect(frames.map { $0["actual"] as? String } == ["4/25", "12/25", "4/5", "29/25", "37/25", "9/5"])
            #expect(frames.map { $0["row"] as? Int } == [0, 0, 0, 1, 1, 1])
            // Around them is the sheet's own grey.
            #expect(abs(Int(sheet.grey[3 * sheet.width + 3]) - 26) < 4)
        }

        /// One frame each half a second takes as many rows as it takes; what is left over is empty.
        @Test func aStepSaysHowManyRowsThereAre() throws {
            let (sheet, run) = try sheet(["a.mp4", "--columns", "3", "--every", "0.5s", "--gap", "0"])
            #expect(sheet.width == 3 * Self.width && sheet.height == 2 * (Self.height + Self.line))
            let found = (0..<4).map { NumberedMedia.number(sheet.cell($0 % 3, $0 / 3, gap: 0)) }
            #expect(found == [0, 12, 25, 37])
            #expect(Set(sheet.cell(2, 1, gap: 0)).count == 1)
            #expect(run.json?["rows"] as? Int == 2)
        }

        /// The time stands below the frame and hides nothing of it; another time looks another way.
        @Test func timesAreWritten() throws {
            let cut = try folder.write(
                """
                {"format":"splitreel/1","assets":{"g":{"kind":"color","color":[1,1,1,1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"g","target":["0s","4s"]}]}]},
                "video":{"renderSize":[256,144],"frameDuration":"1/25"}}
                """, to: "white.json")
            let options = [cut, "--columns", "2", "--rows", "1", "--gap", "0"]
            let written = try sheet(options).sheet
            let plain = try sheet(options + ["--no-times"]).sheet
            #expect(Set(plain.grey) == [255] && plain.height == Self.height)
            #expect(written.height == Self.height + Self.line)
            for column in 0..<2 {
                #expect(Set(written.cell(column, 0, gap: 0)) == [255])
                let line = written.line(column)
                // Light letters on the sheet's dark grey, from the left on: twelve of 0.6 of 14 pixels.
                let light = line.indices.filter { line[$0] > 128 }
                #expect(light.count > 60)
                #expect(light.allSatisfy { $0 % Self.width < 110 })
                #expect(light.contains { $0 % Self.width > 80 })
                #expect(abs(Int(line[Self.width - 1]) - 26) < 4)
            }
            #expect(written.line(0) != written.line(1))
        }

        /// In cells that are narrower than the usual letters are: the letters end before the cell does.
        @Test func timesFitIntoNarrowCells() throws {
            let cut = try folder.write(
                """
                {"format":"splitreel/1","assets":{"g":{"kind":"color","color":[1,1,1,1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"g","target":["0s","4s"]}]}]},
                "video":{"renderSize":[90,160],"frameDuration":"1/25"}}
                """, to: "tall.json")
            let written = try sheet([cut, "--columns", "1", "--rows", "1", "--gap", "0"]).sheet
            // Letters of 11 pixels, with which twelve and a half of a letter fit, and half of that more.
            #expect(written.width == 90 && written.height == 160 + 16)
            let first: Int = 160 * 90
            let light = (first..<written.grey.count).filter { written.grey[$0] > 128 }
            let columns = Set(light.map { $0 % 90 })
            // Twelve letters of 0.6 of 11 pixels.
            let left = try #require(columns.min())
            let right = try #require(columns.max())
            #expect(right < 88 && right - left > 66, "\(left)…\(right)")
        }

        /// Times are rounded up to what `frame --at` takes for the same frame.
        @Test func sizesAndShapes() throws {
            let (small, _) = try sheet(["a.mp4", "--columns", "4", "--rows", "3", "--width", "440", "--gap", "8"])
            // Cells of 100×56, lines of 12, gaps of 8.
            #expect(small.width == 440 && small.height == 3 * 76 + 8)
            try witness.ffmpeg([
                "-i", folder.file("a.mp4"), "-c", "copy", "-metadata:s:v:0", "rotate=90", folder.file("turned.mp4"),
            ])
            let (turned, _) = try sheet(["turned.mp4", "--columns", "2", "--rows", "1", "--gap", "0", "--no-times"])
            #expect(turned.width == 2 * Self.height && turned.height == Self.width)
        }

        @Test func whatCannotBeIsRefused() throws {
            for (options, word) in [
                (["--columns", "0"], "--columns"), (["--rows", "2", "--every", "1s"], "--every"),
                (["--every", "0"], "--every"), (["--width", "20", "--columns", "10"], "fit"),
                (["--columns", "1", "--every", "1/1000"], "Mpixel"), (["--range", "9s,1s"], "inside"),
            ] {
                let run = try program.run(["sheet", "a.mp4", "-o", "s.png"] + options)
                #expect(run.status == 2 && run.standardError.contains(word), "\(run)")
            }
            let kind = try program.run(["sheet", "a.mp4", "-o", "s.gif"])
            #expect(kind.status == 2 && kind.standardError.contains(".png"), "\(kind)")
            #expect(try program.run(["sheet", "a.mp4", "-o", "a.mp4"]).status == 5)
            try witness.ffmpeg(["-f", "lavfi", "-i", "sine=d=1", folder.file("s.wav")])
            let sound = try program.run(["sheet", "s.wav", "-o", "s.png"])
            #expect(sound.status == 4 && sound.standardError.contains("no picture"), "\(sound)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("s.png")))
        }
    }
}
