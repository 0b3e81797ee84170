import Foundation

/// A curve through points, by Fritsch and Carlson; the identity without any.
struct MonotonePoints {
    private let points: [(x: Double, y: Double)]
    private var slopes: [Double] = []

    init(_ points: [(x: Double, y: Double)]) {
        self.points = points.sorted { $0.x < $1.x }
        let points = self.points
        guard points.count > 1 else { return }
        let rises = (1..<points.count).map { (points[$0].y - points[$0 - 1].y) / (points[$0].x - points[$0 - 1].x) }
        slopes = points.indices.map { k in
            if k == 0 { return rises[0] }
            if k == points.count - 1 { return rises[k - 1] }
            let (before, after) = (rises[k - 1], rises[k])
            guard before * after > 0 else { return 0 }
            let (near, far) = (points[k].x - points[k - 1].x, points[k + 1].x - points[k].x)
            // The harmonic mean, the farther neighbour's slope counting more.
            return 3 * (near + far) / ((2 * far + near) / before + (far + 2 * near) / after)
        }
    }

    func value(_ x: Double) -> Double {
        guard let first = points.first, let last = points.last else { return x }
        if x <= first.x { return first.y }
        guard let k = points.firstIndex(where: { $0.x > x }) else { return last.y }
        let (a, b) = (points[k - 1], points[k])
        let width = b.x - a.x
        let t = (x - a.x) / width
        let cubic = (1 + 2 * t) * (1 - t) * (1 - t) * a.y + t * t * (3 - 2 * t) * b.y
        return cubic + width * (t * (1 - t) * (1 - t) * slopes[k - 1] + t * t * (t - 1) * slopes[k])
    }
}

/// A light by its temperature and tint, and the gains that make it neutral, in the primaries of BT.709.
struct WhiteLight {
    let kelvin: Double
    let tint: Double

    /// The factors of linear red, green and blue; a grey's luminance stays.
    var gains: [Double] {
        let (own, neutral) = (Self.light(kelvin, tint), Self.light(6500, 0))
        let gains = zip(neutral, own).map { $0 / $1 }
        let luminance = 0.2126 * gains[0] + 0.7152 * gains[1] + 0.0722 * gains[2]
        return gains.map { $0 / luminance }
    }

    /// Krystek's formula.
    private static func place(_ t: Double) -> (u: Double, v: Double) {
        let u = (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t)
        let v = (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t)
        return (
            u / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t), v / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t)
        )
    }

    private static func light(_ kelvin: Double, _ tint: Double) -> [Double] {
        var (u, v) = place(kelvin)
        let (cooler, hotter) = (place(kelvin - 0.5), place(kelvin + 0.5))
        let way = (u: hotter.u - cooler.u, v: hotter.v - cooler.v)
        let length = hypot(way.u, way.v)
        (u, v) = (u + way.v / length * tint / 5000, v - way.u / length * tint / 5000)
        let (x, y) = (3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4))
        let (bigX, bigZ) = (x / y, (1 - x - y) / y)
        return [
            3.2404542 * bigX - 1.5371385 - 0.4985314 * bigZ, -0.9692660 * bigX + 1.8760108 + 0.0415560 * bigZ,
            0.0556434 * bigX - 0.2040259 + 1.0572252 * bigZ,
        ]
    }
}

/// A .cube file.
struct CubeFile {
    let isLattice: Bool
    private var size = 0
    private var rows: [SIMD3<Double>] = []

    init(path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        isLattice = text.contains("LUT_3D_SIZE")
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.first?.hasPrefix("LUT_") == true { size = Int(words[1]) ?? 0 }
            let numbers = words.compactMap { Double($0) }
            if words.count == 3, numbers.count == 3 { rows.append(SIMD3(numbers[0], numbers[1], numbers[2])) }
        }
    }

    func colour(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
        let held = rgb.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1)) * Double(size - 1)
        let start = (0..<3).map { min(Int(held[$0]), size - 2) }
        let part = (0..<3).map { held[$0] - Double(start[$0]) }
        if !isLattice {
            var result = SIMD3<Double>()
            for axis in 0..<3 {
                let (low, high) = (rows[start[axis]][axis], rows[start[axis] + 1][axis])
                result[axis] = low + (high - low) * part[axis]
            }
            return result
        }
        // From corner to corner along the axes, the one with the largest part first.
        func row(_ corner: [Int]) -> SIMD3<Double> { rows[(corner[2] * size + corner[1]) * size + corner[0]] }
        var corner = start
        var result = row(corner)
        for axis in [0, 1, 2].sorted(by: { part[$0] > part[$1] }) {
            let before = row(corner)
            corner[axis] += 1
            result += (row(corner) - before) * part[axis]
        }
        return result
    }
}
