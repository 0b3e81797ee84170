public import MediaFacts
public import MediaTime

// The values that programs make projects of, which the canonical writer turns into a file.

extension TimeRange {
    public init(from start: Rational, for duration: Rational) {
        self.init(start: start.plainTime, duration: duration.plainTime)
    }
}

extension Asset {
    public init(url: String) {
        var keys = AssetKeys()
        keys.url = url
        self.init(keys)
    }
}

extension Track {
    public init(id: Int, _ type: MediaType, _ segments: [TrackSegment]) {
        self.init()
        self.id = id
        self.type = type
        self.segments = segments
    }
}

extension TrackSegment {
    public init(
        _ asset: String?, source: (start: Rational, length: Rational)?, target: (start: Rational, length: Rational)
    ) {
        self.init()
        self.asset = asset
        self.source = source.map { TimeRange(from: $0.start, for: $0.length) }
        self.target = TimeRange(from: target.start, for: target.length)
    }
}

extension AudioInput {
    public init(track: Int, _ volume: [Key<Double>]) {
        self.init()
        (self.track, self.volume) = (track, volume)
    }
}
