public import JSONText
public import Pictures

/// The key `gradient` of a generator.
public struct GradientSettings: ProjectObject {
    /// The form of a gradient.
    public enum Shape: String, Codable, ProjectWord {
        /// Along a line; around a centre.
        case linear, radial
    }

    /// The form: along a line, or around a centre; nil for `linear`.
    public var shape: Shape?
    /// The start [x, y] in widths and heights, or the centre of a radial one; nil for [0, 0.5], or [0.5, 0.5].
    public var from: [Double]?
    /// The end [x, y] in widths and heights, or a place on the edge of a radial one; nil for [1, 0.5].
    public var to: [Double]?
    /// The colours in order, from 1 to 64.
    public var stops: [GradientStop] = []
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Gradient"
    package static let summary = "Colours that go evenly into each other."
    package static let fields: [Field<GradientSettings>] = [
        Field("shape", \.shape, default: .string("linear"), "Along a line, or around a centre."),
        Field("from", \.from, "[x, y] in widths and heights: its start, or its centre; absent: [0, 0.5], [0.5, 0.5]."),
        Field("to", \.to, "[x, y] in widths and heights: its end, or a place on its edge; absent: [1, 0.5]."),
        Field("stops", required: \.stops, "From 1 to 64 colours, in order."),
    ]
}

/// A colour on a gradient's way.
public struct GradientStop: ProjectObject {
    /// The place on the way, 0…1; not before that of the stop before it.
    public var at = 0.0
    /// The colour there; its alpha counts.
    public var color = Colour.black
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "GradientStop"
    package static let summary = "A colour on a gradient's way."
    package static let fields: [Field<GradientStop>] = [
        Field("at", required: \.at, "0…1 of the way; not before the stop before it."),
        Field("color", required: \.color, "The colour there; its alpha counts."),
    ]
}

extension ColourBars: ProjectWord {}

extension GradientSettings {
    package var ends: (from: [Double], to: [Double]) {
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
