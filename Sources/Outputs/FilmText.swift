import Diagnostics
package import MediaFacts
package import MediaTime

/// A track of text of the film, ready to be written: subtitles, or timed metadata.
package struct FilmText: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable { case subtitle, metadata }
    package enum Codec: String, Codable, Sendable { case movText, subRip, webVTT, ass }

    package struct Cue: Hashable, Codable, Sendable {
        /// On the film's clock, from 0; `start` < `end`.
        package var start: MediaTime
        package var end: MediaTime
        /// As `TimedCue.text`; of a script the event, of data the JSON object.
        package var text: String

        package init(start: MediaTime, end: MediaTime, text: String) {
            (self.start, self.end, self.text) = (start, end, text)
        }
    }

    package var kind: Kind
    package var codec: Codec
    /// ISO 639-2/T and a name for people, as of pictures and sound.
    package var tags: FilmTags.Track?
    package var dispositions: [TrackDisposition]
    /// Of a script, see `TimedText.header`.
    package var header: String?
    /// By their starts; of mov_text without overlaps.
    package var cues: [Cue]

    package init(
        kind: Kind, codec: Codec, tags: FilmTags.Track? = nil, dispositions: [TrackDisposition] = [],
        header: String? = nil, cues: [Cue]
    ) {
        (self.kind, self.codec, self.tags, self.dispositions) = (kind, codec, tags, dispositions)
        (self.header, self.cues) = (header, cues)
    }

    /// Bytes that it takes of a header at most: a size, two times, a place and a map's entry for each sample and the
    /// gap before it, and places and map's entries of the other tracks that it cuts.
    package var roomInHeader: Int {
        4096 + 2 * (2 * (tags?.name?.utf8.count ?? 0) + 256) + cues.count * 2 * 80
    }

    /// Of one film.
    package static let mostTracks = 32
}

extension Container {
    /// nil where it has no place for text.
    package func textCodec(_ kind: FilmText.Kind, isScript: Bool) -> FilmText.Codec? {
        if self == .mp4 || self == .mov { return .movText }
        if rawValue == "webm" { return .webVTT }
        guard self == .mkv else { return nil }
        return kind == .metadata ? .webVTT : isScript ? .ass : .subRip
    }
}
