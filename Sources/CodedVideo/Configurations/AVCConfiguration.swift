/// The decoder configuration of H.264 in MP4, MOV and Matroska: the record of `avcC`.
package struct AVCConfiguration: Hashable, Sendable {
    package let profile: Int
    package let constraints: Int
    package let level: Int
    /// The number of bytes of a length in front of a unit in packets: 1, 2 or 4.
    package let lengthSize: Int
    /// The NAL units of the parameter sets.
    package let sps: [[UInt8]]
    package let pps: [[UInt8]]
    /// Chroma and depths of samples, stated for the High profiles; nil where they are not.
    package private(set) var samples: Samples?
    package private(set) var spsExtensions: [[UInt8]] = []

    /// Chroma and depths of all pictures under a configuration.
    package struct Samples: Hashable, Sendable {
        package let chromaFormat: Int
        package let lumaDepth: Int
        package let chromaDepth: Int
    }

    /// Reads a record. Bytes behind it are left alone; a record of a High profile may end without its extension.
    package init(_ bytes: some Collection<UInt8>) throws(BitstreamFault) {
        var reader = BitReader(Array(bytes))
        guard try reader.bits(8) == 1 else { throw .outOfRange("configurationVersion") }
        profile = try reader.bits(8)
        constraints = try reader.bits(8)
        level = try reader.bits(8)
        lengthSize = try reader.bits(8) & 3 + 1
        guard lengthSize != 3 else { throw .outOfRange("lengthSizeMinusOne") }
        sps = try reader.units(try reader.bits(8) & 31)
        pps = try reader.units(try reader.bits(8))
        guard H264SPS.highProfiles.contains(profile), reader.left >= 32 else { return }
        samples = Samples(
            chromaFormat: try reader.bits(8) & 3, lumaDepth: try reader.bits(8) & 7 + 8,
            chromaDepth: try reader.bits(8) & 7 + 8)
        spsExtensions = try reader.units(try reader.bits(8))
    }

    /// A record of parameter sets, with lengths of four bytes. Throws where there is none, where there are more than a
    /// record holds (31 SPS, 255 PPS), and where the SPS differ in chroma or depth.
    package init(
        sps: [[UInt8]], pps: [[UInt8]], spsExtensions: [[UInt8]] = []
    ) throws(BitstreamFault) {
        guard (1...31).contains(sps.count), pps.count < 256, spsExtensions.count < 256 else {
            throw .outOfRange("numOfSequenceParameterSets")
        }
        guard (sps + pps + spsExtensions).allSatisfy({ $0.count < 65536 }) else {
            throw .outOfRange("sequenceParameterSetLength")
        }
        var sets: [H264SPS] = []
        for unit in sps { sets.append(try H264SPS(unit: unit)) }
        // The one that asks most of a decoder stands for all.
        let ranks = [66, 88, 77, 100, 110, 122, 244]
        profile = sets.map(\.profile).max { (ranks.firstIndex(of: $0) ?? 9) < (ranks.firstIndex(of: $1) ?? 9) } ?? 0
        constraints = sets.reduce(255) { $0 & $1.constraints }
        level = sets.map(\.level).max() ?? 0
        lengthSize = 4
        self.sps = sps
        self.pps = pps
        let samples = Set(
            sets.map { Samples(chromaFormat: $0.chromaFormat, lumaDepth: $0.lumaDepth, chromaDepth: $0.chromaDepth) })
        guard samples.count == 1 else { throw .unsupported("a configuration of several chroma formats or depths") }
        guard H264SPS.highProfiles.contains(profile) else { return }
        self.samples = samples.first
        self.spsExtensions = spsExtensions
    }

    /// The record's bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = [
            1, UInt8(profile), UInt8(constraints), UInt8(level), UInt8(0xfc | (lengthSize - 1)),
            UInt8(0xe0 | sps.count),
        ]
        bytes += sps.flatMap(prefixed) + [UInt8(pps.count)] + pps.flatMap(prefixed)
        if let samples {
            bytes += [
                UInt8(0xfc | samples.chromaFormat), UInt8(0xf8 | (samples.lumaDepth - 8)),
                UInt8(0xf8 | (samples.chromaDepth - 8)), UInt8(spsExtensions.count),
            ]
            bytes += spsExtensions.flatMap(prefixed)
        }
        return bytes
    }
}

/// A unit of less than 64 KiB with its length in two bytes in front.
func prefixed(_ unit: [UInt8]) -> [UInt8] {
    [UInt8(truncatingIfNeeded: unit.count >> 8), UInt8(truncatingIfNeeded: unit.count)] + unit
}

extension BitReader {
    /// Units with lengths of two bytes in front, as configurations hold them.
    mutating func units(_ count: Int) throws(BitstreamFault) -> [[UInt8]] {
        var list: [[UInt8]] = []
        for _ in 0..<count {
            let length = try bits(16)
            guard length * 8 <= left else { throw .ended }
            var unit: [UInt8] = []
            unit.reserveCapacity(length)
            for _ in 0..<length { unit.append(UInt8(try bits(8))) }
            list.append(unit)
        }
        return list
    }
}
