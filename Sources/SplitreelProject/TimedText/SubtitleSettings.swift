public import JSONText
public import MediaFacts
public import MediaTime
public import Pictures

/// The use of subtitles: drawn over the picture, carried as a track of the film, or both.
public enum SubtitleMode: String, Codable, ProjectWord {
    /// Drawn over the picture; carried as a track of the film; both.
    case burn, track, both

    package var isBurnt: Bool { self != .track }
    package var isTrack: Bool { self != .burn }
}

/// An element of `video.subtitles`: a file of timed text or data, drawn over the picture.
public struct SubtitleSettings: ProjectObject {
    /// The place in an area where cues stand.
    public enum Place: String, Codable, ProjectWord {
        /// At the lower edge; in the middle; at the upper edge.
        case bottom, middle, top
    }

    /// The name of an asset of kind subtitles, or of a film with a track of text.
    public var asset = ""
    /// The number of a film's track, from 1; nil for its first one of text that can be read.
    public var track: Int?
    /// The use: drawn over the picture, carried as a track of the film, or both; nil for `burn`.
    public var mode: SubtitleMode?
    /// The time that is added to the file's times; nil for 0.
    public var offset: MediaTime?
    /// The rectangle where lines are laid out, in the canvas's pixels; nil for all but a twentieth each side.
    public var area: Rect?
    /// The place in the area of cues that do not say it; nil for the bottom.
    public var place: Place?
    /// The look of the lines; in its `string`, `{{text}}` stands for the cue's text. nil for white with a black
    /// outline.
    public var text: TextSettings?
    /// The colour of the part of a cue that has begun, where its file times its parts; nil for none.
    public var highlight: Colour?
    /// The language of the track as a tag of BCP 47; nil for none.
    public var language: String?
    /// The name of the track, for people; nil for none.
    public var name: String?
    /// The purposes of the track that players know of; nil for none.
    public var disposition: [TrackDisposition]?
    /// Whether they are drawn; nil counts as true.
    public var enabled: Bool?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Subtitles"
    package static let summary = "Timed text or data that is drawn over the whole picture, above all else."
    package static let fields: [Field<SubtitleSettings>] = [
        Field("asset", required: \.asset, "An asset of kind subtitles, or a film with a track of text."),
        Field(
            "track", \.track, "A film's: position in the file from 1; absent: its first one of text that can be read."),
        Field(
            "mode", \.mode, default: .string("burn"), "Drawn over the picture, carried as a track of the film, or both."
        ),
        Field("offset", \.offset, "Added to the file's times; absent: 0."),
        Field(
            "area", \.area, "Where lines are laid out, in the canvas's pixels; absent: all but a twentieth each side."),
        Field("place", \.place, "Where in the area cues stand that do not say it; absent: bottom."),
        Field(
            "text", \.text,
            """
            How they look. In its `string`, `{{text}}` stands for the cue's text, `{{name}}` for a value of timed \
            data; absent: white with a black outline, of an eighteenth of the canvas's shorter side.
            """),
        Field("highlight", \.highlight, "The colour of what of a cue has begun, where its file times its parts."),
        Field("language", \.language, "Of the track; BCP 47 tag."),
        Field("name", \.name, "Of the track, for people."),
        Field("disposition", \.disposition, "What the track is for, as players have it; absent: nothing of it."),
        Field("enabled", \.enabled, default: .bool(true), "false: they are not drawn."),
    ]
}

extension SubtitleSettings {
    /// The place of cues that do not say it, as they say it.
    package var cuePlace: TimedCue.Place { place.flatMap { TimedCue.Place(rawValue: $0.rawValue) } ?? .bottom }
}
