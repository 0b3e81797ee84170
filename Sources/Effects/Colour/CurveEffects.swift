import ExactMath
import Pictures
import SplitreelProject

/// Effects that make each of R', G' and B' of this component alone.
struct CurveEffect: EffectKernel {
    private struct Name: Hashable {
        var id: String
        var values: [String: EffectValue]
        var encoding: PixelEncoding
    }

    /// The function of all components, or one for each of them; nil where nothing changes.
    let functions: @Sendable (EffectCall, ColourTriple) -> [(Double) -> Double]?

    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let input = inputs[0]
        let encoding = input.encoding
        let made: CurveTables? = memory.table(Name(id: call.id, values: call.values, encoding: encoding)) {
            functions(call, encoding.colour).map { CurveTables(ColourCodes(encoding), $0) }
        }
        guard let tables = made else { return copyPicture(input, output) }
        let room = memory.floats("look.room", curveRoom)
        ColourPass(input, memory).run(input, output) { curveRow($0, tables, room: room) }
    }
}

extension CurveEffect {
    static let exposure = CurveEffect { call, colour in
        let stops = call.number("stops")
        return stops == 0 ? nil : [inLight(colour.transfer, by: power(2, stops))]
    }

    static let whiteBalance = CurveEffect { call, colour in
        let gains = WhiteBalance(kelvin: call.number("kelvin"), tint: call.number("tint")).gains(colour.primaries)
        return gains.map { gains in gains.map { inLight(colour.transfer, by: $0) } }
    }

    static let liftGammaGain = CurveEffect { call, _ in
        let (lift, gamma, gain) = (call.numbers("lift"), call.numbers("gamma"), call.numbers("gain"))
        if lift == [0, 0, 0], gamma == [1, 1, 1], gain == [1, 1, 1] { return nil }
        return (0..<3).map { k in
            let (lift, exponent, gain) = (lift[k], 1 / gamma[k], gain[k])
            return { x in signedPower(gain * (x + lift * (1 - x)), exponent) }
        }
    }

    static let levels = CurveEffect { call, _ in
        let (black, white) = (call.number("black"), call.number("white"))
        let (low, high) = (call.number("outputBlack"), call.number("outputWhite"))
        let exponent = 1 / call.number("gamma")
        if black == 0, white == 1, low == 0, high == 1, exponent == 1 { return nil }
        // Where both points are one, all above is white.
        let scale = 1 / (abs(white - black) < 1e-4 ? 1e-4 : white - black)
        let change = { (x: Double) -> Double in
            low + (high - low) * power(min(max((x - black) * scale, 0), 1), exponent)
        }
        let same = { (x: Double) -> Double in x }
        switch call.word("channel") {
        case "red": return [change, same, same]
        case "green": return [same, change, same]
        case "blue": return [same, same, change]
        default: return [change]
        }
    }

    static let curves = CurveEffect { call, _ in
        let master = MonotoneCurve(call.numbers("master"))
        let parts = ["red", "green", "blue"].map { MonotoneCurve(call.numbers($0)) }
        if master == nil, parts.allSatisfy({ $0 == nil }) { return nil }
        return parts.map { part in
            { x in
                let value = part?.value(at: x) ?? x
                return master?.value(at: value) ?? value
            }
        }
    }

    /// The function that gives an encoded component more or less light; below black it mirrors itself above.
    private static func inLight(_ transfer: ColourTransfer, by gain: Double) -> (Double) -> Double {
        let curve = TransferCurve(transfer)
        return { x in
            let value = curve.encoded(curve.light(abs(x)) * gain)
            return x < 0 ? -value : value
        }
    }

    private static func signedPower(_ x: Double, _ exponent: Double) -> Double {
        exponent == 1 ? x : x < 0 ? -power(-x, exponent) : power(x, exponent)
    }
}

/// A smooth curve through points that rises and falls only as they do: cubic Hermite pieces with the tangents of
/// Fritsch and Carlson (the harmonic mean of neighbouring slopes, as weighted by Brodlie). Before the first point and
/// after the last it is level.
struct MonotoneCurve {
    private let x, y, slopes: [Double]

    /// A curve through pairs of x and y in any order; of two with one x the latter counts. nil for no pairs.
    init?(_ numbers: [Double]) {
        var byX: [Double: Double] = [:]
        for k in stride(from: 0, to: numbers.count - 1, by: 2) { byX[numbers[k]] = numbers[k + 1] }
        guard !byX.isEmpty else { return nil }
        x = byX.keys.sorted()
        y = x.compactMap { byX[$0] }
        let widths = zip(x.dropFirst(), x).map { $0 - $1 }
        let rises = zip(zip(y.dropFirst(), y).map { $0 - $1 }, widths).map { $0 / $1 }
        var slopes = [Double](repeating: 0, count: x.count)
        if let first = rises.first, let last = rises.last {
            (slopes[0], slopes[x.count - 1]) = (first, last)
        }
        for k in 0..<max(0, rises.count - 1) {
            let (before, after) = (rises[k], rises[k + 1])
            guard before * after > 0 else { continue }
            let share = (widths[k] + 2 * widths[k + 1]) / (3 * (widths[k] + widths[k + 1]))
            slopes[k + 1] = before * after / (share * after + (1 - share) * before)
        }
        self.slopes = slopes
    }

    func value(at place: Double) -> Double {
        guard place > x[0] else { return y[0] }
        guard let upper = x.firstIndex(where: { $0 > place }) else { return y[y.count - 1] }
        let k = upper - 1
        let width = x[upper] - x[k]
        let t = (place - x[k]) / width
        let (t2, t3) = (t * t, t * t * t)
        return (2 * t3 - 3 * t2 + 1) * y[k] + (t3 - 2 * t2 + t) * width * slopes[k]
            + (3 * t2 - 2 * t3) * y[upper] + (t3 - t2) * width * slopes[upper]
    }
}
