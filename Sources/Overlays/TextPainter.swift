internal import CPango
import Drawings
import Pictures
internal import SplitreelProject

/// Draws a text that is set, from the lowest layer up: its background, its shadow, its outline and its letters.
struct TextPainter {
    let text: TextDrawing
    let set: SetText
    /// The number of the layout's units in one of the layer's.
    let unit: Double

    /// The rectangle that may be inked, in the layer's units; nil for nothing.
    func ink(_ picture: DrawingPicture) -> Rect? {
        let pixel = max(1 / picture.scaleX, 1 / picture.scaleY)
        var all: Rect?
        func add(_ rect: Rect) { all = all?.union(rect) ?? rect }
        if let ink = set.ink, !set.pieces.isEmpty {
            var letters = ink.divided(by: unit)
            for rect in set.pieces.flatMap({ $0.rules + $0.missing }) {
                letters = letters.union(rect.divided(by: unit))
            }
            letters = letters.grown(2 * pixel + (text.outline?.width ?? 0))
            letters.height += (set.pieces.map(\.shift).max() ?? 0) / unit
            add(letters)
            if let shadow = text.shadow {
                let reach = Double(blurReach(shadow.blur / 2 / pixel)) * pixel + pixel
                var shade = letters.grown(reach)
                (shade.x, shade.y) = (shade.x + shadow.x, shade.y + shadow.y)
                add(shade)
            }
        }
        if let box = background { add(box.grown(pixel)) }
        return all
    }

    private var background: Rect? {
        guard let background = text.background, let lines = set.lines, set.pieces.contains(where: { $0.presence > 0 })
        else { return nil }
        let padding = background.padding
        let box = lines.divided(by: unit).grown(padding[3], padding[0], padding[1], padding[2])
        return box.isEmpty ? nil : box
    }

    func layers(_ area: RasterArea, _ picture: DrawingPicture) throws -> [InkedRaster.Layer] {
        var layers: [InkedRaster.Layer] = []
        if let settings = text.background, let box = background {
            let surface = try area.surface(.coverage)
            surface.draw { context in
                area.map.apply(to: context)
                DrawingPath.rectangle(box, cornerRadius: settings.cornerRadius).add(to: context)
                unsafe cairo_fill(context.pointer)
            }
            layers.append(.coverage(surface, settings.colour))
        }
        if let shadow = text.shadow {
            let surface = try area.surface(.coverage)
            surface.draw { context in
                area.map.apply(to: context)
                unsafe cairo_translate(context.pointer, shadow.x, shadow.y)
                if text.outline != nil { paint(context, .outline) }
                paint(context, .coverage)
            }
            try surface.blur(
                deviationX: shadow.blur / 2 * picture.scaleX, deviationY: shadow.blur / 2 * picture.scaleY)
            layers.append(.coverage(surface, shadow.colour))
        }
        if let outline = text.outline, outline.width > 0 {
            let surface = try area.surface(.coverage)
            surface.draw { context in
                area.map.apply(to: context)
                paint(context, .outline)
            }
            layers.append(.coverage(surface, outline.colour))
        }
        let colour = set.pieces.first?.colour ?? text.colour
        let isPlain = set.pieces.allSatisfy { !$0.hasColours && $0.colour == colour }
        let surface = try area.surface(isPlain ? .coverage : .colour)
        surface.draw { context in
            area.map.apply(to: context)
            paint(context, isPlain ? .coverage : .colours)
        }
        return layers + [isPlain ? .coverage(surface, colour) : .colours(surface)]
    }

    private enum Manner { case coverage, colours, outline }

