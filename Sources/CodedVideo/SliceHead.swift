/// The bytes in front of a slice's data: its header, filled up to a whole byte.
struct SliceHead {
    /// The bytes without emulation prevention.
    let bytes: [UInt8]
    /// The number of the unit's own bytes that they are.
    private let length: Int

    /// Reads the first `count` bytes of a slice's unit, without emulation prevention, of which its header has `bits`.
    /// Throws `.outOfRange(name)` where what fills the last byte is not `alignment`, and `.ended` where no data follow.
    init(
        of unit: ArraySlice<UInt8>, count: Int, headerBits bits: Int, alignment: Int, _ name: String
    ) throws(BitstreamFault) {
        (bytes, length) = EmulationPrevention.removed(from: unit, upTo: count)
        guard bytes.count == count, length < unit.count else { throw .ended }
        var reader = BitReader(bytes)
        try reader.skip(bits)
        // The bits behind the header tell one that was read right from most that were not.
        guard try reader.bits(reader.left) == alignment else { throw .outOfRange(name) }
    }

    /// The unit, which must be the one that was read, with other bytes in front of its data.
    func replaced(by bytes: [UInt8], in unit: ArraySlice<UInt8>) -> [UInt8] {
        let data = unit.startIndex + length
        return EmulationPrevention.joined(
            head: bytes, tail: unit[data...], zerosBefore: EmulationPrevention.zeros(before: data, of: unit))
    }
}
