import Drawings
import Foundation
import Overlays
import Pictures
import SplitreelProject
import Testing

@Suite("Texts")
struct TextTests {
    private static let fonts = "/usr/share/fonts/truetype"

    private func drawn(
        _ string: String, size: PixelSize = PixelSize(width: 400, height: 120), font: String = "DejaVu Sans",
        scale: Double = 1, origin: Double = -20, bitDepth: Int = 8, _ change: (inout TextDrawing) -> Void = { _ in }
    ) throws -> DrawnPicture {
        var text = TextDrawing(string: string, width: 360, height: 80)
        text.font.names = [.named(font)]
        text.font.size = 40
        change(&text)
        return try DrawnPicture(
            DrawingPicture(
                .text(text), size: size, scaleX: scale, scaleY: scale, originX: origin, originY: origin),
            bitDepth: bitDepth)
    }

    /// The output of a tool that is installed for the tests.
    private func run(_ tool: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/\(tool)")
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(tool) \(arguments)")
        return text
    }

    /// HarfBuzz's advances, in units of which an em has 1000 times the size.
    private func advance(_ string: String, _ file: String, _ features: String = "") throws -> Double {
        let output = try run(
            "hb-shape",
            ["--font-size=4000", "--no-glyph-names", "--no-clusters", "--output-format=json", "--features=\(features)"]
                + ["--font-file=\(Self.fonts)/\(file)", "--text=\(string)"])
        return output.matches(of: /"ax":(-?[0-9]+)/).compactMap { Double($0.1) }.reduce(0, +) / 100
    }

    /// Two bars stand at the ends of the text: how far they are apart is what HarfBuzz says.
    @Test(arguments: [
        ("DejaVu Sans", "dejavu/DejaVuSans.ttf", "Wav fiffy To."),
        ("Noto Sans Arabic", "noto/NotoSansArabic-Regular.ttf", "نص حكيم له"),
        ("Noto Sans Devanagari", "noto/NotoSansDevanagari-Regular.ttf", "क्षत्रिय"),
        ("Noto Sans Thai", "noto/NotoSansThai-Regular.ttf", "เป็นมนุษย์"),
    ])
    func glyphsAreAsFarApartAsHarfBuzzSays(font: String, file: String, string: String) throws {
        let width = try advance(string, file)
        // Right-aligned and left-aligned, the same glyphs are apart by what the box has to spare.
        let left = try #require(try drawn(string, font: font) { $0.align = .left }.box(above: 100))
        let right = try #require(try drawn(string, font: font) { $0.align = .right }.box(above: 100))
        #expect(abs(Double(right.left - left.left) - (360 - width)) <= 1)
        #expect(abs(Double(right.right - left.right) - (360 - width)) <= 1)
    }

