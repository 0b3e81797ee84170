import ExactMath
public import JSONText
public import Pictures

/// A layer's transform as a file has it: six numbers, or its parts.
public enum Transform: Hashable, Sendable {
    /// Six numbers. A ramp changes each of them evenly.
    case matrix(Affine)
    /// The parts. A ramp changes each of them evenly, so that a turn stays a turn.
    case parts(TransformParts)

    /// The transform that changes nothing.
    public static let identity = Transform.matrix(.identity)

    /// The map from the picture's display pixels to the canvas; `size` is the picture's display size.
    public func affine(of size: (width: Double, height: Double)) -> Affine {
        switch self {
        case .matrix(let affine): affine
        case .parts(let parts): parts.affine(of: size)
        }
    }

    package var isIdentity: Bool { affine(of: (0, 0)) == .identity }
}

extension Transform: Interpolated {
    /// The transform between two: six numbers each alone, or parts each alone, so that a turn stays a turn. A file that
    /// mixes the two is not valid.
    package static func mix(_ from: Transform, _ to: Transform, _ fraction: Double) -> Transform {
        switch (from, to) {
        case (.matrix(let from), .matrix(let to)): .matrix(.mix(from, to, fraction))
        case (.parts(let from), .parts(let to)): .parts(.mix(from, to, fraction))
        default: to
        }
    }
}

/// A transform in parts: the picture is scaled, skewed and turned about its anchor, then moved.
public struct TransformParts: ProjectObject {
    /// The way in canvas pixels; nil where it is not moved.
    public var translate: NumberPair?
    /// The factors; nil for 1.
    public var scale: NumberPair?
    /// The angle in degrees, clockwise; 360 more is a turn more in a ramp. nil for 0.
    public var rotate: Double?
    /// The lean in degrees, as skew() of CSS: x leans what is upright, y what is level. nil for 0.
    public var skew: NumberPair?
    /// The point of the picture that stays where it is; nil for the top left.
    public var anchor: TransformAnchor?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "TransformParts"
    package static let summary = """
        The picture is scaled, skewed and turned about its anchor, which stays where it is, then moved. A ramp changes \
        each part evenly: a turn does not shrink what it turns.
        """
    package static let fields: [Field<TransformParts>] = [
        Field("translate", \.translate, "[x, y] in canvas pixels; absent: not moved."),
        Field("scale", \.scale, "One factor, or [x, y]; absent: 1."),
        Field("rotate", \.rotate, "Degrees clockwise; 360 more is a turn more in a ramp; absent: 0."),
        Field(
            "skew", \.skew, "Degrees, [x, y], as skew() of CSS: x leans what is upright, y what is level; absent: 0."),
        Field("anchor", \.anchor, "A point of the picture in its display pixels, or `center`; absent: the top left."),
    ]

    func affine(of size: (width: Double, height: Double)) -> Affine {
        let point = (anchor ?? TransformAnchor()).point(of: size)
        let turn = ExactAngle(degrees: rotate ?? 0)
        let (scaled, leaned) = (scale ?? NumberPair(1, 1), skew ?? NumberPair(0, 0))
        // An easing may overshoot what a file may say.
        let (leanX, leanY) = (Self.lean(leaned.x), Self.lean(leaned.y))
        let move = translate ?? NumberPair(0, 0)
        let affine = Affine.translation(-point.x, -point.y)
            .then(.scale(scaled.x, scaled.y))
            .then(Affine(a: 1, b: leanY, c: leanX, d: 1, tx: 0, ty: 0))
            .then(Affine(a: turn.cosine, b: turn.sine, c: -turn.sine, d: turn.cosine, tx: 0, ty: 0))
            .then(.translation(point.x + move.x, point.y + move.y))
        // Nothing can be seen where numbers are too large.
        let isFinite = [affine.a, affine.b, affine.c, affine.d, affine.tx, affine.ty].allSatisfy(\.isFinite)
        return isFinite ? affine : .scale(0, 0)
    }

    /// The most degrees by which an axis leans.
    package static let steepest = 89.0

    package static func lean(_ degrees: Double) -> Double {
        ExactAngle(degrees: min(max(degrees, -steepest), steepest)).tangent
    }

    static func mix(_ from: TransformParts, _ to: TransformParts, _ fraction: Double) -> TransformParts {
        func mixed(_ part: (TransformParts) -> NumberPair?, _ absent: Double) -> NumberPair {
            let none = NumberPair(absent, absent)
            return .mix(part(from) ?? none, part(to) ?? none, fraction)
        }
        var parts = TransformParts()
        parts.translate = mixed(\.translate, 0)
        parts.scale = mixed(\.scale, 1)
        parts.skew = mixed(\.skew, 0)
        parts.rotate = .mix(from.rotate ?? 0, to.rotate ?? 0, fraction)
        parts.anchor = .mix(from.anchor ?? TransformAnchor(), to.anchor ?? TransformAnchor(), fraction)
        return parts
    }
}

/// Two numbers, one for each axis.
public struct NumberPair: Hashable, Sendable {
    /// The number along x.
    public var x: Double
    /// The number along y.
    public var y: Double

    /// Makes a pair of numbers along x and y.
    public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

    static func mix(_ from: NumberPair, _ to: NumberPair, _ fraction: Double) -> NumberPair {
        NumberPair(.mix(from.x, to.x, fraction), .mix(from.y, to.y, fraction))
    }
}

/// A point of a picture: one in display pixels, its centre, or, between keys, one on the way from one to the other.
public struct TransformAnchor: Hashable, Sendable {
    var x = 0.0
    var y = 0.0
    /// The share of the picture's centre that is added.
    var centre = 0.0

    /// The picture's centre.
    public static let middle = TransformAnchor(centre: 1)

    func point(of size: (width: Double, height: Double)) -> (x: Double, y: Double) {
        (x + centre * size.width / 2, y + centre * size.height / 2)
    }

    static func mix(_ from: TransformAnchor, _ to: TransformAnchor, _ fraction: Double) -> TransformAnchor {
        TransformAnchor(
            x: .mix(from.x, to.x, fraction), y: .mix(from.y, to.y, fraction),
            centre: .mix(from.centre, to.centre, fraction))
    }
}
