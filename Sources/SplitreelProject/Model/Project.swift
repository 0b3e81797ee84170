public import JSONText
public import MediaFacts
public import MediaTime
public import Pictures

/// A whole project file of format `splitreel/1`.
///
/// It is a value: rendering never changes it. Optional properties are nil where the file is silent; keys that this
/// version does not know are kept in `unknown`, at every level, and written back.
public struct Project: ProjectObject {
    /// The name of the file's format, `splitreel/1`.
    public static let formatName = "splitreel/1"

    /// The name of the format, always `splitreel/1`: a file of another format is refused by name.
    public var format = Project.formatName
    /// The name for people; the film's title where `metadata` has none.
    public var name: String?
    /// The title, creation date and other items by their names, written to the film as far as it can; nil for none.
    public var metadata: [String: JSONValue]?
    /// The sources, each under the name that segments and layers use.
    public var assets: [String: Asset] = [:]
    /// The tracks, whose segments say which part of which asset plays when.
    public var composition = Composition()
    private var boxedVideo: Boxed<VideoComposition>?
    /// The mix of the audio tracks; nil where every track is heard at volume 1.
    public var audio: AudioMix?
    /// The chapters of the films; nil for none.
    public var chapters: ChapterList?
    /// The outputs that are made of the project when nothing else is asked for; nil for none.
    public var outputs: [OutputEntry]?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    /// The way in which tracks become a picture; nil where it is made from the sources.
    public var video: VideoComposition? {
        get { boxedVideo?.value }
        set { boxedVideo = newValue.map { Boxed($0) } }
    }

    package init() {}

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
    /// The canvas's size in pixels where `video.renderSize` gives none; nil where the sources decide.
    public var naturalSize: PixelSize?
    /// The tracks, each with its own id; of the automatic picture the first is top-most.
    public var tracks: [Track] = []
    /// The named points; chapters can be made of them. nil for none.
    public var markers: [Marker]?
    package var removedIDs = RemovedIDs()
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Composition"
    package static let summary = "Tracks whose segments say what plays when."
    package static let fields: [Field<Composition>] = [
        Field("naturalSize", \.naturalSize, "Stands in for a renderSize that is not given."),
        Field("tracks", required: \.tracks, "Any number of tracks, each with its own id."),
        Field("markers", \.markers, "Named points; `\"chapters\": \"markers\"` makes chapters of them."),
    ]
}

/// One line of segments that follow each other without gap or overlap.
public struct Track: ProjectObject {
    /// The track's number, from 1, used once; layers and audio inputs name tracks by it.
    public var id = 0
    /// The kind of all its segments.
    public var type = MediaType.video
    /// The units per second that an editor prefers; times are exact whatever it is. nil for none.
    public var timescale: Int?
    /// The language as a tag of BCP 47; the film's picture or sound has the first one of its kind. nil for none.
    public var language: String?
    /// The name for people, written to the film as the language is; nil for none.
    public var name: String?
    /// The purposes that players know of; the film's picture or sound has the first of its kind. nil for none.
    public var disposition: [TrackDisposition]?
    /// Whether the track is rendered; nil counts as true.
    public var enabled: Bool?
    /// The linear amplitude that multiplies the volume of all its sound; nil for 1.
    public var preferredVolume: Double?
    /// The map that replaces the sources' own in a picture without instructions; nil where theirs count.
    public var preferredTransform: Affine?
    /// The segments in order: the first starts at 0, each later one where the previous one ends.
    public var segments: [TrackSegment] = []
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package var isEnabled: Bool { enabled ?? true }

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

/// A part of an asset, played over a part of the composition. Its rate is the source's duration / the target's.
public struct TrackSegment: ProjectObject {
    /// The asset's name; nil where nothing is shown or heard.
    public var asset: String?
    /// The number of the track in the asset's file, from 1; nil for the first of this track's type.
    public var track: Int?
    /// The range in the asset's time. Stills and generators have none; an animated image without one plays by itself.
    public var source: TimeRange?
    /// The range in composition time.
    public var target = TimeRange(start: .invalid, duration: .invalid)
    /// The linear amplitude of this segment's sound; nil for 1.
    public var volume: Double?
    /// The algorithm by which the sound's speed is changed here; nil for the audio input's.
    public var pitch: PitchAlgorithm?
    /// Whether the source is played from its end to its start; nil counts as false.
    public var reverse: Bool?
    /// Whether the mean of both is shown between two frames; nil counts as false.
    public var frameBlending: Bool?
    /// The source seconds per second, at times counted from the segment's start; nil for what fits the source in.
    public var speed: [Key<Double>]?
    /// The fade by which its sound comes in; nil where it does at once.
    public var fadeIn: FadeSettings?
    /// The fade by which its sound goes out; nil where it does at once.
    public var fadeOut: FadeSettings?
    /// Whether a source beyond the asset's end is allowed: the last frame holds, the sound is silent. nil counts as
    /// false.
    public var clampToSource: Bool?
    /// The transition by which it comes in: a picture where there are no instructions, or sound. nil for a cut.
    public var transition: SegmentTransition?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

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
