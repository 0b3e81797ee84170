package import JSONText

/// The most bytes of a text of a film; longer ones belong into no film's header.
package let longestFilmText = 65_535

/// The most bytes of an item's name.
private let longestFilmItemName = 255

/// The reason why no film can hold an item of that name; nil where one can.
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

/// AVFoundation's names of items that libavformat calls otherwise, each with libavformat's.
private let filmItemNames = [
    "albumName": "album", "copyrights": "copyright", "albumArtist": "album_artist", "software": "encoding_tool",
    "creator": "artist",
]

/// The items to which the format gives a meaning, by libavformat's names.
package let namedFilmItems: Set<String> = [
    "title", "creation_time", "artist", "author", "album", "album_artist", "composer", "comment", "description",
    "genre", "copyright", "date", "make", "model", "location", "encoding_tool", "keywords",
]

extension String {
    /// The name that libavformat has for an item of this name.
    package var filmItemName: String { isCreationDate ? "creation_time" : filmItemNames[self] ?? self }

    /// Whether an item of that name is the film's date, as AVFoundation calls it or as libavformat does.
    package var isCreationDate: Bool { self == "creationDate" || lowercased() == "creation_time" }
}

extension JSONValue {
    /// The text that a film has for the value, a text or a number; nil for other values, which have no place in a film.
    package var filmText: String? {
        switch self {
        case .string(let text): text
        case .integer, .number: String(decoding: canonicalBytes(), as: UTF8.self)
        default: nil
        }
    }
}
