/// The meaning of a still's R'G'B' where no name says it: a curve for each component, and a matrix.
package final class ColourProfile: Hashable, Sendable {
    package let red, green, blue: ToneCurve
    /// The matrix from linear R, G, B to CIE X, Y, Z; white is D65, Y = 1.
    package let toXYZ: Matrix3

    /// Makes a profile whose white is exactly D65; nil where the matrix has no inverse.
    init?(red: ToneCurve, green: ToneCurve, blue: ToneCurve, toXYZ matrix: Matrix3) {
        guard matrix.determinant.magnitude > 1e-3 else { return nil }
        // Greys stay grey to the last digit: the rounding of a profile's numbers is no colour.
        let scale = matrix.inverse.applied(to: .d65)
        (self.red, self.green, self.blue) = (red, green, blue)
        toXYZ = Matrix3(rows: matrix.rows.map { row in zip(row, scale).map { $0 * $1 } })
    }

    /// The profile's primaries, where they are known ones and its curves are sRGB's; nil for all others.
    var screenPrimaries: ColourPrimaries? {
        guard red.isScreen, green == red || green.isScreen, blue == red || blue.isScreen else { return nil }
        return ColourPrimaries.allCases.first { known in
            zip(known.toXYZ.rows.joined(), toXYZ.rows.joined()).allSatisfy { abs($0 - $1) < 0.002 }
        }
    }

    package static func == (left: ColourProfile, right: ColourProfile) -> Bool {
        left === right
            || (left.red == right.red && left.green == right.green && left.blue == right.blue
                && left.toXYZ == right.toXYZ)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(toXYZ) }
}

/// The colour that a still is found to have by its profile.
package enum StillColour: Hashable, Sendable {
    /// Known primaries with sRGB's curve.
    case named(ColourPrimaries)
    case profile(ColourProfile)
    /// A profile that cannot be used, and the reason: half a sentence.
    case unusable(String)
}
