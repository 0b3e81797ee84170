package import MediaTime

/// When an output's frames begin, counted from its first one: even, or as a list says.
package enum FrameTiming: Sendable, Hashable {
    case even(FrameGrid)
    /// The last frame lasts until `end`.
    case listed(FrameTimes, end: Rational)

    /// Of a list also one frame after the last: the end.
    package func time(ofFrame index: Int) -> Rational {
        switch self {
        case .even(let grid): grid.time(ofFrame: index)
        case .listed(let times, let end): index < times.count ? times.time(ofFrame: max(0, index)) : end
        }
    }

    package func duration(ofFrame index: Int) -> Rational {
        switch self {
        case .even(let grid): Rational(grid.frameDuration)
        case .listed: time(ofFrame: index + 1) - time(ofFrame: index)
        }
    }

    package func firstFrame(atOrAfter time: Rational) -> Int {
        switch self {
        case .even(let grid): grid.firstFrame(atOrAfter: time)
        case .listed(let times, _): times.firstFrame(atOrAfter: time)
        }
    }

    /// How many begin before a time.
    package func frameCount(duration: Rational) -> Int {
        switch self {
        case .even(let grid): grid.frameCount(duration: duration)
        case .listed(let times, _): times.firstFrame(atOrAfter: duration)
        }
    }

    /// A frame's usual length, by which chunks are cut and encoders set up: of a list the mean, to 1/90000 s.
    package var pace: MediaTime {
        switch self {
        case .even(let grid): return grid.frameDuration
        case .listed(let times, let end):
            let mean = (end / Rational(max(1, times.count)) * Rational(90_000)).rounded()
            return MediaTime(value: Int64(min(max(1, mean), Int(Int32.max))), timescale: 90_000)
        }
    }

    /// Ticks a second of the clock that holds a list's times; nil where frames are even.
    package var timescale: Int? {
        guard case .listed(let times, _) = self else { return nil }
        return Int(clamping: times.tick.denominator)
    }

    /// For those who make a chunk of some of its frames; nil where frames are even.
    package func clock(of frames: Range<Int>) -> ChunkClock? {
        guard case .listed(let times, _) = self, let timescale, let first = frames.first, first >= 0,
            frames.upperBound <= times.count
        else { return nil }
        return ChunkClock(
            ticks: times.offsets[frames].map { $0 - times.offsets[first] }, timescale: timescale, pace: pace)
    }
}

/// When the frames of a chunk begin, where they are not even.
package struct ChunkClock: Sendable, Hashable {
    /// After the first frame's; strictly rising.
    package var ticks: [Int64]
    /// Ticks a second; fits 31 bits.
    package var timescale: Int
    /// A frame's usual length in all of the film.
    package var pace: MediaTime
}
