/// Three rows of three.
struct Matrix: Equatable {
    var rows: [SIMD3<Double>]

    init(rows: [SIMD3<Double>]) { self.rows = rows }

    /// Columns are what red, green and blue are in X, Y and Z.
    init(columns: [SIMD3<Double>]) {
        rows = (0..<3).map { row in SIMD3(columns[0][row], columns[1][row], columns[2][row]) }
    }

    /// The matrix from linear red, green and blue of the primaries to XYZ, by SMPTE RP 177; white is D65.
    init(toXYZ primaries: String) {
        let xy: [(Double, Double)] =
            switch primaries {
            case "EBU_3213": [(0.64, 0.33), (0.29, 0.60), (0.15, 0.06)]
            case "SMPTE_C": [(0.63, 0.34), (0.31, 0.595), (0.155, 0.07)]
            case "P3_D65": [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)]
            case "ITU_R_2020": [(0.708, 0.292), (0.17, 0.797), (0.131, 0.046)]
            default: [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]
            }
        let plain = Matrix(
            rows: [
                SIMD3(xy[0].0, xy[1].0, xy[2].0), SIMD3(xy[0].1, xy[1].1, xy[2].1),
                SIMD3(1 - xy[0].0 - xy[0].1, 1 - xy[1].0 - xy[1].1, 1 - xy[2].0 - xy[2].1),
            ])
        let scale = plain.inverse.times(SIMD3(0.3127 / 0.329, 1, (1 - 0.3127 - 0.329) / 0.329))
        rows = plain.rows.map { $0 * scale }
    }

    func times(_ v: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((rows[0] * v).sum(), (rows[1] * v).sum(), (rows[2] * v).sum())
    }

    func times(_ other: Matrix) -> Matrix {
        Matrix(rows: rows.map { row in row[0] * other.rows[0] + row[1] * other.rows[1] + row[2] * other.rows[2] })
    }

    /// The inverse matrix, by Gauss and Jordan.
    var inverse: Matrix {
        var left = rows
        var right: [SIMD3<Double>] = [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
        for i in 0..<3 {
            let pivot = left[i][i]
            left[i] /= pivot
            right[i] /= pivot
            for j in 0..<3 where j != i {
                let factor = left[j][i]
                left[j] -= left[i] * factor
                right[j] -= right[i] * factor
            }
        }
        return Matrix(rows: right)
    }
}
