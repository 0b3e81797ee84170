import Foundation

/// From one encoding to another: BT.1886, BT.2100, BT.2390 and BT.2408 in plain doubles. Light is in cd/m², SDR's white
/// at 203.
struct ReferenceColour {
    private enum Curve { case gamma, screen, linear, pq, hlg }

    private let from, to: ReferenceEncoding
    private let curve: Curve
    private let isSameLight: Bool
    private let mapsTones: Bool
    /// nil where both have the same.
    private let primaries: Matrix?
    /// The shares of red, green and blue in luminance, by the primaries of `from` and by those of `to`.
    private let ownWeights, otherWeights: SIMD3<Double>
    static let white = 203.0
    static let peak = 1000.0

    /// `to` names its primaries.
    init(from: ReferenceEncoding, to: ReferenceEncoding) {
        (self.from, self.to) = (from, to)
        let others = to.primaries ?? "ITU_R_709_2"
        let own = from.primaries ?? Self.guess(from, others)
        func kind(_ transfer: String) -> String {
            ReferenceEncoding.isHDR(transfer) || transfer == "Linear" ? transfer : "SDR"
        }
        isSameLight = kind(from.transfer) == kind(to.transfer) && own == others && from.profile == nil
        mapsTones =
            from.profile == nil && ReferenceEncoding.isHDR(from.transfer) && !ReferenceEncoding.isHDR(to.transfer)
        let (inner, outer) = (from.profile?.toXYZ ?? Matrix(toXYZ: own), Matrix(toXYZ: others))
        primaries = from.profile == nil && own == others ? nil : outer.inverse.times(inner)
        (ownWeights, otherWeights) = (inner.rows[1], outer.rows[1])
        curve =
            switch from.transfer {
            case _ where from.profile != nil: .screen
            case "IEC_sRGB": .screen
            case "Linear": .linear
            case "SMPTE_ST_2084_PQ": .pq
            case "ITU_R_2100_HLG": .hlg
            default: .gamma
            }
    }

    /// Whether each plane is made of its own values alone.
    var isPlanar: Bool { isSameLight && !from.isRGB && from.matrix == to.matrix }

    /// One plane's value where `isPlanar`.
    func value(_ value: Double, plane: Int) -> Double {
        let (inner, outer) = (from.levels(plane), to.levels(plane))
        return (value - inner.zero) / inner.span * outer.span + outer.zero
    }

    /// All planes' values, not rounded.
    func values(_ values: SIMD3<Double>) -> SIMD3<Double> {
        isSameLight ? to.values(from.components(values)) : self.values(ofLight: light(values))
    }

    /// The light that a picture's values stand for, in cd/m², in its own primaries and before tone mapping.
    func light(_ values: SIMD3<Double>) -> SIMD3<Double> {
        let components = from.components(values)
        let rgb = components.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: curve == .pq ? 1 : 1.125))
        if let profile = from.profile { return profile.light(rgb) * Self.white }
        switch curve {
        case .pq: return each(rgb, Self.pq)
        case .hlg:
            let scene = each(rgb) { $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - Self.c) / Self.a) + Self.b) / 12 }
            return scene * Self.peak * pow((scene * ownWeights).sum(), 0.2)
        case .screen: return each(rgb, Self.screen) * Self.white
        case .linear: return rgb * Self.white
        default: return each(rgb) { pow($0, 2.4) } * Self.white
        }
    }

    /// The film's values of such light.
    func values(ofLight own: SIMD3<Double>) -> SIMD3<Double> {
        var light = own
        if mapsTones { light *= Self.toneFactor(light.max(), peak: curve == .pq ? from.peak : Self.peak) }
        if let primaries { light = primaries.times(light).clamped(lowerBound: .zero, upperBound: Self.brightest) }
        let isSDR = !ReferenceEncoding.isHDR(to.transfer)
        if mapsTones { light = light.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: Self.white)) }
        guard curve == .screen else { return to.values(signal(light)) }
        // By sRGB's own curve, there and back.
        let codes = each(light) { min(Self.screenInverse(max(0, $0 / Self.white)), 1.125) }
        return to.values(isSDR ? codes : signal(each(codes) { pow($0, 2.4) } * Self.white))
    }

    private static let brightest = SIMD3(repeating: 1e9)

    private static func screen(_ code: Double) -> Double {
        code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }

    private static func screenInverse(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    /// An untagged source is as the film where both are of standard or high definition.
    private static func guess(_ from: ReferenceEncoding, _ film: String) -> String {
        let isWide = ReferenceEncoding.isHDR(from.transfer) || (from.matrix == "ITU_R_2020" && !from.isRGB)
        if isWide { return "ITU_R_2020" }
        return ReferenceEncoding.ordinary.contains(film) ? film : "ITU_R_709_2"
    }

    /// The encoded value of a float, 1 being reference white: SDR's encoding of up to 1, or PQ's of up to 10,000 cd/m².
    static func encoded(_ float: Double, isHDR: Bool) -> Double {
        guard float > 0 else { return 0 }
        return isHDR ? pqInverse(float * white) : pow(min(float, 1), 1 / 2.4)
    }

    private func signal(_ light: SIMD3<Double>) -> SIMD3<Double> {
        switch to.transfer {
        case "SMPTE_ST_2084_PQ": return each(light, Self.pqInverse)
        case "ITU_R_2100_HLG":
            let y = (light * otherWeights).sum() / Self.peak
            guard y > 0 else { return .zero }
            let scene = light / Self.peak * pow(y, 1 / 1.2 - 1)
            return each(scene) {
                min($0 <= 1.0 / 12 ? (3 * $0).squareRoot() : Self.a * log(12 * $0 - Self.b) + Self.c, 1.125)
            }
        default: return each(light) { min(pow($0 / Self.white, 1 / 2.4), 1.125) }
        }
    }

    private func each(_ v: SIMD3<Double>, _ change: (Double) -> Double) -> SIMD3<Double> {
        SIMD3(change(v[0]), change(v[1]), change(v[2]))
    }

    private static let a = 0.17883277
    private static let b = 1 - 4 * 0.17883277
    private static let c = 0.5 - 0.17883277 * log(4 * 0.17883277)

    private static func pq(_ code: Double) -> Double {
        let p = pow(code, 1 / 78.84375)
        return 10_000 * pow(max(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125)
    }

    private static func pqInverse(_ light: Double) -> Double {
        let p = pow(min(light, 10_000) / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * p) / (1 + 18.6875 * p), 78.84375)
    }

    /// BT.2390's EETF from `peak` to 203 cd/m² for the largest component.
    private static func toneFactor(_ largest: Double, peak: Double) -> Double {
        guard largest > 0 else { return 1 }
        let top = pqInverse(peak)
        let most = pqInverse(white) / top
        let knee = 1.5 * most - 0.5
        let value = min(pqInverse(largest) / top, 1)
        guard value > knee else { return 1 }
        let t = (value - knee) / (1 - knee)
        let mapped =
            (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
            + (3 * t * t - 2 * t * t * t) * most
        return pq(mapped * top) / largest
    }
}
