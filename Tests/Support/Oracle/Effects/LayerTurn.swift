import Foundation

/// A layer's transform: its parts, or sixteen numbers of rows before a matrix.
struct LayerTurn {
    /// Moved along x, y, z; scaled by x, y; turned about x, y, z; the lean of y; the viewer's distance.
    private var parts: [Double]?
    private var matrix: [Double] = []

    static let names = [
        "translation.x": 0, "translation.y": 1, "translation.z": 2, "scale.x": 3, "scale.y": 4, "rotation.x": 5,
        "rotation.y": 6, "rotation": 7,
    ]

    init(_ json: JSON) throws {
        parts = [0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
        if json.isAbsent { return }
        guard json.isObject else {
            let n = try json.numbers
            matrix = n.count == 16 ? n : [n[0], n[1], 0, 0, n[2], n[3], 0, 0, 0, 0, 1, 0, n[4], n[5], 0, 1]
            parts = nil
            return
        }
        let move = try json["translate"].ifPresent { try $0.numbers } ?? [0, 0]
        let scale = try json["scale"].ifPresent { try $0.numbers } ?? [1]
        func number(_ key: String) throws -> Double { try json[key].ifPresent { try $0.number } ?? 0 }
        parts = [
            move[0], move[1], move.count > 2 ? move[2] : 0, scale[0], scale[scale.count - 1], try number("rotateX"),
            try number("rotateY"), try number("rotate"), 0, try number("perspective"),
        ]
    }

    subscript(part: Int) -> Double {
        get { split[part] }
        set {
            var changed = split
            changed[part] = newValue
            parts = changed
        }
    }

    /// The ten parts of the transform. A matrix is taken apart as far as it is affine.
    private var split: [Double] {
        if let parts { return parts }
        let m = affine ?? [1, 0, 0, 1, 0, 0]
        let width = hypot(m[0], m[1])
        let height = (m[0] * m[3] - m[1] * m[2]) / width
        let lean = (m[0] * m[2] + m[1] * m[3]) / width / height
        return [m[4], m[5], 0, width, height, 0, 0, atan2(m[1], m[0]) * 180 / .pi, lean, 0]
    }

    private static func product(_ a: [Double], _ b: [Double]) -> [Double] {
        (0..<16).map { place -> Double in
            let (row, column) = (place / 4 * 4, place % 4)
            var sum = 0.0
            for step in 0..<4 { sum += a[row + step] * b[step * 4 + column] }
            return sum
        }
    }

    private var whole: [Double] {
        guard let n = parts else { return matrix }
        func angle(_ degrees: Double) -> (c: Double, s: Double) { (cos(degrees * .pi / 180), sin(degrees * .pi / 180)) }
        let (x, y, z) = (angle(n[5]), angle(n[6]), angle(n[7]))
        let lean = n[8] * n[4]
        let viewer = n[9] == 0 ? 0 : -1 / n[9]
        let scaled: [Double] = [n[3], 0, 0, 0, lean, n[4], 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        let aboutX: [Double] = [1, 0, 0, 0, 0, x.c, x.s, 0, 0, -x.s, x.c, 0, 0, 0, 0, 1]
        let aboutY: [Double] = [y.c, 0, -y.s, 0, 0, 1, 0, 0, y.s, 0, y.c, 0, 0, 0, 0, 1]
        let aboutZ: [Double] = [z.c, z.s, 0, 0, -z.s, z.c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        let moved: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, n[0], n[1], n[2], 1]
        let seen: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, viewer, 0, 0, 0, 1]
        return [aboutX, aboutY, aboutZ, moved, seen].reduce(scaled, Self.product)
    }

    /// The affine map that touches it at the origin.
    var affine: [Double]? {
        let m = whole
        let (x, y, w) = (m[12], m[13], m[15])
        guard w > 0 else { return nil }
        func slope(_ top: Double, _ place: Double, _ bottom: Double) -> Double { (top * w - place * bottom) / w / w }
        return [slope(m[0], x, m[3]), slope(m[1], y, m[3]), slope(m[4], x, m[7]), slope(m[5], y, m[7]), x / w, y / w]
    }

    static func mix(_ a: LayerTurn, _ b: LayerTurn, _ share: Double) -> LayerTurn {
        var result = a
        if let first = a.parts, let last = b.parts {
            result.parts = zip(first, last).map { $0 + ($1 - $0) * share }
        } else {
            (result.parts, result.matrix) = (nil, zip(a.whole, b.whole).map { $0 + ($1 - $0) * share })
        }
        return result
    }

    /// This first, then the other.
    func then(_ other: LayerTurn) -> LayerTurn {
        var result = self
        (result.parts, result.matrix) = (nil, Self.product(whole, other.whole))
        return result
    }
}
