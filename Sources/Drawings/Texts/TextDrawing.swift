package import Pictures
package import SplitreelProject

/// A text in a box, with everything evaluated. Lengths are in the layer's units.
package struct TextDrawing: Sendable, Hashable {
    /// The text without markup, which is in `spans`.
    package var string: String
    package var spans: [TextSpan] = []
    /// The size of the box, whose top left is the layer's.
    package var width: Double
    package var height: Double
    package var font = TextFont()
    package var colour = Colour(red: 1, green: 1, blue: 1)
    package var align = TextSettings.Align.natural
    package var verticalAlign = TextSettings.VerticalAlign.top
    /// The room between letters beside their own distance.
    package var tracking = 0.0
    /// The distance from one baseline to the next; nil for that of the fonts.
    package var leading: Double?
    package var wrap = TextSettings.Wrap.word
    package var truncation = TextSettings.Truncation.never
    /// Whether text that is too large for its box is set smaller, down to a tenth.
    package var shrinksToFit = false
    package var direction = TextSettings.Direction.natural
    /// The language as a tag of BCP 47; empty where the characters tell.
    package var language = ""
    package var outline: TextOutline?
    package var shadow: TextShadow?
    package var background: TextBackground?
    /// The part of the text that is shown; nil for all of it.
    package var reveal: TextReveal?

    package init(string: String, width: Double, height: Double) {
        self.string = string
        self.width = width
        self.height = height
    }

    /// The box and all that may stick out of it.
    package var bounds: Rect {
        let largest = spans.reduce(font.size) { max($0, $1.style.size ?? 0, font.size * ($1.style.scale ?? 1)) }
        var reach = largest + (outline?.width ?? 0)
        if let background { reach = max(reach, background.padding.reduce(0, max) + 1) }
        if let shadow { reach += max(abs(shadow.x), abs(shadow.y)) + 2 * shadow.blur }
        // A line that is not broken goes on beyond its box, and lines go on below it.
        let length = Double(string.unicodeScalars.count) * (largest + max(tracking, 0))
        let sideways = reach + (wrap == .never ? length : 0)
        let upwards = reach + max(leading ?? 0, 2 * largest) * Double(string.unicodeScalars.count)
        return Rect(x: -sideways, y: -upwards, width: width + 2 * sideways, height: height + 2 * upwards)
    }
}

/// A font, and the way in which it is set.
package struct TextFont: Sendable, Hashable, Codable {
    /// The names of families, full names or PostScript names, or fonts among the project's assets, the first choice
    /// first.
    package var names: [FontName] = []
    /// The size of an em.
    package var size = 48.0
    /// The weight, 100…1000; 400 is regular, 700 bold. nil for what the font's name says, or regular.
    package var weight: Int?
    package var isItalic = false
    /// The values of OpenType axes by their tag, such as `wdth`.
    package var variations: [String: Double] = [:]
    /// The values of OpenType features by their tag: 0 is off, 1 on, more is a choice.
    package var features: [String: Int] = [:]

    package init() {}
}

package enum FontName: Sendable, Hashable, Codable {
    case named(String)
    /// An asset's name, as recipes have it.
    case asset(String)
}

/// A part of a text that looks another way. They are in order and apart from each other.
package struct TextSpan: Sendable, Hashable, Codable {
    /// The span's range in bytes of the string's UTF-8, half-open.
    package var start: Int
    package var end: Int
    package var style: TextStyle

    package init(start: Int, end: Int, style: TextStyle) {
        self.start = start
        self.end = end
        self.style = style
    }
}

/// The look of a span; what is nil is as in the text around it.
package struct TextStyle: Sendable, Hashable, Codable {
    package var names: [FontName]?
    package var size: Double?
    /// The factor of `size`, or of the text's size where that is nil.
    package var scale: Double?
    package var weight: Int?
    package var isItalic: Bool?
    package var colour: Colour?
    package var isUnderlined: Bool?
    package var isStruckThrough: Bool?
    /// The distance upwards, in parts of `size`, or of the text's size where that is nil.
    package var rise: Double?

    package init() {}
}

/// A line around letters, beneath their filling.
package struct TextOutline: Sendable, Hashable {
    /// The distance that the line reaches out of a letter.
    package var width: Double
    package var colour: Colour

    package init(width: Double, colour: Colour) { (self.width, self.colour) = (width, colour) }
}

package struct TextShadow: Sendable, Hashable {
    /// The distance to the right; `y` is the distance downwards.
    package var x: Double
    package var y: Double
    /// The diameter of what a point becomes, as CSS has it: two standard deviations of a Gaussian.
    package var blur: Double
    package var colour: Colour

    package init(x: Double, y: Double, blur: Double, colour: Colour) {
        self.x = x
        self.y = y
        self.blur = blur
        self.colour = colour
    }
}

/// A box behind the text that is there, not behind all of its layer.
package struct TextBackground: Sendable, Hashable {
    package var colour: Colour
    /// The room above, right, below and left of the text's lines.
    package var padding: [Double]
    package var cornerRadius: Double

    package init(colour: Colour, padding: [Double], cornerRadius: Double) {
        self.colour = colour
        self.padding = padding
        self.cornerRadius = cornerRadius
    }
}

/// The progress of a text that appears bit by bit.
package struct TextReveal: Sendable, Hashable {
    package var unit: RevealSettings.Unit
    package var style: RevealSettings.Style
    /// The share of the text that is there: 0 for nothing of it, 1 for all of it.
    package var progress: Double

    package init(unit: RevealSettings.Unit, style: RevealSettings.Style, progress: Double) {
        self.unit = unit
        self.style = style
        self.progress = progress
    }
}
