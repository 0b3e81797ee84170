package import MediaFacts

extension AssetFacts {
    /// The track of a film whose text is meant: that one, or where none is named the first whose text can be read.
    package func textTrack(_ number: Int?) -> TrackFacts? {
        guard kind != .data else { return nil }
        if let number { return track(number) }
        return tracks.first { $0.isText }
    }
}

extension TrackFacts {
    /// Its samples are text that is read.
    package var isText: Bool { ["mov_text", "subrip", "text", "webvtt", "ass", "ssa", "eia_608"].contains(codec) }
}