    /// Pixel for pixel what Pango's own tool draws, but for its whole-pixel places.
    @Test func theInkIsPangosOwn() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "splitreel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (png, raw) = (folder.appending(path: "a.png").path(), folder.appending(path: "a.gray").path())
        _ = try run(
            "pango-view",
            ["--no-display", "--backend=cairo", "--dpi=72", "--margin=20", "--antialias=gray", "--hinting=none"]
                + ["--font=DejaVu Sans 40", "--text=Hagfish", "--output=\(png)"])
        _ = try run("ffmpeg", ["-v", "error", "-i", png, "-pix_fmt", "gray", "-f", "rawvideo", raw])
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: raw)))
        let theirs = Double(bytes.reduce(0) { $0 + 255 - Int($1) }) / 255
        let ours = try drawn("Hagfish").coverage
        #expect(abs(ours - theirs) < 0.02 * theirs, "\(ours) and \(theirs)")
    }

    @Test func theCharactersGoAsTheirScriptDoes() throws {
        // Latin first, by its base direction: the Hebrew letters after it, from right to left.
        let mixed = try drawn("ab אב") { $0.align = .left }
        let pieces = try drawn("ab") { $0.align = .left }
        let one = try #require(mixed.box(above: 100)), two = try #require(pieces.box(above: 100))
        #expect(one.left == two.left && one.right > two.right + 20)
        // Alone it begins at the right.
        let hebrew = try #require(try drawn("אב", font: "DejaVu Sans").box(above: 100))
        #expect(hebrew.right > 360 && hebrew.left > 300)
    }

    @Test func emojiHaveTheirOwnColours() throws {
        let picture = try drawn("😀") { $0.colour = Colour(red: 0, green: 0, blue: 1) }
        let box = try #require(picture.box(above: 200))
        let middle = picture.code((box.left + box.right) / 2, box.top + (box.bottom - box.top) / 4)
        // Yellow: much light, little blue.
        #expect(middle[0] > 150 && middle[1] < 90)
        #expect(box.right - box.left > 30)
    }

    @Test func halfTheSizeHasTheSameLines() throws {
        let string = "The quick brown fox jumps over the lazy dog and goes home"
        let size = PixelSize(width: 440, height: 440)
        let whole = try drawn(string, size: size) { $0.height = 400 }
        let half = try drawn(string, size: PixelSize(width: 220, height: 220), scale: 0.5) { $0.height = 400 }
        #expect(abs(half.coverage - whole.coverage / 4) < whole.coverage / 4 * 0.01)
        let (a, b) = (try #require(whole.box(above: 100)), try #require(half.box(above: 100)))
        #expect(abs(b.right - a.right / 2) <= 1 && abs(b.bottom - a.bottom / 2) <= 1)
    }

    @Test func trackingAndLeadingAreAdded() throws {
        func box(_ string: String, _ change: (inout TextDrawing) -> Void) throws -> (left: Int, right: Int, bottom: Int)
        {
            let picture = try drawn(string, size: PixelSize(width: 400, height: 300), change)
            let box = try #require(picture.box(above: 100))
            return (box.left, box.right, box.bottom)
        }
        let (plain, wide) = (try box("ooo") { _ in }, try box("ooo") { $0.tracking = 10 })
        #expect(wide.right - wide.left == plain.right - plain.left + 20)
        let (two, three) = (try box("o\no") { $0.leading = 60 }, try box("o\no\no") { $0.leading = 60 })
        #expect(three.bottom - two.bottom == 60)
    }

    @Test func textIsMadeToFit() throws {
        func lines(_ change: (inout TextDrawing) -> Void) throws -> (left: Int, top: Int, right: Int, bottom: Int) {
            let size = PixelSize(width: 3000, height: 400)
            return try #require(try drawn(String(repeating: "wide ", count: 20), size: size, change).box(above: 100))
        }
        #expect(try lines { $0.wrap = .never }.right > 1500)
        let broken = try lines { $0.height = 80 }
        #expect(broken.right < 380 && broken.bottom > 160)
        let shrunk = try lines { $0.shrinksToFit = true }
        #expect(shrunk.right <= 381 && shrunk.bottom <= 101 && shrunk.bottom > 60)
        let cut = try lines { $0.truncation = .end }
        #expect(cut.right <= 381 && cut.bottom <= 101)
    }

    @Test func anOutlineAndAShadowAreAsWideAsTheySay() throws {
        let black = Colour.black
        let plain = try #require(try drawn("I").box(above: 100))
        let outlined = try drawn("I") { $0.outline = TextOutline(width: 5, colour: black) }
        let wide = try #require(outlined.box(above: 100))
        #expect(wide.left == plain.left - 5 && wide.right == plain.right + 5 && wide.top == plain.top - 5)
        #expect(outlined.code(plain.left - 2, plain.top + 5)[0] == 16)
        #expect(outlined.code((plain.left + plain.right) / 2, plain.top + 5)[0] == 235)
        let shaded = try drawn("I") { $0.shadow = TextShadow(x: 30, y: 12, blur: 0, colour: black) }
        let shade = try #require(shaded.box(above: 100))
        #expect(shade.right == plain.right + 30 && shade.bottom == plain.bottom + 12)
        // A blur spreads what there is and adds nothing.
        let blurred = try drawn("I") { $0.shadow = TextShadow(x: 60, y: 0, blur: 12, colour: black) }
        #expect(abs(blurred.coverage - shaded.coverage) < 0.03 * shaded.coverage)
    }

    @Test func theBackgroundIsTheLinesBox() throws {
        let picture = try drawn("I") {
            $0.background = TextBackground(colour: .black, padding: [3, 50, 4, 10], cornerRadius: 0)
        }
        let box = try #require(picture.box(above: 128))
        let width = try advance("I", "dejavu/DejaVuSans.ttf")
        #expect(box.left == 10 && abs(Double(box.right + 1) - (20 + width + 50)) <= 1)
        // DejaVu's ascent and descent: 1901 and 483 of 2048.
        #expect(box.top == 17 && abs(Double(box.bottom + 1) - (20 + 40.0 * 2384 / 2048 + 4)) <= 1)
    }

    @Test func aTextAppearsBitByBit() throws {
        func coverage(_ unit: RevealSettings.Unit, _ style: RevealSettings.Style, _ progress: Double) throws -> Double {
            try drawn("one two") { $0.reveal = TextReveal(unit: unit, style: style, progress: progress) }.coverage
        }
        let (first, all) = (try drawn("one").coverage, try drawn("one two").coverage)
        #expect(try coverage(.word, .typewriter, 0.49) == 0)
        #expect(abs(try coverage(.word, .typewriter, 0.5) - first) < 0.5)
        #expect(abs(try coverage(.glyph, .typewriter, 3.0 / 7) - first) < 0.5)
        #expect(try coverage(.glyph, .fade, 0) == 0 && abs(try coverage(.glyph, .fade, 1) - all) < 0.5)
        #expect(abs(try coverage(.line, .fade, 0.5) - all / 2) < 0.01 * all)
        let risen = try drawn("one") { $0.reveal = TextReveal(unit: .line, style: .slideUp, progress: 0.5) }
        let (a, b) = (try #require(try drawn("one").box(above: 60)), try #require(risen.box(above: 60)))
        // A quarter of a line's height, 46.56.
        #expect(abs(Double(b.bottom - a.bottom) - 46.56 / 4) <= 1)
    }

    /// The moment of frame k of n: k of n letters are there, whatever the doubles make of k / n · n.
    @Test(arguments: [22, 49, 88]) func lettersComeInTime(count: Int) throws {
        let text = String(repeating: "l", count: count)
        let whole = try drawn(text) { $0.font.size = 10 }.coverage
        for there in 0...count {
            let progress = Double(there) / Double(count)
            let found = try drawn(text) {
                ($0.font.size, $0.reveal) = (10, TextReveal(unit: .glyph, style: .typewriter, progress: progress))
            }
            #expect(abs(found.coverage - whole * progress) < 0.4 * whole / Double(count), "\(there) of \(count)")
        }
    }

    /// What changes is how it looks: letters come, colours change, an outline grows.
    @Test func aTextIsShapedOnce() throws {
        let fonts = try FontCollection(systemWithAssets: [:])
        let rasteriser = DrawingRasteriser { fonts }
        func picture(_ frame: Int, _ change: (inout TextDrawing) -> Void = { _ in }) -> DrawingPicture {
            var text = TextDrawing(string: "shaped once", width: 360, height: 80)
            text.colour = Colour(red: Double(frame) / 10, green: 0, blue: 0)
            text.outline = TextOutline(width: Double(frame) / 5, colour: .black)
            text.reveal = TextReveal(unit: .word, style: .fade, progress: Double(frame) / 10)
            change(&text)
            return DrawingPicture(
                .text(text), size: PixelSize(width: 400, height: 120), scaleX: 1, scaleY: 1, originX: 0, originY: 0)
        }
        for frame in 0..<10 { _ = try rasteriser.draw(picture(frame)) }
        #expect(rasteriser.shapedTexts == 1)
        _ = try rasteriser.draw(picture(3) { $0.tracking = 2 })
        #expect(rasteriser.shapedTexts == 2)
        // As a new one draws it.
        let kept = try DrawnPicture(picture(7), by: rasteriser)
        let new = try DrawnPicture(picture(7))
        #expect(kept.coverage == new.coverage && kept.code(40, 40) == new.code(40, 40) && new.coverage > 100)
        // Many at a time are not kept.
        for number in 0..<40 { _ = try rasteriser.draw(picture(1) { $0.string = "text \(number % 20)" }) }
        #expect(rasteriser.shapedTexts == 42)
    }

    @Test func spansLookAnotherWay() throws {
        let picture = try drawn("II") {
            var style = TextStyle()
            (style.colour, style.scale, style.isUnderlined) = (Colour(red: 1, green: 0, blue: 0), 0.5, true)
            $0.spans = [TextSpan(start: 1, end: 2, style: style)]
        }
        let box = try #require(picture.box(above: 100))
        #expect(picture.code(box.left + 1, box.top + 3)[0] == 235)
        #expect(
            (0..<picture.width).contains {
                picture.alpha($0, box.bottom - 12) == 255 && picture.code($0, box.bottom - 12)[0] < 90
            })
    }

    @Test func variableFontsVaryAndFeaturesAct() throws {
        let figures = try advance("1111", "dejavu/DejaVuSans.ttf", "liga=0")
        #expect(figures > 0)
        let (with, without) = (
            try drawn("ffi") { $0.font.features = ["liga": 1] }, try drawn("ffi") { $0.font.features = ["liga": 0] }
        )
        #expect(with.planes[3] != without.planes[3])
    }

    @Test func deepFilmsHaveExactColours() throws {
        let colour = Colour(red: 0.3, green: 0.6, blue: 0.9)
        let picture = try drawn("█", bitDepth: 10) { $0.colour = colour }
        let box = try #require(picture.box(above: 1000))
        let luma = 0.2126 * 0.3 + 0.7152 * 0.6 + 0.0722 * 0.9
        #expect(picture.code(box.left + 5, box.top + 5)[0] == Int((64 + 876 * luma).rounded()))
    }
}
