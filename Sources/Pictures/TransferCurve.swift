import ExactMath

/// What a transfer function makes of light, in units of reference white: 100 % of a film in SDR, which is 203 cd/m² in
/// HDR (BT.2408).
///
/// HLG's light is the scene's here: its OOTF depends on all three components and comes after (`hlgSystemGamma`).
package enum TransferCurve: Sendable {
    /// `screen` is sRGB's.
    case sdr, screen, linear, pq, hlg

    /// cd/m² of reference white in HDR.
    package static let referenceWhite = 203.0
    /// cd/m²: what HLG's 100 % are on its display, and the brightest that tone mapping expects where nobody says it.
    package static let hdrPeak = 1000.0
    /// Of a display of 1,000 cd/m².
    package static let hlgSystemGamma = 1.2

    /// Those of films in SDR are one, BT.1886's. On a canvas sRGB's codes are theirs.
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

    /// Light of an encoded component of 0 or more.
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

    /// The encoded component of light of 0 or more.
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

    // BT.2100's HLG: a, b = 1 − 4a, c = 0.5 − a·ln(4a).
    private static let hlgA = 0.178_832_77
    private static let hlgB = 0.284_668_92
    private static let hlgC = 0.559_910_729_529_562

    // BT.2100's PQ.
    private static let m1 = 2610.0 / 16384
    private static let m2 = 2523.0 / 4096 * 128
    private static let c1 = 3424.0 / 4096
    private static let c2 = 2413.0 / 4096 * 32
    private static let c3 = 2392.0 / 4096 * 32

    /// cd/m² of a PQ value in 0…1.
    package static func pqLight(_ code: Double) -> Double {
        let p = power(code, 1 / m2)
        return 10_000 * power(max(p - c1, 0) / (c2 - c3 * p), 1 / m1)
    }

    /// The PQ value of 0…10,000 cd/m².
    package static func pqCode(_ light: Double) -> Double {
        let p = power(light / 10_000, m1)
        return power((c1 + c2 * p) / (1 + c3 * p), m2)
    }

    /// BT.2390's EETF from 0…`peak` cd/m² to 0…203 cd/m², both without a black level: what of `light` (in units of
    /// reference white) SDR shows. 0…1; with a peak of 1,000 nothing changes below about 90 cd/m².
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

/// The encoded component of light in units of reference white, 0 or more. For tables: it costs a hundred operations.
package func encodedComponent(of light: Double, _ transfer: ColourTransfer) -> Double {
    TransferCurve(transfer).encoded(light)
}
