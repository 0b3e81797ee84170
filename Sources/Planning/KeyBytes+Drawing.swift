import Drawings
import Pictures
import SplitreelProject

// The bytes of drawings in content keys.
extension KeyBytes {
    mutating func append(_ picture: DrawingPicture) {
        append(picture.size)
        for value in [picture.scaleX, picture.scaleY, picture.originX, picture.originY] { append(value) }
        switch picture.drawing {
        case .text(let text):
            append(tag: .text)
            append(text)
        case .shape(let shape):
            append(tag: .shape)
            append(shape)
        }
    }

    /// Appends the fonts. The place where a file lies is left out: it makes no other pixels.
    mutating func append(_ fonts: FontPlan) {
        append(each: fonts.faces) { bytes, face in
            bytes.append(face.sum)
            bytes.append(face.index)
            bytes.append(face.family)
            bytes.append(ifAny: face.asset) { $0.append($1) }
        }
        append(byName: fonts.names) { bytes, choice in
            bytes.append(choice.family)
            bytes.append(ifAny: choice.weight) { $0.append($1) }
            bytes.append(ifAny: choice.isItalic) { $0.append($1) }
        }
    }

    private mutating func append(_ shape: ShapeDrawing) {
        append(each: shape.path.segments) { $0.append($1) }
        append(ifAny: shape.fillColour) { $0.append($1) }
        append(shape.fillRule)
        append(ifAny: shape.strokeColour) { $0.append($1) }
        append(shape.lineWidth)
        append(each: shape.dashPattern) { $0.append($1) }
        append(shape.dashPhase)
        append(shape.cap)
        append(shape.join)
        for value in [shape.miterLimit, shape.strokeStart, shape.strokeEnd] { append(value) }
    }

    private mutating func append(_ segment: DrawingPath.Segment) {
        switch segment {
        case .move: append(tag: .move)
        case .line: append(tag: .line)
        case .curve: append(tag: .curve)
        case .close: append(tag: .close)
        }
        for point in segment.points {
            append(point.x)
            append(point.y)
        }
    }

    private mutating func append(_ text: TextDrawing) {
        append(text.string)
        append(each: text.spans) { bytes, span in
            bytes.append(span.start)
            bytes.append(span.end)
            bytes.append(span.style)
        }
        append(text.width)
        append(text.height)
        append(text.font)
        append(text.colour)
        append(text.align)
        append(text.verticalAlign)
        append(text.tracking)
        append(ifAny: text.leading) { $0.append($1) }
        append(text.wrap)
        append(text.truncation)
        append(text.shrinksToFit)
        append(text.direction)
        append(text.language)
        append(ifAny: text.outline) { bytes, outline in
            bytes.append(outline.width)
            bytes.append(outline.colour)
        }
        append(ifAny: text.shadow) { bytes, shadow in
            for value in [shadow.x, shadow.y, shadow.blur] { bytes.append(value) }
            bytes.append(shadow.colour)
        }
        append(ifAny: text.background) { bytes, background in
            bytes.append(background.colour)
            bytes.append(each: background.padding) { $0.append($1) }
            bytes.append(background.cornerRadius)
        }
        append(ifAny: text.reveal) { bytes, reveal in
            bytes.append(reveal.unit)
            bytes.append(reveal.style)
            bytes.append(reveal.progress)
        }
    }

    private mutating func append(_ font: TextFont) {
        append(each: font.names) { $0.append($1) }
        append(font.size)
        append(ifAny: font.weight) { $0.append($1) }
        append(font.isItalic)
        append(byName: font.variations) { $0.append($1) }
        append(byName: font.features) { $0.append($1) }
    }

    private mutating func append(_ name: FontName) {
        switch name {
        case .named(let name):
            append(tag: .fontName)
            append(name)
        case .asset(let name):
            append(tag: .fontAsset)
            append(name)
        }
    }

    private mutating func append(_ style: TextStyle) {
        append(ifAny: style.names) { bytes, names in bytes.append(each: names) { $0.append($1) } }
        append(ifAny: style.size) { $0.append($1) }
        append(ifAny: style.scale) { $0.append($1) }
        append(ifAny: style.weight) { $0.append($1) }
        append(ifAny: style.isItalic) { $0.append($1) }
        append(ifAny: style.colour) { $0.append($1) }
        append(ifAny: style.isUnderlined) { $0.append($1) }
        append(ifAny: style.isStruckThrough) { $0.append($1) }
        append(ifAny: style.rise) { $0.append($1) }
    }
}
