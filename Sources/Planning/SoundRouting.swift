import Diagnostics
import MediaFacts
import MediaTime
import Outputs
package import SplitreelProject
import SplitreelTimeline

extension OutputSettings {
    /// Decides what goes into each sound stream of a film that lasts `duration` seconds; answers how many samples it
    /// has.
    mutating func addSounds(
        of project: Project, _ timeline: Timeline, _ assets: [String: AssetFacts], _ request: OutputRequest,
        duration: Rational
    ) throws -> Int {
        try route(request, of: project)
        try timeline.refuseMixedFields(sounds, assets: assets)
        let sampleCount = audio.map { sampleIndex(of: duration, rate: $0.sampleRate) } ?? 0
        // A range of less than half a sample has a picture and no sound.
        if sampleCount == 0 {
            audio = nil
            audioTracks = nil
            furtherAudio = nil
        }
        try refuseTooShort(sampleCount, path: request.path)
        return sampleCount
    }

    /// Throws where an mp3 is too short. Its readers look for a second frame behind the first. From 32 kHz on it has
    /// 1152 samples, of which the encoder's delay takes 1105; below it a first one has no room for that.
    private func refuseTooShort(_ sampleCount: Int, path: String) throws {
        let least = 1152 - 1105 + 1
        guard container == .mp3, let audio, audio.sampleRate >= 32_000, (1..<least).contains(sampleCount) else {
            return
        }
        throw impossible(
            path, "an mp3 at \(audio.sampleRate) Hz has at least \(least) samples of sound, and this is \(sampleCount)",
            hint: "say a longer range, or name the output .m4a or .wav")
    }

    /// Decides what goes into each sound stream, and what it is called: what its request says, or else what the
    /// composition's tracks say that go into it.
    ///
    /// Throws `.outputInvalid` where nothing goes into a stream, and for a name or a language that no film can have.
    package mutating func route(_ request: OutputRequest, of project: Project) throws {
        guard audio != nil, let wanted = request.soundTracks else { return }
        try wanted.refuseWrongWords(for: project, path: request.path)
        let routed = project.soundTracks(routedTo: wanted.map(\.name))
        for (index, (track, ids)) in zip(wanted, routed).enumerated() {
            guard !ids.isEmpty else {
                throw SplitreelError(
                    .outputInvalid, operation: "planning", subject: "\(request.path), sound track \(index + 1)",
                    reason: "no audio track of the composition goes into it",
                    hint: "say \"output\": \(index + 1) on an input of `audio.inputs`, or leave the sound track out")
            }
            let tags = trackTags(.audio, project, TrackWords(track), among: ids)
            if index == 0 {
                audioTracks = ids
                if tags != self.tags?.audio {
                    var all = self.tags ?? FilmTags()
                    all.audio = tags
                    self.tags = all.isEmpty ? nil : all
                }
            } else if index - 1 < furtherAudio?.count ?? 0 {
                furtherAudio?[index - 1].tracks = ids
                furtherAudio?[index - 1].tags = tags
            }
        }
    }
}
