/// The items of a film, by libavformat's names, sorted by what a container does with them.
package struct FilmTagRoom {
    /// The items that are written, by the names that they have there.
    package private(set) var items: [String: String] = [:]
    /// The names of items that the container says itself.
    private(set) var own: [String] = []
    /// The names of items that the container has no place for.
    private(set) var left: [String] = []
    /// The names of items that would stand where another item does, whose name comes second.
    private(set) var hidden: [(name: String, behind: String)] = []

    package init(_ tags: FilmTags, in container: Container) {
        let names = Dictionary(tags.items.keys.map { ($0.lowercased(), $0) }) { first, _ in first }
        for (name, text) in tags.items.sorted(by: { $0.key < $1.key }) {
            let key = name.lowercased()
            if container.saysItself(key) || container == .ogg && key == "language" && tags.audio?.language != nil {
                own.append(name)
            } else if !container.hasRoom(for: key, text) {
                left.append(name)
            } else if let other = container.otherNames[key].flatMap({ names[$0] }) {
                hidden.append((name, other))
            } else {
                items[container.isMatroska && key == "encoding_tool" ? "software" : name] = text
            }
        }
    }
}

extension Container {
    /// Whether an item is for the muxer to say, in a container that has a place for items of any name.
    fileprivate func saysItself(_ key: String) -> Bool {
        guard hasRoomForAll else { return false }
        // These two would change how the picture is shown.
        let ofMatroska: Set<String> = ["duration", "stereo_mode", "alpha_mode"]
        return key == "encoder" || key.hasPrefix("encoder-") || isMatroska && ofMatroska.contains(key)
    }

    private var hasRoomForAll: Bool {
        switch self {
        case .mkv, .webm, .flac, .ogg, .mp3, .m3u8, .mpd, .waveform: true
        default: false
        }
    }

    fileprivate func hasRoom(for key: String, _ text: String) -> Bool {
        switch self {
        case .mp4, .m4a: itemsOfMP4.contains(key) || text.isNumber(of: key)
        case .mov: itemsOfMOV.contains(key)
        case .wav: itemsOfWAV.contains(key)
        case .mxf:
            // A time of another form would end the writing of its header.
            itemsOfMXF.contains(key) || key.hasPrefix("comment_") || key == "timecode" && text.isTimecode
        default: hasRoomForAll
        }
    }

    /// The names of items whose place in the file another one takes, by the first's name.
    fileprivate var otherNames: [String: String] {
        switch self {
        case .flac, .ogg:
            ["comment": "description", "album_artist": "albumartist", "track": "tracknumber", "disc": "discnumber"]
        case .mkv, .webm: ["encoding_tool": "software", "performer": "lead_performer", "track": "part_number"]
        default: [:]
        }
    }
}

/// The warnings of what the tags say that the film will not.
package func tagWarnings(for settings: OutputSettings) -> [String] {
    guard let tags = settings.tags, settings.container.stream == nil, settings.container.kind != .waveform else {
        return []
    }
    let container = settings.container.rawValue
    func words(_ names: [String]) -> String { names.map { String($0.prefix(60)) }.joined(separator: ", ") }
    let room = FilmTagRoom(tags, in: settings.container)
    var warnings: [String] = []
    if !room.own.isEmpty {
        warnings.append("\(container) says the metadata \(words(room.own)) itself: not written")
    }
    if !room.left.isEmpty {
        warnings.append("\(container) has no place for the metadata \(words(room.left)): not written")
    }
    for (name, other) in room.hidden {
        let (lost, kept) = (words([name]), words([other]))
        warnings.append("\(container) has one place for \(lost) and \(kept): \(lost) is not written")
    }
    return warnings + trackWarnings(settings, tags)
}

private func trackWarnings(_ settings: OutputSettings, _ tags: FilmTags) -> [String] {
    let container = settings.container.rawValue
    switch settings.container {
    case .ogg:
        guard let name = tags.audio?.name, tags.hidesTrackName(in: .ogg) else { return [] }
        return ["ogg has one place for the film's title and its sound's name: \(name.prefix(60)) is not written"]
    case .flac, .mp3, .wav, .mxf:
        let tracks = [settings.container == .mxf ? tags.video : nil] + settings.sounds.map(\.tags)
        return tracks.compactMap { track in
            let words = [track?.name, track?.language].compactMap { $0?.prefix(60) }.joined(separator: ", ")
            return words.isEmpty
                ? nil : "\(container) has no place for what a track is called and its language (\(words)): not written"
        }
    default: return []
    }
}

extension String {
    /// Whether the text is hours, minutes, seconds and frames that are all counted.
    fileprivate var isTimecode: Bool { wholeMatch(of: /[0-2][0-9]:[0-5][0-9]:[0-5][0-9]:[0-9]{2}/) != nil }
}

extension String {
    /// Whether MP4 has the item `key`, and the text is a number that has room there.
    fileprivate func isNumber(of key: String) -> Bool {
        switch key {
        case "track", "disc": wholeMatch(of: /[1-9][0-9]{0,3}(\/[0-9]{1,4})?/) != nil
        case "season_number", "episode_sort", "media_type", "compilation", "gapless_playback", "hd_video":
            UInt8(self).map { String($0) == self } ?? false
        default: false
        }
    }
}

private let itemsOfMP4: Set<String> = [
    "title", "artist", "album_artist", "composer", "album", "date", "creation_time", "encoding_tool", "comment",
    "genre", "copyright", "grouping", "lyrics", "description", "synopsis", "show", "episode_id", "network", "keywords",
    "location",
]

private let itemsOfMOV: Set<String> = [
    "title", "artist", "author", "album", "date", "creation_time", "genre", "copyright", "make", "model", "location",
    "keywords", "comment",
]

private let itemsOfWAV: Set<String> = [
    "title", "artist", "album", "date", "comment", "genre", "copyright", "language", "track", "timecode", "encoded_by",
]

private let itemsOfMXF: Set<String> = ["creation_time", "company_name", "product_name", "product_version"]
