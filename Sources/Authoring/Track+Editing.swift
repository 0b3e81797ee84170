import Diagnostics
public import MediaFacts
public import MediaTime
public import SplitreelProject

// Edits of one track, as AVMutableCompositionTrack has them. All are exact, change nothing but this value, and throw
// before they change anything. Times are composition times, ranges half-open.
extension Track {
    /// Inserts a part of a file's track at its natural rate; segments at `time` and after it move out.
    ///
    /// - Parameters:
    ///   - asset: the asset's name in the project.
    ///   - source: the range of the asset's time.
    ///   - facts: the asset's facts. A source may reach beyond its track as long as it ends within the asset's
    ///     duration and one frame: the last picture holds, sound is silent there.
    ///   - sourceTrack: the id of the file's track; nil for its first track of this track's type.
    ///   - time: nil to append. A hole before it is filled with an empty segment.
    ///   - clamps: lets a source reach further; what is missing holds, or is silent.
    /// - Throws: `.sourceOutsideAsset`, `.trackNotInFile`, `.trackTypeDiffers`, `.segmentRangeInvalid`,
    ///   `.segmentsDoNotTile`.
    public mutating func insert(
        _ asset: String, _ source: TimeRange, of facts: AssetFacts, track sourceTrack: Int? = nil,
        at time: MediaTime? = nil, clamps: Bool = false
    ) throws {
        try insert(asset, source, of: facts, track: sourceTrack, at: place(time) ?? length, clamps: clamps)
    }

    /// Inserts as above, at a place in exact seconds.
    package mutating func insert(
        _ asset: String, _ source: TimeRange, of facts: AssetFacts, track sourceTrack: Int? = nil, at time: Rational,
        clamps: Bool = false
    ) throws {
        guard let range = source.exact, range.start >= .zero, range.end > range.start else {
            throw fault(.segmentRangeInvalid, noRange(source, of: asset))
        }
        try checkPlace(time)
        try checkTrack(sourceTrack, of: facts, asset)
        if !clamps { try checkEnd(range.end, of: facts, sourceTrack, asset) }
        var segment = TrackSegment()
        segment.asset = asset
        segment.track = sourceTrack
        if clamps { segment.clampToSource = true }
        let length = range.end - range.start
        let played = facts.kind.isMoving ? (start: range.start, duration: length) : nil
        try edit {
            $0.insert([.init(segment: segment, source: played, length: length)], at: time)
        }
    }

    /// Inserts nothing over the range: silence, or the picture beneath. False, and no change, at the end or after it: a
    /// track does not end with nothing.
    @discardableResult
    public mutating func insertEmpty(_ range: TimeRange) throws -> Bool {
        let (start, end) = try checked(range)
        return try insertEmpty(at: start, lasting: end - start)
    }

    /// Inserts nothing for a while, from a place in exact seconds on.
    @discardableResult
    package mutating func insertEmpty(at time: Rational, lasting duration: Rational) throws -> Bool {
        try checkPlace(time)
        try checkLength(duration)
        guard time < length else { return false }
        try edit { $0.insert([.init(segment: TrackSegment(), source: nil, length: duration)], at: time) }
        return true
    }

    /// Takes out the part that lies in the range, cutting segments that reach into it; segments after it move in.
    public mutating func remove(_ range: TimeRange) throws {
        let (start, end) = try checked(range)
        try edit { $0.remove(from: start, to: end) }
    }

    /// Makes the part in the range last as long as `duration`, each segment in it at another rate; segments after it
    /// move. A range that reaches beyond the track's end scales what there is of it.
    public mutating func scale(_ range: TimeRange, to duration: MediaTime) throws {
        guard let exact = duration.exact else { throw fault(.segmentRangeInvalid, "\(duration) is not a length") }
        try scale(range, to: exact)
    }

