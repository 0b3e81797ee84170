import Hashing
import Pictures
import SplitreelProject

/// The sums of drawings in a chunk's key: a SHA-256 of all that decides a drawing's pixels, fonts' files among it. Sums
/// are kept for the next frames, of which most show the same.
final class DrawingSums {
    private var known: [DrawingPicture: String] = [:]
    private let fonts: FontPlan?

    /// The sums that are kept at most: a moving drawing is another one with each frame.
    private static let mostKept = 64

    init(_ fonts: FontPlan?) { self.fonts = fonts }

    func sum(of picture: DrawingPicture) -> String {
        if let sum = known[picture] { return sum }
        var writer = DrawingWriter()
        writer.append(picture)
        if case .text = picture.drawing, let fonts { writer.append(fonts) }
        var hash = SHA256Sum()
        hash.update(writer.bytes)
        let sum = hash.text
        if known.count >= Self.mostKept { known.removeAll() }
        known[picture] = sum
        return sum
    }
}

/// Turns a drawing into bytes: fixed-size fields, little-endian, texts and lists with their length in front.
private struct DrawingWriter {
    var bytes: [UInt8] = []

    mutating func append(_ picture: DrawingPicture) {
        append([Double(picture.size.width), Double(picture.size.height), picture.scaleX, picture.scaleY])
        append([picture.originX, picture.originY])
        switch picture.drawing {
        case .text(let text): append(text)
        case .shape(let shape): append(shape)
        }
    }

    /// Appends the fonts. The place where a file lies is left out: it makes no other pixels.
    mutating func append(_ fonts: FontPlan) {
        append("fonts")
        for face in fonts.faces {
            append(face.sum)
            append(Double(face.index))
            append(face.asset ?? face.family)
        }
        for (name, choice) in fonts.names.sorted(by: { $0.key < $1.key }) {
            append(name)
            append(choice.family)
            append([Double(choice.weight ?? 0), choice.isItalic.map { $0 ? 1 : 0 } ?? 2])
        }
    }

    private mutating func append(_ shape: ShapeDrawing) {
        append("shape")
        append(shape.path)
        append(shape.fillColour)
        append(shape.strokeColour)
        for word in [shape.fillRule.rawValue, shape.cap.rawValue, shape.join.rawValue] { append(word) }
        append([shape.lineWidth, shape.dashPhase, shape.miterLimit, shape.strokeStart, shape.strokeEnd])
        append(shape.dashPattern)
    }

    private mutating func append(_ path: DrawingPath) {
        append(Double(path.segments.count))
        for segment in path.segments {
            switch segment {
            case .move: bytes.append(0)
            case .line: bytes.append(1)
            case .curve: bytes.append(2)
            case .close: bytes.append(3)
            }
            for point in segment.points {
                append(point.x)
                append(point.y)
            }
        }
    }

    private mutating func append(_ text: TextDrawing) {
        append("text")
        append(text.string)
        append(Double(text.spans.count))
        for span in text.spans {
            append([Double(span.start), Double(span.end)])
            append(span.style)
        }
        append([text.width, text.height, text.tracking, text.leading ?? -1, text.shrinksToFit ? 1 : 0])
        append(text.font)
        append(text.colour)
        for word in [
            text.align.rawValue, text.verticalAlign.rawValue, text.wrap.rawValue, text.truncation.rawValue,
            text.direction.rawValue, text.language,
        ] {
            append(word)
        }
        append(text.outline.map { [$0.width] } ?? [])
        append(text.outline?.colour)
        append(text.shadow.map { [$0.x, $0.y, $0.blur] } ?? [])
        append(text.shadow?.colour)
        append(text.background.map { $0.padding + [$0.cornerRadius] } ?? [])
        append(text.background?.colour)
        append(text.reveal.map { [$0.progress] } ?? [])
        for word in [text.reveal?.unit.rawValue, text.reveal?.style.rawValue] { append(word ?? "") }
    }

    private mutating func append(_ font: TextFont) {
        append(font.names)
        append([font.size, font.weight.map(Double.init) ?? 0, font.isItalic ? 1 : 0])
        append(Double(font.variations.count))
        for (axis, value) in font.variations.sorted(by: { $0.key < $1.key }) {
            append(axis)
            append(value)
        }
        append(Double(font.features.count))
        for (feature, value) in font.features.sorted(by: { $0.key < $1.key }) {
            append(feature)
            append(Double(value))
        }
    }

    private mutating func append(_ names: [FontName]) {
        append(Double(names.count))
        for name in names {
            switch name {
            case .named(let name): append("named " + name)
            case .asset(let name): append("asset " + name)
            }
        }
    }

    private mutating func append(_ style: TextStyle) {
        append(style.names ?? [])
        append(style.colour)
        let flags = [style.isItalic, style.isUnderlined, style.isStruckThrough]
        append(flags.map { $0.map { $0 ? 1 : 0 } ?? 2 })
        append([style.size ?? 0, style.scale ?? 0, style.weight.map(Double.init) ?? 0, style.rise ?? 1000])
    }

    private mutating func append(_ colour: Colour?) {
        append(colour.map { [$0.red, $0.green, $0.blue, $0.alpha] } ?? [])
    }

    private mutating func append(_ numbers: [Double]) {
        append(Double(numbers.count))
        for number in numbers { append(number) }
    }

    private mutating func append(_ text: String) {
        append(Double(text.utf8.count))
        bytes += text.utf8
    }

    /// Appends a number in 8 bytes; minus zero counts as zero.
    private mutating func append(_ number: Double) {
        withUnsafeBytes(of: (number == 0 ? 0 : number).bitPattern.littleEndian) { bytes += $0 }
    }
}
