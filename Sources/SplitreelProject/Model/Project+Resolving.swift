package import MediaFacts
public import MediaTime

extension Project {
    /// The latest end of any segment of any track; zero where there is none.
    public var duration: MediaTime { exactDuration.mediaTime }

    /// The latest end of any segment of any track, in exact seconds.
    package var exactDuration: Rational {
        composition.tracks.lazy.flatMap(\.segments).compactMap { $0.target.exact?.end }.max() ?? .zero
    }

    /// The kind of an asset: the file's, unless the project calls it a still or a generator. Without either it is
    /// media. A film that is called animated is a film.
    package func kind(of name: String, facts: [String: AssetFacts]?) -> Asset.Kind {
        if assets[name]?.isNested == true { return .composition }
        switch (assets[name]?.kind, facts?[name]?.kind) {
        case (nil, .image?), (.media?, .image?), (.animatedImage?, .image?): return .image
        case (nil, .animatedImage?), (.media?, .animatedImage?): return .animatedImage
        case (nil, .color?): return .color
        case (.animatedImage?, .media?): return .media
        case (nil, _): return .media
        case (let kind?, _): return kind
        }
    }

    /// The enabled tracks of pictures or sound, each with its index among all tracks.
    package var renderedTracks: [(index: Int, track: Track)] {
        composition.tracks.enumerated().compactMap { index, track in
            track.isEnabled && (track.type == .video || track.type == .audio) ? (index, track) : nil
        }
    }

    /// The spans in which enabled video tracks show something, in exact seconds: sorted, apart from each other.
    package var pictureSpans: [(start: Rational, end: Rational)] {
        let shown = renderedTracks.filter { $0.track.type == .video }.flatMap { _, track in
            track.segments.compactMap { $0.isEmpty ? nil : $0.target.exact }
        }
        return shown.sorted { $0.start < $1.start }.reduce(into: []) { spans, next in
            if let last = spans.last, next.start <= last.end {
                spans[spans.count - 1].end = max(last.end, next.end)
            } else {
                spans.append(next)
            }
        }
    }
}

extension TrackFacts {
    /// The nominal length of a frame, in seconds; nil for sound, stills and unknown rates.
    package var nominalFrame: Rational? {
        guard let rate = video?.nominalFrameRate?.exact, rate > .zero else { return nil }
        return Rational(1) / rate
    }
}