    /// Makes the part in the range last `duration` seconds.
    package mutating func scale(_ range: TimeRange, to duration: Rational) throws {
        let (start, end) = try checked(range)
        try checkLength(duration)
        try edit { $0.scale(from: start, to: end, lasting: duration) }
    }

    /// The segment that holds the time, or else the nearest; nil where there is none.
    public func segment(at time: MediaTime) -> TrackSegment? {
        let index = segmentIndex(at: time.exact ?? (time.isNegativeInfinity ? Rational(-1) : length))
        return index.map { segments[$0] }
    }

    /// The position of the segment that holds `time`, or else of the nearest; nil where there is none.
    package func segmentIndex(at time: Rational) -> Int? {
        guard !segments.isEmpty else { return nil }
        let holding = segments.firstIndex { segment in
            segment.target.exact.map { $0.start <= time && time < $0.end } ?? false
        }
        return holding ?? (time < .zero ? 0 : segments.count - 1)
    }

    // MARK: - What is asked of arguments

    private func place(_ time: MediaTime?) throws -> Rational? {
        guard let time else { return nil }
        guard let exact = time.exact else { throw fault(.segmentRangeInvalid, "\(time) is no place in a composition") }
        return exact
    }

    private mutating func edit(_ change: (inout SegmentRun) -> Void) throws {
        var run = try SegmentRun(self)
        change(&run)
        guard let edited = run.segments else {
            throw fault(
                .segmentRangeInvalid, "its times would be too fine for a time value: choose times of fewer timescales")
        }
        segments = edited
    }

    private func checked(_ range: TimeRange) throws -> (start: Rational, end: Rational) {
        guard let exact = range.exact, exact.start >= .zero, exact.end > exact.start else {
            throw fault(.segmentRangeInvalid, noRange(range, of: "the composition"))
        }
        return exact
    }

    private func noRange(_ range: TimeRange, of whole: String) -> String {
        "a start of \(range.start.text) with a duration of \(range.duration.text) is no range of \(whole)"
    }

    private func checkPlace(_ time: Rational?) throws {
        guard let time, time < .zero else { return }
        throw fault(.segmentRangeInvalid, "\(time.shortSeconds) s lies before the composition's start")
    }

    private func checkLength(_ duration: Rational) throws {
        guard duration <= .zero else { return }
        throw fault(.segmentRangeInvalid, "\(duration) is not a length")
    }

    private func checkTrack(_ number: Int?, of facts: AssetFacts, _ asset: String) throws {
        guard facts.kind.isMoving else {
            guard type == .video else {
                throw fault(.trackTypeDiffers, "\(asset) is a picture, this track \(type)")
            }
            return
        }
        guard let found = number.map(facts.track) ?? facts.firstTrack(of: type) else {
            throw fault(.trackNotInFile, "\(asset) has no \(number.map { "track \($0)" } ?? "\(type) track")")
        }
        guard found.type == type else {
            throw fault(.trackTypeDiffers, "track \(found.id) of \(asset) is \(found.type), this one \(type)")
        }
    }

    private func checkEnd(_ end: Rational, of facts: AssetFacts, _ number: Int?, _ asset: String) throws {
        guard facts.kind.isMoving, let duration = facts.duration.exact else { return }
        let tracks = [number.flatMap(facts.track) ?? facts.firstTrack(of: type), facts.firstTrack(of: .video)]
        let rates = tracks.compactMap { $0?.video?.nominalFrameRate?.exact }.filter { $0 > .zero }
        let frame = rates.first.map { Rational(1) / $0 } ?? Rational(1, 30)
        guard end > duration + frame else { return }
        throw fault(
            .sourceOutsideAsset,
            "\(end.shortSeconds) s lies beyond the end of \(asset), \(duration.shortSeconds) s")
    }

    private func fault(_ code: ErrorCode, _ reason: String) -> SplitreelError {
        SplitreelError(code, operation: "editing", subject: "track \(id)", reason: reason)
    }
}
