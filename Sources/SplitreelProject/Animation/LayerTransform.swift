import Diagnostics
public import JSONText
public import Pictures

/// The key `transform` of a layer: six numbers, sixteen, or parts.
public enum LayerTransform: ProjectValue {
    /// Six numbers.
    case affine(Affine)
    /// Sixteen numbers as CATransform3D has them: m11, m12, … m44; a point is a row before the matrix.
    case matrix([Double])
    /// The parts, which animations may change one by one.
    case parts(LayerTransformParts)

    /// The transform that changes nothing.
    public static let identity = LayerTransform.parts(LayerTransformParts())

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> LayerTransform? {
        if case .object = json { return LayerTransformParts.read(json, &reader).map { .parts($0) } }
        if case .array(let parts) = json, parts.count == 16 {
            let numbers = parts.compactMap(\.double)
            if numbers.count == 16 { return .matrix(numbers) }
        }
        if case .array(let parts) = json, parts.count == 6 { return Affine.read(json, &reader).map { .affine($0) } }
        return reader.mismatch(json, "six numbers [a, b, c, d, tx, ty], sixteen of a 3D transform, or parts")
    }

    package var json: JSONValue {
        switch self {
        case .affine(let affine): affine.json
        case .matrix(let numbers): .array(numbers.map(\.json))
        case .parts(let parts): parts.json
        }
    }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        definitions["Transform3D"] = .object([
            "type": .string("array"), "items": .object(["type": .string("number")]), "minItems": .integer(16),
            "maxItems": .integer(16), "description": .string("m11, m12, … m44 of a CATransform3D"),
        ])
        return .object([
            "anyOf": .array([
                Affine.schema(&definitions), .object(["$ref": .string("#/$defs/Transform3D")]),
                LayerTransformParts.schema(&definitions),
            ])
        ])
    }
}

/// A layer's transform in parts: scaled, turned about the axes x, y and z, moved, then seen from a distance.
public struct LayerTransformParts: ProjectObject {
    /// The way in the parent's units; nil where it is not moved.
    public var translate: LayerTranslation?
    /// The factors; nil for 1.
    public var scale: NumberPair?
    /// The angle in degrees about the axis that points at the viewer; nil for 0.
    public var rotate: Double?
    /// The angle in degrees about the axis x; nil for 0.
    public var rotateX: Double?
    /// The angle in degrees about the axis y; nil for 0.
    public var rotateY: Double?
    /// The viewer's distance; nil where nothing gets smaller.
    public var perspective: Double?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "LayerTransformParts"
    package static let summary = """
        Scaled, turned about the axes x, y and z, moved, and seen from a distance, all about the layer's anchor. \
        Angles are in degrees; from x to y, which is counter-clockwise where y goes up.
        """
    package static let fields: [Field<LayerTransformParts>] = [
        Field("translate", \.translate, "[x, y] or [x, y, z]; absent: not moved."),
        Field("scale", \.scale, "One factor, or [x, y]; absent: 1."),
        Field("rotate", \.rotate, default: .integer(0), "About the axis that points at the viewer."),
        Field("rotateX", \.rotateX, default: .integer(0), "About the axis x."),
        Field("rotateY", \.rotateY, default: .integer(0), "About the axis y."),
        Field("perspective", \.perspective, "How far the viewer is; absent: so far that nothing gets smaller."),
    ]
}

/// A way in the layer's space, `[x, y]` or `[x, y, z]`.
public struct LayerTranslation: ProjectValue {
    /// The way along x.
    public var x: Double
    /// The way along y.
    public var y: Double
    /// The way towards the viewer; nil for 0.
    public var z: Double?

    /// Makes a way along x, y and, where there is one, towards the viewer.
    public init(_ x: Double, _ y: Double, _ z: Double? = nil) { (self.x, self.y, self.z) = (x, y, z) }

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> LayerTranslation? {
        if case .array(let parts) = json, (2...3).contains(parts.count) {
            let numbers = parts.compactMap(\.double)
            if numbers.count == parts.count {
                return LayerTranslation(numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : nil)
            }
        }
        return reader.mismatch(json, "two numbers [x, y], or three [x, y, z]")
    }

    package var json: JSONValue { .array([x.json, y.json] + (z.map { [$0.json] } ?? [])) }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object([
            "type": .string("array"), "items": .object(["type": .string("number")]), "minItems": .integer(2),
            "maxItems": .integer(3),
        ])
    }
}
