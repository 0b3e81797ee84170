package import MediaTime

extension Track {
    /// When its last segment ends.
    package var duration: Rational { segments.last?.target.exact?.end ?? .zero }
}
