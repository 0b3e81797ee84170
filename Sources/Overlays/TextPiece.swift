internal import CPango
import Drawings
import Pictures
internal import SplitreelProject

/// Glyphs of one font and one look that lie in one line, in the layout's units.
@safe
struct TextPiece {
    var glyphs: [cairo_glyph_t] = []
    /// The font, owned by the layout's; nil for a piece without glyphs.
    var font: OpaquePointer?
    /// The boxes that stand in for characters that no font has.
    var missing: [Rect] = []
    /// The rectangles of underlines and of lines through the text.
    var rules: [Rect] = []
    var colour: Colour
    /// Whether its glyphs have colours of their own.
    var hasColours = false
    /// The place in bytes of the text of the first byte of its cluster.
    var place: Int
    var line: Int
    /// The opacity, 0…1: below 1 while it appears.
    var presence = 1.0
    /// The move downwards.
    var shift = 0.0
    /// The height of its line, of which it rises a part.
    var height = 0.0
}

/// The contents of a layout: its pieces, one for each cluster, and where they are.
struct SetText {
    /// The pieces in the order in which lines are drawn.
    var pieces: [TextPiece] = []
    /// The rectangle that is inked; `lines` is the one that the lines take. Both are nil without any.
    var ink: Rect?
    var lines: Rect?
    /// The colour of pieces that have none of their own.
    let colour: Colour
    /// The faces of its glyphs, in the order of their first use.
    var faces: [FontFace] = []
    /// The characters that no font has.
    var missing: [Unicode.Scalar] = []
}

extension TextLayout {
    /// Sets all pieces in their places in the box, whose top left is 0. `colour` is for pieces that have none of their
    /// own.
    func set(in colour: Colour = .black) -> SetText {
        var result = SetText(colour: colour)
        var logical = PangoRectangle()
        unsafe pango_layout_get_extents(layout, nil, &logical)
        let slack = text.height * unit - Double(logical.height)
        let top =
            switch text.verticalAlign {
            case .top: 0.0
            case .center: slack / 2
            case .bottom: slack
            }
        guard let walk = unsafe pango_layout_get_iter(layout) else { return result }
        defer { unsafe pango_layout_iter_free(walk) }
        var line = 0
        repeat {
            unsafe addLine(walk, line, top - Double(logical.y), to: &result)
            line += 1
        } while unsafe pango_layout_iter_next_line(walk) != 0
        return result
    }

    /// Adds one line, with the iterator at its start, and leaves the iterator at the line's last run.
    private func addLine(_ walk: OpaquePointer, _ line: Int, _ top: Double, to result: inout SetText) {
        guard let pointer = unsafe pango_layout_iter_get_line_readonly(walk) else { return }
        var (ink, logical) = (PangoRectangle(), PangoRectangle())
        unsafe pango_layout_iter_get_line_extents(walk, &ink, &logical)
        let slack = text.width * unit - Double(logical.width)
        let isRightToLeft = unsafe pango_layout_line_get_resolved_direction(pointer) == PANGO_DIRECTION_RTL
        let left =
            switch text.align {
            case .left: 0.0
            case .right: slack
            case .center: slack / 2
            case .natural: isRightToLeft ? slack : 0
            case .justified: Double(logical.x)
            }
        let move = (x: left - Double(logical.x), y: top)
        result.ink = union(result.ink, rectangle(ink, move))
        result.lines = union(result.lines, rectangle(logical, move))
        let baseline = unsafe Double(pango_layout_iter_get_baseline(walk)) + move.y
        while let run = unsafe pango_layout_iter_get_run_readonly(walk) {
            var extents = PangoRectangle()
            unsafe pango_layout_iter_get_run_extents(walk, nil, &extents)
            let start = DrawingPoint(Double(extents.x) + move.x, baseline - (unsafe Double(run.pointee.y_offset)))
            unsafe addRun(run, at: start, line, height: Double(logical.height), to: &result)
            // The next run may be the next line's.
            guard unsafe pango_layout_iter_get_line_readonly(walk) == pointer,
                unsafe pango_layout_iter_next_run(walk) != 0
            else { break }
            if unsafe pango_layout_iter_get_line_readonly(walk) != pointer { break }
        }
    }

    private func rectangle(_ rectangle: PangoRectangle, _ move: (x: Double, y: Double)) -> Rect? {
        guard rectangle.width > 0, rectangle.height > 0 else { return nil }
        return Rect(
            x: Double(rectangle.x) + move.x, y: Double(rectangle.y) + move.y, width: Double(rectangle.width),
            height: Double(rectangle.height))
    }

