internal import CPango
import Diagnostics
import Drawings
internal import ExactMath
internal import SplitreelProject

/// A text that is shaped and broken into lines. Shaping does not depend on the size that is drawn: glyphs are neither
/// hinted nor moved to whole pixels.
@safe
final class TextLayout {
    let text: TextDrawing
    /// The number of Pango's units in one of the layer's: Pango counts in whole ones.
    let unit: Double
    let layout: OpaquePointer
    private let context: OpaquePointer

    init(_ text: TextDrawing, _ fonts: FontCollection) throws {
        self.text = text
        unit = text.font.size < 32 ? 8 * Double(PANGO_SCALE) : Double(PANGO_SCALE)
        guard let context = unsafe pango_font_map_create_context(fonts.map) else {
            throw SplitreelError(
                .internalFault, operation: "setting text", subject: "a context", reason: "Pango gives none")
        }
        unsafe self.context = context
        unsafe Self.prepare(context, for: text)
        unsafe layout = pango_layout_new(context)
        unsafe pango_layout_set_text(layout, text.string, Int32(text.string.utf8.count))
        unsafe pango_layout_set_auto_dir(layout, text.direction == .natural ? 1 : 0)
        unsafe pango_layout_set_justify(layout, text.align == .justified ? 1 : 0)
        setBreaking()
        try setAttributes(fonts, scale: 1)
        if text.shrinksToFit, !fits {
            var (low, high) = (0.1, 1.0)
            for _ in 0..<10 {
                let middle = (low + high) / 2
                try setAttributes(fonts, scale: middle)
                if fits { low = middle } else { high = middle }
            }
            try setAttributes(fonts, scale: low)
        }
    }

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(layout))
        unsafe g_object_unref(UnsafeMutableRawPointer(context))
    }

    private static func prepare(_ context: OpaquePointer, for text: TextDrawing) {
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe pango_cairo_context_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
        unsafe pango_context_set_round_glyph_positions(context, 0)
        let direction = text.direction == .rightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR
        unsafe pango_context_set_base_dir(context, direction)
        let language = text.language.isEmpty ? "en" : text.language
        unsafe pango_context_set_language(context, pango_language_from_string(language))
    }

    private func setBreaking() {
        let isBroken = text.wrap != .never
        let ellipsis: PangoEllipsizeMode =
            switch text.truncation {
            case .never: PANGO_ELLIPSIZE_NONE
            case .start: PANGO_ELLIPSIZE_START
            case .middle: PANGO_ELLIPSIZE_MIDDLE
            case .end: PANGO_ELLIPSIZE_END
            }
        unsafe pango_layout_set_ellipsize(layout, ellipsis)
        unsafe pango_layout_set_width(layout, isBroken || text.truncation != .never ? units(text.width) : -1)
        unsafe pango_layout_set_wrap(layout, text.wrap == .character ? PANGO_WRAP_CHAR : PANGO_WRAP_WORD_CHAR)
        if isBroken, text.truncation != .never { unsafe pango_layout_set_height(layout, units(text.height)) }
    }

    /// The range of Pango's units that fit its numbers.
    private static let moves = -1_000_000_000.0...1_000_000_000.0

    private func units(_ length: Double) -> Int32 {
        Int32((length * unit).rounded().held(in: 0...1_000_000_000))
    }

    private var fits: Bool {
        var logical = PangoRectangle()
        unsafe pango_layout_get_extents(layout, nil, &logical)
        let isBroken = text.wrap != .never
        // A word that is broken within would be whole in smaller letters.
        let wraps = isBroken && breaksWithinWords
        return Double(logical.width) <= text.width * unit + 1 && Double(logical.height) <= text.height * unit + 1
            && !wraps
    }

    private var breaksWithinWords: Bool {
        guard text.wrap == .word else { return false }
        var count: Int32 = 0
        let attributes = unsafe pango_layout_get_log_attrs_readonly(layout, &count)
        guard let attributes = unsafe attributes else { return false }
        let bytes = Array(text.string.utf8)
        // The characters before each line's first byte are counted here.
        var characters = 0
        var place = 0
        for line in 0..<(unsafe pango_layout_get_line_count(layout)) {
            guard let start = unsafe pango_layout_get_line_readonly(layout, line)?.pointee.start_index else { continue }
            while place < Int(start), place < bytes.count {
                if bytes[place] & 0xC0 != 0x80 { characters += 1 }
                place += 1
            }
            if characters > 0, characters < Int(count),
                unsafe splitreel_is_line_break(attributes, Int32(characters)) == 0
            {
                return true
            }
        }
        return false
    }
}

