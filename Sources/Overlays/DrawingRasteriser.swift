internal import CPango
import Diagnostics
package import Drawings
internal import ExactMath
import Pictures
import SplitreelProject

/// Draws texts and shapes. Remembers its fonts, and the texts that it shaped last; confined to one thread.
package final class DrawingRasteriser {
    private let makeFonts: () throws -> FontCollection
    private var fonts: FontCollection?
    /// The layouts of the texts that were shaped last, the latest one last.
    private var layouts: [TextLayout] = []
    /// The number of texts that were shaped.
    package private(set) var shapedTexts = 0

    private static let mostLayouts = 16

    /// The most pixels that one drawing has: beyond them its lower rows are left out.
    static let mostPixels = 1 << 25
    /// The most pixels of length of a path's lines, and of their widths where it is stroked.
    private static let mostLength = 8_000_000.0

    /// - Parameters:
    ///   - fonts: The collection of fonts, asked for when the first text is drawn.
    package init(fonts: @escaping () throws -> FontCollection) { makeFonts = fonts }

    private func collection() throws -> FontCollection {
        if let fonts { return fonts }
        let made = try makeFonts()
        fonts = made
        return made
    }

    /// The inked part of a drawing within its raster. Throws `.settingsImpossible` for shapes that would take too long.
    package func draw(_ picture: DrawingPicture) throws -> InkedRaster {
        switch picture.drawing {
        case .text(let text): try draw(text, picture)
        case .shape(let shape): try draw(shape, picture)
        }
    }

    private func draw(_ shape: ShapeDrawing, _ picture: DrawingPicture) throws -> InkedRaster {
        try refuseEndless(shape, picture)
        let (pixelX, pixelY) = (1 / picture.scaleX, 1 / picture.scaleY)
        let bounds = picture.drawing.bounds.grown(pixelX, pixelY, pixelX, pixelY)
        guard let area = RasterArea(bounds, picture) else { return try .empty }
        var layers: [InkedRaster.Layer] = []
        if let colour = shape.fillColour {
            let surface = try area.surface(.coverage)
            surface.draw { context in
                area.map.apply(to: context)
                shape.path.add(to: context)
                unsafe cairo_set_fill_rule(
                    context.pointer, shape.fillRule == .evenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
                unsafe cairo_fill(context.pointer)
            }
            layers.append(.coverage(surface, colour))
        }
        if let colour = shape.strokeColour, shape.strokeEnd > shape.strokeStart, shape.lineWidth > 0 {
            let surface = try area.surface(.coverage)
            surface.draw { context in
                area.map.apply(to: context)
                shape.stroke(on: context, pixelsPerUnit: max(picture.scaleX, picture.scaleY))
            }
            layers.append(.coverage(surface, colour))
        }
        if layers.isEmpty { return try .empty }
        return area.raster(layers)
    }

    /// Throws for shapes whose lines are too long. Cairo's time grows with the lines that cross each other: up to this
    /// limit it is some seconds at worst.
    private func refuseEndless(_ shape: ShapeDrawing, _ picture: DrawingPicture) throws {
        let scale = max(picture.scaleX, picture.scaleY)
        let width = shape.strokeColour == nil ? 0 : shape.lineWidth * scale
        let length = shape.path.reach * scale + Double(shape.path.segments.count) * width
        if length <= Self.mostLength { return }
        throw SplitreelError(
            .settingsImpossible, operation: "drawing", subject: "a shape of \(shape.path.segments.count) segments",
            reason: "its lines are longer than \(Int(Self.mostLength)) pixels in all",
            hint: "draw less of it, smaller, or with a thinner stroke")
    }

    private func draw(_ text: TextDrawing, _ picture: DrawingPicture) throws -> InkedRaster {
        let layout = try layout(of: text)
        var set = layout.set(in: text.colour)
        layout.reveal(&set, text.reveal)
        let painter = TextPainter(text: text, set: set, unit: layout.unit)
        guard let ink = painter.ink(picture), let area = RasterArea(ink, picture) else { return try .empty }
        return try withExtendedLifetime(layout) { area.raster(try painter.layers(area, picture)) }
    }

    /// The layout of a text, one of the last ones where it can be. A text that appears bit by bit, or whose looks
    /// change, is shaped only once.
    private func layout(of text: TextDrawing) throws -> TextLayout {
        let shape = text.withoutLooks
        let layout: TextLayout
        if let place = layouts.lastIndex(where: { $0.text == shape }) {
            layout = layouts.remove(at: place)
        } else {
            layout = try TextLayout(shape, collection())
            shapedTexts += 1
        }
        if layouts.count == Self.mostLayouts { layouts.removeFirst() }
        layouts.append(layout)
        return layout
    }
}

extension TextDrawing {
    /// The text without its looks: its glyphs and lines follow from the rest.
    fileprivate var withoutLooks: TextDrawing {
        var shape = self
        shape.colour = .black
        shape.outline = nil
        shape.shadow = nil
        shape.background = nil
        shape.reveal = nil
        return shape
    }
}

extension InkedRaster {
    /// A raster of one clear pixel.
    static var empty: InkedRaster {
        get throws {
            let surface = try Surface(.coverage, width: 1, height: 1)
            return InkedRaster(x: 0, y: 0, size: PixelSize(width: 1, height: 1), layers: [.coverage(surface, .black)])
        }
    }
}

/// The pixels of a raster that are drawn.
struct RasterArea {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    /// The map from the layer's units to these pixels.
    let map: DrawingMap

    /// The pixels of a rectangle in the layer's units; nil where none of it lies in the raster.
    init?(_ rect: Rect, _ picture: DrawingPicture) {
        func span(_ start: Double, _ length: Double, _ origin: Double, _ scale: Double, _ count: Int) -> Range<Int> {
            let limit = Double(min(max(count, 0), DrawingPicture.mostPixels))
            let first = ((start - origin) * scale).rounded(.down).held(in: 0...limit)
            let last = ((start + length - origin) * scale).rounded(.up).held(in: first...limit)
            return Int(first)..<Int(last)
        }
        let columns = span(rect.x, rect.width, picture.originX, picture.scaleX, picture.size.width)
        var rows = span(rect.y, rect.height, picture.originY, picture.scaleY, picture.size.height)
        guard !columns.isEmpty else { return nil }
        rows = rows.prefix(DrawingRasteriser.mostPixels / columns.count)
        guard !rows.isEmpty else { return nil }
        (x, y, width, height) = (columns.lowerBound, rows.lowerBound, columns.count, rows.count)
        map = DrawingMap(
            scaleX: picture.scaleX, scaleY: picture.scaleY, x: -picture.originX * picture.scaleX - Double(x),
            y: -picture.originY * picture.scaleY - Double(y))
    }

    func surface(_ kind: Surface.Kind) throws -> Surface { try Surface(kind, width: width, height: height) }

    func raster(_ layers: [InkedRaster.Layer]) -> InkedRaster {
        InkedRaster(x: x, y: y, size: PixelSize(width: width, height: height), layers: layers)
    }
}
