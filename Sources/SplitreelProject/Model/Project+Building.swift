package import MediaFacts
package import MediaTime

// The values that programs make projects of, which the canonical writer turns into a file.

extension TimeRange {
    package init(from start: Rational, for duration: Rational) {
        self.init(start: start.plainTime, duration: duration.plainTime)
    }
}

extension Asset {
    package init(url: String) {
        var keys = AssetKeys()
        keys.url = url
        self.init(keys)
    }
}

extension Track {
    package init(id: Int, _ type: MediaType, _ segments: [TrackSegment]) {
        self.init()
        self.id = id
        self.type = type
        self.segments = segments
    }
}

extension TrackSegment {
    package init(
        _ asset: String?, source: (start: Rational, length: Rational)?, target: (start: Rational, length: Rational)
    ) {
        self.init()
        self.asset = asset
        self.source = source.map { TimeRange(from: $0.start, for: $0.length) }
        self.target = TimeRange(from: target.start, for: target.length)
    }
}

extension AudioInput {
    package init(track: Int, _ volume: [Key<Double>]) {
        self.init()
        (self.track, self.volume) = (track, volume)
    }
}
