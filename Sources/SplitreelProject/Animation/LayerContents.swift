public import JSONText
public import Pictures

/// The key `contents` of a layer, which has one of these keys.
public struct LayerContents: ProjectObject {
    public var image: String?
    public var film: String?
    public var animatedImage: String?
    public var color: Colour?
    public var gradient: GradientSettings?
    public var text: TextSettings?
    public var shape: ShapeSettings?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

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
    public var asset: (key: String, name: String)? {
        if let image { return ("image", image) }
        if let film { return ("film", film) }
        return animatedImage.map { ("animatedImage", $0) }
    }

    /// The number of its keys that are there.
    public var count: Int {
        [image != nil, film != nil, animatedImage != nil, color != nil, gradient != nil, text != nil, shape != nil]
            .count { $0 }
    }
}
