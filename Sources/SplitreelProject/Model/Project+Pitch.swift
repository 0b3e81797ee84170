import MediaFacts

extension Project {
    /// The project with a way to keep the pitch for audio tracks whose inputs name none; those of nested compositions
    /// stay.
    package func pitched(by pitch: PitchAlgorithm?) -> Project {
        guard let pitch else { return self }
        var copy = self
        var audio = self.audio ?? AudioMix()
        var inputs = audio.inputs ?? []
        for track in composition.tracks where track.type == .audio {
            if let place = inputs.firstIndex(where: { $0.track == track.id }) {
                inputs[place].pitch = inputs[place].pitch ?? pitch
            } else {
                var input = AudioInput()
                (input.track, input.pitch) = (track.id, pitch)
                inputs.append(input)
            }
        }
        audio.inputs = inputs.isEmpty ? nil : inputs
        copy.audio = audio
        return copy
    }
}
