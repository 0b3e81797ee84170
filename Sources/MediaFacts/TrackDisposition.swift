/// The purpose of a track, as players and libavformat have it; raw values are the file's.
public enum TrackDisposition: String, Codable, Sendable, CaseIterable {
    case `default`, forced, hearingImpaired, visualImpaired, captions, descriptions, dub, original, comment
}
