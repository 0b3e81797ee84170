/// The decoder configuration of HEVC in MP4, MOV and Matroska: the record of `hvcC`.
package struct HEVCConfiguration: Hashable, Sendable {
    /// Units of one type.
    package struct Units: Hashable, Sendable {
        /// `nal_unit_type`: 32 VPS, 33 SPS, 34 PPS, 39 and 40 SEI.
        package let type: Int
        /// Whether all units of this type stand here and none in packets, as `hvc1` asks of parameter sets.
        package let isComplete: Bool
        package let list: [[UInt8]]

        package init(type: Int, isComplete: Bool, list: [[UInt8]]) {
            self.type = type
            self.isComplete = isComplete
            self.list = list
        }
    }

    package let profile: HEVCProfile
    package private(set) var segmentation = 0
    package private(set) var parallelism = 0
    package let chromaFormat: Int
    package let lumaDepth: Int
    package let chromaDepth: Int
    package private(set) var averageRate = 0
    package private(set) var constantRate = 0
    package let subLayers: Int
    package let isTemporallyNested: Bool
    /// The number of bytes of a length in front of a unit in packets: 1, 2 or 4.
    package let lengthSize: Int
    package let units: [Units]

    /// Reads a record. Bytes behind it are left alone.
    package init(_ bytes: some Collection<UInt8>) throws(BitstreamFault) {
        var reader = BitReader(Array(bytes))
        // Files from before the standard was finished say 0, and are otherwise the same.
        guard try reader.bits(8) <= 1 else { throw .outOfRange("configurationVersion") }
        profile = try HEVCProfile(&reader, subLayers: 1)
        segmentation = try reader.bits(16) & 0xfff
        parallelism = try reader.bits(8) & 3
        chromaFormat = try reader.bits(8) & 3
        lumaDepth = try reader.bits(8) & 7 + 8
        chromaDepth = try reader.bits(8) & 7 + 8
        averageRate = try reader.bits(16)
        constantRate = try reader.bits(2)
        subLayers = try reader.bits(3)
        isTemporallyNested = try reader.flag()
        lengthSize = try reader.bits(2) + 1
        guard lengthSize != 3 else { throw .outOfRange("lengthSizeMinusOne") }
        var units: [Units] = []
        for _ in 0..<(try reader.bits(8)) {
            let head = try reader.bits(8)
            units.append(
                Units(type: head & 63, isComplete: head & 128 != 0, list: try reader.units(try reader.bits(16))))
        }
        self.units = units
    }

    /// A record of parameter sets for `hvc1`, with lengths of four bytes. Throws where there is no SPS, and where SPS
    /// differ in chroma or depth.
    package init(vps: [[UInt8]], sps: [[UInt8]], pps: [[UInt8]]) throws(BitstreamFault) {
        var sets: [HEVCSPS] = []
        for unit in sps { sets.append(try HEVCSPS(unit: unit)) }
        guard let first = sets.first else { throw .missing("an SPS") }
        guard vps.count < 65536, sps.count < 65536, pps.count < 65536,
            (vps + sps + pps).allSatisfy({ $0.count < 65536 })
        else { throw .outOfRange("nalUnitLength") }
        guard
            sets.allSatisfy({
                $0.chromaFormat == first.chromaFormat && $0.lumaDepth == first.lumaDepth
                    && $0.chromaDepth == first.chromaDepth
            })
        else { throw .unsupported("a configuration of several chroma formats or depths") }
        // The one that asks most of a decoder stands for all; what is promised must hold for each.
        let profiles = sets.map(\.profile)
        profile = HEVCProfile(
            head: profiles.map(\.head).max() ?? 0,
            compatibility: profiles.reduce(0xffff_ffff) { $0 & $1.compatibility },
            constraints: profiles.reduce(0xffff_ffff_ffff) { $0 & $1.constraints },
            level: profiles.map(\.level).max() ?? 0)
        chromaFormat = first.chromaFormat
        lumaDepth = first.lumaDepth
        chromaDepth = first.chromaDepth
        subLayers = sets.map(\.subLayers).max() ?? 1
        isTemporallyNested = sets.allSatisfy(\.isTemporallyNested)
        lengthSize = 4
        units = [(32, vps), (33, sps), (34, pps)].map { Units(type: $0, isComplete: true, list: $1) }
    }

    /// The units of all types in the record's order.
    package var allUnits: [[UInt8]] { units.flatMap(\.list) }

    /// The record's bytes.
    package var bytes: [UInt8] {
        var writer = BitWriter()
        writer.bits(1, 8)
        writer.bits(profile.head, 8)
        writer.bits(profile.compatibility, 32)
        writer.bits(profile.constraints, 48)
        writer.bits(profile.level, 8)
        writer.bits(0xf000 | segmentation, 16)
        writer.bits(0xfc | parallelism, 8)
        writer.bits(0xfc | chromaFormat, 8)
        writer.bits(0xf8 | (lumaDepth - 8), 8)
        writer.bits(0xf8 | (chromaDepth - 8), 8)
        writer.bits(averageRate, 16)
        writer.bits(constantRate, 2)
        writer.bits(subLayers, 3)
        writer.flag(isTemporallyNested)
        writer.bits(lengthSize - 1, 2)
        writer.bits(units.count, 8)
        for part in units {
            writer.bits(part.isComplete ? 128 | part.type : part.type, 8)
            writer.bits(part.list.count, 16)
            for unit in part.list { writer.append(prefixed(unit)) }
        }
        return writer.bytes
    }
}
