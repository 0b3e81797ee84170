import Diagnostics
import Drawings
import Foundation
import Overlays
import Pictures
import SplitreelProject
import Testing

@Suite("Fonts of a plan")
struct FontTests {
    private func text(_ string: String, _ names: [FontName]) -> TextDrawing {
        var text = TextDrawing(string: string, width: 600, height: 100)
        text.font.names = names
        return text
    }

    private func planned(
        _ texts: [TextDrawing], assets: [String: String] = [:]
    ) throws -> (plan: FontPlan, remarks: [String]) {
        let planner = try FontPlanner(assets: assets) { path in "sum of \(path)" }
        for text in texts { try planner.add(FontText(text)) }
        let found = try planner.finish()
        return (try #require(found.plan), found.remarks)
    }

    private func drawn(_ text: TextDrawing, _ fonts: FontCollection) throws -> DrawnPicture {
        try DrawnPicture(DrawingPicture(.text(text), size: PixelSize(width: 640, height: 120)), fonts: fonts)
    }

    @Test func aPlanListsTheFilesAndShowsTheSame() throws {
        let texts = [
            text("Title", [.named("DejaVuSans-Bold")]), text("نص חיה ไทย 漢字 😀 a", [.named("Noto Sans")]),
            text("Light", [.named("Cantarell Light")]), text("plain", []),
        ]
        let (plan, remarks) = try planned(texts)
        #expect(remarks.isEmpty)
        let files = plan.faces.map { URL(filePath: $0.path).lastPathComponent }
        for file in ["DejaVuSans-Bold.ttf", "NotoSans-Regular.ttf", "NotoColorEmoji.ttf", "Cantarell-Light.otf"] {
            #expect(files.contains(file), "\(files)")
        }
        #expect(plan.faces[0].sum == "sum of \(plan.faces[0].path)")
        let system = try FontCollection(systemWithAssets: [:])
        let alone = try FontCollection(plan, paths: plan.faces.map(\.path))
        for text in texts {
            #expect(try drawn(text, system).planes == drawn(text, alone).planes, "\(text.string)")
        }
    }

    @Test func aFontOfTheProjectIsThatVeryFile() throws {
        let path = "/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf"
        let (own, named) = (text("Own", [.asset("house")]), text("Own", [.named("DejaVu Serif")]))
        let (plan, _) = try planned([own, named], assets: ["house": path])
        #expect(plan.faces.contains { $0.asset == "house" && $0.path == path })
        let fonts = try FontCollection(plan, paths: plan.faces.map(\.path))
        var bold = named
        bold.font.weight = 700
        let system = try FontCollection(systemWithAssets: [:])
        #expect(try drawn(own, fonts).planes == drawn(bold, system).planes)
        #expect(try drawn(own, fonts).planes != drawn(named, fonts).planes)
    }

    /// Pango parts names at commas; Fontconfig sees neither case nor spaces in them.
    @Test func assetsMayHaveAnyName() throws {
        let folder = "/usr/share/fonts/truetype/dejavu/"
        let assets = [
            "a, b": folder + "DejaVuSerif-Bold.ttf", "A,B": folder + "DejaVuSansMono.ttf",
            "b": folder + "DejaVuSans.ttf",
        ]
        let texts = assets.keys.sorted().map { text("Own", [.asset($0)]) }
        let (plan, _) = try planned(texts, assets: assets)
        let used = Dictionary(plan.faces.map { ($0.asset ?? "", $0.path) }) { first, _ in first }
        #expect(used == assets)
        let fonts = try FontCollection(plan, paths: plan.faces.map(\.path))
        let pictures = try Set(texts.map { try drawn($0, fonts).planes })
        #expect(pictures.count == 3)
        #expect(try planned([text("a", [.named("DejaVu Sans,x")])]).remarks.count == 1)
    }

    @Test func whatIsNotThereIsSaid() throws {
        let (plan, remarks) = try planned([text("a\u{10FFFD}", [.named("No Such Font")])])
        #expect(remarks.count == 2)
        #expect(remarks[0].contains("No Such Font") && remarks[1].contains("U+10FFFD"))
        #expect(remarks[0].contains(try #require(plan.faces.first).family))
        let fonts = try FontCollection(plan, paths: plan.faces.map(\.path))
        // A box is drawn.
        let (with, without) = (
            try drawn(text("a\u{10FFFD}", []), fonts).coverage, try drawn(text("a", []), fonts).coverage
        )
        #expect(with > without + 10)
    }

    /// The next of its list that is there is what the text is set in.
    @Test func theNextOfAListStandsIn() throws {
        let list: [FontName] = [.named("No Such Font"), .named("Nor This"), .named("DejaVu Serif")]
        let (plan, remarks) = try planned([text("a", list)])
        #expect(remarks.count == 2 && remarks.allSatisfy { $0.contains("DejaVu Serif stands in") }, "\(remarks)")
        #expect(plan.faces.map(\.family) == ["DejaVu Serif"])
    }

    @Test func whatIsNoFontIsRefused() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "splitreel-\(UUID().uuidString).ttf").path()
        try Data("no font at all".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: SplitreelError.self) { try checkFont(path: path) }
        #expect(throws: SplitreelError.self) { try FontCollection(systemWithAssets: ["a": path]) }
        try checkFont(path: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    }
}
