public import JSONText
public import MediaTime
public import Pictures

/// The key `text` of a layer's contents.
public struct TextSettings: ProjectObject {
    /// The place of a text's lines.
    public enum Align: String, Codable, ProjectWord {
        /// Where the text's writing begins; at a side, or in the middle; from side to side.
        case natural, left, center, right, justified
    }
    /// The place of all lines in the bounds.
    public enum VerticalAlign: String, Codable, ProjectWord {
        /// At the upper edge; in the middle; at the lower edge.
        case top, center, bottom
    }
    /// The places where lines that are too wide are broken.
    public enum Wrap: String, Codable, ProjectWord {
        /// Between words; between any two characters.
        case word, character
        /// Nowhere, `none` in the file.
        case never = "none"
    }
    /// The place where an ellipsis stands in for what has no room.
    public enum Truncation: String, Codable, ProjectWord {
        /// Nowhere, `none` in the file.
        case never = "none"
        /// Before the text; in it; after it.
        case start, middle, end
    }
    /// The direction of a text.
    public enum Direction: String, Codable, ProjectWord {
        /// The direction of the first letter.
        case natural
        /// As Latin, whatever the letters are.
        case leftToRight = "left-to-right"
        /// As Arabic and Hebrew, whatever the letters are.
        case rightToLeft = "right-to-left"
    }

    /// The text, at most 65536 bytes; line feeds begin new lines.
    public var string = ""
    /// The fonts, the first that there is and that has the character counts; nil for the sans-serif one of the machine
    /// that plans.
    public var font: FontList?
    /// The size of an em, above 0, at most 4096; nil for 48.
    public var size: Double?
    /// The weight; nil for what the font's name says.
    public var weight: FontWeight?
    /// Whether the font is italic, oblique or slanted; nil counts as false.
    public var italic: Bool?
    /// The axes of a variable font by their tags, such as `wdth`; nil for none.
    public var variations: [String: Double]?
    /// The OpenType features by their tags, such as `smcp`: 0 is off, 1 on. nil for the font's own.
    public var features: [String: Int]?
    /// The colour of the letters; nil for white. Emoji have their own.
    public var color: Colour?
    /// The place of lines; nil for `natural`, where the text's writing begins.
    public var align: Align?
    /// The place of all lines in the bounds; nil for the top.
    public var verticalAlign: VerticalAlign?
    /// The room that is added between letters; below 0 they are closer. nil for 0.
    public var tracking: Double?
    /// The distance from one baseline to the next; nil for that of the fonts.
    public var leading: Double?
    /// The places where lines that are too wide are broken; nil for words.
    public var wrap: Wrap?
    /// The place where an ellipsis stands in for what has no room; nil for none.
    public var truncation: Truncation?
    /// Whether text too large for the bounds is set smaller; nil counts as false.
    public var shrinkToFit: Bool?
    /// The direction; nil for `natural`, that of the first letter.
    public var direction: Direction?
    /// The language as a tag of BCP 47, which decides shapes and breaks; nil where the characters tell.
    public var language: String?
    /// Whether the string has tags: b, i, u, s, sub, sup, small, big, span. nil counts as false.
    public var markup: Bool?
    /// The line around the letters; nil for none.
    public var outline: OutlineSettings?
    /// The shadow beneath the letters and their outline; nil for none.
    public var shadow: ShadowSettings?
    /// The box behind the lines; nil for none.
    public var background: BackgroundSettings?
    /// The way in which the text appears bit by bit; nil where it is there.
    public var reveal: RevealSettings?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    /// The most bytes of a text.
    package static let mostBytes = 65536

