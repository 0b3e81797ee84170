import Diagnostics
package import MediaFacts
package import MediaTime

/// A track of text of the film, ready to be written: subtitles, or timed metadata.
package struct FilmText: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable { case subtitle, metadata }
    package enum Codec: String, Codable, Sendable { case movText, subRip, webVTT, ass }

    package struct Cue: Hashable, Codable, Sendable {
        /// The cue's times on the film's clock, in seconds from 0; `start` < `end`.
        package var start: MediaTime
        package var end: MediaTime
        /// The text as `TimedCue.text` has it; for a script the event, for data the JSON object.
        package var text: String

        package init(start: MediaTime, end: MediaTime, text: String) {
            self.start = start
            self.end = end
            self.text = text
        }
    }

    package var kind: Kind
    package var codec: Codec
    /// The language by ISO 639-2/T and a name for people, as for pictures and sound.
    package var tags: FilmTags.Track?
    package var dispositions: [TrackDisposition]
    /// The header of a script, see `TimedText.header`; nil for other texts.
    package var header: String?
    /// The cues by their starts; those of mov_text without overlaps.
    package var cues: [Cue]

    package init(
        kind: Kind, codec: Codec, tags: FilmTags.Track? = nil, dispositions: [TrackDisposition] = [],
        header: String? = nil, cues: [Cue]
    ) {
        self.kind = kind
        self.codec = codec
        self.tags = tags
        self.dispositions = dispositions
        (self.header, self.cues) = (header, cues)
    }

    /// The most bytes that the track takes of a header: a size, two times, a place and a map's entry for each sample
    /// and the gap before it, and places and map's entries of the other tracks that it cuts.
    package var roomInHeader: Int {
        4096 + 2 * (2 * (tags?.name?.utf8.count ?? 0) + 256) + cues.count * 2 * 80
    }

    /// The most tracks of text of one film.
    package static let mostTracks = 32
}

extension Container {
    /// The codec for a track of text; nil where the container has no place for text.
    package func textCodec(_ kind: FilmText.Kind, isScript: Bool) -> FilmText.Codec? {
        if self == .mp4 || self == .mov { return .movText }
        if rawValue == "webm" { return .webVTT }
        guard self == .mkv else { return nil }
        return kind == .metadata ? .webVTT : isScript ? .ass : .subRip
    }
}
