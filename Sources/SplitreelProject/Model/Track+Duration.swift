public import MediaTime

extension Track {
    /// The end of its last segment; zero without segments.
    public var duration: MediaTime { length.mediaTime }

    /// The end of its last segment, in seconds; 0 without segments.
    package var length: Rational { segments.last?.target.exact?.end ?? .zero }
}