// MARK: - How letters look

extension TextLayout {
    private func setAttributes(_ fonts: FontCollection, scale: Double) throws {
        let list = unsafe pango_attr_list_new()
        defer { unsafe pango_attr_list_unref(list) }
        let whole = TextStyle()
        unsafe insert(font(whole, fonts, scale), into: list)
        if text.tracking != 0 {
            let spacing = Int32((text.tracking * scale * unit).rounded().held(in: Self.moves))
            unsafe insert(pango_attr_letter_spacing_new(spacing), into: list)
        }
        if let leading = text.leading {
            unsafe insert(pango_attr_line_height_new_absolute(units(leading * scale)), into: list)
        }
        unsafe insert(pango_attr_insert_hyphens_new(0), into: list)
        if !text.font.features.isEmpty {
            let features = text.font.features.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            unsafe insert(pango_attr_font_features_new(features.joined(separator: ",")), into: list)
        }
        if !text.language.isEmpty {
            unsafe insert(pango_attr_language_new(pango_language_from_string(text.language)), into: list)
        }
        for span in text.spans {
            let style = span.style
            unsafe insert(font(style, fonts, scale), into: list, span)
            if let rise = style.rise {
                let size = (style.size ?? text.font.size) * scale
                unsafe insert(
                    pango_attr_rise_new(Int32((rise * size * unit).rounded().held(in: Self.moves))), into: list, span)
            }
        }
        unsafe pango_layout_set_attributes(layout, list)
    }

    private func insert(
        _ attribute: UnsafeMutablePointer<PangoAttribute>?, into list: OpaquePointer?, _ span: TextSpan? = nil
    ) {
        guard let attribute = unsafe attribute else { return }
        if let span {
            unsafe attribute.pointee.start_index = UInt32(max(0, span.start))
            unsafe attribute.pointee.end_index = UInt32(max(0, span.end))
        }
        unsafe pango_attr_list_change(list, attribute)
    }

    private func font(
        _ style: TextStyle, _ fonts: FontCollection, _ scale: Double
    ) -> UnsafeMutablePointer<PangoAttribute>? {
        let choices = (style.names ?? text.font.names).compactMap(fonts.choice) + [fonts.standard].compactMap { $0 }
        let description = unsafe pango_font_description_new()
        defer { unsafe pango_font_description_free(description) }
        // Commas part families; no choice has one: see `FontCollection.choice`.
        let families = choices.map(\.family) + (fonts.families.isEmpty ? ["sans-serif"] : fonts.families)
        unsafe pango_font_description_set_family(description, families.joined(separator: ","))
        let size = (style.size ?? text.font.size) * (style.scale ?? 1) * scale
        unsafe pango_font_description_set_absolute_size(description, max(1, (size * unit).rounded()))
        let highest = choices.first.flatMap { fonts.highestWeight(ofFamily: $0.family) } ?? 1000
        let weight = min(style.weight ?? text.font.weight ?? choices.first?.weight ?? 400, highest)
        unsafe pango_font_description_set_weight(description, PangoWeight(rawValue: UInt32(min(max(weight, 1), 1000))))
        let isItalic = style.isItalic ?? (text.font.isItalic || choices.first?.isItalic == true)
        unsafe pango_font_description_set_style(description, isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
        let axes = text.font.variations.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        if !axes.isEmpty { unsafe pango_font_description_set_variations(description, axes.joined(separator: ",")) }
        return unsafe pango_attr_font_desc_new(description)
    }
}
