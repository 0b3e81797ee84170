public import JSONText
public import MediaFacts
public import MediaTime
public import Pictures

/// A whole project file of format `splitreel/1`.
///
/// It is a value: rendering never changes it. Optional properties are nil where the file is silent; keys that this
/// version does not know are kept in `unknown`, at every level, and written back.
public struct Project: ProjectObject {
    public static let formatName = "splitreel/1"

    public var format = Project.formatName
    public var name: String?
    public var metadata: [String: JSONValue]?
    public var assets: [String: Asset] = [:]
    public var composition = Composition()
    private var boxedVideo: Boxed<VideoComposition>?
    public var audio: AudioMix?
    public var chapters: ChapterList?
    public var outputs: [OutputEntry]?
    public var unknown: [String: JSONValue] = [:]

    public var video: VideoComposition? {
        get { boxedVideo?.value }
        set { boxedVideo = newValue.map { Boxed($0) } }
    }

    public init() {}

    package static let typeName = "Project"
    package static let summary = "A splitreel/1 project: assets, their arrangement in time, picture, sound, outputs."
    package static let fields: [Field<Project>] = [
        Field("format", required: \.format, "Always `splitreel/1`; another format is refused by name."),
        Field("name", \.name, "For people; the film's title where metadata has none."),
        Field("metadata", \.metadata, "Title, creation date and other items, written to the film as far as it can."),
        Field("assets", required: \.assets, "The sources, each under a name that segments use."),
        Field("composition", required: \.composition, "Which part of which asset plays when."),
        Field("video", \.video, "How tracks become a picture; absent: made from the sources."),
        Field("audio", \.audio, "How audio tracks are mixed; absent: every track at volume 1."),
        Field("chapters", \.chapters, "The films' chapters: a list, or `markers`: one from each marker on."),
        Field("outputs", \.outputs, "What is made of the project when nothing else is asked for."),
    ]

    /// A nested project is described by the whole schema.
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object(["$ref": .string("#")])
    }
}

/// The key `composition`: the tracks, in z order of the automatic picture (the first is top-most).
public struct Composition: ProjectObject {
    public var naturalSize: PixelSize?
    public var tracks: [Track] = []
    public var markers: [Marker]?
    package var removedIDs = RemovedIDs()
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "Composition"
    package static let summary = "Tracks whose segments say what plays when."
    package static let fields: [Field<Composition>] = [
        Field("naturalSize", \.naturalSize, "Stands in for a renderSize that is not given."),
        Field("tracks", required: \.tracks, "Any number of tracks, each with its own id."),
        Field("markers", \.markers, "Named points; `\"chapters\": \"markers\"` makes chapters of them."),
    ]
}

public struct Track: ProjectObject {
    public var id = 0
    public var type = MediaType.video
    public var timescale: Int?
    public var language: String?
    public var name: String?
    public var disposition: [TrackDisposition]?
    public var enabled: Bool?
    public var preferredVolume: Double?
    public var preferredTransform: Affine?
    public var segments: [TrackSegment] = []
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    public var isEnabled: Bool { enabled ?? true }

    package static let typeName = "Track"
    package static let summary = "One line of segments that follow each other without gap or overlap."
    package static let fields: [Field<Track>] = [
        Field("id", required: \.id, "A whole number from 1, used once; layers and audio inputs name tracks by it."),
        Field("type", required: \.type, "What its segments are."),
        Field("timescale", \.timescale, "Preferred units per second for editing; times are exact whatever it is."),
        Field("language", \.language, "BCP 47 tag; the film's picture or sound has the first one of its kind."),
        Field("name", \.name, "For people; written to the film as the language is."),
        Field(
            "disposition", \.disposition,
            "What it is for, as players have it; the film's picture or sound has the first of its kind."),
        Field("enabled", \.enabled, default: .bool(true), "false: the track renders nothing."),
        Field(
            "preferredVolume", \.preferredVolume, default: .integer(1),
            "Multiplies the volume of all its sound; linear amplitude."),
        Field(
            "preferredTransform", \.preferredTransform,
            "Replaces the sources' own in a picture without instructions."),
        Field("segments", required: \.segments, "The first starts at 0, each later one where the previous one ends."),
    ]
}

public struct TrackSegment: ProjectObject {
    public var asset: String?
    public var track: Int?
    public var source: TimeRange?
    public var target = TimeRange(start: .invalid, duration: .invalid)
    public var volume: Double?
    public var pitch: PitchAlgorithm?
    public var reverse: Bool?
    public var frameBlending: Bool?
    public var speed: [Key<Double>]?
    public var fadeIn: FadeSettings?
    public var fadeOut: FadeSettings?
    public var clampToSource: Bool?
    public var transition: SegmentTransition?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    /// Whether the segment has no asset: the background shows, or silence is heard.
    public var isEmpty: Bool { asset == nil }

    package static let typeName = "Segment"
    package static let summary = """
        A part of an asset, played over a part of the composition; its rate is source duration / target duration. \
        Without `asset`: nothing.
        """
    package static let fields: [Field<TrackSegment>] = [
        Field("asset", \.asset, "The asset's name."),
        Field("track", \.track, "Position in the file from 1; absent: the first track of this track's type."),
        Field(
            "source", \.source,
            "Asset time. Stills and generators have none; an animated image without one plays by itself."),
        Field("target", required: \.target, "Composition time."),
        Field("volume", \.volume, default: .integer(1), "Linear amplitude of this segment's sound."),
        Field("pitch", \.pitch, "How the sound's speed is changed here; absent: as the audio input says."),
        Field("reverse", \.reverse, default: .bool(false), "true: the source is played from its end to its start."),
        Field("frameBlending", \.frameBlending, default: .bool(false), "true: between two frames, the mean of both."),
        Field(
            "speed", \.speed,
            "Source seconds per second, times counted from the segment's start; absent: what fits the source in."),
        Field("fadeIn", \.fadeIn, "How its sound comes in; absent: at once."),
        Field("fadeOut", \.fadeOut, "How its sound goes out; absent: at once."),
        Field(
            "clampToSource", \.clampToSource, default: .bool(false),
            "true: a source beyond the asset's end is no error; the last frame holds, the sound is silent."),
        Field(
            "transition", \.transition,
            "How it comes in: a picture where there are no instructions, from the segment before it or one of another "
                + "track; sound from the segment before it."
        ),
    ]
}

extension MediaType: ProjectWord {}
