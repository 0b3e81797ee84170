public import JSONText
public import Pictures

/// The key `gradient` of a generator.
public struct GradientSettings: ProjectObject {
    public enum Shape: String, ProjectWord { case linear, radial }

    public var shape: Shape?
    public var from: [Double]?
    public var to: [Double]?
    public var stops: [GradientStop] = []
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "Gradient"
    package static let summary = "Colours that go evenly into each other."
    package static let fields: [Field<GradientSettings>] = [
        Field("shape", \.shape, default: .string("linear"), "Along a line, or around a centre."),
        Field("from", \.from, "[x, y] in widths and heights: its start, or its centre; absent: [0, 0.5], [0.5, 0.5]."),
        Field("to", \.to, "[x, y] in widths and heights: its end, or a place on its edge; absent: [1, 0.5]."),
        Field("stops", required: \.stops, "From 1 to 64 colours, in order."),
    ]
}

public struct GradientStop: ProjectObject {
    public var at = 0.0
    public var color = Colour.black
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "GradientStop"
    package static let summary = "A colour on a gradient's way."
    package static let fields: [Field<GradientStop>] = [
        Field("at", required: \.at, "0…1 of the way; not before the stop before it."),
        Field("color", required: \.color, "The colour there; its alpha counts."),
    ]
}

extension ColourBars: ProjectWord {}

extension GradientSettings {
    public var ends: (from: [Double], to: [Double]) {
        (from ?? (shape == .radial ? [0.5, 0.5] : [0, 0.5]), to ?? [1, 0.5])
    }

    /// The gradient as a picture; nil where it is not complete.
    package var picture: Gradient? {
        let (from, to) = ends
        guard from.count == 2, to.count == 2, !stops.isEmpty else { return nil }
        return Gradient(
            isRadial: shape == .radial, from: (from[0], from[1]), to: (to[0], to[1]),
            stops: stops.map { Gradient.Stop(place: $0.at, colour: $0.color) })
    }
}
