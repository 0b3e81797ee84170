public import JSONText
public import MediaTime
public import Pictures

/// The key `video`: the canvas, its clock and what is drawn when.
public struct VideoComposition: ProjectObject {
    /// The canvas's size in pixels; nil for the composition's naturalSize, else the largest display size, made even.
    public var renderSize: PixelSize?
    /// The factor of the canvas and all its geometry; nil for 1.
    public var renderScale: Double?
    /// The length of a frame; nil for that of the fastest source, else 1/30 s.
    public var frameDuration: MediaTime?
    /// The id of the video track whose frames' times are the output's; nil for frames of one length.
    public var frameTimingTrack: Int?
    /// The film's colour; nil for what all sources are tagged with, else BT.709.
    public var color: ColourSettings?
    /// The fit of all layers that have neither `fit` nor `transform`; nil where films and stills are contained.
    public var fit: Layer.Fit?
    /// The compositor that makes the frames; nil for `builtin`.
    public var compositor: RegisteredChoice?
    /// The effects on every frame, in order; nil for none.
    public var effects: [RegisteredChoice]?
    /// The ids of metadata tracks that compositors are told of, and texts of the animation; nil for none.
    public var sampleDataTracks: [Int]?
    /// The instructions, which tile the whole duration; nil where they are made from the tracks.
    public var instructions: [Instruction]?
    /// The files of timed text that are drawn over the picture or carried as tracks; nil for none.
    public var subtitles: [SubtitleSettings]?
    private var boxedAnimation: Boxed<AnimationTree>?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    /// The tree of animated layers around the picture, or as a track; nil for none.
    public var animation: AnimationTree? {
        get { boxedAnimation?.value }
        set { boxedAnimation = newValue.map { Boxed($0) } }
    }

    package init() {}

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

/// The key `color` of the video: what the film is tagged with, and how layers are blended and scaled.
public struct ColourSettings: ProjectObject {
    /// The source of what a film in high dynamic range says of its mastering display and its light.
    public enum HDRMetadataPolicy: String, Codable, ProjectWord {
        /// Its sources' own; the measure of its frames.
        case propagate, generate
        /// It says nothing, `none` in the file.
        case omit = "none"
    }
    /// The meaning of numbers while they are mixed.
    public enum Space: String, Codable, ProjectWord {
        /// As they are encoded; as light.
        case encoded, linear
    }

    /// The primaries; nil for those of all sources, else BT.709's.
    public var primaries: ColourPrimaries?
    /// The transfer function; nil for that of all sources, else BT.709's.
    public var transfer: ColourTransfer?
    /// The matrix of Y'CbCr; nil for that of all sources, else BT.709's.
    public var matrix: ColourMatrix?
    /// The metadata of a film in high dynamic range; nil for `propagate`.
    public var hdrMetadata: HDRMetadataPolicy?
    /// The space in which layers are mixed by opacity, alpha or an edge; nil for `encoded`.
    public var blendSpace: Space?
    /// The space in which what is scaled, turned or moved is sampled; nil for `encoded`.
    public var scaleSpace: Space?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    /// Whether the settings say what samples stand for, in part at least.
    package var saysColour: Bool { primaries != nil || transfer != nil || matrix != nil }

    package init() {}

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
    /// The registered id, such as `builtin`.
    public var id = ""
    /// The version that is needed; nil for the newest.
    public var version: Int?
    /// The parameters by their names; a number may be a list of keys. nil for the defaults.
    public var params: JSONValue?
    /// The way of a transition from 0 to 1; nil for linear.
    public var easing: Easing?
    /// Whether it counts; false is as if it did not stand there, nil counts as true.
    public var enabled: Bool?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

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
    /// The range in composition time; it starts exactly where the previous instruction's ends.
    public var range = TimeRange(start: .invalid, duration: .invalid)
    /// The colour beneath all layers; nil for opaque black.
    public var background: Colour?
    /// The layers, of which the first is top-most.
    public var layers: [Layer]?
    /// The transition from the first layer to those beneath it over the whole range, or an effect on the picture.
    public var effect: RegisteredChoice?
    /// The effects on the whole picture, in order, after `effect`; nil for none.
    public var effects: [RegisteredChoice]?
    /// The parameters of the video's compositor over this range, in place of its own of the same names; nil for none.
    public var params: JSONValue?
    /// The id of the track that is shown alone: upright, whole, over the background. nil where layers are drawn.
    public var passthroughTrack: Int?
    /// Whether the animation is there over this range; nil counts as true.
    public var postProcessing: Bool?
    /// The ids of the video's metadata tracks that the compositor is told of in this range; nil for all.
    public var sampleDataTracks: [Int]?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

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
    /// The place of a source on the canvas.
    ///
    /// A fitted source is upright and centred, over `matte`: a picture of the canvas's size, which the layer's other
    /// keys are about.
    public enum Fit: String, Codable, ProjectWord {
        /// As large as the canvas holds it whole.
        case contain
        /// As small as it fills the canvas; what sticks out is cut off.
        case cover
        /// Stretched to the canvas's shape.
        case stretch
        /// The source as it is, unscaled at the top left: `none` in the file, and what a layer of AVFoundation's has
        /// whose transform is the identity. It is no `none` here, which would be nil: the video's fit.
        case asIs = "none"
    }

    /// The id of a video track, or the number of an animation that is a track.
    public var track = 0
    /// The place of the source on the canvas: see `Fit`. nil for the video's `fit`; without that, and without a
    /// `transform`, films and stills are contained, and what they leave free is clear.
    public var fit: Fit?
    /// The colour of what a fitted source leaves free; nil for the instruction's background.
    public var matte: Colour?
    /// The maps from display pixels to the canvas, y down; the identity before the first key.
    public var transform: [Key<Transform>]?
    /// The opacities, 0…1; 1 before the first key.
    public var opacity: [Key<Double>]?
    /// The parts of the source that are seen, in its display pixels; all of it before the first key.
    public var crop: [Key<Rect>]?
    /// The radii of the corners of what is seen, in the pixels of `crop`; 0 before the first key.
    public var cornerRadius: [Key<Double>]?
    /// The widths of a border inside the edge of what is seen, in the pixels of `crop`; 0 before the first key.
    public var borderWidth: [Key<Double>]?
    /// The border's colour; nil for opaque black.
    public var borderColor: Colour?
    /// The effects in order: on the source's own pixels before crop and transform, with `fit` on the fitted picture.
    /// nil for none.
    public var effects: [RegisteredChoice]?
    /// The mixing with what lies beneath it; nil for normal.
    public var blend: BlendMode?
    /// Whether it is drawn; effects may look at it all the same. nil counts as true.
    public var visible: Bool?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

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
