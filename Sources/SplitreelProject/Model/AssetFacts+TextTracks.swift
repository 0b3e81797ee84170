package import MediaFacts

extension AssetFacts {
    /// The track of a film whose text is meant: the named one, or the first whose text can be read; nil for none.
    package func textTrack(_ number: Int?) -> TrackFacts? {
        guard kind != .data else { return nil }
        if let number { return track(number) }
        return tracks.first { $0.isText }
    }
}

extension TrackFacts {
    /// Whether the track's samples are text that is read.
    package var isText: Bool { ["mov_text", "subrip", "text", "webvtt", "ass", "ssa", "eia_608"].contains(codec) }
}
