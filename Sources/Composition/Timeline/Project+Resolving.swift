package import MediaTime

extension Project {
    /// The latest end of any segment of any track, in exact seconds.
    package var exactDuration: Rational {
        composition.tracks.lazy.flatMap(\.segments).compactMap { $0.target.exact?.end }.max() ?? .zero
    }

    /// What an asset is: what the file says, unless the project calls it a still or a generator. Without either, media.
    func kind(of name: String, facts: [String: AssetFacts]?) -> Asset.Kind {
        switch (assets[name]?.kind, facts?[name]?.kind) {
        case (nil, .image?), (.media?, .image?): return .image
        case (nil, .color?): return .color
        case (nil, _): return .media
        case (let kind?, _): return kind
        }
    }

    /// The assets that enabled tracks of pictures or sound play, each with the first segment that names it.
    var renderedTracks: [(index: Int, track: Track)] {
        composition.tracks.enumerated().compactMap { index, track in
            track.isEnabled && (track.type == .video || track.type == .audio) ? (index, track) : nil
        }
    }

    /// How sound whose speed changes is treated: the segment's word, else the audio input's, else spectral.
    func pitch(of segment: TrackSegment, in track: Track) -> PitchAlgorithm {
        segment.pitch ?? audio?.inputs?.first { $0.track == track.id }?.pitch ?? .spectral
    }
}

extension TrackFacts {
    /// How long a frame nominally is, in seconds; nil for sound, stills and unknown rates.
    var nominalFrame: Rational? {
        guard let rate = video?.nominalFrameRate?.exact, rate > .zero else { return nil }
        return Rational(1) / rate
    }
}
