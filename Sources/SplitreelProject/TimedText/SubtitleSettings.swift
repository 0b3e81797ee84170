public import JSONText
public import MediaFacts
public import MediaTime
public import Pictures

/// The use of subtitles: drawn over the picture, carried as a track of the film, or both.
public enum SubtitleMode: String, ProjectWord {
    case burn, track, both

    public var isBurnt: Bool { self != .track }
    public var isTrack: Bool { self != .burn }
}

/// An element of `video.subtitles`: a file of timed text or data, drawn over the picture.
public struct SubtitleSettings: ProjectObject {
    public var asset = ""
    public var track: Int?
    public var mode: SubtitleMode?
    public var offset: MediaTime?
    public var area: Rect?
    package var place: TimedCue.Place?
    public var text: TextSettings?
    public var highlight: Colour?
    public var language: String?
    public var name: String?
    public var disposition: [TrackDisposition]?
    public var enabled: Bool?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

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
