package import MediaFacts

extension AssetFacts {
    /// The track whose picture a segment shows; for a live photo without a source the still, which is its last track.
    package func videoTrack(of segment: TrackSegment) -> TrackFacts? {
        if kind == .livePhoto, segment.source == nil { return tracks.last }
        return segment.track.flatMap { track($0) } ?? firstTrack(of: .video)
    }
}