    /// Paints the pieces in the layer's units. Pieces that follow one another and look alike are filled as one.
    private func paint(_ context: Pen, _ manner: Manner) {
        unsafe cairo_scale(context.pointer, 1 / unit, 1 / unit)
        var start = 0
        while start < set.pieces.count {
            let first = set.pieces[start]
            var end = start + 1
            while end < set.pieces.count, set.pieces[end].looks(like: first) { end += 1 }
            let pieces = set.pieces[start..<end]
            unsafe cairo_save(context.pointer)
            unsafe cairo_translate(context.pointer, 0, first.shift)
            let colour = manner == .colours ? first.colour : .black
            unsafe cairo_set_source_rgba(
                context.pointer, colour.red, colour.green, colour.blue, colour.alpha * first.presence)
            if first.hasColours {
                if manner != .outline { paintColours(pieces, context) }
            } else {
                fill(pieces, context, manner)
            }
            unsafe cairo_restore(context.pointer)
            start = end
        }
    }

    private func fill(_ pieces: ArraySlice<TextPiece>, _ context: Pen, _ manner: Manner) {
        unsafe cairo_new_path(context.pointer)
        for piece in pieces {
            setFont(piece, context)
            unsafe cairo_glyph_path(context.pointer, piece.glyphs, Int32(piece.glyphs.count))
            addBoxes(piece, context)
        }
        if manner == .outline {
            unsafe cairo_set_line_width(context.pointer, 2 * (text.outline?.width ?? 0) * unit)
            unsafe cairo_set_line_join(context.pointer, CAIRO_LINE_JOIN_ROUND)
            unsafe cairo_stroke_preserve(context.pointer)
        }
        unsafe cairo_fill(context.pointer)
    }

    private func paintColours(_ pieces: ArraySlice<TextPiece>, _ context: Pen) {
        let presence = pieces.first?.presence ?? 1
        if presence < 1 { unsafe cairo_push_group(context.pointer) }
        for piece in pieces {
            setFont(piece, context)
            unsafe cairo_show_glyphs(context.pointer, piece.glyphs, Int32(piece.glyphs.count))
            unsafe cairo_new_path(context.pointer)
            addBoxes(piece, context)
            unsafe cairo_fill(context.pointer)
        }
        if presence < 1 {
            unsafe cairo_pop_group_to_source(context.pointer)
            unsafe cairo_paint_with_alpha(context.pointer, presence)
        }
    }

    /// Sets a piece's font, whose size is in Pango's pixels while glyphs are in Pango's units.
    private func setFont(_ piece: TextPiece, _ context: Pen) {
        guard let font = unsafe piece.font, !piece.glyphs.isEmpty else { return }
        var matrix = cairo_matrix_t()
        unsafe cairo_scaled_font_get_font_matrix(font, &matrix)
        let scale = Double(PANGO_SCALE)
        matrix = cairo_matrix_t(
            xx: matrix.xx * scale, yx: matrix.yx * scale, xy: matrix.xy * scale, yy: matrix.yy * scale, x0: 0, y0: 0)
        unsafe cairo_set_font_face(context.pointer, cairo_scaled_font_get_font_face(font))
        unsafe cairo_set_font_matrix(context.pointer, &matrix)
        let options = unsafe cairo_font_options_create()
        unsafe cairo_scaled_font_get_font_options(font, options)
        unsafe cairo_set_font_options(context.pointer, options)
        unsafe cairo_font_options_destroy(options)
    }

    private func addBoxes(_ piece: TextPiece, _ context: Pen) {
        for rule in piece.rules { unsafe cairo_rectangle(context.pointer, rule.x, rule.y, rule.width, rule.height) }
        for box in piece.missing {
            // The hole of the box is drawn the other way round.
            let line = box.width * 0.1
            unsafe cairo_rectangle(context.pointer, box.x, box.y, box.width, box.height)
            unsafe cairo_rectangle(
                context.pointer, box.x + line, box.y + box.height - line, box.width - 2 * line, -(box.height - 2 * line)
            )
        }
    }
}

extension TextPiece {
    fileprivate func looks(like other: TextPiece) -> Bool {
        colour == other.colour && hasColours == other.hasColours && presence == other.presence && shift == other.shift
    }
}

extension Rect {
    fileprivate func divided(by unit: Double) -> Rect {
        Rect(x: x / unit, y: y / unit, width: width / unit, height: height / unit)
    }
}
