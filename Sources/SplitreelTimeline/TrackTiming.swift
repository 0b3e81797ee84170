package import Diagnostics
package import MediaFacts
package import MediaTime
import SplitreelProject

/// The times at which a timing track's picture changes, in composition time: runs of even or listed times.
struct TrackTiming {
    /// Offset n of a run is at `base + n × step`.
    fileprivate struct Run {
        enum Offsets {
            case even(Range<Int64>)
            case listed(ArraySlice<Int64>)
        }

        var base: Rational
        var step: Rational
        var offsets: Offsets
    }

    private let start: Rational
    private let end: Rational
    private let frameDuration: Rational
    private var runs: [Run] = []
    private var count = 1

    /// Clocks that stand in where none of 31 bits holds all times, or a frame lasts too long for it: the first holds
    /// all usual frame and sample rates.
    private static let usualScales = [705_600_000, 14_112_000, 90_000, 1_000, 1]

    /// The runs at most: segments and plays of animated images have a few each.
    private static let mostRuns = 1 << 20

    /// The times after `start` and before `end`, of which none is added yet.
    init(from start: Rational, to end: Rational, frameDuration: Rational) {
        self.start = start
        self.end = end
        self.frameDuration = frameDuration
    }

    /// Throws where there are more times than a list holds, or the times of a film's frames are not known.
    mutating func add(_ track: VideoTrackPlan, assets: [String: AssetFacts]) throws(SplitreelError) {
        for segment in track.segments where segment.targetEnd > start && segment.targetStart < end {
            let (first, last) = (segment.targetStart, segment.targetEnd)
            guard let media = segment.media, !media.isStill, media.pattern == nil else {
                try addEven(first, last)
                continue
            }
            let times = try media.frameTimes(assets, shownBy: sourceSpan(media, first, last))
            if let loop = media.loop {
                try add(times, media, playing: loop, first, last)
            } else {
                try add(times, media, first, last)
            }
        }
        let played = track.segments.last?.targetEnd ?? .zero
        if played < end { try addEven(played, end) }
    }

    /// The asset times of the source that are seen of a segment, within the times that are asked for.
    private func sourceSpan(_ media: VideoTrackPlan.Media, _ first: Rational, _ last: Rational) -> (Rational, Rational)
    {
        let (low, high) = (max(first, start), min(last, end))
        let (one, other) = (media.sourceTime(after: low - first), media.sourceTime(after: high - first))
        return (min(one, other), max(one, other))
    }

    /// Adds a frame each `frameDuration`, from the stretch's own start.
    private mutating func addEven(_ first: Rational, _ last: Rational) throws(SplitreelError) {
        let low = max(0, ((start - first) / frameDuration).floor() + 1)
        let high = ((min(last, end) - first) / frameDuration).ceil()
        guard low < high else { return }
        try append(Run(base: first, step: frameDuration, offsets: .even(Int64(low)..<Int64(high))), high - low)
    }

    /// Adds the picture held at the segment's start, then the changes inside it.
    private mutating func add(
        _ times: FrameTimes, _ media: VideoTrackPlan.Media, _ first: Rational, _ last: Rational
    ) throws(SplitreelError) {
        guard case .constant(let rate) = media.speed, media.reversal == nil else {
            try addOne(first)
            return try addChanges(media.changes(times, first), after: first, before: last)
        }
        let shown = first + (media.trackStart - media.sourceStart) / rate
        let isLate = shown > first
        // Nothing is seen before the track begins, or its first frame.
        if isLate, !media.holdsFirst { try addEven(first, min(shown, last)) } else { try addOne(first) }
        try addChanges(
            Run(
                base: first + (times.start - media.sourceStart) / rate, step: times.tick / rate,
                offsets: .listed(times.offsets[...])), after: media.holdsFirst ? max(first, shown) : first, before: last
        )
    }

