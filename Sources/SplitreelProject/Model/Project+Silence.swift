extension Project {
    /// The ids of audio tracks that are not heard: the mute ones, and those that are not solo where one is.
    package var silencedTracks: Set<Int> {
        let inputs = audio?.inputs ?? []
        var silent = Set(inputs.filter { $0.mute == true }.map(\.track))
        let solo = Set(inputs.filter { $0.solo == true }.map(\.track))
        if !solo.isEmpty { silent.formUnion(composition.tracks.map(\.id).filter { !solo.contains($0) }) }
        return silent
    }
}
