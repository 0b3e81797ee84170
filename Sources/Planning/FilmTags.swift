package import Composition
import Foundation

/// What a film says of itself beside its picture and sound.
package struct FilmTags: Hashable, Codable, Sendable {
    /// By libavformat's names, such as `title`.
    package var items: [String: String] = [:]
    package var video: Track?
    package var audio: Track?

    /// Of one stream of the film.
    package struct Track: Hashable, Codable, Sendable {
        /// ISO 639-2/T: three letters.
        package var language: String?
        package var name: String?

        package init(language: String?, name: String?) { (self.language, self.name) = (language, name) }
    }

    package init() {}

    package var isEmpty: Bool { self == FilmTags() }
}

/// The tags of a project's film. A stream is made of several tracks: it has the first language and the first name that
/// an enabled track of its type with segments says.
package func filmTags(of project: Project) -> FilmTags {
    var tags = FilmTags()
    for (key, value) in project.metadata ?? [:] {
        guard let text = value.text, !text.isEmpty, text.utf8.count <= longestFilmText else { continue }
        if key == "creationDate" {
            tags.items["creation_time"] = CreationDate(text)?.text
        } else {
            tags.items[itemNames[key] ?? key] = text
        }
    }
    if tags.items["title"] == nil, let name = project.name, !name.isEmpty { tags.items["title"] = name }
    tags.video = trackTags(.video, project)
    tags.audio = trackTags(.audio, project)
    return tags
}

/// AVFoundation's names of items whose names in libavformat are others.
private let itemNames = [
    "albumName": "album", "copyrights": "copyright", "albumArtist": "album_artist", "software": "encoding_tool",
    "creator": "artist",
]

private func trackTags(_ type: MediaType, _ project: Project) -> FilmTags.Track? {
    let tracks = project.composition.tracks.filter { $0.isEnabled && $0.type == type && !$0.segments.isEmpty }
    let language = tracks.lazy.compactMap(\.language).first.flatMap(languageCode)
    let name = tracks.lazy.compactMap(\.name).first { !$0.isEmpty }
    return language == nil && name == nil ? nil : FilmTags.Track(language: language, name: name)
}

/// The three letters of ISO 639-2 that films have, of a BCP 47 tag such as `de` or `pt-BR`; nil where there are none.
func languageCode(_ tag: String) -> String? {
    guard let primary = tag.split(separator: "-").first?.lowercased(), (2...3).contains(primary.utf8.count) else {
        return nil
    }
    return Locale.LanguageCode(primary).identifier(.alpha3)
}

extension JSONValue {
    /// Of a text or a number; other values have no place in a film.
    fileprivate var text: String? {
        switch self {
        case .string(let text): text
        case .integer, .number: String(decoding: canonicalBytes(), as: UTF8.self)
        default: nil
        }
    }
}

/// What the containers have room for, by libavformat's names. Matroska takes any.
private let itemsOfMP4: Set<String> = [
    "title", "artist", "album_artist", "composer", "album", "date", "creation_time", "encoding_tool", "comment",
    "genre", "copyright", "grouping", "lyrics", "description", "synopsis", "show", "episode_id", "network", "keywords",
]
private let itemsOfMOV: Set<String> = [
    "title", "artist", "author", "album", "date", "creation_time", "genre", "copyright", "make", "model", "location",
    "keywords", "comment",
]

private let itemsOfWAV: Set<String> = [
    "title", "artist", "album", "date", "comment", "genre", "copyright", "language", "track",
]

/// What the tags say that the film will not.
func tagWarnings(for settings: OutputSettings) -> [String] {
    let room: Set<String>
    switch settings.container {
    // Names of any kind have a place in these.
    case .mkv, .webm, .flac, .ogg, .mp3: return []
    case .mp4, .m4a: room = itemsOfMP4
    case .mov: room = itemsOfMOV
    case .wav: room = itemsOfWAV
    case .mxf: room = []
    }
    let left = (settings.tags?.items.keys.sorted() ?? []).filter { !room.contains($0) }
    guard !left.isEmpty else { return [] }
    return ["\(settings.container.rawValue) has no place for the metadata \(left.joined(separator: ", ")): not written"]
}
