package import MediaFacts
package import MediaTime
package import SplitreelProject

// Tracks of text and of data: what their segments play of files, in composition time.

/// A cue where a track plays it.
package struct PlacedCue: Sendable {
    /// The composition time at which it begins, and below it the one at which it ends, half-open.
    package var start: Rational
    package var end: Rational
    package var cue: TimedCue

    package init(start: Rational, end: Rational, cue: TimedCue) {
        self.start = start
        self.end = end
        self.cue = cue
    }
}

extension MediaType {
    /// Whether its segments play text.
    package var isOfText: Bool { self == .text || self == .subtitle || self == .closedCaption }
}

extension TrackSegment {
    /// The composition time of a stretch of asset time, cut to the segment; nil where none of it is shown. Without a
    /// source the asset plays from its beginning at its own speed.
    func placed(_ start: Rational, _ end: Rational) -> (start: Rational, end: Rational)? {
        guard let target = target.exact, target.end > target.start else { return nil }
        let length = target.end - target.start
        var played: (start: Rational, end: Rational)? = (Rational.zero, length)
        if let source { played = source.exact }
        guard let range = played, range.end > range.start else { return nil }
        let map = SpeedMap(speed, source: range.end - range.start, target: length)
        let isBackwards = reverse == true
        let (from, to) = isBackwards ? (range.end - end, range.end - start) : (start - range.start, end - range.start)
        guard to > .zero, let first = from.isNegative ? Rational.zero : map.elapsed(reaching: from) else { return nil }
        let last = min(length, map.elapsed(reaching: to) ?? length)
        return first < last ? (target.start + first, target.start + last) : nil
    }
}

extension Track {
    /// The cues of a track of text or of timed data, by their starts.
    package func placedCues(_ facts: [String: AssetFacts]) -> [PlacedCue] {
        segments.flatMap { segment -> [PlacedCue] in
            guard let name = segment.asset, let text = facts[name]?.text(ofTrack: textTrack(of: segment, facts)) else {
                return []
            }
            return text.cues.compactMap { cue in
                guard let start = cue.start.exact, let end = cue.end.exact, let place = segment.placed(start, end)
                else {
                    return nil
                }
                return PlacedCue(start: place.start, end: place.end, cue: cue)
            }
        }
    }

    /// The id of the file's track that a segment plays, where that has text; nil of a file that has no tracks.
    private func textTrack(of segment: TrackSegment, _ facts: [String: AssetFacts]) -> Int? {
        guard let name = segment.asset else { return nil }
        return facts[name]?.dataTrack(segment.track, for: type)?.id
    }

    /// The header of ASS scripts, see `TimedText.header`; nil where its segments do not play the same one.
    package func scriptHeader(_ facts: [String: AssetFacts]) -> String? {
        let played = segments.filter { $0.asset != nil }.map { segment in
            segment.asset.flatMap { facts[$0]?.text(ofTrack: textTrack(of: segment, facts))?.header }
        }
        return Set(played).count == 1 ? played.first ?? nil : nil
    }

    /// The samples of a metadata track, by their starts.
    package func metadataSamples(_ facts: [String: AssetFacts]) -> [MetadataSample] {
        segments.flatMap { segment -> [MetadataSample] in
            guard let name = segment.asset, let known = facts[name] else { return [] }
            let track = known.dataTrack(segment.track, for: type)
            if let samples = track?.samples, let codec = track?.codec {
                return samples.compactMap { sample in
                    segment.placed(sample.start, sample.end).map { place in
                        MetadataSample(start: place.start, end: place.end, bytes: sample.bytes, codec: codec)
                    }
                }
            }
            return (known.text(ofTrack: track?.id)?.cues ?? []).compactMap { cue in
                guard let start = cue.start.exact, let end = cue.end.exact, let place = segment.placed(start, end)
                else {
                    return nil
                }
                let words = cue.plainText
                return MetadataSample(
                    start: place.start, end: place.end, bytes: Array(words.utf8),
                    codec: cue.isData ? "json" : "text")
            }
        }
    }
}

extension AssetFacts {
    /// The track of a film that a segment of a track of text or of data plays; nil of a file that has none.
    package func dataTrack(_ number: Int?, for type: MediaType) -> TrackFacts? {
        guard kind != .data else { return nil }
        if let number { return track(number) }
        return type == .metadata ? firstTrack(of: .metadata) ?? textTrack(nil) : textTrack(nil)
    }
}

extension TimedCue {
    /// The cue's text without its looks; the JSON object where it is data.
    package var plainText: String {
        if isData { return text }
        var (result, rest) = ("", Substring(text))
        while let character = rest.first {
            if character == "<", let end = rest.firstIndex(of: ">") {
                rest = rest[rest.index(after: end)...]
            } else if character == "&",
                let known = ["&amp;": "&", "&lt;": "<", "&gt;": ">"].first(
                    where: { rest.hasPrefix($0.key) })
            {
                result += known.value
                rest = rest.dropFirst(known.key.count)
            } else {
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
