/// An ICC profile, built byte by byte from its standard.
package struct ProfileBytes {
    package var space = "RGB "
    package var connection = "XYZ "
    package var tags: [(name: String, data: [UInt8])] = []

    package static func word(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    package static func fixed(_ value: Double) -> [UInt8] { word(Int((value * 65_536).rounded())) }
    package static func half(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

    package static func curve(_ values: [Int]) -> [UInt8] {
        Array("curv".utf8) + word(0) + word(values.count) + values.flatMap(half)
    }

    package static func formula(_ kind: Int, _ parameters: [Double]) -> [UInt8] {
        Array("para".utf8) + word(0) + half(kind) + half(0) + parameters.flatMap(fixed)
    }

    package static func gamma(_ value: Double) -> [UInt8] { curve([Int((value * 256).rounded())]) }

    package static let screen = formula(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])

    package static func colorant(_ xyz: [Double]) -> [UInt8] { Array("XYZ ".utf8) + word(0) + xyz.flatMap(fixed) }

    /// A profile of R'G'B', with the numbers that the profiles in use have.
    package init(_ colorants: [[Double]], _ curves: [[UInt8]]) {
        for (name, xyz) in zip(["rXYZ", "gXYZ", "bXYZ"], colorants) { tags.append((name, Self.colorant(xyz))) }
        for (index, name) in ["rTRC", "gTRC", "bTRC"].enumerated() where !curves.isEmpty {
            tags.append((name, curves[min(index, curves.count - 1)]))
        }
    }

    package var bytes: [UInt8] {
        var table = Self.word(tags.count)
        var data: [UInt8] = []
        for tag in tags {
            table += Array(tag.name.utf8) + Self.word(132 + 12 * tags.count + data.count) + Self.word(tag.data.count)
            data += tag.data + [UInt8](repeating: 0, count: (4 - tag.data.count % 4) % 4)
        }
        var header = [UInt8](repeating: 0, count: 128)
        header.replaceSubrange(0..<4, with: Self.word(128 + table.count + data.count))
        header.replaceSubrange(12..<24, with: Array(("mntr" + space + connection).utf8))
        header.replaceSubrange(36..<40, with: Array("acsp".utf8))
        return header + table + data
    }

    // As they stand in the files of their makers.
    package static let srgb = [
        [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
    ]
    package static let displayP3 = [
        [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
    ]
    package static let adobe = [
        [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
    ]
    package static let proPhoto = [[0.79767, 0.28804, 0], [0.13519, 0.71188, 0], [0.03134, 0.00009, 0.82491]]
}
