/// Profile, tier and level of HEVC: `profile_tier_level` of the whole stream.
package struct HEVCProfile: Hashable, Sendable {
    /// `general_profile_space`, tier and `general_profile_idc` as one byte.
    package let head: Int
    /// `general_profile_compatibility_flag`, 32 bits, profile 0 the highest.
    package let compatibility: Int
    /// The 48 bits of constraints, `general_progressive_source_flag` the highest.
    package let constraints: Int
    /// `general_level_idc`: thirty times the level.
    package let level: Int

    /// `general_profile_idc`: 1 Main, 2 Main 10, 3 Main Still Picture, 4 format range extensions.
    package var profile: Int { head & 31 }
    package var isHighTier: Bool { head & 32 != 0 }

    package init(head: Int, compatibility: Int, constraints: Int, level: Int) {
        self.head = head
        self.compatibility = compatibility
        self.constraints = constraints
        self.level = level
    }

    /// Reads the part of a VPS or SPS for `subLayers`, 1...7.
    init(_ reader: inout BitReader, subLayers: Int) throws(BitstreamFault) {
        head = try reader.bits(8)
        compatibility = try reader.bits(32)
        constraints = (try reader.bits(24)) << 24 | (try reader.bits(24))
        level = try reader.bits(8)
        guard subLayers > 1 else { return }
        var lengths = 0
        for _ in 1..<subLayers {
            if try reader.flag() { lengths += 88 }
            if try reader.flag() { lengths += 8 }
        }
        try reader.skip(2 * (9 - subLayers) + lengths)
    }
}
