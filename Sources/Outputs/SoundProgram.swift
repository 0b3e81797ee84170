/// One sound stream of an output.
package struct SoundProgram: Hashable, Codable, Sendable {
    package var settings: AudioSettings
    /// The ids of the composition's tracks that are mixed into it; nil for all of them.
    package var tracks: [Int]?
    package var tags: FilmTags.Track?

    package init(settings: AudioSettings, tracks: [Int]? = nil, tags: FilmTags.Track? = nil) {
        self.settings = settings
        self.tracks = tracks
        self.tags = tags
    }
}

extension OutputSettings {
    /// All of an output's sound streams, in their order in the film.
    package var sounds: [SoundProgram] {
        guard let audio else { return [] }
        return [SoundProgram(settings: audio, tracks: audioTracks, tags: tags?.audio)] + (furtherAudio ?? [])
    }

    /// The settings with that sound stream alone.
    package func hearing(sound index: Int) -> OutputSettings {
        var own = self
        own.furtherAudio = nil
        guard index > 0, sounds.indices.contains(index) else { return own }
        (own.audio, own.audioTracks) = (sounds[index].settings, sounds[index].tracks)
        own.tags?.audio = sounds[index].tags
        return own
    }

}
