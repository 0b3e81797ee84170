package import JSONText
package import Pictures

/// The key `contents` of a layer, which has one of these keys.
package struct LayerContents: ProjectObject {
    package var image: String?
    package var film: String?
    package var animatedImage: String?
    package var color: Colour?
    package var gradient: GradientSettings?
    package var text: TextSettings?
    package var shape: ShapeSettings?
    package var unknown: [String: JSONValue] = [:]

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
