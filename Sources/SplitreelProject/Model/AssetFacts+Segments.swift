package import MediaFacts

extension AssetFacts {
    /// The picture that a segment shows: of a live photo the still, which is its last track, where there is no source.
    package func videoTrack(of segment: TrackSegment) -> TrackFacts? {
        if kind == .livePhoto, segment.source == nil { return tracks.last }
        return segment.track.flatMap { track($0) } ?? firstTrack(of: .video)
    }
}
