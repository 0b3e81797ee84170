import ExactMath
import Pictures
import SplitreelProject

/// The mean along a line of `length` pixels about each pixel, `angle` degrees clockwise from the right: one place for
/// each pixel of the longer axis, between two samples of the other. Long lines are made in two steps, of places that
/// follow one another and of places as far apart as the first step reaches; they may be up to a pixel longer or
/// shorter.
struct DirectionalBlur: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let angle = ExactAngle(degrees: call.number("angle"))
        let length = call.number("length")
        let (x, y) = (angle.cosine * length * call.scaleX, angle.sine * length * call.scaleY)
        guard max(abs(x), abs(y)) > 0.01 else { return output.copy(inputs[0]) }
        filterPicture(inputs[0], into: output, memory) { plane, read in
            let (dx, dy) = (x / Double(1 << plane.shiftX), y / Double(1 << plane.shiftY))
            let line = Line(dx, dy)
            var held = HeldPlane(plane, memory, read)
            if let first = line.first {
                held = HeldPlane(
                    FilteredPlane(
                        width: plane.width, height: plane.height, shiftX: plane.shiftX, shiftY: plane.shiftY,
                        outside: plane.outside, name: plane.name + ".second"), margin: line.margin, memory
                ) { [held] y, row in
                    held.add(first, y, from: -line.margin, into: row, plane.width + 2 * line.margin)
                }
            }
            return { [held] y, out in held.add(line.taps, y, from: 0, into: out, plane.width) }
        }
    }
}

/// A sample some columns and rows away, and its share.
private struct Tap {
    let x, y: Int
    let share: Float
}

private struct Line {
    /// The taps of the first of two steps; nil where one is enough.
    let first: [Tap]?
    let taps: [Tap]
    /// The samples that the first step reaches out of the picture; beyond them its result is the same everywhere.
    let margin: Int

    /// The most places that are made in one step.
    private static let most = 65.0

    init(_ dx: Double, _ dy: Double) {
        let isAcross = abs(dx) >= abs(dy)
        let long = isAcross ? dx : dy
        let slope = (isAcross ? dy : dx) / long
        let reach = abs(long) / 2
        let places = 2 * reach + 1
        guard places > Self.most else {
            first = nil
            taps = Self.taps(reach, 1, slope, isAcross)
            margin = 0
            return
        }
        // The pair of odd numbers whose product is nearest to the number of places.
        let (inner, outer) =
            (8...32).map { half -> (Int, Int) in
                let count = Double(2 * half + 1)
                return (half, Int(((places / count - 1) / 2).rounded()))
            }.min { abs(Self.product($0) - places) < abs(Self.product($1) - places) } ?? (8, 1)
        margin = inner + 2
        first = Self.taps(Double(inner), 1, slope, isAcross)
        taps = Self.taps(Double(outer), 2 * inner + 1, slope, isAcross)
    }

    private static func product(_ halves: (Int, Int)) -> Double { Double((2 * halves.0 + 1) * (2 * halves.1 + 1)) }

    private static func taps(_ reach: Double, _ step: Int, _ slope: Double, _ isAcross: Bool) -> [Tap] {
        let whole = Int(reach)
        let part = reach - Double(whole)
        return (-whole - 1...whole + 1).flatMap { k -> [Tap] in
            let share = (abs(k) > whole ? part : 1) / (2 * reach + 1)
            guard share > 0 else { return [] }
            let side = Double(k * step) * slope
            let near = side.rounded(.down)
            return [(Int(near), 1 - (side - near)), (Int(near) + 1, side - near)].compactMap { other, weight in
                guard weight > 0 else { return nil }
                let (long, share) = (k * step, Float(share * weight))
                return isAcross ? Tap(x: long, y: other, share: share) : Tap(x: other, y: long, share: share)
            }
        }
    }
}

extension HeldPlane {
    /// Adds taps up to `count` values from a column on, which may be of the margin.
    fileprivate func add(
        _ taps: [Tap], _ y: Int, from start: Int, into out: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        let length = plane.width + 2 * margin
        var (rows, shifts, shares): ([UnsafePointer<Float>], [Int], [Float]) = ([], [], [])
        for tap in taps {
            guard let row = row(y + tap.y) else { continue }
            rows.append(UnsafePointer(row - margin))
            shifts.append(start + tap.x + margin)
            shares.append(tap.share)
        }
        // The places where all of the taps are inside of the row.
        let low = min(max(-(shifts.min() ?? 0), 0), count)
        let high = max(low, min(length - (shifts.max() ?? 0), count))
        let whole = low..<(low + (high - low) & ~15)
        addInside(zip(rows, shifts).map { $0 + $1 }, shares, into: out, whole)
        for range in [0..<whole.lowerBound, whole.upperBound..<count] where !range.isEmpty {
            (out + range.lowerBound).update(repeating: 0, count: range.count)
            for (row, (shift, share)) in zip(rows, zip(shifts, shares)) {
                addShifted(row, length, shift, share, plane.outside == .edge, into: out, range)
            }
        }
    }
}

/// Makes out[x] the sum of rows[k][x]·shares[k] in their order, sixteen places at a time.
private func addInside(
    _ rows: [UnsafePointer<Float>], _ shares: [Float], into out: UnsafeMutablePointer<Float>, _ range: Range<Int>
) {
    rows.withUnsafeBufferPointer { rows in
        shares.withUnsafeBufferPointer { shares in
            var x = range.lowerBound
            while x < range.upperBound {
                var (a, b, c, d) = (Four.zero, Four.zero, Four.zero, Four.zero)
                for k in 0..<rows.count {
                    let (row, share) = (rows[k], shares[k])
                    a += four(row, x) * share
                    b += four(row, x &+ 4) * share
                    c += four(row, x &+ 8) * share
                    d += four(row, x &+ 12) * share
                }
                put(a, out, x)
                put(b, out, x &+ 4)
                put(c, out, x &+ 8)
                put(d, out, x &+ 12)
                x &+= 16
            }
        }
    }
}

/// Adds row[x + shift]·share to out[x]; `row` has `length` values.
private func addShifted(
    _ row: UnsafePointer<Float>, _ length: Int, _ shift: Int, _ share: Float, _ clamps: Bool,
    into out: UnsafeMutablePointer<Float>, _ range: Range<Int>
) {
    let start = min(max(-shift, range.lowerBound), range.upperBound)
    let end = max(min(length - shift, range.upperBound), start)
    for x in start..<end { out[x] += row[x + shift] * share }
    guard clamps else { return }
    let (left, right) = (row[0] * share, row[length - 1] * share)
    for x in range.lowerBound..<start { out[x] += left }
    for x in end..<range.upperBound { out[x] += right }
}
