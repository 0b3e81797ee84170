import Diagnostics
import ExactMath
import Pictures
import SplitreelProject

/// A property of layers that animations name by a key path.
package struct AnimatedProperty: Sendable {
    package enum Kind: Sendable, Hashable {
        /// So many numbers; nil for as many as the layer has. One number may stand for two of them.
        case numbers(Int?)
        case colour
        case transform
        case path
        case flag
        case word
        case contents
    }

    package let name: String
    package let kind: Kind
    /// Reads the property's value of a layer; nil where the layer has no such thing.
    package let get: @Sendable (LayerState) -> LayerValue?
    package let set: @Sendable (inout LayerState, LayerValue) -> Void

    /// Whether the property changes where and how large the layer is seen.
    package var isOfGeometry: Bool { name.hasPrefix("transform") || name.hasPrefix("bounds") }

    package static func named(_ keyPath: String) -> AnimatedProperty? { table[aliases[keyPath] ?? keyPath] }

    /// The names that an unknown one may have been meant to be.
    package static var names: [String] { all.map(\.name) + aliases.keys.sorted() }

    private static let table = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// Other names: Core Animation's, and short ones.
    private static let aliases = [
        "rotation": "transform.rotation", "transform.rotation.z": "transform.rotation", "scale": "transform.scale",
        "translation": "transform.translation", "shadowOpacity": "shadow.opacity", "shadowRadius": "shadow.radius",
        "shadowOffset": "shadow.offset", "shadowColor": "shadow.color", "lineWidth": "shape.lineWidth",
        "lineDashPhase": "shape.lineDashPhase", "dashPhase": "shape.lineDashPhase",
        "shape.dashPhase": "shape.lineDashPhase", "strokeStart": "shape.strokeStart", "strokeEnd": "shape.strokeEnd",
        "shape.trimStart": "shape.strokeStart", "shape.trimEnd": "shape.strokeEnd", "fillColor": "shape.fillColor",
        "strokeColor": "shape.strokeColor", "path": "shape.path", "colors": "gradient.colors",
        "locations": "gradient.locations", "startPoint": "gradient.from", "endPoint": "gradient.to",
        "string": "text.string", "text.progress": "text.reveal", "contents.color": "color",
        "shape.strokeWidth": "shape.lineWidth", "size": "bounds.size",
    ]

    private static let all = ofPlace + ofTransform + ofLook + ofContents + ofText + ofShape

    private static let ofPlace: [AnimatedProperty] = [
        number("position.x", \.x), number("position.y", \.y), pair("position", \.x, \.y),
        number("anchorPoint.x", \.anchorX), number("anchorPoint.y", \.anchorY),
        pair("anchorPoint", \.anchorX, \.anchorY), number("zPosition", \.zPosition),
        number("bounds.origin.x", \.bounds.x), number("bounds.origin.y", \.bounds.y),
        pair("bounds.origin", \.bounds.x, \.bounds.y), number("bounds.size.width", \.bounds.width, in: lengths),
        number("bounds.size.height", \.bounds.height, in: lengths),
        pair("bounds.size", \.bounds.width, \.bounds.height, in: lengths),
        numbers(
            "bounds", 4, { [$0.bounds.x, $0.bounds.y, $0.bounds.width, $0.bounds.height] },
            { $0.bounds = Rect(x: $1[0], y: $1[1], width: max(0, $1[2]), height: max(0, $1[3])) }),
    ]

    private static let ofTransform: [AnimatedProperty] = [
        AnimatedProperty(
            name: "transform", kind: .transform, get: { .transform($0.transform) },
            set: { state, value in if case .transform(let transform) = value { state.transform = transform } }),
        parts("transform.rotation", [.rotationZ], in: angles),
        parts("transform.rotation.x", [.rotationX], in: angles),
        parts("transform.rotation.y", [.rotationY], in: angles), parts("transform.scale", [.scaleX, .scaleY]),
        parts("transform.scale.x", [.scaleX]), parts("transform.scale.y", [.scaleY]),
        parts("transform.translation", [.translationX, .translationY]),
        parts("transform.translation.x", [.translationX]), parts("transform.translation.y", [.translationY]),
        parts("transform.translation.z", [.translationZ]),
    ]

    private static let ofLook: [AnimatedProperty] = [
        number("opacity", \.opacity), number("cornerRadius", \.cornerRadius, in: lengths),
        number("borderWidth", \.borderWidth, in: lengths),
        colour("backgroundColor", { $0.background }, { $0.background = $1 }),
        colour("borderColor", { $0.borderColour }, { $0.borderColour = $1 }),
        AnimatedProperty(
            name: "hidden", kind: .flag, get: { .flag($0.isHidden) },
            set: { state, value in if case .flag(let flag) = value { state.isHidden = flag } }),
        number("shadow.opacity", \.shadow.opacity), number("shadow.radius", \.shadow.radius, in: lengths),
        pair("shadow.offset", \.shadow.x, \.shadow.y), number("shadow.offset.x", \.shadow.x),
        number("shadow.offset.y", \.shadow.y),
        colour("shadow.color", { $0.shadow.colour }, { $0.shadow.colour = $1 }),
    ]
}

