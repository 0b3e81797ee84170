package import JSONText

/// In bytes; longer texts belong into no film's header.
package let longestFilmText = 65_535

/// In bytes.
private let longestFilmItemName = 255

/// Why no film can hold an item of that name; nil where one can.
package func faultOfFilmItemName(_ name: String) -> String? {
    if name.isEmpty { return "an item's name is empty" }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
        return "the name of an item cannot hold control characters"
    }
    if name.contains("=") { return "the name of an item cannot hold `=`" }
    let count = name.utf8.count
    return count > longestFilmItemName
        ? "an item's name has at most \(longestFilmItemName) bytes, this one \(count)" : nil
}

/// AVFoundation's names of items whose names in libavformat are others.
private let filmItemNames = [
    "albumName": "album", "copyrights": "copyright", "albumArtist": "album_artist", "software": "encoding_tool",
    "creator": "artist",
]

/// libavformat's names of those that the format gives a meaning.
package let namedFilmItems: Set<String> = [
    "title", "creation_time", "artist", "author", "album", "album_artist", "composer", "comment", "description",
    "genre", "copyright", "date", "make", "model", "location", "encoding_tool", "keywords",
]

extension String {
    /// What libavformat calls an item of that name.
    package var filmItemName: String { isCreationDate ? "creation_time" : filmItemNames[self] ?? self }

    /// Whether an item of that name is the film's date, as AVFoundation calls it or as libavformat does.
    package var isCreationDate: Bool { self == "creationDate" || lowercased() == "creation_time" }
}

extension JSONValue {
    /// What a film says for it: a text or a number; other values have no place in a film.
    package var filmText: String? {
        switch self {
        case .string(let text): text
        case .integer, .number: String(decoding: canonicalBytes(), as: UTF8.self)
        default: nil
        }
    }
}
