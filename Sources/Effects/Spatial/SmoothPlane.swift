import ExactMath
import Pictures

/// A plane under a gaussian, row by row.
///
/// A wide gaussian is worked out on fewer samples: each axis is halved (by 1-3-3-1, at most to where the rest of the
/// gaussian has a deviation of 2.2 samples), the rest is a filter of taps up to 3.2 deviations, and what is between its
/// samples is interpolated linearly; the variances of all steps make the wanted one. Some 60 dB from the exact
/// gaussian. Time hardly depends on the deviation.
final class SmoothPlane {
    /// Fills a row with the samples of one of the plane's rows.
    typealias Reader = (_ y: Int, _ row: UnsafeMutablePointer<Float>) -> Void

    private struct Axis {
        /// The number of halvings.
        let levels: Int
        /// The middle tap and those on one side of it.
        let taps: [Float]

        init(_ deviation: Double) {
            var levels = 0
            while levels < 12, deviation >= 2.4 * Double(2 << levels) { levels += 1 }
            self.levels = levels
            let step = Double(1 << levels)
            let done = levels == 0 ? 0 : (step * step - 1) / 4 + step * step / 6 + 1.0 / 12
            taps = gaussianTaps((max(0, deviation * deviation - done) / (step * step)).squareRoot())
        }

        var step: Int { 1 << levels }
    }

    private let width: Int
    private let across, down: Axis
    /// The plane halved, and filtered across.
    private let plane: FloatPlane
    /// The two rows that are filtered down too, by their numbers' last bit, and one between two of them.
    private let finished: [UnsafeMutablePointer<Float>]
    private var numbers: [Int?] = [nil, nil]
    private let between: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - deviation: the gaussian's deviation in the plane's samples.
    ///   - name: the name of its memory, which is good until the next one of that name.
    init(
        width: Int, height: Int, deviation: (x: Double, y: Double), outside: OutsideOfPicture, _ memory: EffectMemory,
        _ name: String, read: Reader
    ) {
        self.width = width
        (across, down) = (Axis(deviation.x), Axis(deviation.y))
        var source = Self.whole(width, height, outside, memory, name, read: read, down.levels > 0, across.levels > 0)
        for level in 1..<max(1, max(across.levels, down.levels)) {
            source = Self.halved(
                source, across: level < across.levels, down: level < down.levels, memory, "\(name).\(level + 1)")
        }
        plane = Self.filtered(source, across.taps, memory, name)
        let stride = (plane.width + 2 * FloatPlane.columns + 15) & ~7
        let rows = memory.floats(name + ".rows", 3 * stride) + FloatPlane.columns
        finished = [rows, rows + stride]
        between = rows + 2 * stride
    }

    /// Makes a row; `out` has room for some 8 samples more.
    func row(_ y: Int, into out: UnsafeMutablePointer<Float>) {
        let step = down.step
        var row: UnsafeMutablePointer<Float>
        if step == 1 {
            row = finishedRow(y)
        } else {
            // A sample's centre lies between two of those that it stands for.
            let place = y - step / 2
            let above = place >> down.levels
            let share = (Float(place - above << down.levels) + 0.5) / Float(step)
            row = between
            interpolateRows(finishedRow(above) - 1, finishedRow(above + 1) - 1, share, into: row - 1, plane.width + 2)
        }
        widen(&row, into: out)
    }

    private func widen(_ row: inout UnsafeMutablePointer<Float>, into out: UnsafeMutablePointer<Float>) {
        switch across.step {
        case 1: out.update(from: row, count: width)
        case 2, 4: widenRow(row, across.step, into: out, width)
        default: widenRowByEights(row, across.step, into: out, width)
        }
    }

    private func finishedRow(_ y: Int) -> UnsafeMutablePointer<Float> {
        let row = finished[y & 1]
        if numbers[y & 1] == y { return row }
        numbers[y & 1] = y
        filterDown(plane, y, down.taps, into: row - 1, plane.width + 2)
        return row
    }

    // MARK: Halving