// MARK: - Ways to make one

extension AnimatedProperty {
    typealias NumberPath = any WritableKeyPath<LayerState, Double> & Sendable

    /// The range that numbers are held in, in a file and after they are mixed: beyond, nothing is seen.
    static let reach = -10_000_000.0...10_000_000.0
    private static let lengths = 0...reach.upperBound
    /// The range of angles in degrees: turns add up for as long as something plays, and a double still tells them.
    private static let angles = -1e12...1e12

    static func number(
        _ name: String, _ path: NumberPath, in range: ClosedRange<Double> = reach
    ) -> AnimatedProperty {
        numbers(name, 1, in: range, { [$0[keyPath: path]] }, { $0[keyPath: path] = $1[0] })
    }

    private static func pair(
        _ name: String, _ first: NumberPath, _ second: NumberPath, in range: ClosedRange<Double> = reach
    ) -> AnimatedProperty {
        numbers(
            name, 2, in: range, { [$0[keyPath: first], $0[keyPath: second]] },
            { ($0[keyPath: first], $0[keyPath: second]) = ($1[0], $1[1]) })
    }

    private static func parts(
        _ name: String, _ parts: [TransformState.Part], in range: ClosedRange<Double> = reach
    ) -> AnimatedProperty {
        numbers(
            name, parts.count, in: range, { state in parts.map { state.transform[$0] } },
            { state, numbers in for (part, number) in zip(parts, numbers) { state.transform[part] = number } })
    }

    /// A property of `count` numbers; nil for as many as the layer has. `get` answers nil where the layer has no such
    /// thing.
    static func numbers(
        _ name: String, _ count: Int?, in range: ClosedRange<Double> = reach,
        _ get: @escaping @Sendable (LayerState) -> [Double]?,
        _ set: @escaping @Sendable (inout LayerState, [Double]) -> Void
    ) -> AnimatedProperty {
        AnimatedProperty(
            name: name, kind: .numbers(count), get: { get($0).map { .numbers($0) } },
            set: { state, value in
                guard case .numbers(let numbers) = value, count == nil || numbers.count == count else { return }
                set(&state, numbers.map { $0.held(in: range) })
            })
    }

    static func colour(
        _ name: String, _ get: @escaping @Sendable (LayerState) -> Colour?,
        _ set: @escaping @Sendable (inout LayerState, Colour) -> Void
    ) -> AnimatedProperty {
        AnimatedProperty(
            name: name, kind: .colour, get: { get($0).map { .numbers($0.components) } },
            set: { state, value in
                guard case .numbers(let numbers) = value, let colour = Colour(numbers[...]) else { return }
                set(&state, colour)
            })
    }
}

extension Colour {
    var components: [Double] { [red, green, blue, alpha] }

    /// Makes a colour of four numbers, each brought to 0…1; nil for another count.
    init?(_ numbers: ArraySlice<Double>) {
        guard numbers.count == 4 else { return nil }
        let parts = numbers.map { $0.held(in: 0...1) }
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    }
}
