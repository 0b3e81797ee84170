package import MediaTime
package import Pictures

/// An element of `video.subtitles`: a file of timed text or data, drawn over the picture.
package struct SubtitleSettings: ProjectObject {
    package var asset = ""
    package var offset: MediaTime?
    package var area: Rect?
    package var place: TimedCue.Place?
    package var text: TextSettings?
    package var highlight: Colour?
    package var enabled: Bool?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Subtitles"
    package static let summary = "Timed text or data that is drawn over the whole picture, above all else."
    package static let fields: [Field<SubtitleSettings>] = [
        Field("asset", required: \.asset, "An asset of kind subtitles."),
        Field("offset", \.offset, "Added to the file's times; absent: 0."),
        Field(
            "area", \.area, "Where lines are laid out, in the canvas's pixels; absent: all but a twentieth each side."),
        Field("place", \.place, "Where in the area cues stand that do not say it; absent: bottom."),
        Field(
            "text", \.text,
            """
            How they look. In its `string`, `{{text}}` stands for the cue's text, `{{name}}` for a value of timed \
            data; absent: white with a black outline, of an eighteenth of the canvas's height.
            """),
        Field("highlight", \.highlight, "The colour of what of a cue has begun, where its file times its parts."),
        Field("enabled", \.enabled, default: .bool(true), "false: they are not drawn."),
    ]
}
