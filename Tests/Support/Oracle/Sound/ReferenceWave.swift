import Foundation
import TestTools

/// A sound whose samples are all known: a WAV file of 24 bits, or what is made of it. Before and after it is silence.
struct ReferenceWave {
    let rate: Int
    /// A plane for each channel.
    let planes: [[Double]]

    init(rate: Int, planes: [[Double]]) { (self.rate, self.planes) = (rate, planes) }

    /// A file as `SoundMedia` writes it.
    init(_ path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func number(_ place: Int, _ size: Int) -> Int {
            (0..<size).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
        }
        guard bytes.count > 44, number(20, 2) == 1, number(34, 2) == 24 else {
            throw ToolFailure("\(path) is no WAV file of 24 bits")
        }
        let (channels, count) = (number(22, 2), number(40, 4) / 3)
        rate = number(24, 4)
        planes = (0..<channels).map { channel in
            stride(from: channel, to: count, by: channels).map { index in
                let value = number(44 + 3 * index, 3)
                return Double(value >= 1 << 23 ? value - 1 << 24 : value) / Double(1 << 23)
            }
        }
    }

    var count: Int { planes[0].count }

    /// A stretch of it, which may leave it on both sides.
    func samples(_ range: Range<Int>) -> [[Double]] {
        planes.map { plane in range.map { plane.indices.contains($0) ? plane[$0] : 0 } }
    }

    /// Its course at places between its samples, in order, by a windowed sinc of 96 crossings to each side. It must
    /// have nothing near half its rate.
    func samples(at places: [Double]) -> [[Double]] {
        let reach = 96
        return planes.map { plane in
            places.map { place in
                let whole = Int(place.rounded(.down))
                let rest = place - Double(whole)
                if rest == 0 { return plane.indices.contains(whole) ? plane[whole] : 0 }
                let sine = sin(Double.pi * rest) / Double.pi
                var sum = 0.0
                for tap in max(0, whole - reach + 1)..<max(0, whole - reach + 1, min(plane.count, whole + reach + 1)) {
                    let distance = place - Double(tap)
                    let sign = (whole - tap) & 1 == 0 ? 1.0 : -1
                    sum += plane[tap] * sign * sine / distance * Self.window(distance / Double(reach))
                }
                return sum
            }
        }
    }

    /// Blackman and Harris's, from −1 to 1.
    private static func window(_ x: Double) -> Double {
        guard abs(x) < 1 else { return 0 }
        let angle = Double.pi * x
        return 0.35875 + 0.48829 * cos(angle) + 0.14128 * cos(2 * angle) + 0.01168 * cos(3 * angle)
    }

    /// In another number of channels, by the standard matrices; full scale on all channels stays full scale.
    func mapped(to channels: Int) throws -> ReferenceWave {
        let rows = try Self.matrix(planes.count, channels)
        let largest = max(1, rows.map { $0.reduce(0, +) }.max() ?? 1)
        return ReferenceWave(
            rate: rate,
            planes: rows.map { row in
                (0..<count).map { sample in
                    row.indices.reduce(0.0) { $0 + row[$1] / largest * planes[$1][sample] }
                }
            })
    }

    /// A row for each channel out. 5.1 is left, right, centre, low frequencies, left and right behind.
    private static func matrix(_ from: Int, _ to: Int) throws -> [[Double]] {
        let half = 0.5.squareRoot()
        switch (from, to) {
        case (let same, to) where same == to:
            return (0..<to).map { row in (0..<to).map { $0 == row ? 1 : 0 } }
        case (1, 2): return [[half], [half]]
        case (1, 6): return [[0], [0], [1], [0], [0], [0]]
        case (2, 1): return [[half, half]]
        case (2, 6): return (0..<6).map { [$0 == 0 ? 1 : 0, $0 == 1 ? 1 : 0] }
        case (6, 1): return [[half, half, 1, 0, 0.5, 0.5]]
        case (6, 2): return [[1, 0, half, 0, half, 0], [0, 1, half, 0, 0, half]]
        default: throw ToolFailure("the reference knows no way from \(from) to \(to) channels")
        }
    }
}
