public import JSONText
public import Pictures

/// A value that animations change.
public protocol LayerAnimatable: Sendable {
    /// The value as an animation in the file has it.
    var animated: JSONValue { get }
}

extension Double: LayerAnimatable { public var animated: JSONValue { json } }
extension Bool: LayerAnimatable { public var animated: JSONValue { json } }
extension String: LayerAnimatable { public var animated: JSONValue { json } }
extension Colour: LayerAnimatable { public var animated: JSONValue { json } }
extension Rect: LayerAnimatable { public var animated: JSONValue { json } }
extension LayerPoint: LayerAnimatable { public var animated: JSONValue { json } }
extension LayerTransform: LayerAnimatable { public var animated: JSONValue { json } }
extension LayerContents: LayerAnimatable { public var animated: JSONValue { json } }
extension Array: LayerAnimatable where Element: LayerAnimatable {
    /// The list as the file has it.
    public var animated: JSONValue { .array(map(\.animated)) }
}

/// A property of layers that animations change, with the kind of its values. Lengths are in the layer's units.
public struct LayerProperty<Value: LayerAnimatable>: Sendable, Hashable {
    /// The name in the file, such as `transform.rotation`.
    public let keyPath: String

    /// Makes a property of its name in the file.
    public init(_ keyPath: String) { self.keyPath = keyPath }
}

extension LayerProperty where Value == Double {
    /// The opacity, 0…1.
    public static var opacity: LayerProperty { LayerProperty("opacity") }
    /// The order among sublayers.
    public static var zPosition: LayerProperty { LayerProperty("zPosition") }
    /// The radius of the corners.
    public static var cornerRadius: LayerProperty { LayerProperty("cornerRadius") }
    /// The width of the border.
    public static var borderWidth: LayerProperty { LayerProperty("borderWidth") }
    /// The angle in degrees about the axis that points at the viewer.
    public static var rotation: LayerProperty { LayerProperty("transform.rotation") }
    /// The angle in degrees about the axis x.
    public static var rotationX: LayerProperty { LayerProperty("transform.rotation.x") }
    /// The angle in degrees about the axis y.
    public static var rotationY: LayerProperty { LayerProperty("transform.rotation.y") }
    /// The factor of both axes.
    public static var scale: LayerProperty { LayerProperty("transform.scale") }
    /// The opacity of the shadow, 0…1.
    public static var shadowOpacity: LayerProperty { LayerProperty("shadow.opacity") }
    /// The standard deviation of the shadow's blur.
    public static var shadowRadius: LayerProperty { LayerProperty("shadow.radius") }
    /// The size of the text's em.
    public static var textSize: LayerProperty { LayerProperty("text.size") }
    /// The share of the text that is there, 0…1.
    public static var textReveal: LayerProperty { LayerProperty("text.reveal") }
    /// The width of the shape's stroke.
    public static var lineWidth: LayerProperty { LayerProperty("shape.lineWidth") }
    /// The place in the pattern of dashes where the path begins.
    public static var lineDashPhase: LayerProperty { LayerProperty("shape.lineDashPhase") }
    /// The place on the path's length where the stroke begins, 0…1.
    public static var strokeStart: LayerProperty { LayerProperty("shape.strokeStart") }
    /// The place on the path's length where the stroke ends, 0…1.
    public static var strokeEnd: LayerProperty { LayerProperty("shape.strokeEnd") }
}

extension LayerProperty where Value == LayerPoint {
    /// The place of the anchor in the parent's bounds.
    public static var position: LayerProperty { LayerProperty("position") }
    /// The anchor in widths and heights of the bounds.
    public static var anchorPoint: LayerProperty { LayerProperty("anchorPoint") }
    /// The way of the transform.
    public static var translation: LayerProperty { LayerProperty("transform.translation") }
    /// The way of the shadow.
    public static var shadowOffset: LayerProperty { LayerProperty("shadow.offset") }
}

extension LayerProperty where Value == Rect {
    /// The layer's own space.
    public static var bounds: LayerProperty { LayerProperty("bounds") }
}

extension LayerProperty where Value == LayerTransform {
    /// The whole transform.
    public static var transform: LayerProperty { LayerProperty("transform") }
}

extension LayerProperty where Value == Colour {
    /// The colour that fills the bounds.
    public static var backgroundColor: LayerProperty { LayerProperty("backgroundColor") }
    /// The border's colour.
    public static var borderColor: LayerProperty { LayerProperty("borderColor") }
    /// The shadow's colour.
    public static var shadowColor: LayerProperty { LayerProperty("shadow.color") }
    /// The colour of the contents.
    public static var color: LayerProperty { LayerProperty("color") }
    /// The colour of the text's letters.
    public static var textColor: LayerProperty { LayerProperty("text.color") }
    /// The colour of the shape's filling.
    public static var fillColor: LayerProperty { LayerProperty("shape.fillColor") }
    /// The colour of the shape's stroke.
    public static var strokeColor: LayerProperty { LayerProperty("shape.strokeColor") }
}

extension LayerProperty where Value == Bool {
    /// Whether the layer is not drawn.
    public static var hidden: LayerProperty { LayerProperty("hidden") }
}

extension LayerProperty where Value == String {
    /// The text's string; spans of markup are lost.
    public static var string: LayerProperty { LayerProperty("text.string") }
    /// The shape's path as SVG path data.
    public static var path: LayerProperty { LayerProperty("shape.path") }
}

extension LayerProperty where Value == LayerContents {
    /// The contents.
    public static var contents: LayerProperty { LayerProperty("contents") }
}
