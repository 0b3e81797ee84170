import Diagnostics
import MediaTime
import SplitreelProject
import SplitreelTimeline

/// A track's segments as lengths that follow each other, in exact seconds, which edits work on. A segment begins where
/// those before it end, so nothing can gape or overlap.
struct SegmentRun {
    struct Piece {
        /// The segment, of which nothing but the ranges changes; a piece of nothing has no asset.
        var segment: TrackSegment
        /// The source's range in asset time; nil for pieces of nothing and for sources that have no time, such as
        /// stills.
        var source: (start: Rational, duration: Rational)?
        /// The length in seconds of composition time, above 0.
        var length: Rational
    }

    private(set) var pieces: [Piece] = []

    /// The run of a track. Throws `.segmentsDoNotTile` or `.segmentRangeInvalid` where edits cannot start from its
    /// segments.
    init(_ track: Track) throws {
        var end = Rational.zero
        for (index, segment) in track.segments.enumerated() {
            guard let target = segment.target.exact, target.end > target.start else {
                throw fault(.segmentRangeInvalid, track, "segment \(index) has no range that can be edited")
            }
            guard target.start == end else {
                throw fault(
                    .segmentsDoNotTile, track, "segment \(index) starts at \(target.start), not at \(end)")
            }
            let source = segment.source?.exact.map { (start: $0.start, duration: $0.end - $0.start) }
            pieces.append(Piece(segment: segment, source: source, length: target.end - target.start))
            end = target.end
        }
    }

    var length: Rational { pieces.reduce(.zero) { $0 + $1.length } }

    /// The segments with ranges as people write them; nil where a time is too fine for a time value: rounded, segments
    /// would gape.
    var segments: [TrackSegment]? {
        var start = Rational.zero
        var result: [TrackSegment] = []
        for piece in pieces {
            var segment = piece.segment
            guard let target = Self.range(start, piece.length) else { return nil }
            segment.target = target
            if let source = piece.source {
                guard let range = Self.range(source.start, source.duration) else { return nil }
                segment.source = range
            }
            start += piece.length
            result.append(segment)
        }
        return result
    }

    private static func range(_ start: Rational, _ duration: Rational) -> TimeRange? {
        let (start, duration) = (start.plainTime, duration.plainTime)
        let isExact = [start, duration].allSatisfy { $0.isNumeric && !$0.hasBeenRounded }
        return isExact ? TimeRange(start: start, duration: duration) : nil
    }

    // MARK: - Edits

    /// Inserts pieces: those at and after `time` move out by the length of `new`; a hole before `time` is filled with
    /// nothing.
    mutating func insert(_ new: [Piece], at time: Rational) {
        let end = length
        if time > end { pieces.append(Piece(segment: TrackSegment(), source: nil, length: time - end)) }
        let index = cut(at: time)
        pieces.insert(contentsOf: new, at: index)
    }

    /// Removes the pieces in a range; those after it move in.
    mutating func remove(from start: Rational, to end: Rational) {
        let range = cut(from: start, to: end)
        pieces.removeSubrange(range)
    }

    /// Stretches the pieces in the range to last `duration` seconds; those after it move. A range that reaches beyond
    /// the end scales what there is of it; one that lies behind the end changes nothing.
    mutating func scale(from start: Rational, to end: Rational, lasting duration: Rational) {
        let range = cut(from: start, to: end)
        let factor = duration / (end - start)
        for index in range {
            pieces[index].length = pieces[index].length * factor
            pieces[index].segment.speed = pieces[index].segment.speed.map { $0.map { $0.stretched(by: factor) } }
        }
    }

    /// The positions of the pieces that lie between both cuts.
    private mutating func cut(from start: Rational, to end: Rational) -> Range<Int> {
        let first = cut(at: start)
        return first..<max(first, cut(at: end))
    }

    /// Splits the piece that holds `time`; answers the position of the first piece at or after it.
    private mutating func cut(at time: Rational) -> Int {
        var start = Rational.zero
        for index in pieces.indices {
            if start >= time { return index }
            let piece = pieces[index]
            let (before, after) = (time - start, start + piece.length - time)
            if after > .zero {
                pieces[index] = piece.part(from: .zero, lasting: before)
                pieces.insert(piece.part(from: before, lasting: after), at: index + 1)
                return index + 1
            }
            start += piece.length
        }
        return pieces.count
    }

    private func fault(_ code: ErrorCode, _ track: Track, _ reason: String) -> SplitreelError {
        SplitreelError(
            code, operation: "editing", subject: "track \(track.id)", reason: reason,
            hint: "`splitreel validate` tells all that is wrong with a composition")
    }
}

extension Key<Double> {
    /// The key at a time that is so many seconds later.
    fileprivate func moved(by time: Rational) -> Self {
        var key = self
        key.at = at?.exact.map { ($0 + time).plainTime } ?? at
        if let exact = range?.exact, let range {
            key.range = TimeRange(start: (exact.start + time).plainTime, duration: range.duration)
        }
        return key
    }

    /// The key of a speed over a time that lasts so many times as long.
    fileprivate func stretched(by factor: Rational) -> Self {
        var key = self
        key.at = at?.exact.map { ($0 * factor).plainTime } ?? at
        if let exact = range?.exact {
            key.range = TimeRange(
                start: (exact.start * factor).plainTime, duration: ((exact.end - exact.start) * factor).plainTime)
        }
        key.value = value.map { $0 / factor.double }
        key.from = from.map { $0 / factor.double }
        key.to = to.map { $0 / factor.double }
        return key
    }
}

extension FadeSettings {
    fileprivate mutating func shorten(to length: Rational) {
        if let duration = duration.exact, duration > length { self.duration = length.plainTime }
    }
}

extension SegmentRun.Piece {
    /// The piece's part from `offset`, of `part` seconds, at the same rate.
    fileprivate func part(from offset: Rational, lasting part: Rational) -> Self {
        var result = self
        result.length = part
        if offset > .zero { (result.segment.transition, result.segment.fadeIn) = (nil, nil) }
        if offset + part < length { result.segment.fadeOut = nil }
        result.segment.fadeIn?.shorten(to: part)
        result.segment.fadeOut?.shorten(to: part)
        result.segment.speed = segment.speed.map { $0.map { $0.moved(by: -offset) } }
        if let source {
            let speed = SpeedMap(segment.speed, source: source.duration, target: length)
            let (before, played) = (speed.offset(after: offset), speed.offset(after: offset + part))
            let isReversed = segment.reverse == true
            let start = isReversed ? source.start + source.duration - played : source.start + before
            result.source = (start, played - before)
        }
        return result
    }
}
