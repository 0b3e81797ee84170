/// The statement of a VPS or an SPS of HEVC about its highest sub-layer of time: how many pictures a decoder holds, and
/// how many wait until another is shown.
struct HEVCOrdering: Hashable, Sendable {
    /// The number of pictures that a decoder must hold, 1...16.
    private(set) var buffered = 1
    /// The number of pictures that may be decoded before and shown after another, 0...15.
    private(set) var reordered = 0
    /// The bits in which the two numbers stand, without emulation prevention.
    private var bufferedBits = 0..<0
    private var reorderedBits = 0..<0

    /// The values that hold before a set is read.
    init() {}

    /// Reads the part of a set for `subLayers`, 1...7.
    init(_ reader: inout BitReader, subLayers: Int) throws(BitstreamFault) {
        let isEach = try reader.flag()
        for _ in 0..<(isEach ? subLayers : 1) {
            let start = reader.position
            buffered = try reader.ue("max_dec_pic_buffering_minus1", upTo: 15) + 1
            let middle = reader.position
            reordered = try reader.ue("max_num_reorder_pics", upTo: 15)
            (bufferedBits, reorderedBits) = (start..<middle, middle..<reader.position)
            _ = try reader.ue("max_latency_increase_plus1")
        }
    }

    /// Reads the part of a VPS, from its NAL unit with its header and emulation prevention.
    init(vps unit: some Collection<UInt8>) throws(BitstreamFault) {
        var reader = BitReader(EmulationPrevention.removed(from: unit))
        // The NAL header, the id, two flags of the base layer and the number of layers.
        try reader.skip(28)
        let subLayers = try reader.bits(3) + 1
        guard subLayers < 8 else { throw .outOfRange("vps_max_sub_layers_minus1") }
        try reader.skip(17)
        _ = try HEVCProfile(&reader, subLayers: subLayers)
        self = try HEVCOrdering(&reader, subLayers: subLayers)
    }

    /// The changes by which at least `depth` pictures may wait, 0...15.
    func changes(depth: Int) -> [Replacement] {
        [
            Replacement(range: bufferedBits, value: max(buffered - 1, depth)),
            Replacement(range: reorderedBits, value: max(reordered, depth)),
        ]
    }
}
