import ExactMath

/// The curve between encoded components and light. Light is in units of reference white: 100 % of a film in SDR, which
/// is 203 cd/m² in HDR (BT.2408).
///
/// HLG's light is the scene's here: its OOTF depends on all three components and comes after (`hlgSystemGamma`).
package enum TransferCurve: Sendable {
    /// The curves that films have; `screen` is sRGB's.
    case sdr, screen, linear, pq, hlg

    /// The light of reference white in HDR, in cd/m².
    package static let referenceWhite = 203.0
    /// The light of HLG's 100 % on its display, in cd/m², and the brightest that tone mapping expects where nobody says
    /// it.
    package static let hdrPeak = 1000.0
    /// The gamma of HLG's OOTF for a display of 1,000 cd/m².
    package static let hlgSystemGamma = 1.2

    /// Makes the curve of a transfer function. Films in SDR share one, BT.1886's; sRGB has its own, though on a canvas
    /// its codes count as theirs.
    package init(_ transfer: ColourTransfer) {
        self =
            switch transfer {
            case .bt709, .smpte240M: .sdr
            case .srgb: .screen
            case .linear: .linear
            case .pq: .pq
            case .hlg: .hlg
            }
    }

    package var isHDR: Bool { self == .pq || self == .hlg }

    /// The light of an encoded component of 0 or more, in units of reference white.
    package func light(_ encoded: Double) -> Double {
        switch self {
        case .sdr: power(encoded, 2.4)
        case .screen: screenLight(encoded)
        case .linear: encoded
        case .pq: Self.pqLight(min(encoded, 1)) / Self.referenceWhite
        case .hlg:
            encoded <= 0.5
                ? encoded * encoded / 3 : (exponential((encoded - Self.hlgC) / Self.hlgA) + Self.hlgB) / 12
        }
    }

    /// The encoded component of light of 0 or more, which is in units of reference white.
    package func encoded(_ light: Double) -> Double {
        switch self {
        case .sdr: power(light, 1 / 2.4)
        case .screen: screenCode(light)
        case .linear: light
        case .pq: Self.pqCode(min(light * Self.referenceWhite, 10_000))
        case .hlg:
            light <= 1.0 / 12
                ? (3 * light).squareRoot() : Self.hlgA * naturalLogarithm(12 * light - Self.hlgB) + Self.hlgC
        }
    }

    // BT.2100's constants of HLG: a, b = 1 − 4a, c = 0.5 − a·ln(4a).
    private static let hlgA = 0.178_832_77
    private static let hlgB = 0.284_668_92
    private static let hlgC = 0.559_910_729_529_562

    // BT.2100's constants of PQ.
    private static let m1 = 2610.0 / 16384
    private static let m2 = 2523.0 / 4096 * 128
    private static let c1 = 3424.0 / 4096
    private static let c2 = 2413.0 / 4096 * 32
    private static let c3 = 2392.0 / 4096 * 32

    /// The light of a PQ value in 0…1, in cd/m².
    package static func pqLight(_ code: Double) -> Double {
        let p = power(code, 1 / m2)
        return 10_000 * power(max(p - c1, 0) / (c2 - c3 * p), 1 / m1)
    }

    /// The PQ value of light from 0 to 10,000 cd/m².
    package static func pqCode(_ light: Double) -> Double {
        let p = power(light / 10_000, m1)
        return power((c1 + c2 * p) / (1 + c3 * p), m2)
    }

    /// The light that SDR shows of `light`, both in units of reference white: BT.2390's EETF from 0…`peak` cd/m² to
    /// 0…203 cd/m², both without a black level. It is 0…1; with a peak of 1,000 nothing changes below about 90 cd/m².
    package static func toneMapped(_ light: Double, peak: Double) -> Double {
        let top = pqCode(peak)
        let most = pqCode(referenceWhite) / top
        let knee = 1.5 * most - 0.5
        let value = min(pqCode(min(light * referenceWhite, 10_000)) / top, 1)
        guard value > knee else { return light }
        let t = (value - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let mapped = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * most
        return pqLight(mapped * top) / referenceWhite
    }
}

/// The encoded component of light of 0 or more, in units of reference white. For tables: it costs a hundred operations.
package func encodedComponent(of light: Double, _ transfer: ColourTransfer) -> Double {
    TransferCurve(transfer).encoded(light)
}
