import MediaFacts
import MediaTime
import Pictures
import Planning
import SplitreelProject

extension Project {
    /// A project of a second of black and silence, from which the settings of a film without a composition follow.
    init(blankFor picture: DraftedPicture?, _ sounds: [DraftedSound]) {
        self.init()
        let second = (start: Rational.zero, length: Rational(1))
        if let picture {
            var keys = AssetKeys()
            keys.kind = .color
            keys.color = .black
            assets["black"] = Asset(keys)
            composition.tracks.append(
                Track(id: 1, .video, [TrackSegment("black", source: nil, target: second)]))
            var video = VideoComposition()
            video.renderSize = picture.size
            video.frameDuration = picture.frameDuration
            var colour = ColourSettings()
            colour.primaries = picture.colour.primaries
            colour.transfer = picture.colour.transfer
            colour.matrix = picture.colour.matrix
            video.color = colour
            self.video = video
        }
        guard !sounds.isEmpty else { return }
        var keys = AssetKeys()
        keys.kind = .silence
        assets["silence"] = Asset(keys)
        var inputs: [AudioInput] = []
        for number in sounds.indices {
            composition.tracks.append(
                Track(id: 2 + number, .audio, [TrackSegment("silence", source: nil, target: second)]))
            guard sounds.count > 1 else { continue }
            var input = AudioInput()
            input.track = 2 + number
            input.output = SoundRoutes([.number(number + 1)])
            inputs.append(input)
        }
        guard !inputs.isEmpty else { return }
        audio = AudioMix()
        audio?.inputs = inputs
    }
}

extension OutputRequest {
    /// The request, with the form of its sounds where it says none.
    func describing(_ sounds: [DraftedSound]) -> OutputRequest {
        var request = self
        guard let first = sounds.first else { return request }
        if request.sound.sampleRate == nil { request.sound.sampleRate = first.sampleRate }
        if sounds.count == 1, !request.sound.saysChannels, request.soundTracks == nil {
            request.sound.channels = first.channels
        } else if sounds.count > 1 {
            var tracks = request.soundTracks ?? []
            while tracks.count < sounds.count { tracks.append(SoundRequest()) }
            for (number, sound) in sounds.enumerated() where !tracks[number].saysChannels {
                tracks[number].channels = sound.channels
            }
            request.soundTracks = tracks
        }
        return request
    }
}
