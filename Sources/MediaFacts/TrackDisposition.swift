/// The purpose of a track, as players and libavformat have it; raw values are the file's.
public enum TrackDisposition: String, Codable, Sendable, CaseIterable {
    /// The track plays where nobody chooses one.
    case `default`
    /// The subtitles are shown even where nobody wants subtitles.
    case forced
    /// The track is for people who hear little.
    case hearingImpaired
    /// The track is for people who see little.
    case visualImpaired
    /// The text tells all that is to be heard.
    case captions
    /// The track tells what is to be seen.
    case descriptions
    /// The sound is a translation.
    case dub
    /// The sound is in the language of the film.
    case original
    /// The track is somebody's comment on the film.
    case comment
}
