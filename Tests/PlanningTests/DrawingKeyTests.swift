import Drawings
import Pictures
import Planning
import SplitreelProject
import SplitreelTimeline
import Testing

/// The bytes of a drawing in a content key.
@Suite("Keys of drawings") struct DrawingKeyTests {
    private let plan: RenderPlan
    private let grey = Colour(red: 0.5, green: 0.5, blue: 0.5)
    private let text = TextDrawing(string: "Own", width: 40, height: 20)

    init() throws {
        plan = try PlanFixture(frameDuration: "1/25", duration: "4s", instructions: nil, sound: false).plan()
    }

    private func bytes(_ picture: DrawingPicture, fonts: FontPlan? = nil) -> [UInt8] {
        var plan = plan
        plan.fonts = fonts
        var bytes = KeyBytes()
        bytes.append(.drawing(picture), KeySources(plan, reductions: [:]))
        return bytes.bytes
    }

    private func picture(_ drawing: Drawing) -> DrawingPicture {
        DrawingPicture(drawing, size: PixelSize(width: 8, height: 6))
    }

    private func bytes(of text: TextDrawing) -> [UInt8] { bytes(picture(.text(text))) }

    @Test func picturesAndShapes() {
        let path = DrawingPath([.move(DrawingPoint(0, 0)), .line(DrawingPoint(5, 5)), .close])
        expectEveryField(
            of: picture(.text(text)),
            [
                "drawing": { $0.drawing = .shape(ShapeDrawing(path: path)) }, "size": { $0.size.width = 9 },
                "scaleX": { $0.scaleX = 2 }, "scaleY": { $0.scaleY = 2 }, "originX": { $0.originX = 1 },
                "originY": { $0.originY = 1 },
            ], in: { bytes($0) })
        expectEveryField(
            of: ShapeDrawing(path: path),
            [
                "path": { $0.path = DrawingPath([.move(DrawingPoint(0, 0)), .line(DrawingPoint(5, 5))]) },
                "fillColour": { $0.fillColour = grey }, "fillRule": { $0.fillRule = .evenOdd },
                "strokeColour": { $0.strokeColour = grey }, "lineWidth": { $0.lineWidth = 2 },
                "dashPattern": { $0.dashPattern = [1] }, "dashPhase": { $0.dashPhase = 1 }, "cap": { $0.cap = .square },
                "join": { $0.join = .bevel }, "miterLimit": { $0.miterLimit = 2 },
                "strokeStart": { $0.strokeStart = 0.1 }, "strokeEnd": { $0.strokeEnd = 0.9 },
            ], in: { bytes(picture(.shape($0))) })
        let point = DrawingPoint(1, 2)
        let segments: [DrawingPath.Segment] = [.move(point), .line(point), .curve(point, point, point), .close]
        let made = segments.map { bytes(picture(.shape(ShapeDrawing(path: DrawingPath([$0]))))) }
        #expect(Set(made).count == segments.count)
    }

