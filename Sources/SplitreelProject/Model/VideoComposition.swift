public import JSONText
public import MediaTime
public import Pictures

/// The key `video`: the canvas, its clock and what is drawn when.
public struct VideoComposition: ProjectObject {
    public var renderSize: PixelSize?
    public var renderScale: Double?
    public var frameDuration: MediaTime?
    public var frameTimingTrack: Int?
    public var color: ColourSettings?
    public var fit: Layer.Fit?
    public var compositor: RegisteredChoice?
    public var effects: [RegisteredChoice]?
    public var sampleDataTracks: [Int]?
    public var instructions: [Instruction]?
    public var subtitles: [SubtitleSettings]?
    private var boxedAnimation: Boxed<AnimationTree>?
    public var unknown: [String: JSONValue] = [:]

    public var animation: AnimationTree? {
        get { boxedAnimation?.value }
        set { boxedAnimation = newValue.map { Boxed($0) } }
    }

    public init() {}

    package static let typeName = "Video"
    package static let summary = "The canvas, its clock and what is drawn when."
    package static let fields: [Field<VideoComposition>] = [
        Field(
            "renderSize", \.renderSize, "Canvas size; absent: naturalSize, else the largest display size, made even."),
        Field("renderScale", \.renderScale, default: .integer(1), "Multiplies the canvas and all its geometry."),
        Field("frameDuration", \.frameDuration, "Seconds per frame; absent: from the fastest source, else 1/30."),
        Field("frameTimingTrack", \.frameTimingTrack, "A video track whose frames' times are the output's."),
        Field("color", \.color, "The film's colour; absent: what all sources are tagged with, else BT.709."),
        Field("fit", \.fit, "The `fit` of all layers that have neither `fit` nor `transform`."),
        Field("compositor", \.compositor, "What composes the layers; absent: `builtin`."),
        Field("effects", \.effects, "What is done to every frame, in order."),
        Field(
            "sampleDataTracks", \.sampleDataTracks,
            "Metadata tracks that compositors are told of, and texts of the animation by `{{name}}`."),
        Field("instructions", \.instructions, "Tile the whole duration; absent: made from the tracks."),
        Field("subtitles", \.subtitles, "Files of timed text that are drawn over the picture."),
        Field("animation", \.animation, "A tree of animated layers around the picture."),
    ]
}

public struct ColourSettings: ProjectObject {
    public enum HDRMetadataPolicy: String, ProjectWord { case propagate, generate, none }
    public enum Space: String, ProjectWord { case encoded, linear }

    public var primaries: ColourPrimaries?
    public var transfer: ColourTransfer?
    public var matrix: ColourMatrix?
    public var hdrMetadata: HDRMetadataPolicy?
    public var blendSpace: Space?
    public var scaleSpace: Space?
    public var unknown: [String: JSONValue] = [:]

    /// Whether the settings say what samples stand for, in part at least.
    public var saysColour: Bool { primaries != nil || transfer != nil || matrix != nil }

    public init() {}

    package static let typeName = "Color"
    package static let summary = "What the film is tagged with, and how layers are blended and scaled."
    package static let fields: [Field<ColourSettings>] = [
        Field("primaries", \.primaries, "Absent: as all sources have it, else BT.709's."),
        Field("transfer", \.transfer, "Absent: as all sources have it, else BT.709's."),
        Field("matrix", \.matrix, "Absent: as all sources have it, else BT.709's."),
        Field(
            "hdrMetadata", \.hdrMetadata, default: .string("propagate"),
            """
            What a film in HDR says of its mastering display and its light: what its sources say (propagate), what is \
            measured of its frames (generate), or nothing (none).
            """),
        Field(
            "blendSpace", \.blendSpace, default: .string("encoded"),
            "`linear`: what layers let through, by opacity, alpha or an edge, is mixed as light."),
        Field(
            "scaleSpace", \.scaleSpace, default: .string("encoded"),
            "`linear`: what is scaled, turned or moved by a part of a pixel is sampled as light."),
    ]
}

