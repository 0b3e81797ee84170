package import MediaTime

extension Track {
    /// The end of its last segment, in seconds; 0 without segments.
    package var duration: Rational { segments.last?.target.exact?.end ?? .zero }
}
