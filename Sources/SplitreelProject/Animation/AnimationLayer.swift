public import JSONText
public import MediaTime
public import Pictures

/// A layer of the key `animation`. Names and defaults are those of CALayer.
public struct AnimationLayer: ProjectObject {
    public enum Gravity: String, ProjectWord {
        case resize, resizeAspect, resizeAspectFill, center, top, bottom, left, right
        case topLeft, topRight, bottomLeft, bottomRight
    }

    public var id: String?
    public var bounds: Rect?
    public var position: LayerPoint?
    public var anchorPoint: LayerPoint?
    public var zPosition: Double?
    public var transform: LayerTransform?
    public var geometryFlipped: Bool?
    public var opacity: Double?
    public var hidden: Bool?
    public var backgroundColor: Colour?
    private var boxedContents: Boxed<LayerContents>?
    public var contentsGravity: Gravity?
    public var cornerRadius: Double?
    public var borderWidth: Double?
    public var borderColor: Colour?
    public var masksToBounds: Bool?
    public var shadow: LayerShadow?
    public var sublayers: [AnimationLayer]?
    public var beginTime: MediaTime?
    public var duration: MediaTime?
    public var speed: ExactNumber?
    public var timeOffset: MediaTime?
    public var repeats: RepeatCount?
    public var autoreverse: Bool?
    public var fill: FillMode?
    public var animations: [LayerAnimation]?
    public var unknown: [String: JSONValue] = [:]
    /// The layer's mask in a list of at most one: a value cannot hold itself.
    private var masks: [AnimationLayer] = []

    public var contents: LayerContents? {
        get { boxedContents?.value }
        set { boxedContents = newValue.map { Boxed($0) } }
    }

    public var mask: AnimationLayer? {
        get { masks.first }
        set { masks = newValue.map { [$0] } ?? [] }
    }

    public init() {}

    package static let typeName = "AnimationLayer"
    package static let summary = """
        A rectangle in a tree of them, with y upwards unless its parent says otherwise: its background, over it its \
        contents, over them its sublayers, over all its border.
        """
    package static let fields: [Field<AnimationLayer>] = geometryFields + lookFields + timeFields

    private static let geometryFields: [Field<AnimationLayer>] = [
        Field("id", \.id, "A name, used once; `videoLayers` has it."),
        Field("bounds", \.bounds, "Its own space: where it begins, and how large it is; absent: nothing."),
        Field("position", \.position, "Where its anchor lies in its parent's bounds; absent: [0, 0]."),
        Field("anchorPoint", \.anchorPoint, "In widths and heights of its bounds; absent: [0.5, 0.5], the middle."),
        Field("zPosition", \.zPosition, default: .integer(0), "Sublayers with more are drawn over those with less."),
        Field(
            "transform", \.transform,
            "About its anchor: six numbers, sixteen of a 3D transform, or parts; flattened to what is affine of it."),
        Field(
            "geometryFlipped", \.geometryFlipped, default: .bool(false),
            "true: y goes downwards for its sublayers; contents stay upright."),
    ]

    private static let lookFields: [Field<AnimationLayer>] = [
        Field("opacity", \.opacity, default: .integer(1), "0…1, of all that it shows, as one picture."),
        Field("hidden", \.hidden, default: .bool(false), "true: it is not drawn, nor is what stands in it."),
        Field("backgroundColor", \.backgroundColor, "Fills its bounds; absent: nothing does."),
        Field("contents", \.contents, "What it shows in its bounds."),
        Field(
            "contentsGravity", \.contentsGravity, default: .string("resize"),
            "How a picture lies in the bounds: stretched, whole, filling, or in its own size at an edge."),
        Field(
            "cornerRadius", \.cornerRadius, default: .integer(0),
            "Rounds its background and border; with `masksToBounds` all of it."),
        Field("borderWidth", \.borderWidth, default: .integer(0), "A border inside its edge, over all that it shows."),
        Field("borderColor", \.borderColor, "Absent: opaque black."),
        Field(
            "masksToBounds", \.masksToBounds, default: .bool(false),
            "true: contents and sublayers are seen inside its bounds only."),
        Field("shadow", \.shadow, "Of all that it shows, beneath it."),
        Field("mask", \.mask, "A layer in its bounds whose alpha says how much of it is seen."),
        Field("sublayers", \.sublayers, "The first is drawn first, beneath the others."),
    ]

    private static let timeFields: [Field<AnimationLayer>] = [
        Field(
            "beginTime", \.beginTime,
            "In its parent's time: when its own begins, before which it is not seen; absent: \"0s\"."),
        Field("duration", \.duration, "Of its own time, after which it is not seen; absent: for ever."),
        Field("speed", \.speed, default: .integer(1), "How fast its own time goes by."),
        Field("timeOffset", \.timeOffset, "Its own time when it begins; absent: \"0s\"."),
        Field("repeat", \.repeats, default: .integer(1), "How often its duration is played, or \"inf\"."),
        Field("autoreverse", \.autoreverse, default: .bool(false), "true: each time backwards too."),
        Field("fill", \.fill, default: .string("removed"), "Whether it is seen before and after its time."),
        Field("animations", \.animations, "In order: each acts on what those before it made."),
    ]
}

/// The times outside its own at which an animation holds, before it begins and after it ended; raw values are
/// CAMediaTiming's.
public enum FillMode: String, ProjectWord {
    case removed, forwards, backwards, both
}

/// The key `shadow` of a layer.
public struct LayerShadow: ProjectObject {
    public var color: Colour?
    public var opacity: Double?
    public var offset: LayerPoint?
    public var radius: Double?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "LayerShadow"
    package static let summary = "What a layer casts on those beneath it."
    package static let fields: [Field<LayerShadow>] = [
        Field("color", \.color, "Absent: opaque black."),
        Field("opacity", \.opacity, default: .integer(0), "0…1; 0: there is none."),
        Field("offset", \.offset, "In the layer's space; absent: [0, -3], downwards where y goes up."),
        Field("radius", \.radius, default: .integer(3), "The standard deviation of its blur, in the layer's units."),
    ]
}