/// A thing of a registry: a compositor, an effect, a transition.
public struct RegisteredChoice: ProjectObject {
    public var id = ""
    public var version: Int?
    public var params: JSONValue?
    public var easing: Easing?
    public var enabled: Bool?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "Registered"
    package static let summary = "Something found by its registered id; the file never carries code."
    package static let fields: [Field<RegisteredChoice>] = [
        Field("id", required: \.id, "The registered id, such as `builtin`."),
        Field("version", \.version, "The version that is needed; absent: the newest."),
        Field(
            "params", \.params,
            "What it understands: `splitreel effects ID` lists it. A number may be a list of keys."),
        Field("easing", \.easing, default: .string("linear"), "A transition: how it gets from 0 to 1."),
        Field("enabled", \.enabled, default: .bool(true), "false: as if it did not stand there."),
    ]
}

/// The picture over one range of composition time.
public struct Instruction: ProjectObject {
    public var range = TimeRange(start: .invalid, duration: .invalid)
    public var background: Colour?
    /// The layers, of which the first is top-most.
    public var layers: [Layer]?
    public var effect: RegisteredChoice?
    public var effects: [RegisteredChoice]?
    public var params: JSONValue?
    public var passthroughTrack: Int?
    public var postProcessing: Bool?
    public var sampleDataTracks: [Int]?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "Instruction"
    package static let summary = "What is drawn over one range of composition time."
    package static let fields: [Field<Instruction>] = [
        Field("range", required: \.range, "Starts exactly where the previous instruction ends."),
        Field("background", \.background, "Beneath all layers; absent: opaque black."),
        Field("layers", \.layers, "layers[0] is top-most; a track that is not listed is not drawn."),
        Field(
            "effect", \.effect,
            """
            A transition from layers[0] to the layers beneath it over the whole range, or an effect on the whole \
            picture.
            """),
        Field("effects", \.effects, "What is done to the whole picture, in order, after `effect`."),
        Field(
            "params", \.params,
            "Parameters of the video's own compositor over this range, in place of its own of the same names."),
        Field(
            "passthroughTrack", \.passthroughTrack,
            "Shows this track alone: upright, whole, over the background. Layers are not drawn."),
        Field("postProcessing", \.postProcessing, default: .bool(true), "false: no animation over this range."),
        Field(
            "sampleDataTracks", \.sampleDataTracks,
            "Those of the video's that the compositor is told of in this range; absent: all."),
    ]
}

/// One track's part of an instruction.
public struct Layer: ProjectObject {
    public enum Fit: String, ProjectWord {
        case contain, cover, stretch
        case asIs = "none"
    }

    public var track = 0
    public var fit: Fit?
    public var matte: Colour?
    public var transform: [Key<Transform>]?
    public var opacity: [Key<Double>]?
    public var crop: [Key<Rect>]?
    public var cornerRadius: [Key<Double>]?
    public var borderWidth: [Key<Double>]?
    public var borderColor: Colour?
    public var effects: [RegisteredChoice]?
    public var blend: BlendMode?
    public var visible: Bool?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "Layer"
    package static let summary = "How one track is drawn: cropped, then transformed, then faded."
    package static let fields: [Field<Layer>] = [
        Field("track", required: \.track, "The id of a video track."),
        Field(
            "fit", \.fit,
            """
            The source upright, as large as the canvas holds it whole (contain) or is filled by it (cover), centred, \
            or stretched to the canvas's shape (stretch), over `matte`: a picture of the canvas's size, which the \
            other keys are about. `none`: the source as it is, unscaled at the top left. Absent: the video's `fit`; \
            without that, and without a `transform`, films and stills are contained, and what they leave free is clear.
            """),
        Field("matte", \.matte, "With `fit`: what the source leaves free; absent: the instruction's background."),
        Field(
            "transform", \.transform,
            "From display pixels to the canvas, as six numbers or in parts; before the first key: identity."),
        Field("opacity", \.opacity, "0…1; before the first key: 1."),
        Field("crop", \.crop, "What of the source is seen, in its display pixels; before the first key: all."),
        Field(
            "cornerRadius", \.cornerRadius,
            "Rounds the corners of what is seen, in the pixels of `crop`; before the first key: 0."),
        Field(
            "borderWidth", \.borderWidth,
            "A border inside the edge of what is seen, in the pixels of `crop`; before the first key: 0."),
        Field("borderColor", \.borderColor, "The border's colour; absent: opaque black."),
        Field(
            "effects", \.effects,
            """
            What is done to the picture, in order: to the source's own pixels, before crop and transform; with `fit` \
            to the fitted picture.
            """),
        Field("blend", \.blend, default: .string("normal"), "How it is mixed with what lies beneath it."),
        Field("visible", \.visible, default: .bool(true), "false: it is not drawn; effects may still look at it."),
    ]
}
