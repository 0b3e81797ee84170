public import MediaTime

extension Track {
    /// The end of its last segment, in seconds; 0 without segments.
    public var duration: Rational { segments.last?.target.exact?.end ?? .zero }
}
