/// The length of the parts in which a source comes from afar.
package enum BlockGrain: Hashable, Sendable {
    /// Blocks of 1 MiB, for pictures.
    case block
    /// Extents of 64 KiB, for sound: its packets lie thinly among those of pictures.
    case extent

    /// The number of bytes of every part but a source's last one.
    package var byteCount: Int {
        switch self {
        case .block: 1 << 20
        case .extent: 1 << 16
        }
    }
}

/// One block or one extent of a source.
package struct BlockUnit: Hashable, Sendable {
    package let grain: BlockGrain
    /// The number of units of this grain before it.
    package let number: Int

    package init(_ grain: BlockGrain, _ number: Int) {
        self.grain = grain
        self.number = number
    }

    /// The place of its first byte in the source.
    package var start: Int { number * grain.byteCount }

    /// The number of extents of a whole block.
    static let extentsOfBlock = BlockGrain.block.byteCount / BlockGrain.extent.byteCount

    /// The block that an extent is a part of; a block is its own.
    package var block: BlockUnit { BlockUnit(.block, start / BlockGrain.block.byteCount) }
}
