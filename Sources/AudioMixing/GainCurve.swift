import MediaTime
import SplitreelProject

/// A track's volume over the output samples: ramps in exact time, straight or eased, with jumps between them.
///
/// Each sample's gain comes from its own index, never from the one before, so nothing drifts and no block size shows.
struct GainCurve {
    /// One ramp: sample n has `from + (to − from) × share((n − first + lead) / length)`; the share of a straight one is
    /// its argument.
    struct Piece {
        /// The piece's first sample at or after its start, which may lie before sample 0.
        var first: Int
        /// The samples by which `first` lies behind the piece's exact start, 0 ..< 1.
        var lead: Double
        /// The length in samples; 0 for a piece of one value.
        var length: Double
        var from: Double
        var to: Double
        var easing = Easing.linear

        var isConstant: Bool { from == to || length <= 0 }

        func value(at sample: Int) -> Double {
            if isConstant { return from }
            return from + (to - from) * easing.share(at: (Double(sample - first) + lead) / length)
        }

        /// The gain of a sample. An easing may overshoot; below 0 nothing is heard.
        func gain(at sample: Int) -> Double { isConstant ? from : max(0, value(at: sample)) }
    }

    let pieces: [Piece]

    /// A curve with one value for all samples.
    init(initial: Double) {
        pieces = [Piece(first: Int.min / 2, lead: 0, length: 0, from: initial, to: initial)]
    }

    /// A curve with `initial` before the first span, and after each span its last value until the next one starts.
    init(_ gains: KeyTrack<Double>, rangeStart: Rational, sampleRate: Int, initial: Double = 1) {
        var pieces = [Piece(first: Int.min / 2, lead: 0, length: 0, from: initial, to: initial)]
        func append(at time: Rational, length: Rational, from: Double, to: Double, easing: Easing = .linear) {
            let exact = (time - rangeStart) * Rational(sampleRate)
            let first = min(max(exact.ceil(), Int.min / 2), Int.max / 2)
            pieces.append(
                Piece(
                    first: first, lead: (Rational(first) - exact).double,
                    length: (length * Rational(sampleRate)).double, from: from, to: to,
                    easing: easing))
        }
        for span in gains.spans {
            if span.start < span.end {
                append(
                    at: span.start, length: span.end - span.start, from: span.from, to: span.to,
                    easing: span.easing)
            }
            append(at: span.end, length: .zero, from: span.to, to: span.to)
        }
        self.pieces = pieces
    }

    /// The index of the last piece that starts at or before the sample. Of pieces that start together the later one
    /// counts.
    func piece(at sample: Int) -> Int {
        max(0, pieces.partitionPoint { $0.first <= sample } - 1)
    }

    /// The piece of a sample, and the first sample of the next piece; half of what an Int holds where there is none, so
    /// that differences of samples hold, too.
    func stretch(at sample: Int) -> (piece: Piece, end: Int) {
        let index = piece(at: sample)
        return (pieces[index], index + 1 < pieces.count ? max(sample + 1, pieces[index + 1].first) : .max / 2)
    }

    /// Multiplies the channels' samples by the curve times a constant and adds them to sums, from `offset` there on.
    /// `first` is the first sample's index.
    func add(
        _ sources: [UnsafeMutablePointer<Float>], to sums: [UnsafeMutablePointer<Float>], offset: Int, first: Int,
        count: Int, volume: Double
    ) {
        forStretches(first: first, count: count) { piece, part in
            if piece.from == piece.to {
                let gain = Float(piece.from * volume)
                for (source, sum) in zip(sources, sums) {
                    let (source, sum) = (source + part.lowerBound, sum + (offset + part.lowerBound))
                    for index in 0..<part.count { sum[index] += source[index] * gain }
                }
            } else {
                piece.withGains(first: first + part.lowerBound, count: part.count, volume: volume) { gains, start in
                    for (source, sum) in zip(sources, sums) {
                        let place = part.lowerBound + start
                        let (source, sum) = (source + place, sum + (offset + place))
                        for index in 0..<gains.count { sum[index] += source[index] * gains[index] }
                    }
                }
            }
        }
    }

    /// Multiplies the samples by the curve in place. `first` is the first sample's index.
    func apply(to planes: [UnsafeMutablePointer<Float>], first: Int, count: Int) {
        forStretches(first: first, count: count) { piece, part in
            piece.withGains(first: first + part.lowerBound, count: part.count, volume: 1) { gains, start in
                for plane in planes {
                    let plane = plane + (part.lowerBound + start)
                    for index in 0..<gains.count { plane[index] *= gains[index] }
                }
            }
        }
    }

    /// Calls `body` for each piece of some of the samples with their range, counted from `first`.
    private func forStretches(first: Int, count: Int, _ body: (_ piece: Piece, _ part: Range<Int>) -> Void) {
        var done = 0
        while done < count {
            let (piece, pieceEnd) = stretch(at: first + done)
            let end = min(count, pieceEnd - first)
            body(piece, done..<end)
            done = end
        }
    }
}

extension GainCurve.Piece {
    /// The number of gains that are worked out at once: they stay in the processor's nearest cache.
    private static let strip = 512

    /// Works out the samples' gains times a constant, some at a time; `start` counts from `first`. Each gain is worked
    /// out once for all channels, and the gains of a straight ramp some at once.
    fileprivate func withGains(
        first: Int, count: Int, volume: Double,
        _ body: (_ gains: UnsafeMutableBufferPointer<Float>, _ start: Int) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: min(count, Self.strip)) { strip in
            for start in stride(from: 0, to: count, by: Self.strip) {
                let gains = UnsafeMutableBufferPointer(rebasing: strip[..<min(Self.strip, count - start)])
                fill(gains, first: first + start, volume: volume)
                body(gains, start)
            }
        }
    }

    private func fill(_ gains: UnsafeMutableBufferPointer<Float>, first: Int, volume: Double) {
        if isConstant {
            gains.update(repeating: Float(from * volume))
        } else if easing == .linear {
            // The same as `value(at:)`, to the last bit: whole numbers are exact, in whichever order they are added.
            let (way, base) = (to - from, Double(first - self.first))
            for index in 0..<Int32(gains.count) {
                let value = from + way * ((base + Double(index) + lead) / length)
                gains[Int(index)] = Float((value > 0 ? value : 0) * volume)
            }
        } else {
            for index in gains.indices { gains[index] = Float(gain(at: first + index) * volume) }
        }
    }
}
