import Diagnostics
import MediaFacts
import MediaReading
import MediaTime
import Planning
import Preparation
import Rendering
import SplitreelProject

/// A sound that a waveform is made of, with the request by which a farm makes the same.
struct SoundSource {
    let sound: SoundStream
    /// The paths of the files that it is made from.
    let inputs: [String]
    let project: Project
    /// The composition; nil for a media file.
    var file: CompositionFile?
    /// The request for a film with this sound.
    let request: OutputRequest
}

extension SoundSource {
    /// The sound of a part of a file's track, at its own rate and in its own channels.
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
        request.sound.sampleRate = sound.sampleRate
        request.sound.channelLayout = track.audio?.layout
        self.init(sound: sound, inputs: inputs, project: project, request: request)
    }

    /// The same sound as a farm has read and mixed it and written it in 24 bits. Throws as `FarmErrand.make` does.
    func made(by errand: FarmErrand, cancellation: Cancellation) throws -> SoundStream {
        let isField = request.sound.channelLayout.flatMap(ChannelLayout.init(rawValue:))?.isField ?? false
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
        request.picture.codec = nil
        request.sound.codec = isField ? "pcm" : "flac"
        request.rendering.chunkSeconds = nil
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
