import ExactMath
package import MediaTime
package import SplitreelProject

/// The way that a segment's source has come at each time since the segment began.
///
/// Where keys change the speed, times since the segment's start are rounded to the nearest 1/705,600,000 s (which all
/// usual frames and samples last a whole number of), speeds to the nearest millionth, and the way to the nearest
/// 1/705,600,000 s; halves away from zero. All between is exact: a ramp's way is a polynomial of degree 2.
package enum SpeedMap: Sendable, Hashable {
    /// One speed, in source seconds a second.
    case constant(Rational)
    case keyed(KeyedSpeed)

    /// The source seconds from the source's start, in whichever direction it is played, after so many seconds.
    package func offset(after elapsed: Rational) -> Rational {
        switch self {
        case .constant(let rate): elapsed * rate
        case .keyed(let speed): speed.offset(after: elapsed)
        }
    }

    /// The earliest time since the segment's start, in seconds, at which the source has come so far: exact at a
    /// constant speed, otherwise the first of the rounded times; nil where it never does.
    package func elapsed(reaching offset: Rational) -> Rational? {
        switch self {
        case .constant(let rate): offset / rate
        case .keyed(let speed): speed.elapsed(reaching: offset)
        }
    }

    /// The speed of a segment that plays `source` seconds of a source in `target` seconds; keys that there are go
    /// before.
    package init(_ keys: [Key<Double>]?, source: Rational, target: Rational) {
        if let keys, let keyed = KeyedSpeed(keys) {
            self = .keyed(keyed)
        } else {
            self = .constant(source / target)
        }
    }
}

/// A speed that keys change, over times since the segment's start.
package struct KeyedSpeed: Sendable, Hashable {
    /// The parts of a second in which times are counted.
    package static let scale = 705_600_000
    private static let parts = Int128(scale)

    /// A ramp of the speed from `start` on that lasts `length`, in parts of a second, or one speed; speeds are in
    /// millionths.
    package struct Piece: Sendable, Hashable {
        package let start: Int128
        package let length: Int128
        package let from: Int128
        package let to: Int128
        /// The way that the source has come at the piece's start, in parts of a second.
        package var offset: Int128 = 0
    }

    /// The pieces in order; the first one's speed held before its start too, the last one's holds for ever.
    package let pieces: [Piece]

    /// The highest speed, in source seconds a second.
    package var highest: Double { pieces.reduce(0) { max($0, Double(max($1.from, $1.to)) / 1e6) } }

    /// The seconds within which keys, and times since the start, lie: products stay within 128 bits.
    package static let longest = 1_000_000
    package static let fastest = 32.0

    /// The speed of keys; nil without a key. Before the first key its own value holds.
    package init?(_ keys: [Key<Double>]) {
        func speed(_ value: Double) -> Int128 { Int128((value.held(in: 0...Self.fastest) * 1e6).rounded()) }
        var pieces: [Piece] = []
        for span in KeyTrack(keys).spans {
            let (start, end) = (Self.part(span.start), Self.part(span.end))
            let (from, to) = (speed(span.from), speed(span.to))
            if end > start { pieces.append(Piece(start: start, length: end - start, from: from, to: to)) }
            pieces.append(Piece(start: end, length: 0, from: to, to: to))
        }
        guard !pieces.isEmpty else { return nil }
        for index in pieces.indices.dropFirst() {
            pieces[index].offset = pieces[index - 1].offset(at: pieces[index].start)
        }
        // The way counts from time 0.
        let zero = Self.offset(at: 0, pieces)
        for index in pieces.indices { pieces[index].offset -= zero }
        self.pieces = pieces
    }

    private init(pieces: [Piece]) { self.pieces = pieces }

    /// The same speed so many seconds later; before it the first speed holds.
    func delayed(by time: Rational) -> KeyedSpeed {
        var pieces = pieces
        for index in pieces.indices { pieces[index] = pieces[index].delayed(by: Self.part(time)) }
        let zero = Self.offset(at: 0, pieces)
        for index in pieces.indices { pieces[index].offset -= zero }
        return KeyedSpeed(pieces: pieces)
    }

    private static func part(_ time: Rational) -> Int128 {
        let limit = Rational(longest)
        return Int128((min(max(time, -limit), limit) * Rational(scale)).rounded())
    }

    private static func offset(at time: Int128, _ pieces: [Piece]) -> Int128 {
        pieces[max(0, pieces.partitionPoint { $0.start <= time } - 1)].offset(at: time)
    }

    func offset(after elapsed: Rational) -> Rational {
        Rational(numerator: Self.offset(at: Self.part(elapsed), pieces), denominator: Self.parts)
    }

    func elapsed(reaching offset: Rational) -> Rational? {
        let limit = Int128((offset * Rational(Self.scale)).ceil())
        // The way never goes back: halves until one part is left.
        var (low, high) = (-Self.parts * Int128(Self.longest), Self.parts * Int128(Self.longest))
        guard Self.offset(at: high, pieces) >= limit else { return nil }
        while high - low > 1 {
            let middle = (low + high) >> 1
            if Self.offset(at: middle, pieces) >= limit { high = middle } else { low = middle }
        }
        return Rational(numerator: high, denominator: Self.parts)
    }

    /// The way that the source has come after so many seconds, and its speed, for samples, which lie between the parts.
    package func way(after elapsed: Double) -> (offset: Double, speed: Double) {
        let time = elapsed * Double(Self.scale)
        let piece = pieces[max(0, pieces.partitionPoint { Double($0.start) <= time } - 1)]
        let (along, from, rise) = (time - Double(piece.start), Double(piece.from), Double(piece.to - piece.from))
        let isRamp = piece.length > 0 && along > 0
        let slope = isRamp ? rise / Double(piece.length) : 0
        let way = (from + slope * along / 2) * along / 1e6 + Double(piece.offset)
        return (way / Double(Self.scale), (from + slope * along) / 1e6)
    }
}

extension KeyedSpeed.Piece {
    fileprivate func delayed(by time: Int128) -> Self {
        Self(start: start + time, length: length, from: from, to: to, offset: offset)
    }

    /// The way at a time within the piece, or before it where it is the first, in parts of a second.
    fileprivate func offset(at time: Int128) -> Int128 {
        let (million, elapsed) = (Int128(1_000_000), time - start)
        guard length > 0, elapsed > 0 else { return offset + Self.divided(from * elapsed, by: million) }
        // from·t + (to − from)·t² ÷ 2·length.
        let way = (2 * length * from + (to - from) * elapsed) * elapsed
        return offset + Self.divided(way, by: 2 * length * million)
    }

    /// The quotient to the nearest whole number, halves away from zero.
    private static func divided(_ value: Int128, by divisor: Int128) -> Int128 {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
        return rest.magnitude * 2 >= divisor.magnitude ? quotient + (value < 0 ? -1 : 1) : quotient
    }
}
