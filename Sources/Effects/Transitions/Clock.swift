import ExactMath
import SplitreelProject

/// A hand that goes round from twelve o'clock, clockwise.
struct Clock: TransitionKernel {
    func draw(_ transition: Transition) { transition.mix.mix(by: ClockMask(transition)) }
}

private struct ClockMask: WeightMask {
    private let width: Int
    private let centre: (x: Double, y: Double)
    private let aspect: Double
    /// The angle of the hand, and of the ramp behind it, in radians.
    private let hand, ramp: Float
    /// The sine and cosine of the hand's direction, for a sharp edge.
    private let sine, cosine: Double

    init(_ transition: Transition) {
        width = transition.width
        aspect = transition.call.scaleX > 0 ? transition.call.scaleY / transition.call.scaleX : 1
        centre = (Double(transition.width) / 2, Double(transition.height) / 2)
        let softness = transition.call.number("softness")
        hand = Float(transition.progress * 2 * Double.pi * (1 + softness))
        ramp = Float(softness * 2 * Double.pi)
        let angle = ExactAngle(degrees: transition.progress * 360)
        (sine, cosine) = (angle.sine, angle.cosine)
    }

    func row(_ y: Int, into weights: UnsafeMutablePointer<Float>) -> MaskRow {
        let up = Float(centre.y - Double(y) - 0.5)
        if ramp > 1e-3 {
            angleRow(Float(centre.x), Float(aspect), up, weights, width)
            turnRampRow(weights, hand, 1 / ramp, width)
        } else {
            let slope = Float(-cosine * aspect)
            let start = Float(sine) * up - slope * Float(centre.x - 0.5)
            if hand <= .pi {
                lessRow(Float(centre.x), slope, start, weights, width)
            } else {
                moreRow(Float(centre.x), slope, start, weights, width)
            }
        }
        return .varied(0..<width)
    }
}

private let turn = 2 * Float.pi

/// Writes each pixel's angle from twelve o'clock, clockwise, 0 to 2π.
private func angleRow(
    _ centre: Float, _ aspect: Float, _ up: Float, _ row: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count {
        let across = (Float(Int32(truncatingIfNeeded: x)) + 0.5 - centre) * aspect
        let (a, b) = (abs(across), abs(up))
        let (low, high) = (min(a, b), max(a, b))
        let angle = arcTangent(low / max(high, 1e-20))
        let eighth = a > b ? Float.pi / 2 - angle : angle
        let half = up < 0 ? Float.pi - eighth : eighth
        row[x] = across < 0 ? turn - half : half
    }
}

/// The arc tangent of 0…1, to some 2e-7.
@inline(__always)
private func arcTangent(_ value: Float) -> Float {
    let isSteep = value > 0.414_213_56
    let z = isSteep ? (value - 1) / (value + 1) : value
    let square = z * z
    var sum: Float = 8.053_744_5e-2
    sum = sum * square - 1.387_768_56e-1
    sum = sum * square + 1.997_771_06e-1
    sum = sum * square - 3.333_294_9e-1
    let angle = sum * square * z + z
    return isSteep ? angle + Float.pi / 4 : angle
}

private func turnRampRow(_ row: UnsafeMutablePointer<Float>, _ hand: Float, _ scale: Float, _ count: Int) {
    for x in 0..<count { row[x] = min(max((hand - row[x]) * scale, 0), 1) }
}

/// Writes the weights up to half past: right of the middle, and behind the hand. A pixel is covered by its distance
/// from each line.
private func lessRow(
    _ centre: Float, _ slope: Float, _ start: Float, _ row: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count {
        let place = Float(Int32(truncatingIfNeeded: x))
        let part = min(place + 1 - centre, start + place * slope + 0.5)
        row[x] = min(max(part, 0), 1)
    }
}

/// Writes the weights after half past: right of the middle, or behind the hand.
private func moreRow(
    _ centre: Float, _ slope: Float, _ start: Float, _ row: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count {
        let place = Float(Int32(truncatingIfNeeded: x))
        let part = max(place + 1 - centre, start + place * slope + 0.5)
        row[x] = min(max(part, 0), 1)
    }
}
