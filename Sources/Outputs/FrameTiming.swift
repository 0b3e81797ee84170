package import MediaTime

/// The times at which an output's frames begin, in seconds from its first one: even, or as a list says.
package enum FrameTiming: Sendable, Hashable {
    case even(FrameGrid)
    /// Frames at the times of a list; the last one lasts until `end`, in seconds.
    case listed(FrameTimes, end: Rational)

    /// The time at which a frame begins; for a list also that of one frame after the last, which is the end.
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

    /// The number of frames that begin before a time in seconds.
    package func frameCount(duration: Rational) -> Int {
        switch self {
        case .even(let grid): grid.frameCount(duration: duration)
        case .listed(let times, _): times.firstFrame(atOrAfter: duration)
        }
    }

    /// A frame's usual length in seconds, by which chunks are cut and encoders set up: for a list the mean, to 1/90000
    /// s.
    package var pace: MediaTime {
        switch self {
        case .even(let grid): return grid.frameDuration
        case .listed(let times, let end):
            let mean = (end / Rational(max(1, times.count)) * Rational(90_000)).rounded()
            return MediaTime(value: Int64(min(max(1, mean), Int(Int32.max))), timescale: 90_000)
        }
    }

    /// The ticks a second of the clock that holds a list's times; nil where frames are even.
    package var timescale: Int? {
        guard case .listed(let times, _) = self else { return nil }
        return Int(clamping: times.tick.denominator)
    }

    /// The clock for those who make a chunk of some of the frames; nil where frames are even, or where the list has no
    /// such frames.
    package func clock(of frames: Range<Int>) -> ChunkClock? {
        guard case .listed(let times, _) = self, let timescale, let first = frames.first, first >= 0,
            frames.upperBound <= times.count
        else { return nil }
        return ChunkClock(
            ticks: times.offsets[frames].map { $0 - times.offsets[first] }, timescale: timescale, pace: pace)
    }
}

/// The times at which the frames of a chunk begin, where they are not even.
package struct ChunkClock: Sendable, Hashable {
    /// The ticks from the first frame's start to each frame's; strictly rising from 0.
    package var ticks: [Int64]
    /// The ticks a second; fits 31 bits.
    package var timescale: Int
    /// A frame's usual length in all of the film, in seconds.
    package var pace: MediaTime
}
