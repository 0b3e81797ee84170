import MediaTime

/// A range by the table of Core Media's rules, of `TableTime`s.
struct TableRange {
    var start: TableTime
    var duration: TableTime

    static let zero = TableRange(start: TableTime(0, 1), duration: TableTime(0, 1))
    static let invalid = TableRange(start: TableTime(.invalid), duration: TableTime(.invalid))

    init(start: TableTime, duration: TableTime) { (self.start, self.duration) = (start, duration) }
    init(start: TableTime, end: TableTime) { self.init(start: start, duration: end - start) }

    var range: TimeRange { TimeRange(start: start.time, duration: duration.time) }
    var end: TableTime { start + duration }

    var isValid: Bool {
        start.kind != .invalid && duration.kind != .invalid && duration.kind != .negativeInfinity
            && duration.epoch == 0 && duration.value >= 0
    }
    var isEmpty: Bool { isValid && duration.kind == .number && duration.value == 0 }
    var isNumeric: Bool { isValid && start.kind == .number && duration.kind == .number }
    var isIndefinite: Bool { isValid && (start.kind == .indefinite || duration.kind == .indefinite) }

    func isSame(_ other: TimeRange) -> Bool { start.isSame(other.start) && duration.isSame(other.duration) }

    func contains(_ time: TableTime) -> Bool {
        isValid && time.kind == .number && start <= time && time < end
    }

    func contains(_ other: TableRange) -> Bool {
        isValid && other.isValid && start <= other.start && other.end <= end
    }

    func union(_ other: TableRange) -> TableRange {
        guard isValid, other.isValid else { return .invalid }
        return TableRange(start: .earlier(start, other.start), end: .later(end, other.end))
    }

    func intersection(_ other: TableRange) -> TableRange {
        guard isValid, other.isValid else { return .invalid }
        let (from, to) = (TableTime.later(start, other.start), TableTime.earlier(end, other.end))
        return from < to ? TableRange(start: from, end: to) : .zero
    }

    func clamp(_ time: TableTime) -> TableTime {
        guard isValid, !isEmpty, time.kind != .invalid else { return TableTime(.invalid) }
        return time.kind == .indefinite ? time : .earlier(.later(time, start), end)
    }

    func clamp(_ other: TableRange) -> TableRange {
        guard isValid, !isEmpty, other.isValid else { return .invalid }
        return TableRange(start: clamp(other.start), end: clamp(other.end))
    }
}

// MARK: mapping and folding

/// An exact fraction for values of up to 31 bits and scales of up to 15: a few products of them have room in 128 bits.
private struct Part {
    var top: Int128
    var bottom: Int128

    init(_ top: Int128, _ bottom: Int128) { (self.top, self.bottom) = (top, bottom) }
    init(_ time: TableTime) { self.init(Int128(time.value), Int128(time.scale)) }

    static func + (left: Part, right: Part) -> Part {
        Part(left.top * right.bottom + right.top * left.bottom, left.bottom * right.bottom)
    }
    static func - (left: Part, right: Part) -> Part { left + Part(-right.top, right.bottom) }
    static func * (left: Part, right: Part) -> Part { Part(left.top * right.top, left.bottom * right.bottom) }
    /// The quotient by a part above 0.
    static func / (left: Part, right: Part) -> Part { Part(left.top * right.bottom, left.bottom * right.top) }
}

extension TableRange {
    private var isRounded: Bool { start.rounded || duration.rounded }

    func map(_ time: TableTime, to other: TableRange) -> TableTime {
        guard isValid, other.isValid, !isEmpty, !other.isEmpty, time.kind != .invalid else {
            return TableTime(.invalid)
        }
        if time.kind == .number, start.kind == .number, time.epoch != start.epoch { return TableTime(.invalid) }
        if duration.kind == .positiveInfinity, other.duration.kind == .positiveInfinity {
            return time - start + other.start
        }
        guard isNumeric, other.isNumeric else { return TableTime(.invalid) }
        guard time.kind == .number else { return time }
        let mapped = (Part(time) - Part(start)) * Part(other.duration) / Part(duration) + Part(other.start)
        return .exact(
            mapped.top, mapped.bottom, in: [other.start, other.duration, time].map { Int128($0.scale) },
            epoch: other.start.epoch, rounded: isRounded || other.isRounded || time.rounded)
    }

    func map(length: TableTime, to other: TableRange) -> TableTime {
        guard isValid, other.isValid, !isEmpty, !other.isEmpty, length.kind != .invalid, length.epoch == 0 else {
            return TableTime(.invalid)
        }
        if duration.kind == .positiveInfinity, other.duration.kind == .positiveInfinity { return length }
        guard duration.kind == .number, other.duration.kind == .number else { return TableTime(.invalid) }
        guard length.kind == .number else { return length }
        let mapped = Part(length) * Part(other.duration) / Part(duration)
        return .exact(
            mapped.top, mapped.bottom, in: [other.duration, length].map { Int128($0.scale) }, epoch: 0,
            rounded: duration.rounded || other.duration.rounded || length.rounded)
    }

    func map(_ part: TableRange, to other: TableRange) -> TableRange {
        let mapped = TableRange(start: map(part.start, to: other), duration: map(length: part.duration, to: other))
        return part.isValid && mapped.isValid ? mapped : .invalid
    }

    func fold(_ time: TableTime) -> TableTime {
        guard isValid, !isEmpty, start.kind == .number, time.kind == .number, time.epoch == start.epoch else {
            return TableTime(.invalid)
        }
        if duration.kind == .positiveInfinity { return time < start ? TableTime(.invalid) : time }
        guard duration.kind == .number else { return TableTime(.invalid) }
        let loops = (Part(time) - Part(start)) / Part(duration)
        let whole = loops.top / loops.bottom - (loops.top % loops.bottom < 0 ? 1 : 0)
        let folded = Part(time) - Part(duration) * Part(whole, 1)
        return .exact(
            folded.top, folded.bottom, in: [time, start, duration].map { Int128($0.scale) }, epoch: start.epoch,
            rounded: isRounded || time.rounded)
    }
}
