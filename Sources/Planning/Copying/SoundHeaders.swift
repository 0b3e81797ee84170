/// The header of AAC: an `AudioSpecificConfig` (ISO/IEC 14496-3, 1.6.2.1).
package struct AACHeader {
    /// Whether it is AAC-LC in packets of 1024 samples, of that rate and number of channels, and nothing beside it.
    package static func isPlain(_ header: [UInt8], sampleRate: Int, channels: Int) -> Bool {
        var bits = Bits(header)
        guard bits.take(5) == 2, let index = bits.take(4) else { return false }
        let rate = index == 15 ? bits.take(24) : rates.indices.contains(index) ? rates[index] : nil
        guard rate == sampleRate, bits.take(4) == (channels == 8 ? 7 : channels), bits.take(3) == 0 else {
            return false
        }
        // An extension behind it may tell of bands above, or of a second channel, to decoders that know of them.
        guard let sync = bits.take(11) else { return true }
        guard sync == 0x2B7 else { return sync == 0 }
        return bits.take(5) == 5 && bits.take(1) == 0
    }

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    private struct Bits {
        let bytes: [UInt8]
        var place = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// The next bits as a number; nil where there are fewer.
        mutating func take(_ count: Int) -> Int? {
            guard place + count <= bytes.count * 8 else { return nil }
            defer { place += count }
            return (place..<place + count).reduce(0) { number, place in
                let bit = bytes[place / 8] >> (7 - place % 8) & 1
                return number << 1 | Int(bit)
            }
        }
    }
}

/// The header of Opus (RFC 7845, 5.1).
package struct OpusHeader {
    private let bytes: [UInt8]

    /// nil for bytes that are no header of the first version, of so many channels of loudspeakers.
    package init?(_ bytes: [UInt8], channels: Int) {
        guard bytes.count >= 19, bytes.starts(with: Array("OpusHead".utf8)), bytes[8] >> 4 == 0,
            Int(bytes[9]) == channels, bytes[18] <= 1
        else { return nil }
        self.bytes = bytes
    }

    /// The samples, at 48 kHz, that a decoder leaves out.
    package var preSkip: Int { Int(bytes[10]) | Int(bytes[11]) << 8 }

    /// The header of a film whose decoder leaves out so many samples, at most 65,535.
    package func skipping(_ samples: Int) -> [UInt8] {
        var header = bytes
        (header[10], header[11]) = (UInt8(truncatingIfNeeded: samples), UInt8(truncatingIfNeeded: samples >> 8))
        return header
    }
}
