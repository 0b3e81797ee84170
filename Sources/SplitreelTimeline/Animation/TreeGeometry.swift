import Drawings
import Pictures
import SplitreelProject

extension Affine {
    /// The map from a layer's space to its units from the top left as it is seen, y down.
    static func upright(_ bounds: Rect, down: Bool) -> Affine {
        down
            ? .translation(-bounds.x, -bounds.y)
            : Affine(a: 1, b: 0, c: 0, d: -1, tx: -bounds.x, ty: bounds.y + bounds.height)
    }

    /// The map the other way: from units from the top left to the layer's space.
    static func fromUpright(_ bounds: Rect, down: Bool) -> Affine {
        down
            ? .translation(bounds.x, bounds.y)
            : Affine(a: 1, b: 0, c: 0, d: -1, tx: bounds.x, ty: bounds.y + bounds.height)
    }

    /// The map whose numbers are whole where arithmetic left them a hair beside a whole number.
    var snapped: Affine {
        func near(_ value: Double) -> Double {
            let whole = value.rounded()
            return abs(value - whole) < 1e-9 ? whole : value
        }
        return Affine(a: near(a), b: near(b), c: near(c), d: near(d), tx: near(tx), ty: near(ty))
    }
}

extension Rect {
    /// The rectangle that both have in common; nil where they have none.
    func common(_ other: Rect) -> Rect? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(x + width, other.x + other.width), min(y + height, other.y + other.height))
        return right > left && bottom > top ? Rect(x: left, y: top, width: right - left, height: bottom - top) : nil
    }

    func union(_ other: Rect) -> Rect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Rect(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    /// The rectangle of the whole pixels that it touches.
    var outward: Rect {
        let rect = snapped
        let (left, top) = (rect.x.rounded(.down), rect.y.rounded(.down))
        return Rect(
            x: left, y: top, width: (rect.x + rect.width).rounded(.up) - left,
            height: (rect.y + rect.height).rounded(.up) - top)
    }

    /// The rectangle whose edges are whole where arithmetic left them a hair beside a whole number.
    var snapped: Rect {
        func near(_ value: Double) -> Double {
            let whole = value.rounded()
            return abs(value - whole) < 1e-6 ? whole : value
        }
        let (left, top) = (near(x), near(y))
        return Rect(x: left, y: top, width: near(x + width) - left, height: near(y + height) - top)
    }
}

extension AnimationLayer.Gravity {
    /// The rectangle of a layer in which a picture of that size lies, in units from the top left.
    func box(of picture: Rect, in layer: Rect) -> Rect {
        let (spareX, spareY) = (layer.width - picture.width, layer.height - picture.height)
        func placed(_ x: Double, _ y: Double) -> Rect {
            Rect(x: spareX * x, y: spareY * y, width: picture.width, height: picture.height)
        }
        switch self {
        case .resize: return layer
        case .resizeAspect, .resizeAspectFill:
            let (scaleX, scaleY) = (layer.width / picture.width, layer.height / picture.height)
            let scale = self == .resizeAspect ? min(scaleX, scaleY) : max(scaleX, scaleY)
            let (width, height) = (picture.width * scale, picture.height * scale)
            return Rect(x: (layer.width - width) / 2, y: (layer.height - height) / 2, width: width, height: height)
        case .center: return placed(0.5, 0.5)
        case .top: return placed(0.5, 0)
        case .bottom: return placed(0.5, 1)
        case .left: return placed(0, 0.5)
        case .right: return placed(1, 0.5)
        case .topLeft: return placed(0, 0)
        case .topRight: return placed(1, 0)
        case .bottomLeft: return placed(0, 1)
        case .bottomRight: return placed(1, 1)
        }
    }
}

extension LayerPicture {
    /// Whether the picture fills the bounds, or is measured by them.
    var needsSize: Bool { if case .shape = self { false } else { true } }
}

extension TextDrawing {
    /// The part of the bounds that is inked but for the strangest fonts: so many lines of wide letters as there may be.
    var likely: Rect {
        let size = spans.reduce(font.size) { max($0, $1.style.size ?? 0, font.size * ($1.style.scale ?? 1)) }
        let advance = size * 1.25 + max(tracking, 0)
        var lines = 0.0
        for line in string.split(separator: "\n", omittingEmptySubsequences: false) {
            let length = Double(line.unicodeScalars.count) * advance
            lines += 1 + (wrap == .never ? 0 : (2 * length / max(width, 1)).rounded(.down))
        }
        let tall = lines * max(leading ?? 0, size * 1.8)
        var reach = size + (outline?.width ?? 0) + (background?.padding.reduce(0, max) ?? 0)
        if let shadow { reach += max(abs(shadow.x), abs(shadow.y)) + 2 * shadow.blur }
        let over = max(0, tall - height) + reach
        let estimate = Rect(x: bounds.x, y: -over, width: bounds.width, height: height + 2 * over)
        return estimate.common(bounds) ?? bounds
    }
}