    /// The plane of the source, or of its first halving.
    private static func whole(
        _ width: Int, _ height: Int, _ outside: OutsideOfPicture, _ memory: EffectMemory, _ name: String,
        read: Reader, _ halvesDown: Bool, _ halvesAcross: Bool
    ) -> FloatPlane {
        let stride = (width + 2 * FloatPlane.columns + 15) & ~7
        let ring = memory.floats(name + ".ring", 6 * stride) + FloatPlane.columns
        var held = [Int?](repeating: nil, count: 4)
        let clear = ring + 4 * stride
        (clear - FloatPlane.columns).update(repeating: 0, count: width + 2 * FloatPlane.columns)
        func source(_ y: Int) -> UnsafeMutablePointer<Float> {
            if outside == .clear, y < 0 || y >= height { return clear }
            let y = min(max(y, 0), height - 1)
            let row = ring + (y & 3) * stride
            if held[y & 3] != y {
                read(y, row)
                extendRow(row, width, FloatPlane.columns, outside)
                held[y & 3] = y
            }
            return row
        }
        let mixed = ring + 5 * stride
        let plane = FloatPlane(
            halvesAcross ? (width + 1) / 2 : width, halvesDown ? (height + 1) / 2 : height, memory, name + ".1")
        for y in -FloatPlane.rows..<plane.height + FloatPlane.rows {
            var row = source(halvesDown ? 2 * y - 1 : y)
            if halvesDown {
                halveDown(
                    row - 8, source(2 * y) - 8, source(2 * y + 1) - 8, source(2 * y + 2) - 8, into: mixed - 8,
                    width + 16)
                row = mixed
            }
            put(row, width, halvesAcross, into: plane.row(y), plane.width)
        }
        return plane
    }

    private static func halved(
        _ source: FloatPlane, across: Bool, down: Bool, _ memory: EffectMemory, _ name: String
    ) -> FloatPlane {
        guard across || down else { return source }
        let mixed = memory.floats(name + ".mixed", source.width + 16) + 8
        let plane = FloatPlane(
            across ? (source.width + 1) / 2 : source.width, down ? (source.height + 1) / 2 : source.height, memory,
            name)
        for y in -FloatPlane.rows..<plane.height + FloatPlane.rows {
            var row = source.row(y)
            if down {
                halveDown(
                    source.row(2 * y - 1) - 8, source.row(2 * y) - 8, source.row(2 * y + 1) - 8,
                    source.row(2 * y + 2) - 8, into: mixed - 8, source.width + 16)
                row = mixed
            }
            put(row, source.width, across, into: plane.row(y), plane.width)
        }
        return plane
    }

    /// Writes a row with its margin; two columns beyond the edge all others are equal.
    private static func put(
        _ row: UnsafeMutablePointer<Float>, _ width: Int, _ halves: Bool, into out: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        let margin = FloatPlane.columns
        guard halves else {
            (out - margin).update(from: row - margin, count: width + 2 * margin)
            return
        }
        halveAcross(row - 5, into: out - 2, count + 4)
        (out - margin).update(repeating: out[-2], count: margin - 2)
        (out + count + 2).update(repeating: out[count + 1], count: margin - 2)
    }

    private static func filtered(
        _ source: FloatPlane, _ taps: [Float], _ memory: EffectMemory, _ name: String
    ) -> FloatPlane {
        guard taps.count > 1 else { return source }
        let plane = FloatPlane(source.width, source.height, memory, name + ".filtered")
        let reach = taps.count - 1
        let count = source.width + 2
        let wide = memory.floats(name + ".wide", count + 2 * reach + 16)
        for y in -FloatPlane.rows..<source.height + FloatPlane.rows {
            let row = source.row(y)
            // The columns from one before the first to one after the last, and those that the taps reach.
            let known = min(reach, FloatPlane.columns - 1)
            wide.update(repeating: row[-FloatPlane.columns], count: reach)
            (wide + (reach - known)).update(from: row - 1 - known, count: count + 2 * known)
            (wide + (reach + count + known)).update(
                repeating: row[source.width + FloatPlane.columns - 1], count: reach - known)
            filterAcross(wide, taps, into: plane.row(y) - 1, count)
        }
        return plane
    }
}

/// The taps of a gaussian: the middle one, then those on one side; their sum, both sides counted, is 1.
func gaussianTaps(_ deviation: Double) -> [Float] {
    guard deviation > 0.05 else { return [1] }
    let reach = Int((3.2 * deviation).rounded(.up))
    let weights = (0...reach).map { exponential(-Double($0 * $0) / (2 * deviation * deviation)) }
    let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
    return weights.map { Float($0 / sum) }
}
