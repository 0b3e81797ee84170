public import JSONText
public import MediaTime
public import Pictures

/// A layer of the key `animation`. Names and defaults are those of CALayer.
public struct AnimationLayer: ProjectObject {
    /// The place of a picture in a layer's bounds; raw values are CALayerContentsGravity's.
    public enum Gravity: String, Codable, ProjectWord {
        /// Stretched to the bounds; whole in them; filling them.
        case resize, resizeAspect, resizeAspectFill
        /// In its own size: in the middle, or at the middle of an edge.
        case center, top, bottom, left, right
        /// In its own size, at a corner.
        case topLeft, topRight, bottomLeft, bottomRight
    }

    /// The name, used once; nil for none.
    public var id: String?
    /// The layer's own space: its origin and its size; nil for nothing.
    public var bounds: Rect?
    /// The place of its anchor in its parent's bounds; nil for [0, 0].
    public var position: LayerPoint?
    /// The anchor in widths and heights of its bounds; nil for [0.5, 0.5], the middle.
    public var anchorPoint: LayerPoint?
    /// The order among sublayers: those with more are drawn over those with less. nil for 0.
    public var zPosition: Double?
    /// The transform about its anchor; nil for none.
    public var transform: LayerTransform?
    /// Whether y goes downwards for its sublayers; nil counts as false.
    public var geometryFlipped: Bool?
    /// The opacity of all that it shows, as one picture, 0…1; nil for 1.
    public var opacity: Double?
    /// Whether neither it is drawn nor what stands in it; nil counts as false.
    public var hidden: Bool?
    /// The colour that fills its bounds; nil for none.
    public var backgroundColor: Colour?
    private var boxedContents: Boxed<LayerContents>?
    /// The place of a picture in the bounds; nil for `resize`, which stretches it.
    public var contentsGravity: Gravity?
    /// The radius of the corners of background and border; with `masksToBounds` of all of it. nil for 0.
    public var cornerRadius: Double?
    /// The width of a border inside its edge, over all that it shows; nil for 0.
    public var borderWidth: Double?
    /// The border's colour; nil for opaque black.
    public var borderColor: Colour?
    /// Whether contents and sublayers are seen inside its bounds only; nil counts as false.
    public var masksToBounds: Bool?
    /// The shadow of all that it shows, beneath it; nil for none.
    public var shadow: LayerShadow?
    /// The layers in it, the first beneath the others; nil for none.
    public var sublayers: [AnimationLayer]?
    /// The time in its parent's time when its own begins, before which it is not seen; nil for 0.
    public var beginTime: MediaTime?
    /// The length of its own time, after which it is not seen; nil for ever.
    public var duration: MediaTime?
    /// The factor of its own time; nil for 1.
    public var speed: ExactNumber?
    /// The own time when it begins; nil for 0.
    public var timeOffset: MediaTime?
    /// The number of times that its duration is played, the key `repeat`; nil for 1.
    public var repeats: RepeatCount?
    /// Whether each time is played backwards too; nil counts as false.
    public var autoreverse: Bool?
    /// The times outside its own at which it is seen; nil for `removed`, which is none.
    public var fill: FillMode?
    /// The animations in order: each acts on what those before it made. nil for none.
    public var animations: [LayerAnimation]?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]
    /// The layer's mask in a list of at most one: a value cannot hold itself.
    private var masks: [AnimationLayer] = []

    /// The contents in its bounds; nil for none.
    public var contents: LayerContents? {
        get { boxedContents?.value }
        set { boxedContents = newValue.map { Boxed($0) } }
    }

    /// The layer in its bounds whose alpha says how much of it is seen; nil for none.
    public var mask: AnimationLayer? {
        get { masks.first }
        set { masks = newValue.map { [$0] } ?? [] }
    }

    package init() {}

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
public enum FillMode: String, Codable, ProjectWord {
    /// At none; after it ended; before it begins; at both.
    case removed, forwards, backwards, both
}

/// The key `shadow` of a layer.
public struct LayerShadow: ProjectObject {
    /// The shadow's colour; nil for opaque black.
    public var color: Colour?
    /// The shadow's opacity, 0…1; nil for 0, which is no shadow.
    public var opacity: Double?
    /// The way of the shadow in the layer's space; nil for [0, -3], downwards where y goes up.
    public var offset: LayerPoint?
    /// The standard deviation of its blur, in the layer's units; nil for 3.
    public var radius: Double?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "LayerShadow"
    package static let summary = "What a layer casts on those beneath it."
    package static let fields: [Field<LayerShadow>] = [
        Field("color", \.color, "Absent: opaque black."),
        Field("opacity", \.opacity, default: .integer(0), "0…1; 0: there is none."),
        Field("offset", \.offset, "In the layer's space; absent: [0, -3], downwards where y goes up."),
        Field("radius", \.radius, default: .integer(3), "The standard deviation of its blur, in the layer's units."),
    ]
}
