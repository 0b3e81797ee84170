public import JSONText
public import MediaTime
public import Pictures

/// The key `text` of a layer's contents.
public struct TextSettings: ProjectObject {
    public enum Align: String, ProjectWord { case natural, left, center, right, justified }
    public enum VerticalAlign: String, ProjectWord { case top, center, bottom }
    public enum Wrap: String, ProjectWord { case word, character, none }
    public enum Truncation: String, ProjectWord { case none, start, middle, end }
    public enum Direction: String, ProjectWord, Codable {
        case natural
        case leftToRight = "left-to-right"
        case rightToLeft = "right-to-left"
    }

    public var string = ""
    public var font: FontList?
    public var size: Double?
    public var weight: FontWeight?
    public var italic: Bool?
    public var variations: [String: Double]?
    public var features: [String: Int]?
    public var color: Colour?
    public var align: Align?
    public var verticalAlign: VerticalAlign?
    public var tracking: Double?
    public var leading: Double?
    public var wrap: Wrap?
    public var truncation: Truncation?
    public var shrinkToFit: Bool?
    public var direction: Direction?
    public var language: String?
    public var markup: Bool?
    public var outline: OutlineSettings?
    public var shadow: ShadowSettings?
    public var background: BackgroundSettings?
    public var reveal: RevealSettings?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

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

public struct OutlineSettings: ProjectObject {
    public var width = 0.0
    public var color: Colour?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "TextOutline"
    package static let summary = "A line around letters, with round corners."
    package static let fields: [Field<OutlineSettings>] = [
        Field("width", required: \.width, "How far it reaches out of the letters, 0…256."),
        Field("color", \.color, "Absent: black."),
    ]
}

public struct ShadowSettings: ProjectObject {
    public var offset: NumberPair?
    public var blur: Double?
    public var color: Colour?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "TextShadow"
    package static let summary = "A shadow of letters."
    package static let fields: [Field<ShadowSettings>] = [
        Field("offset", \.offset, "[x, y], to the right and downwards; absent: [0, 3]."),
        Field("blur", \.blur, default: .integer(6), "0…256, as CSS has it: twice the deviation of a Gaussian."),
        Field("color", \.color, "Absent: black of half opacity."),
    ]
}

public struct BackgroundSettings: ProjectObject {
    public var color = Colour.black
    public var padding: Padding?
    public var cornerRadius: Double?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "TextBackground"
    package static let summary = "A box behind the lines of a text."
    package static let fields: [Field<BackgroundSettings>] = [
        Field("color", required: \.color, "Of the box."),
        Field(
            "padding", \.padding, default: .integer(0), "Around the lines: one number, or [above and below, beside]."),
        Field("cornerRadius", \.cornerRadius, default: .integer(0), "Of its corners."),
    ]
}

public struct RevealSettings: ProjectObject {
    public enum Unit: String, ProjectWord { case glyph, word, line }
    public enum Style: String, ProjectWord {
        case typewriter, fade
        case slideUp = "slide-up"
    }

    public var by: Unit?
    public var style: Style?
    public var begin: MediaTime?
    public var duration = MediaTime.zero
    public var easing: Easing?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

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
