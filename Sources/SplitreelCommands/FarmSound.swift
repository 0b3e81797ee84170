import Diagnostics
import MediaFacts
import MediaReading
import MediaTime
import Planning
import Preparation
import Rendering
import SplitreelProject

/// A sound that a waveform is made of, and what a farm needs to make the same.
struct SoundSource {
    let sound: SoundStream
    /// The files that it is made from.
    let inputs: [String]
    let project: Project
    /// nil for a media file.
    var file: CompositionFile?
    /// Of a film with this sound.
    let request: OutputRequest
}

extension SoundSource {
    /// Of a part of a file's track, at its own rate and in its own channels.
    init(
        sound: SoundStream, inputs: [String], hearing facts: AssetFacts, track: TrackFacts, start: Rational,
        duration: Rational
    ) {
        var project = Project()
        project.assets["media"] = Asset(url: facts.path)
        var segment = TrackSegment("media", source: (start, duration), target: (.zero, duration))
        segment.track = track.id
        project.composition.tracks = [Track(id: 1, .audio, [segment])]
        var request = OutputRequest(path: "")
        (request.sampleRate, request.channelLayout) = (sound.sampleRate, track.audio?.layout)
        self.init(sound: sound, inputs: inputs, project: project, request: request)
    }

    /// The same sound, which a farm has read and mixed and written in 24 bits. Throws as `FarmErrand.make` does.
    func made(by errand: FarmErrand, cancellation: Cancellation) throws -> SoundStream {
        let isField = request.channelLayout.flatMap(ChannelLayout.init(rawValue:))?.isField ?? false
        guard sound.channels <= 8 || isField else {
            throw SplitreelError(
                .usage, operation: "asking a farm", subject: "\(sound.channels) channels",
                reason: "a farm hands over 8 at most", hint: "leave --connect out")
        }
        guard AudioResolver.sampleRates.contains(sound.sampleRate) else {
            throw SplitreelError(
                .usage, operation: "asking a farm", subject: "\(sound.sampleRate) Hz",
                reason: "a farm hands over \(AudioResolver.sampleRates.lowerBound) to "
                    + "\(AudioResolver.sampleRates.upperBound) Hz",
                hint: "leave --connect out")
        }
        var request = request
        // FLAC holds no sound field.
        (request.videoCodec, request.audioCodec, request.chunkSeconds) = (nil, isField ? "pcm" : "flac", nil)
        let path = try errand.make(
            isField ? "sound.mkv" : "sound.flac", of: project, as: request, in: file, cancellation: cancellation)
        let facts = try probe(path: path)
        guard let track = facts.firstTrack(of: .audio) else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading", subject: path, reason: "the farm's film has no sound")
        }
        return try SoundStream(
            of: facts, track: track, start: .zero, duration: Rational(sound.sampleCount, sound.sampleRate))
    }
}
