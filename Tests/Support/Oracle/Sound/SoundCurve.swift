import Foundation
import TestTools

/// A number that keys change over the samples of a mix: holds and ramps at their exact times.
struct SoundCurve {
    private struct Piece {
        /// In samples, and the first whole one that is not before it.
        var start: Double
        var first: Int
        /// In samples; 0 for a value that stays.
        var length = 0.0
        var from: Double
        var to: Double
        var share: (Double) -> Double = { $0 }
    }

    private var pieces: [Piece]

    /// - Parameters:
    ///   - absent: the value before the first key; nil: what the first key begins with.
    ///   - start: the time of sample 0.
    init(_ json: JSON, absent: Double?, start: Fraction, rate: Int) throws {
        pieces = []
        func add(
            _ time: Fraction, _ from: Double, _ to: Double, _ length: Fraction, _ share: @escaping (Double) -> Double
        ) {
            let place = (time - start) * Fraction(rate)
            pieces.append(
                Piece(
                    start: place.value, first: place.ceiling, length: (length * Fraction(rate)).value, from: from,
                    to: to, share: share))
        }
        _ = try json.each { key in
            if !key["at"].isAbsent {
                let value = try key["value"].number
                add(try Fraction(time: key["at"].text), value, value, Fraction(0)) { $0 }
                return
            }
            let range = try Cut.Span(key["range"])
            let (from, to) = (try key["from"].number, try key["to"].number)
            add(range.start, from, to, range.length, try Keys.easing(key["easing"]))
            add(range.end, to, to, Fraction(0)) { $0 }
        }
        let value = absent ?? pieces.first?.from ?? 1
        pieces.insert(Piece(start: -1e18, first: Int.min, from: value, to: value), at: 0)
    }

    /// At the samples in order.
    func values(_ samples: Range<Int>) -> [Double] {
        var index = 0
        return samples.map { sample in
            while index + 1 < pieces.count, pieces[index + 1].first <= sample { index += 1 }
            let piece = pieces[index]
            guard piece.length > 0, piece.from != piece.to else { return piece.from }
            let share = piece.share(min(1, (Double(sample) - piece.start) / piece.length))
            return piece.from + (piece.to - piece.from) * share
        }
    }

    /// The integral over samples from 0 on, of straight ramps.
    func ways(_ samples: Range<Int>) -> [Double] {
        // Up to the start of each piece; before 0 the first value counts.
        var sums = [0.0]
        func way(in index: Int, upTo place: Double) -> Double {
            let piece = pieces[index]
            let past = place - (index == 0 ? 0 : piece.start)
            guard piece.length > 0 else { return piece.from * past }
            return piece.from * past + (piece.to - piece.from) * past * past / (2 * piece.length)
        }
        for index in pieces.indices.dropFirst() {
            sums.append(sums[index - 1] + way(in: index - 1, upTo: pieces[index].start))
        }
        return samples.map { sample in
            let place = Double(sample)
            let index = max(0, (pieces.firstIndex { $0.start > place } ?? pieces.count) - 1)
            return sums[index] + way(in: index, upTo: place)
        }
    }
}

extension Fraction {
    var value: Double { Double(top) / Double(bottom) }

    /// The nearest whole number of samples; halves away from zero.
    func sample(_ rate: Int) -> Int {
        let place = self * Fraction(rate)
        return place.top < 0 ? -Fraction(-place.top, place.bottom).rounded : place.rounded
    }
}
