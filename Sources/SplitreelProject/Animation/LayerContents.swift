public import JSONText
public import Pictures

/// The key `contents` of a layer, which has one of these keys.
public struct LayerContents: ProjectObject {
    /// The name of an asset whose picture, or first one, is shown.
    public var image: String?
    /// The name of an asset that plays in the layer's own time; its last frame holds.
    public var film: String?
    /// The name of an asset that plays in the layer's own time, as often as it says.
    public var animatedImage: String?
    /// The colour all over the bounds.
    public var color: Colour?
    /// The gradient all over the bounds.
    public var gradient: GradientSettings?
    /// The text in the bounds.
    public var text: TextSettings?
    /// The path in the layer's units.
    public var shape: ShapeSettings?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "LayerContents"
    package static let summary = "What a layer shows: exactly one of these."
    package static let fields: [Field<LayerContents>] = [
        Field("image", \.image, "An asset: its picture, or its first one."),
        Field("film", \.film, "An asset that plays in the layer's own time; its last frame holds."),
        Field("animatedImage", \.animatedImage, "An asset that plays in the layer's own time, as often as it says."),
        Field("color", \.color, "One colour, all over the bounds."),
        Field("gradient", \.gradient, "As a generator's, all over the bounds."),
        Field("text", \.text, "Text in the bounds."),
        Field("shape", \.shape, "A path in the layer's units."),
    ]

    /// The asset that the contents name, and the key by which they do; nil where they name none.
    package var asset: (key: String, name: String)? {
        if let image { return ("image", image) }
        if let film { return ("film", film) }
        return animatedImage.map { ("animatedImage", $0) }
    }

    /// The number of its keys that are there.
    package var count: Int {
        [image != nil, film != nil, animatedImage != nil, color != nil, gradient != nil, text != nil, shape != nil]
            .count { $0 }
    }
}