    @Test func texts() {
        let changes: [String: (inout TextDrawing) -> Void] = [
            "string": { $0.string = "own" }, "spans": { $0.spans = [TextSpan(start: 0, end: 1, style: TextStyle())] },
            "width": { $0.width = 41 }, "height": { $0.height = 21 }, "font": { $0.font.size = 20 },
            "colour": { $0.colour = grey }, "align": { $0.align = .left },
            "verticalAlign": { $0.verticalAlign = .bottom },
            "tracking": { $0.tracking = 1 }, "leading": { $0.leading = 30 }, "wrap": { $0.wrap = .character },
            "truncation": { $0.truncation = .end }, "shrinksToFit": { $0.shrinksToFit = true },
            "direction": { $0.direction = .rightToLeft }, "language": { $0.language = "de" },
            "outline": { $0.outline = TextOutline(width: 1, colour: grey) },
            "shadow": { $0.shadow = TextShadow(x: 1, y: 1, blur: 1, colour: grey) },
            "background": { $0.background = TextBackground(colour: grey, padding: [1], cornerRadius: 1) },
            "reveal": { $0.reveal = TextReveal(unit: .glyph, style: .fade, progress: 0.5) },
        ]
        expectEveryField(of: text, changes, in: bytes)
        expectEveryField(
            of: TextFont(),
            [
                "names": { $0.names = [.named("Inter")] }, "size": { $0.size = 20 }, "weight": { $0.weight = 400 },
                "isItalic": { $0.isItalic = true }, "variations": { $0.variations["wght"] = 400 },
                "features": { $0.features["liga"] = 0 },
            ], in: { bytes(of: with(\.font, $0)) })
        #expect(
            bytes(of: with(\.font.names, [.named("a")])) != bytes(of: with(\.font.names, [.asset("a")])),
            "a font's name and an asset's")
    }

    @Test func partsOfTexts() {
        expectEveryField(
            of: TextStyle(),
            [
                "names": { $0.names = [] }, "size": { $0.size = 0 }, "scale": { $0.scale = 0 },
                "weight": { $0.weight = 0 }, "isItalic": { $0.isItalic = false }, "colour": { $0.colour = grey },
                "isUnderlined": { $0.isUnderlined = false }, "isStruckThrough": { $0.isStruckThrough = false },
                "rise": { $0.rise = 0 },
            ], in: { bytes(of: with(\.spans, [TextSpan(start: 0, end: 1, style: $0)])) })
        expectEveryField(
            of: TextSpan(start: 0, end: 1, style: TextStyle()),
            ["start": { $0.start = 1 }, "end": { $0.end = 2 }, "style": { $0.style.size = 1 }],
            in: { bytes(of: with(\.spans, [$0])) })
        expectEveryField(
            of: TextOutline(width: 1, colour: grey), ["width": { $0.width = 2 }, "colour": { $0.colour.red = 0 }],
            in: { bytes(of: with(\.outline, $0)) })
        expectEveryField(
            of: TextShadow(x: 1, y: 1, blur: 1, colour: grey),
            [
                "x": { $0.x = 2 }, "y": { $0.y = 2 }, "blur": { $0.blur = 2 }, "colour": { $0.colour.red = 0 },
            ], in: { bytes(of: with(\.shadow, $0)) })
        expectEveryField(
            of: TextBackground(colour: grey, padding: [1], cornerRadius: 1),
            [
                "colour": { $0.colour.red = 0 }, "padding": { $0.padding = [1, 1] },
                "cornerRadius": { $0.cornerRadius = 2 },
            ], in: { bytes(of: with(\.background, $0)) })
        expectEveryField(
            of: TextReveal(unit: .glyph, style: .fade, progress: 0.5),
            [
                "unit": { $0.unit = .word }, "style": { $0.style = .slideUp }, "progress": { $0.progress = 0.6 },
            ], in: { bytes(of: with(\.reveal, $0)) })
    }

    @Test func fonts() {
        var fonts = FontPlan()
        fonts.faces = [FontPlan.Face(path: "/f.ttf", index: 0, sum: "ab", family: "F", asset: "own")]
        fonts.names = ["default": FontPlan.Choice(family: "F")]
        func ofFonts(_ fonts: FontPlan) -> [UInt8] { bytes(picture(.text(text)), fonts: fonts) }
        expectEveryField(
            of: fonts,
            [
                "faces": { $0.faces[0].sum = "cd" },
                "names": { $0.names["name F"] = FontPlan.Choice(family: "F") },
            ], in: ofFonts)
        expectEveryField(
            of: fonts.faces[0],
            // Another machine has the same file elsewhere.
            leftOut: ["path"],
            [
                "index": { $0.index = 1 }, "sum": { $0.sum = "cd" }, "family": { $0.family = "G" },
                "asset": { $0.asset = nil },
            ]
        ) { face in
            var fonts = fonts
            fonts.faces = [face]
            return ofFonts(fonts)
        }
        expectEveryField(
            of: FontPlan.Choice(family: "F"),
            ["family": { $0.family = "G" }, "weight": { $0.weight = 400 }, "isItalic": { $0.isItalic = false }]
        ) { choice in
            var fonts = fonts
            fonts.names = ["default": choice]
            return ofFonts(fonts)
        }
    }

    private func with<Part>(_ field: WritableKeyPath<TextDrawing, Part>, _ part: Part) -> TextDrawing {
        var text = text
        text[keyPath: field] = part
        return text
    }
}
