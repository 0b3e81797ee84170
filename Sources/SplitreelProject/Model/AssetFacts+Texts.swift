package import MediaFacts

extension AssetFacts {
    package var isFont: Bool { kind == .data && container == Asset.Kind.font.rawValue }

    /// The text of a file of text, or of a track of a film: of the named track, or of the first that was read; nil for
    /// none.
    package func text(ofTrack track: Int?) -> TimedText? {
        if kind == .data { return timedText }
        return textTrack(track)?.timedText
    }
}