    private func union(_ first: Rect?, _ second: Rect?) -> Rect? {
        guard let first, let second else { return first ?? second }
        return first.union(second)
    }

    private func addRun(
        _ run: UnsafeMutablePointer<PangoGlyphItem>, at start: DrawingPoint, _ line: Int, height: Double,
        to result: inout SetText
    ) {
        guard let item = unsafe run.pointee.item, let string = unsafe run.pointee.glyphs,
            let font = unsafe item.pointee.analysis.font
        else { return }
        let face = unsafe splitreel_font_pattern(font).map { unsafe FontFace($0) }
        let scaled = unsafe splitreel_scaled_font(font)
        var x = start.x
        var last: Int32 = -1
        for index in 0..<Int(unsafe string.pointee.num_glyphs) {
            let (info, cluster) = unsafe (string.pointee.glyphs[index], string.pointee.log_clusters[index])
            defer { x += Double(info.geometry.width) }
            let place = unsafe Int(item.pointee.offset + cluster)
            if cluster != last {
                let style = text.style(at: place)
                var piece = unsafe TextPiece(
                    font: scaled, colour: style?.colour ?? result.colour, hasColours: face?.hasColours ?? false,
                    place: place, line: line, height: height)
                unsafe addRules(style, font, from: x, baseline: start.y, string, index, to: &piece)
                result.pieces.append(piece)
                last = cluster
            }
            if info.glyph == PANGO_GLYPH_EMPTY { continue }
            let spot = DrawingPoint(x + Double(info.geometry.x_offset), start.y + Double(info.geometry.y_offset))
            if info.glyph & PANGO_GLYPH_UNKNOWN_FLAG != 0 {
                if let scalar = Unicode.Scalar(info.glyph & ~PANGO_GLYPH_UNKNOWN_FLAG) { result.missing.append(scalar) }
                let width = Double(info.geometry.width)
                let box = Rect(
                    x: spot.x + 0.1 * width, y: spot.y - 1.2 * width, width: 0.8 * width, height: 1.2 * width)
                result.pieces[result.pieces.count - 1].missing.append(box)
            } else {
                if let face, !result.faces.contains(where: { $0.path == face.path && $0.index == face.index }) {
                    result.faces.append(face)
                }
                result.pieces[result.pieces.count - 1].glyphs.append(
                    cairo_glyph_t(index: UInt(info.glyph), x: spot.x, y: spot.y))
            }
        }
    }

    /// Adds the lines under and through a cluster, as wide as it is.
    private func addRules(
        _ style: TextStyle?, _ font: UnsafeMutablePointer<PangoFont>, from x: Double, baseline: Double,
        _ string: UnsafeMutablePointer<PangoGlyphString>, _ first: Int, to piece: inout TextPiece
    ) {
        guard let style, style.isUnderlined == true || style.isStruckThrough == true,
            let metrics = unsafe pango_font_get_metrics(font, nil)
        else { return }
        defer { unsafe pango_font_metrics_unref(metrics) }
        var width = 0.0
        let cluster = unsafe string.pointee.log_clusters[first]
        for index in first..<Int(unsafe string.pointee.num_glyphs) {
            guard unsafe string.pointee.log_clusters[index] == cluster else { break }
            width += unsafe Double(string.pointee.glyphs[index].geometry.width)
        }
        func rule(_ position: Int32, _ thickness: Int32) -> Rect {
            Rect(x: x, y: baseline - Double(position), width: width, height: Double(thickness))
        }
        if style.isUnderlined == true {
            piece.rules.append(
                unsafe rule(
                    pango_font_metrics_get_underline_position(metrics),
                    pango_font_metrics_get_underline_thickness(metrics)))
        }
        if style.isStruckThrough == true {
            piece.rules.append(
                unsafe rule(
                    pango_font_metrics_get_strikethrough_position(metrics),
                    pango_font_metrics_get_strikethrough_thickness(metrics)))
        }
    }
}

extension TextDrawing {
    /// The style of a byte of the text; nil where it looks as the whole.
    fileprivate func style(at place: Int) -> TextStyle? {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].end <= place { low = middle + 1 } else { high = middle }
        }
        return low < spans.count && spans[low].start <= place ? spans[low].style : nil
    }
}

extension Rect {
    /// The smallest rectangle around both.
    func union(_ other: Rect) -> Rect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Rect(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    func grown(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Rect {
        Rect(x: x - left, y: y - top, width: width + left + right, height: height + top + bottom)
    }

    func grown(_ side: Double) -> Rect { grown(side, side, side, side) }
}
