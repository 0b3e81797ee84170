package import SplitreelProject

/// The part of a text that decides the fonts that it needs, for whoever finds them: here or in another process.
package struct FontText: Sendable, Hashable, Codable {
    package var string: String
    package var spans: [TextSpan]
    package var font: TextFont
    package var language: String
    package var direction: TextSettings.Direction
    /// The files whose fonts are taken before all others, by the names that these fonts have themselves: those of
    /// scripts.
    package var suppliers: [String]?

    package init(_ text: TextDrawing) {
        string = text.string
        spans = text.spans.map { span in
            var span = span
            span.style.colour = nil
            span.style.rise = nil
            span.style.isUnderlined = nil
            return span
        }
        font = text.font
        font.size = 48
        (language, direction) = (text.language, text.direction)
    }

    /// The most bytes of all texts of a film that differ.
    package static let mostBytes = 16 << 20

    /// The bytes that it takes to hold and to send, roughly.
    package var byteCount: Int {
        let names = (font.names + spans.flatMap { $0.style.names ?? [] }).reduce(0) { $0 + $1.key.utf8.count }
        let settings = font.variations.count + font.features.count
        let paths = (suppliers ?? []).reduce(0) { $0 + $1.utf8.count }
        return 64 + paths + string.utf8.count + 64 * spans.count + 16 * settings + names
    }

    /// The text set in a box that changes nothing.
    package var drawing: TextDrawing {
        var text = TextDrawing(string: string, width: 1, height: 1)
        text.spans = spans
        text.font = font
        text.language = language
        text.direction = direction
        text.wrap = .never
        return text
    }
}

/// The fonts of a film's texts, and the remarks of which a person should know.
package struct FoundFonts: Sendable, Codable {
    /// The plan of the fonts; nil without texts.
    package var plan: FontPlan?
    package var remarks: [String]

    package init(plan: FontPlan?, remarks: [String]) { (self.plan, self.remarks) = (plan, remarks) }
}
