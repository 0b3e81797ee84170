extension H264SPS {
    /// `unit`, which this set was read from, stating that at least `depth` frames may wait, 0...16.
    ///
    /// Statements that the set lacks become those that hold where a set has none.
    func stating(_ depth: Int, in unit: [UInt8]) throws(BitstreamFault) -> [UInt8] {
        if let stated = vui.reorderFrames, stated >= depth, vui.bufferedFrames ?? 0 >= depth { return unit }
        let bytes = EmulationPrevention.removed(from: unit)
        // A set without its last bit was read, and stays.
        guard let end = BitReader.contentLength(bytes), end > vuiPosition else { return unit }
        // The statement is the last of a set.
        var writer = BitWriter()
        if let reorderPosition = vui.reorderPosition {
            writer.copy(0..<reorderPosition, of: bytes)
        } else {
            if let restrictionPosition = vui.restrictionPosition {
                writer.copy(0..<restrictionPosition, of: bytes)
            } else {
                writer.copy(0..<vuiPosition, of: bytes)
                writer.flag(true)
                // Nothing of shape, colours, time and buffers.
                writer.bits(0, 8)
            }
            writer.flag(true)
            // motion_vectors_over_pic_boundaries_flag, the two denominators, and the lengths of vectors.
            writer.flag(true)
            for value in [2, 1, 15, 15] { writer.ue(value) }
        }
        writer.ue(depth)
        writer.ue(max(vui.bufferedFrames ?? max(mostBufferedFrames, referenceFrames), depth))
        writer.trailingBits()
        return EmulationPrevention.added(to: writer.bytes)
    }

    /// `MaxDpbFrames`: the number of frames that a decoder of the set's level holds, 1...16; 16 for a level that is
    /// not known.
    private var mostBufferedFrames: Int {
        let blocks = widthInBlocks * heightInMapUnits * (hasFramesOnly ? 1 : 2)
        // Level 1b of the older profiles is written as 11 and a flag.
        let is1b = level == 11 && constraints & 16 != 0 && !Self.highProfiles.contains(profile)
        guard let most = Self.mostBufferedBlocks[is1b ? 9 : level] else { return 16 }
        return max(1, min(16, most / blocks))
    }

    /// `MaxDpbMbs` by `level_idc`: Rec. ITU-T H.264, table A-1.
    private static let mostBufferedBlocks = [
        9: 396, 10: 396, 11: 900, 12: 2376, 13: 2376, 20: 2376, 21: 4752, 22: 8100, 30: 8100, 31: 18000, 32: 20480,
        40: 32768, 41: 32768, 42: 34816, 50: 110_400, 51: 184_320, 52: 184_320, 60: 696_320, 61: 696_320, 62: 696_320,
    ]
}
