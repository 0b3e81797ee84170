/// Puts chunks into PNG files and profiles into JPEG files, as their standards have it.
package enum PNGChunks {
    /// Behind the header chunk.
    package static func insert(_ name: String, _ data: [UInt8], into png: [UInt8]) -> [UInt8] {
        Array(png[..<33]) + chunk(name, data) + Array(png[33...])
    }

    /// An ICC profile in a zlib stream of stored blocks.
    package static func insert(profile: [UInt8], into png: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        let blocks = stride(from: 0, to: profile.count, by: 65_535).map {
            profile[$0..<min($0 + 65_535, profile.count)]
        }
        for (index, block) in blocks.enumerated() {
            let length = UInt16(block.count)
            stream.append(index == blocks.count - 1 ? 1 : 0)
            for value in [length, ~length] { stream += [UInt8(value & 255), UInt8(value >> 8)] }
            stream += block
        }
        var (a, b) = (UInt32(1), UInt32(0))
        for byte in profile {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return insert("iCCP", Array("made".utf8) + [0, 0] + stream + word(b << 16 | a), into: png)
    }

    /// A JPEG's marker APP2, behind its beginning; a short profile fits one.
    package static func insert(profile: [UInt8], intoJPEG jpeg: [UInt8]) -> [UInt8] {
        let data = Array("ICC_PROFILE".utf8) + [0, 1, 1] + profile
        let length = data.count + 2
        return Array(jpeg[..<2]) + [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + data + Array(jpeg[2...])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + data
        var sum = UInt32.max
        for byte in checked {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return word(UInt32(data.count)) + checked + word(~sum)
    }

    private static func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * UInt32($0)) & 255) } }
}
