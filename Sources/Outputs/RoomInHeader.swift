extension FilmTags {
    /// The most bytes that the tags take in a header: every text may stand in two forms, each in boxes of its own.
    package var roomInHeader: Int {
        let texts = Array(items.values) + [video?.name, audio?.name].compactMap { $0 }
        return texts.reduce(0) { $0 + 2 * $1.utf8.count + 256 }
    }
}

extension [FilmChapter] {
    /// The most bytes that the chapters take of a header, and their texts beside it. In mp4 and mov what lies between
    /// two of them is one as well; each has places and times of a track's sample, and stands in a list with its title.
    /// Other containers need less room: ID3 has two bytes for a letter.
    package var roomInHeader: Int {
        isEmpty ? 0 : reduce(2048) { $0 + 2 * 64 + 2 * $1.title.utf8.count }
    }
}
