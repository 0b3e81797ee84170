package import MediaFacts

extension AssetFacts {
    package var isFont: Bool { kind == .data && container == Asset.Kind.font.rawValue }

    /// What a file of text says, or a track of a film: that one, or where none is named the first that was read.
    package func text(ofTrack track: Int?) -> TimedText? {
        if kind == .data { return timedText }
        return textTrack(track)?.timedText
    }
}
