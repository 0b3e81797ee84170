extension ColourPrimaries {
    /// CIE x and y of red, green and blue; white is D65 for all.
    var chromaticities: [(x: Double, y: Double)] {
        switch self {
        case .bt709: [(0.640, 0.330), (0.300, 0.600), (0.150, 0.060)]
        case .ebu3213: [(0.640, 0.330), (0.290, 0.600), (0.150, 0.060)]
        case .smpteC: [(0.630, 0.340), (0.310, 0.595), (0.155, 0.070)]
        case .p3D65: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
        case .bt2020: [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]
        }
    }

    /// Whether these are primaries of standard or high definition, which lie near each other.
    package var isOrdinary: Bool { self == .bt709 || self == .ebu3213 || self == .smpteC }

    /// The matrix from linear R, G, B to CIE X, Y, Z, white being Y = 1. Its second row has the weights of luminance.
    package var toXYZ: Matrix3 {
        let columns = chromaticities.map { [$0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y] }
        let unscaled = Matrix3(rows: (0..<3).map { row in columns.map { $0[row] } })
        let scale = unscaled.inverse.applied(to: .d65)
        return Matrix3(rows: (0..<3).map { row in (0..<3).map { columns[$0][row] * scale[$0] } })
    }

    /// The matrix from linear R, G, B of these primaries to linear R, G, B of others.
    package func matrix(to other: ColourPrimaries) -> Matrix3 { toXYZ.then(other.toXYZ.inverse) }
}

extension [Double] {
    /// CIE X, Y, Z of D65.
    static let d65 = [0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290]
}

/// A matrix of three rows of three doubles, summed in a fixed order.
package struct Matrix3: Hashable, Sendable {
    package var rows: [[Double]]

    package init(rows: [[Double]]) { self.rows = rows }

    package func applied(to v: [Double]) -> [Double] { rows.map { $0[0] * v[0] + $0[1] * v[1] + $0[2] * v[2] } }

    /// The map that applies `self` first and `next` after it.
    package func then(_ next: Matrix3) -> Matrix3 {
        Matrix3(
            rows: next.rows.map { row in
                (0..<3).map { row[0] * rows[0][$0] + row[1] * rows[1][$0] + row[2] * rows[2][$0] }
            })
    }

    private func minor(_ r: Int, _ c: Int) -> Double {
        let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3)
        return rows[r1][c1] * rows[r2][c2] - rows[r1][c2] * rows[r2][c1]
    }

    var determinant: Double { rows[0][0] * minor(0, 0) + rows[0][1] * minor(0, 1) + rows[0][2] * minor(0, 2) }

    /// The inverse of a matrix that has one.
    package var inverse: Matrix3 {
        let determinant = determinant
        return Matrix3(rows: (0..<3).map { r in (0..<3).map { minor($0, r) / determinant } })
    }
}