    private mutating func add(
        _ times: FrameTimes, _ media: VideoTrackPlan.Media, playing loop: VideoTrackPlan.Loop, _ first: Rational,
        _ last: Rational
    ) throws(SplitreelError) {
        try addOne(first)
        let begun = max(0, ((start - first) / loop.period).floor())
        let plays = ((min(last, end) - first) / loop.period).ceil() - begun
        guard loop.plays > 0 || plays <= (Self.mostRuns - runs.count) / 2 else { throw tooMany }
        var play = begun
        while loop.plays == 0 || play < loop.plays {
            let base = first + Rational(play) * loop.period
            guard base < min(last, end) else { return }
            if play > 0 { try addOne(base) }
            try addChanges(
                Run(base: base + times.start, step: times.tick, offsets: .listed(times.offsets[...])), after: base,
                before: min(last, base + loop.period))
            play += 1
        }
    }

    private mutating func addOne(_ time: Rational) throws(SplitreelError) {
        guard time > start, time < end else { return }
        try append(Run(base: time, step: Rational(1), offsets: .even(0..<1)), 1)
    }

    /// Adds the listed times between the two that are in the range.
    private mutating func addChanges(_ run: Run, after: Rational, before: Rational) throws(SplitreelError) {
        guard case .listed(let offsets) = run.offsets else { return }
        let (low, high) = (max(after, start), min(before, end))
        func time(_ offset: Int64) -> Rational { run.base + run.step * Rational(Int(offset)) }
        let first = offsets.partitionPoint { time($0) <= low }
        let last = offsets.partitionPoint { time($0) < high }
        guard first < last else { return }
        try append(Run(base: run.base, step: run.step, offsets: .listed(offsets[first..<last])), last - first)
    }

    private mutating func append(_ run: Run, _ more: Int) throws(SplitreelError) {
        guard more <= FrameTimes.mostFrames - count, runs.count < Self.mostRuns else { throw tooMany }
        count += more
        runs.append(run)
    }

    private var tooMany: SplitreelError {
        SplitreelError(
            .settingsImpossible, operation: "planning", subject: "video.frameTimingTrack",
            reason: "it gives more than \(FrameTimes.mostFrames) frames, or plays more than \(Self.mostRuns / 2) times",
            hint: "render it in ranges")
    }

    // MARK: - As a list

    /// All times as whole ticks after `start`, the first 0: exact where a clock of 31 bits holds them. Otherwise each
    /// is the next tick of a usual clock: no frame comes before its picture. nil where a frame lasts too long for every
    /// clock.
    func list() -> FrameTimes? {
        for scale in [exactScale].compactMap(\.self) + Self.usualScales {
            let length = Int64(((end - start) * Rational(scale)).ceil())
            guard length <= FrameTimes.mostTicks else { continue }
            let offsets = offsets(scale)
            let steps = zip(offsets, offsets.dropFirst() + [max(length, offsets[offsets.count - 1] + 1)])
            // MP4 and QuickTime have 32 bits for a frame's length.
            guard steps.allSatisfy({ $1 - $0 < Int64(Int32.max) }) else { continue }
            return FrameTimes(start: .zero, tick: Rational(1, scale), offsets: offsets)
        }
        return nil
    }

    /// The ticks a second of the coarsest clock on which all times are, the end too where that is possible; nil for
    /// none.
    private var exactScale: Int? {
        var scale: Int128 = 1
        for run in runs {
            for value in [run.base - start, run.step] {
                guard let common = Self.common(scale, value.denominator) else { return nil }
                scale = common
            }
        }
        return Int(Self.common(scale, (end - start).denominator) ?? scale)
    }

    /// The least common multiple; nil beyond 31 bits.
    private static func common(_ left: Int128, _ right: Int128) -> Int128? {
        let ratio = Rational(numerator: left, denominator: right)
        // left ÷ gcd × right.
        let (product, overflow) = ratio.numerator.multipliedReportingOverflow(by: right)
        return overflow || product > Int128(Int32.max) ? nil : product
    }

