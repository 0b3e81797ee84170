import Diagnostics
import Drawings
import Foundation
import Overlays
import Pictures
import SplitreelProject
import TestTools
import Testing

@Suite("What fonts can do") struct FontFeatureTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("fonts")
        witness = Witness(in: folder)
    }

    /// The output of a tool that is installed for the tests.
    private func tool(_ name: String, _ arguments: [String]) throws -> String {
        let result = try Tool("/usr/bin/" + name, arguments, in: folder).finish(seconds: 60)
        guard result.status == 0 else { throw ToolFailure("\(result)") }
        return result.text
    }

    private func drawn(
        _ string: String, _ font: FontName, fonts: FontCollection? = nil,
        _ change: (inout TextDrawing) -> Void = { _ in }
    ) throws -> DrawnPicture {
        var text = TextDrawing(string: string, width: 760, height: 160)
        (text.font.names, text.font.size, text.align) = ([font], 100, .left)
        change(&text)
        let picture = DrawingPicture(
            .text(text), size: PixelSize(width: 800, height: 200), originX: -20, originY: -20)
        return try DrawnPicture(picture, fonts: fonts)
    }

    /// Widths of 0.4 em at 100, 0.2 at 50, 0.8 at 200 and linear between; what lies beyond is held.
    @Test(arguments: [(100, 40), (50, 20), (200, 80), (150, 60), (75, 30), (900, 80), (1, 20)] as [(Double, Int)])
    func anAxisMovesOutlinesAndAdvances(value: Double, width: Int) throws {
        let path = try folder.write(Data(VariableFont.bytes), to: "box.ttf")
        try checkFont(path: path)
        let fonts = try FontCollection(systemWithAssets: ["box": path])
        let one = try drawn("A", .asset("box"), fonts: fonts) { $0.font.variations = ["wdth": value] }
        #expect(abs(one.coverage - Double(width * 70)) < 8, "\(one.coverage)")
        let box = try #require(one.box(above: 128))
        #expect(box.left == 30 && box.right == 29 + width && box.bottom - box.top == 69)
        // The next letter begins 0.2 em behind the first one's end.
        let two = try #require(
            try drawn("AA", .asset("box"), fonts: fonts) { $0.font.variations = ["wdth": value] }.box(above: 128))
        #expect(two.right == box.right + 20 + width)
        let shaped = try tool(
            "hb-shape",
            ["--font-size=1000", "--variations=wdth=\(value)", "--output-format=json", "--font-file=\(path)", "A"])
        #expect(shaped.contains("\"ax\":\(width * 10 + 200)"), "\(shaped)")
    }

    @Test func anAxisThatAFontLacksChangesNothing() throws {
        let plain = try drawn("Aa", .named("DejaVu Sans"))
        let varied = try drawn("Aa", .named("DejaVu Sans")) { $0.font.variations = ["wdth": 75, "ZZZZ": 1] }
        #expect(plain.planes == varied.planes)
    }

    /// As a worker draws it: with the files alone that were found when the plan was made.
    private func planned(_ string: String, _ family: String, _ change: (inout TextDrawing) -> Void) throws
        -> DrawnPicture
    {
        var text = TextDrawing(string: string, width: 760, height: 160)
        text.font.names = [.named(family)]
        change(&text)
        let planner = try FontPlanner(assets: [:]) { path in path }
        try planner.add(FontText(text))
        let plan = try #require(try planner.finish().plan)
        let fonts = try FontCollection(plan, paths: plan.faces.map(\.path))
        return try drawn(string, .named(family), fonts: fonts, change)
    }

    /// Nothing is made up: of a family with one face every weight is that face, and of one without italics italics are.
    @Test(arguments: [("WenQuanYi Micro Hei", "汉字 abc"), ("Noto Sans Runic", "ᚠᛇᚻ᛫ᛒᛦᚦ"), ("Noto Sans Ogham", "᚛᚛ᚉᚑᚅ᚜")])
    func noBoldnessAndNoSlantIsMadeUp(family: String, string: String) throws {
        let plain = try planned(string, family) { _ in }
        #expect(plain.coverage > 500)
        let changes: [(inout TextDrawing) -> Void] = [
            { $0.font.weight = 100 }, { $0.font.weight = 700 }, { $0.font.weight = 900 }, { $0.font.isItalic = true },
        ]
        for (index, change) in changes.enumerated() {
            let isSame = try planned(string, family, change).planes == plain.planes
            // `frame` draws with the machine's fonts, whose rules embolden and slant.
            let isSameThere = try drawn(string, .named(family), change).planes == plain.planes
            #expect(isSame && isSameThere, "\(index)")
        }
        // Where there is a bold face it is taken.
        let (thin, bold) = (try planned("abc", "DejaVu Sans") { _ in }, try planned("abc", "DejaVuSans-Bold") { _ in })
        let weighed = try planned("abc", "DejaVu Sans") { $0.font.weight = 700 }
        let isBold = weighed.planes == bold.planes
        #expect(isBold && bold.coverage > thin.coverage * 1.2)
    }

    /// Latin to Ethiopic, and emoji: what each needs is found, and nothing is a box.
    private static let scripts: [(script: String, string: String, file: String)] = [
        ("Latin", "Ångström fjord & œuvre", "NotoSans-Regular.ttf"),
        ("Greek", "Ξεσκεπάζω τὴν ψυχή", "NotoSans-Regular.ttf"),
        ("Cyrillic", "Съешь ещё этих булок", "NotoSans-Regular.ttf"),
        ("Arabic", "نص حكيم له سر قاطع", "DejaVuSans.ttf"),
        ("Hebrew", "דג סקרן שט בים", "DejaVuSans.ttf"),
        ("Devanagari", "ऋषियों को सताने वाले", "NotoSansDevanagari-Regular.ttf"),
        ("Bengali", "আমি বাংলায় গান গাই", "NotoSansBengali-Regular.ttf"),
        ("Tamil", "யாமறிந்த மொழிகளிலே", "NotoSansTamil-Regular.ttf"),
        ("Thai", "เป็นมนุษย์สุดประเสริฐ", "NotoSansThai-Regular.ttf"),
        ("Khmer", "ខ្ញុំអាចញ៉ាំកញ្ចក់បាន", "NotoSansKhmer-Regular.ttf"),
        ("Chinese", "我能吞下玻璃而不伤身体", "wqy-microhei.ttc"), ("Japanese", "いろはにほへと", "wqy-microhei.ttc"),
        ("Korean", "키스의 고유조건은", "wqy-microhei.ttc"),
        ("Ethiopic", "ሰማይ አይታረስ ንጉሥ", "NotoSansEthiopic-Regular.ttf"), ("emoji", "😀👩🏽‍🚀🏳️‍🌈", "NotoColorEmoji.ttf"),
    ]

    @Test func fifteenScriptsAreWritten() throws {
        #expect(Self.scripts.count == 15)
        for (script, string, file) in Self.scripts {
            var text = TextDrawing(string: string, width: 1000, height: 100)
            text.font.names = [.named("Noto Sans")]
            let planner = try FontPlanner(assets: [:]) { path in path }
            try planner.add(FontText(text))
            let found = try planner.finish()
            let remarks = found.remarks
            let files = try #require(found.plan).faces.map { URL(filePath: $0.path).lastPathComponent }
            #expect(remarks.isEmpty, "\(script): \(remarks)")
            #expect(files.contains(file), "\(script): \(files)")
        }
    }

    /// HarfBuzz knows every cluster of each (glyph 0 is what a font lacks), and pango-view draws as much ink in as
    /// large a box, but for its whole pixels.
    @Test(arguments: Self.scripts.map(\.script).filter { $0 != "emoji" })
    func theInkOfEachScriptIsPangosOwn(script: String) throws {
        let (_, string, file) = try #require(Self.scripts.first { $0.script == script })
        let folders = ["noto/", "wqy/", "dejavu/"].map { "/usr/share/fonts/truetype/" + $0 + file }
        let path = try #require(folders.first { FileManager.default.fileExists(atPath: $0) })
        let shaped = try tool(
            "hb-shape", ["--no-glyph-names", "--output-format=json", "--font-file=\(path)", "--text=\(string)"])
        #expect(shaped.contains("\"g\":") && !shaped.contains("\"g\":0,"), "\(shaped)")
        let png = folder.file("view.png")
        _ = try tool(
            "pango-view",
            ["--no-display", "--backend=cairo", "--dpi=72", "--margin=20", "--antialias=gray", "--hinting=none"]
                + ["--language=en", "--font=Noto Sans 40", "--text=\(string)", "--output=\(png)"])
        let header = [UInt8](try Data(contentsOf: URL(filePath: png)))
        let width = header[16..<20].reduce(0) { $0 << 8 | Int($1) }
        let gray = [UInt8](
            try witness.ffmpeg(["-i", png, "-pix_fmt", "gray", "-f", "rawvideo", "-"]).standardOutput)
        let theirs = Double(gray.reduce(0) { $0 + 255 - Int($1) }) / 255
        let columns = (0..<width).filter { x in stride(from: x, to: gray.count, by: width).contains { gray[$0] < 155 } }
        let ours = try drawn(string, .named("Noto Sans")) { $0.font.size = 40 }
        #expect(abs(ours.coverage - theirs) < 0.03 * theirs, "\(script): \(ours.coverage) and \(theirs)")
        let box = try #require(ours.box(above: 100))
        let across = (columns.last ?? 0) - (columns.first ?? 0)
        #expect(abs(box.right - box.left - across) <= 2 + string.count / 4, "\(script): \(box) and \(across)")
    }

    /// A font that is cut off or has another byte somewhere is refused, or draws something; nothing else happens.
    @Test func damagedFontsAreRefusedOrDrawn() throws {
        let whole = VariableFont.bytes
        var random = SeededNumbers(seed: 8)
        var refused = 0
        for number in 0..<80 {
            var bytes = whole
            if number < 30 {
                bytes = Array(whole.prefix(number * whole.count / 30))
            } else {
                for _ in 0..<3 { bytes[Int(random.next() % UInt64(whole.count))] = UInt8(random.next() & 0xFF) }
            }
            let path = try folder.write(Data(bytes), to: "damaged-\(number).ttf")
            do {
                try checkFont(path: path)
                let fonts = try FontCollection(systemWithAssets: ["box": path])
                _ = try drawn("AA", .asset("box"), fonts: fonts)
            } catch is SplitreelError {
                refused += 1
            }
        }
        #expect(refused >= 15)
    }
}
