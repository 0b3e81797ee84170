extension Asset.Kind {
    /// A file of timed text or data.
    package var isTimedText: Bool { self == .subtitles || self == .timedMetadata }
}