    package static let typeName = "Text"
    package static let summary = """
        Text in the layer's bounds. Lengths are in the layer's units; offsets and paddings are as one reads, y down, \
        whatever the layer's own y is.
        """
    package static let fields: [Field<TextSettings>] = [
        Field("string", required: \.string, "What is written, at most 65536 bytes; line feeds begin new lines."),
        Field(
            "font", \.font,
            """
            A family, a full or a PostScript name, or an asset of kind font; or several, in a list or with commas: the \
            first that there is and that has the character counts. Absent: the sans-serif one of the machine that plans.
            """),
        Field("size", \.size, default: .integer(48), "Of an em, above 0, at most 4096."),
        Field("weight", \.weight, "A number from 1 to 1000, or a word such as bold; absent: as the font's name says."),
        Field("italic", \.italic, default: .bool(false), "An italic or oblique font, or a slanted one."),
        Field("variations", \.variations, "Axes of a variable font by their tags, such as {\"wdth\": 75}."),
        Field("features", \.features, "OpenType features by their tags, such as {\"smcp\": 1, \"liga\": 0}."),
        Field("color", \.color, "Of the letters; absent: white. Emoji have their own."),
        Field("align", \.align, default: .string("natural"), "Of lines; natural: where the text's writing begins."),
        Field("verticalAlign", \.verticalAlign, default: .string("top"), "Of all lines in the bounds."),
        Field("tracking", \.tracking, default: .integer(0), "Added between letters; below 0 they are closer."),
        Field("leading", \.leading, "From one baseline to the next; absent: as the fonts have it."),
        Field("wrap", \.wrap, default: .string("word"), "Where lines that are too wide are broken."),
        Field(
            "truncation", \.truncation, default: .string("none"), "Where an ellipsis stands in for what has no room."),
        Field("shrinkToFit", \.shrinkToFit, default: .bool(false), "Text too large for the bounds is set smaller."),
        Field("direction", \.direction, default: .string("natural"), "Of the text; natural: as its first letter."),
        Field("language", \.language, "BCP 47 tag: which shapes of characters and which breaks; absent: as they are."),
        Field(
            "markup", \.markup, default: .bool(false),
            "The string has tags: b, i, u, s, sub, sup, small, big, span (color, size, weight, style, font); &amp; …"),
        Field("outline", \.outline, "A line around the letters."),
        Field("shadow", \.shadow, "Beneath the letters and their outline."),
        Field("background", \.background, "A box behind the lines."),
        Field("reveal", \.reveal, "How the text appears bit by bit; absent: it is there."),
    ]
}

/// A line around letters, with round corners.
public struct OutlineSettings: ProjectObject {
    /// The distance that it reaches out of the letters, 0…256.
    public var width = 0.0
    /// The line's colour; nil for black.
    public var color: Colour?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "TextOutline"
    package static let summary = "A line around letters, with round corners."
    package static let fields: [Field<OutlineSettings>] = [
        Field("width", required: \.width, "How far it reaches out of the letters, 0…256."),
        Field("color", \.color, "Absent: black."),
    ]
}

/// A shadow of letters.
public struct ShadowSettings: ProjectObject {
    /// The way to the right and downwards; nil for [0, 3].
    public var offset: NumberPair?
    /// The blur, 0…256, as CSS has it: twice the deviation of a Gaussian. nil for 6.
    public var blur: Double?
    /// The shadow's colour; nil for black of half opacity.
    public var color: Colour?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "TextShadow"
    package static let summary = "A shadow of letters."
    package static let fields: [Field<ShadowSettings>] = [
        Field("offset", \.offset, "[x, y], to the right and downwards; absent: [0, 3]."),
        Field("blur", \.blur, default: .integer(6), "0…256, as CSS has it: twice the deviation of a Gaussian."),
        Field("color", \.color, "Absent: black of half opacity."),
    ]
}

/// A box behind the lines of a text.
public struct BackgroundSettings: ProjectObject {
    /// The colour of the box.
    public var color = Colour.black
    /// The room around the lines; nil for 0.
    public var padding: Padding?
    /// The radius of its corners; nil for 0.
    public var cornerRadius: Double?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "TextBackground"
    package static let summary = "A box behind the lines of a text."
    package static let fields: [Field<BackgroundSettings>] = [
        Field("color", required: \.color, "Of the box."),
        Field(
            "padding", \.padding, default: .integer(0), "Around the lines: one number, or [above and below, beside]."),
        Field("cornerRadius", \.cornerRadius, default: .integer(0), "Of its corners."),
    ]
}

/// A text that appears bit by bit, in the order in which it is read.
public struct RevealSettings: ProjectObject {
    /// The bits of a text that appear at once.
    public enum Unit: String, Codable, ProjectWord {
        /// Letter by letter; word by word; line by line.
        case glyph, word, line
    }
    /// The way in which a bit of a text appears.
    public enum Style: String, Codable, ProjectWord {
        /// At once; by its opacity.
        case typewriter, fade
        /// As `fade`, rising by half its height.
        case slideUp = "slide-up"
    }

    /// The bits that appear at once; nil for `glyph`.
    public var by: Unit?
    /// The way in which a bit appears; nil for `typewriter`.
    public var style: Style?
    /// The begin on the layer's clock; nil for 0.
    public var begin: MediaTime?
    /// The length from the first bit's beginning to the last one's end.
    public var duration = MediaTime.zero
    /// The pace; nil for linear.
    public var easing: Easing?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "TextReveal"
    package static let summary = "A text that appears bit by bit, in the order in which it is read."
    package static let fields: [Field<RevealSettings>] = [
        Field("by", \.by, default: .string("glyph"), "What appears at once."),
        Field(
            "style", \.style, default: .string("typewriter"), "At once, by opacity, or rising by half its height too."),
        Field("begin", \.begin, "On the layer's clock; absent: 0."),
        Field("duration", required: \.duration, "From the first bit's beginning to the last one's end."),
        Field("easing", \.easing, default: .string("linear"), "How it gets on."),
    ]
}
