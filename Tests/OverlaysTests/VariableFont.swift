import Foundation

/// A font of one letter, A: a box from 0.1 em to 0.5 em and 0.7 em tall, whose right edge and advance (0.6 em) move by
/// the axis wdth: 50 takes 0.2 em from both, 200 adds 0.4 em.
struct VariableFont {
    static let bytes: [UInt8] = file([
        ("cmap", cmap), ("fvar", fvar), ("glyf", glyph), ("gvar", gvar), ("head", head), ("hhea", hhea),
        ("hmtx", [600, 0, 600, 100].flatMap(short)), ("loca", [0, 0, glyph.count].flatMap(long)), ("maxp", maxp),
        ("name", name), ("post", long(0x30000) + zeros(28)),
    ])

    private static func short(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
    private static func long(_ value: Int) -> [UInt8] { short(value >> 16) + short(value) }
    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static let head =
        long(0x10000) + long(0x10000) + long(0) + long(0x5F0F_3CF5) + short(0) + short(1000) + zeros(16)
        + [100, 0, 500, 700].flatMap(short) + short(0) + short(8) + short(2) + short(1) + short(0)
    private static let hhea =
        long(0x10000) + [800, -200, 0, 600, 100, 100, 500, 1, 0, 0, 0, 0, 0, 0, 0, 2].flatMap(short)
    private static let maxp =
        long(0x10000) + [2, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0].flatMap(short)
    /// One segment for A, and the last one.
    private static let cmap =
        [0, 1, 3, 1].flatMap(short) + long(12)
        + [4, 32, 0, 4, 4, 1, 0, 0x41, 0xFFFF, 0, 0x41, 0xFFFF, 1 - 0x41, 1, 0, 0].flatMap(short)
    private static let glyph: [UInt8] =
        [1, 100, 0, 500, 700, 3, 0].flatMap(short) + [1, 1, 1, 1]
        + [100, 0, 400, 0, 0, 700, 0, -700].flatMap(short) + zeros(2)
    private static let fvar =
        [1, 0, 16, 2, 1, 20, 0, 8].flatMap(short) + Array("wdth".utf8)
        + [50 << 16, 100 << 16, 200 << 16].flatMap(long) + [0, 256].flatMap(short)
    private static let gvar: [UInt8] = {
        func deltas(_ value: Int) -> [UInt8] {
            [0, 0x47] + [0, 0, value, value, 0, value, 0, 0].flatMap(short) + [0x87]
        }
        let tuples = [19, 0xA000, 0x4000, 19, 0xA000, -0x4000].flatMap(short)
        let data = [2, 16].flatMap(short) + tuples + deltas(400) + deltas(-200)
        let header = [1, 0, 1, 0].flatMap(short) + long(32) + [2, 1].flatMap(short) + long(32)
        return header + [0, 0, data.count].flatMap(long) + data
    }()
    private static let name: [UInt8] = {
        let names = [(1, "Splitreel Box"), (2, "Regular"), (4, "Splitreel Box"), (6, "SplitreelBox"), (256, "Width")]
        var (records, texts): ([UInt8], [UInt8]) = ([], [])
        for (number, text) in names {
            let bytes: [UInt8] = text.utf8.flatMap { [0, $0] }
            records += [3, 1, 0x409, number, bytes.count, texts.count].flatMap(short)
            texts += bytes
        }
        return [0, names.count, 6 + records.count].flatMap(short) + records + texts
    }()

    private static func file(_ tables: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        var (directory, data): ([UInt8], [UInt8]) = ([], [])
        let start = 12 + 16 * tables.count
        for (name, bytes) in tables {
            directory += Array(name.utf8) + long(0) + long(start + data.count) + long(bytes.count)
            data += bytes + zeros((4 - bytes.count % 4) % 4)
        }
        return long(0x10000) + [tables.count, 128, 3, tables.count * 16 - 128].flatMap(short) + directory + data
    }
}
