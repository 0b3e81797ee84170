extension Asset.Kind {
    /// Whether the asset is a file of timed text or data.
    package var isTimedText: Bool { self == .subtitles || self == .timedMetadata }
}