    private func offsets(_ scale: Int) -> [Int64] {
        var ticks: [Int64] = [0]
        ticks.reserveCapacity(count)
        for run in runs {
            let (base, step) = ((run.base - start) * Rational(scale), run.step * Rational(scale))
            // The products stay within 128 bits with these.
            let limit = Rational(.max)
            let isWhole =
                base.denominator == 1 && step.denominator == 1 && base.magnitude < limit && step.magnitude < limit
            func append(_ offset: Int64) {
                let tick =
                    isWhole
                    ? Int64(clamping: base.numerator + step.numerator * Int128(offset))
                    : Int64((base + step * Rational(Int(offset))).ceil())
                // Two pictures within a tick: only the second is seen.
                if tick > ticks[ticks.count - 1] { ticks.append(tick) }
            }
            switch run.offsets {
            case .even(let range): for offset in range { append(offset) }
            case .listed(let slice): for offset in slice { append(offset) }
            }
        }
        return ticks
    }
}

extension VideoTrackPlan.Media {
    /// The times at which its picture changes, for a segment that begins at `first`, backwards or at a speed that
    /// changes.
    fileprivate func changes(_ times: FrameTimes, _ first: Rational) -> TrackTiming.Run {
        // Backwards a frame ends where it begins.
        let places = reversal == nil ? times.offsets : times.offsets.reversed().map { -$0 }
        let origin = reversal.map { $0.end - times.start } ?? times.start - sourceStart
        guard case .keyed(let speed) = speed else {
            let rate = self.speed.offset(after: Rational(1))
            return TrackTiming.Run(
                base: first + origin / rate, step: times.tick / rate, offsets: .listed(places[...]))
        }
        let parts = places.compactMap { place in
            speed.elapsed(reaching: origin + Rational(Int(place)) * times.tick).map {
                Int64(($0 * Rational(KeyedSpeed.scale)).rounded())
            }
        }
        return TrackTiming.Run(base: first, step: Rational(1, KeyedSpeed.scale), offsets: .listed(parts[...]))
    }

    /// The asset times at which the pictures of what it shows begin. Of a nested composition in its own rate they are
    /// those within the span alone, for every segment has a list of its own.
    fileprivate func frameTimes(
        _ assets: [String: AssetFacts], shownBy span: (Rational, Rational)
    ) throws(SplitreelError) -> FrameTimes {
        if let nestedTimes { return nestedTimes }
        if let nested, let times = nested.value.evenTimes(span) { return times }
        if let times = assets[asset]?.track(assetTrack)?.video?.frameTimes { return times }
        throw SplitreelError(
            .internalFault, operation: "planning", subject: "asset \(asset)",
            reason: "the times of its frames are not known")
    }
}

extension Timeline {
    /// The times at which the output's frames from `start` to `end` begin, counted from `start`, where a track decides
    /// that; nil where they are even. The first shows what is held at `start`.
    ///
    /// - Parameter assets: the facts, with the frame times of what the track plays.
    package func frameTimes(
        from start: Rational, to end: Rational, assets: [String: AssetFacts]
    ) throws(SplitreelError) -> FrameTimes? {
        guard let timingTrack, start < end else { return nil }
        var timing = TrackTiming(from: start, to: end, frameDuration: Rational(frameDuration))
        try timing.add(timingTrack, assets: assets)
        guard let list = timing.list() else {
            throw SplitreelError(
                .settingsImpossible, operation: "planning", subject: "video.frameTimingTrack",
                reason: "one of its frames lasts more than 2³¹ s", hint: "let the track play shorter segments")
        }
        return list
    }

    /// The times of its own even frames about a span of time; nil where they are more than a list holds.
    fileprivate func evenTimes(_ span: (from: Rational, to: Rational)) -> FrameTimes? {
        let count = FrameGrid(frameDuration: frameDuration).frameCount(duration: duration)
        let step = Rational(frameDuration)
        guard count > 0, step > .zero, span.from <= span.to else { return nil }
        let low = min(max((span.from / step).floor() - 1, 0), count - 1)
        let high = min(max((span.to / step).ceil() + 1, low + 1), count)
        guard high - low <= FrameTimes.mostFrames else { return nil }
        return FrameTimes(
            start: step * Rational(low), tick: step, offsets: (0..<Int64(high - low)).map(\.self))
    }
}
