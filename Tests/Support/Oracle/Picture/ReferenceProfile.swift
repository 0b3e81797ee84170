import Foundation
import TestTools

/// The colours that a still's file tells beside ffprobe's words: an ICC profile of a matrix and three curves, as ICC.1
/// has it, and PNG's code points.
struct ReferenceProfile: Equatable {
    /// The matrix from the profile's linear red, green and blue to XYZ under D65.
    let toXYZ: Matrix
    private let curves: [Curve]

    /// Samples at even places, or seven parameters.
    private enum Curve: Equatable {
        case table([Double])
        case formula([Double])
    }

    /// Light from 0 to 1.
    func light(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
        let rgb = rgb.clamped(lowerBound: .zero, upperBound: .one)
        return SIMD3(value(curves[0], rgb[0]), value(curves[1], rgb[1]), value(curves[2], rgb[2]))
    }

    private func value(_ curve: Curve, _ x: Double) -> Double {
        switch curve {
        case .table(let values):
            let place = x * Double(values.count - 1)
            let first = min(Int(place), values.count - 2)
            return values[first] + (values[first + 1] - values[first]) * (place - Double(first))
        case .formula(let p):
            return min(max(x >= p[4] ? pow(p[1] * x + p[2], p[0]) + p[5] : p[3] * x + p[6], 0), 1)
        }
    }

    init(_ bytes: [UInt8]) throws {
        func word(_ place: Int) -> Int { bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
        func fixed(_ place: Int) -> Double { Double(Int32(truncatingIfNeeded: word(place))) / 65_536 }
        func tag(_ name: String) throws -> Int {
            let found = (0..<word(128)).first { Array(bytes[(132 + 12 * $0)...].prefix(4)) == Array(name.utf8) }
            guard let found else { throw ToolFailure("a profile without \(name)") }
            return word(132 + 12 * found + 4)
        }
        let colorants = try ["rXYZ", "gXYZ", "bXYZ"].map { name in
            let place = try tag(name) + 8
            return SIMD3(fixed(place), fixed(place + 4), fixed(place + 8))
        }
        toXYZ = Self.fromD50.times(Matrix(columns: colorants))
        curves = try ["rTRC", "gTRC", "bTRC"].map { name in
            let place = try tag(name)
            if bytes[place...].starts(with: Array("para".utf8)) {
                let kind = word(place + 8) >> 16
                let count = [1, 3, 4, 5, 7][kind]
                return .formula(Self.whole(kind, (0..<count).map { fixed(place + 12 + 4 * $0) }))
            }
            let count = word(place + 8)
            let halves = (0..<count).map { index in
                let half = place + 12 + 2 * index
                return Double(Int(bytes[half]) << 8 | Int(bytes[half + 1]))
            }
            return count == 1
                ? .formula(Self.whole(0, [halves[0] / 256])) : .table(halves.map { $0 / 65_535 })
        }
    }

    /// g, a, b, c, d, e, f of one of the five forms.
    private static func whole(_ kind: Int, _ p: [Double]) -> [Double] {
        switch kind {
        case 0: [p[0], 1, 0, 0, 0, 0, 0]
        case 1: [p[0], p[1], p[2], 0, -p[2] / p[1], 0, 0]
        case 2: [p[0], p[1], p[2], 0, -p[2] / p[1], p[3], p[3]]
        case 3: [p[0], p[1], p[2], p[3], p[4], 0, 0]
        default: p
        }
    }

    /// Bradford's adaptation to D65.
    private static var fromD50: Matrix {
        let cones = Matrix(rows: [
            SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296),
        ])
        let d65 = SIMD3(0.3127 / 0.329, 1, (1 - 0.3127 - 0.329) / 0.329)
        let ratio = cones.times(d65) / cones.times(SIMD3(0.9642, 1, 0.8249))
        let scaled = Matrix(rows: (0..<3).map { cones.rows[$0] * ratio[$0] })
        return cones.inverse.times(scaled)
    }
}

/// A still's bytes, looked through for what they say of its colour.
struct StillBytes {
    private let bytes: [UInt8]

    init(_ path: String) throws { bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// In a PNG whose profile is stored as it is, or in a JPEG.
    var profile: ReferenceProfile? {
        get throws {
            if let chunk = chunk("iCCP"), let name = chunk.firstIndex(of: 0) {
                // The name, the method, the stream's two bytes and a block's five.
                return try ReferenceProfile(Array(chunk[(name + 9)...].dropLast(4)))
            }
            let mark = Array("ICC_PROFILE".utf8) + [0, 1, 1]
            guard bytes.starts(with: [0xFF, 0xD8]), let place = place(of: mark) else { return nil }
            let length = Int(bytes[place - 2]) << 8 | Int(bytes[place - 1])
            return try ReferenceProfile(Array(bytes[(place + mark.count)..<(place - 2 + length)]))
        }
    }

    /// PNG's primaries and transfer by H.273.
    var codePoints: (primaries: Int, transfer: Int)? { chunk("cICP").map { (Int($0[0]), Int($0[1])) } }

    private func chunk(_ name: String) -> [UInt8]? {
        guard bytes.starts(with: [0x89, 0x50]), let place = place(of: Array(name.utf8)) else { return nil }
        let length = bytes[(place - 4)..<place].reduce(0) { $0 << 8 | Int($1) }
        return Array(bytes[(place + 4)..<(place + 4 + length)])
    }

    private func place(of mark: [UInt8]) -> Int? {
        bytes.indices.prefix(2048).first { bytes[$0...].starts(with: mark) }
    }
}
