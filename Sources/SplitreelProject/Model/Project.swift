package import JSONText
package import MediaFacts
package import MediaTime
package import Pictures

/// A whole project file of format `splitreel/1`.
///
/// It is a value: rendering never changes it. Optional properties are nil where the file is silent; keys that this
/// version does not know are kept in `unknown`, at every level, and written back.
package struct Project: ProjectObject {
    package static let formatName = "splitreel/1"

    package var format = Project.formatName
    package var name: String?
    package var metadata: [String: JSONValue]?
    package var assets: [String: Asset] = [:]
    package var composition = TrackList()
    private var boxedVideo: Boxed<VideoDescription>?
    package var audio: AudioMix?
    package var chapters: ChapterList?
    package var outputs: [OutputEntry]?
    package var unknown: [String: JSONValue] = [:]

    package var video: VideoDescription? {
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

/// A source: a file or a generator.
package struct Asset: ProjectObject {
    package enum Kind: String, Codable, ProjectWord {
        case media, image, imageSequence, animatedImage, livePhoto, color, gradient, bars, checker, noise, silence, tone
        case sweep, timedMetadata, composition, lut, subtitles, font

        /// Whether the asset is made of what the project says, without a file.
        package var isGenerator: Bool { isPictureGenerator || isSoundAlone }
        /// Whether the asset is a generator without a picture. Noise is a picture or sound, by the track that plays it.
        package var isSoundAlone: Bool { self == .silence || self == .tone || self == .sweep }
        package var isPictureGenerator: Bool { [.color, .gradient, .bars, .checker, .noise].contains(self) }
        /// Whether the asset is a file that no track plays: effects and titles name it, and it is read whole.
        package var isData: Bool { self == .lut || self == .font || isTimedText }
    }

    package var kind: Kind?
    package var url: String?
    package var preciseTiming: Bool?
    package var proxy: String?
    package var movie: String?
    package var color: Colour?
    /// The meaning of a file's samples, under the key `color` too; nil where the file's tags count.
    package var sourceColor: SourceColour?
    package var range: SampleRange?
    package var alpha: AlphaKind?
    package var size: PixelSize?
    package var gradient: GradientSettings?
    package var standard: ColourBars?
    package var cell: PixelSize?
    package var colors: [Colour]?
    package var seed: Int?
    package var monochrome: Bool?
    package var rate: ProjectRate?
    package var startNumber: Int?
    package var frequency: Double?
    package var endFrequency: Double?
    package var volume: Double?
    package var project: Project?
    package var deinterlace: Deinterlacing.Order?
    package var fieldRate: Bool?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Asset"
    package static let summary = "A source of pictures, sound or data."
    package static let fields: [Field<Asset>] = [
        Field("kind", \.kind, "What it is; absent: decided by the file's content."),
        Field("url", \.url, "The file, relative to the project file, or an absolute path. Generators have none."),
        Field("preciseTiming", \.preciseTiming, "Exact times are wanted; they always are here."),
        Field(
            "proxy", \.proxy,
            "A smaller stand-in, shown with `--proxy`; the geometry and the sound stay those of `url`."),
        Field("movie", \.movie, "livePhoto: the moving part."),
        Field(
            "color", \.colourKey,
            "color: what the generator shows. A file: what its samples stand for, in place of its own tags."),
        Field("range", \.range, "A file: which codes are black and white; absent: as it says."),
        Field(
            "alpha", \.alpha,
            "A file: whether its R'G'B' was multiplied by its alpha; absent: a TIFF's as it says, else straight."),
        Field("size", \.size, "Picture generators: their size; absent: the renderSize."),
        Field("gradient", \.gradient, "gradient: its way and its colours."),
        Field("standard", \.standard, default: .string("smpte"), "bars: which ones, of 75 %."),
        Field("cell", \.cell, "checker: the size of a field; absent: 32×32."),
        Field("colors", \.colors, "checker: its two colours; absent: greys of 0.75 and 0.5."),
        Field(
            "seed", \.seed, default: .integer(0), "noise: the same seed gives the same pictures and samples anywhere."),
        Field("monochrome", \.monochrome, default: .bool(true), "noise: grey; false: coloured."),
        Field("rate", \.rate, "imageSequence: pictures a second; absent: 25. noise: the same; absent: one, still."),
        Field("startNumber", \.startNumber, "imageSequence: the first number; absent: the lowest that there is."),
        Field("frequency", \.frequency, "tone: in Hz; absent: 1000. sweep: at its start; absent: 20."),
        Field("endFrequency", \.endFrequency, default: .integer(20_000), "sweep: in Hz, at its end."),
        Field("volume", \.volume, default: JSONValue(0.1), "tone, sweep and noise that is heard: linear amplitude."),
        Field("project", \.project, "composition: the nested project itself; absent: it is read from `url`."),
        Field(
            "deinterlace", \.deinterlace, default: .string("auto"),
            "Which field of interlaced film is first; auto: as the file says; none: both are shown together; pulldown: "
                + "the film's frames out of video that was made by 2:3 pull-down."),
        Field("fieldRate", \.fieldRate, default: .bool(false), "true: each field of interlaced film becomes a frame."),
    ]
}

/// The key `composition`: the tracks, in z order of the automatic picture (the first is top-most).
package struct TrackList: ProjectObject {
    package var naturalSize: PixelSize?
    package var tracks: [Track] = []
    package var markers: [Marker]?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Composition"
    package static let summary = "Tracks whose segments say what plays when."
    package static let fields: [Field<TrackList>] = [
        Field("naturalSize", \.naturalSize, "Stands in for a renderSize that is not given."),
        Field("tracks", required: \.tracks, "Any number of tracks, each with its own id."),
        Field("markers", \.markers, "Named points; `\"chapters\": \"markers\"` makes chapters of them."),
    ]
}

package struct Track: ProjectObject {
    package var id = 0
    package var type = MediaType.video
    package var timescale: Int?
    package var language: String?
    package var name: String?
    package var disposition: [TrackDisposition]?
    package var enabled: Bool?
    package var preferredVolume: Double?
    package var preferredTransform: Affine?
    package var segments: [TrackSegment] = []
    package var unknown: [String: JSONValue] = [:]

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

package struct TrackSegment: ProjectObject {
    package var asset: String?
    package var track: Int?
    package var source: TimeRange?
    package var target = TimeRange(start: .invalid, duration: .invalid)
    package var volume: Double?
    package var pitch: PitchAlgorithm?
    package var reverse: Bool?
    package var speed: [Key<Double>]?
    package var fadeIn: FadeSettings?
    package var fadeOut: FadeSettings?
    package var clampToSource: Bool?
    package var transition: SegmentTransition?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    /// Whether the segment has no asset: the background shows, or silence is heard.
    package var isEmpty: Bool { asset == nil }

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
