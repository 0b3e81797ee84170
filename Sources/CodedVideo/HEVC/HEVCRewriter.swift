/// A rewriter that gives parameter sets of HEVC other ids, and slice segments the ids of these. Their data stay as they
/// are, byte for byte.
///
/// It is for streams that go by the sets of their configuration alone: a set in band is one of them once more.
package struct HEVCRewriter: Sendable {
    /// The sets with their old ids.
    private let sets: HEVCParameterSets
    private let ids: Renumbering

    package init(sets: HEVCParameterSets, ids: Renumbering) {
        self.sets = sets
        self.ids = ids
    }

    /// The unit with new ids; nil where nothing of it is left.
    ///
    /// Delimiters, filler, ends and units without ids pass as they are. Throws where an id has no new one, for other
    /// layers, and for what this module cannot rewrite.
    package func rewritten(_ unit: ArraySlice<UInt8>) throws(BitstreamFault) -> [UInt8]? {
        guard let nal = HEVCNAL(unit) else { throw .outOfRange("forbidden_zero_bit") }
        // Units 48...63 are not of the standard: dynamic metadata of Dolby Vision come as 62.
        guard nal.layer == 0 || nal.type >= 48 else { throw .unsupported("nuh_layer_id \(nal.layer)") }
        if nal.isSlice { return try slice(unit) }
        switch nal.kind {
        case .vps: return try Self.withVPS(unit, EmulationPrevention.removed(from: unit), ids)
        case .sps: return try Self.renumbered(sps: unit, ids)
        case .pps: return try ids.renumbered(pps: unit, behind: 16, upTo: (pps: 63, sps: 15), prefix: "pps_")
        case .prefixSEI: return try sei(unit)
        default: return Array(unit)
        }
    }

    /// An SPS with its new id and that of its VPS.
    private static func renumbered(sps unit: ArraySlice<UInt8>, _ ids: Renumbering) throws(BitstreamFault) -> [UInt8] {
        let sps = try HEVCSPS(unit: unit)
        let change = Replacement(range: sps.idBits, value: try ids.sps(sps.id, upTo: 15))
        let changed = try Replacement.wholeUnit([change], EmulationPrevention.removed(from: unit))
        return try withVPS(unit, EmulationPrevention.removed(from: changed), ids)
    }

    /// The unit with another `vps_video_parameter_set_id`, the four bits behind the NAL header in a VPS and an SPS.
    private static func withVPS(
        _ unit: ArraySlice<UInt8>, _ bytes: [UInt8], _ ids: Renumbering
    ) throws(BitstreamFault) -> [UInt8] {
        let id = try ids.vps(HEVCParameterSets.vpsID(unit))
        var bytes = bytes
        bytes[2] = bytes[2] & 15 | UInt8(id << 4)
        return EmulationPrevention.added(to: bytes)
    }

    /// A slice segment with its new id.
    ///
    /// The alignment behind the header begins with a one, so that the last byte in front of the data is never zero. So
    /// emulation prevention among the data stays where it is, and the entry points, which count it, stay right.
    private func slice(_ unit: ArraySlice<UInt8>) throws(BitstreamFault) -> [UInt8] {
        let header = try HEVCSliceHeader(unit: unit, sets: sets)
        let head = try Self.head(of: unit, header)
        let change = Replacement(range: header.ppsIDBits, value: try ids.pps(header.ppsID, upTo: 63))
        var writer = Replacement.applied([change], to: head.bytes, end: header.length)
        writer.trailingBits()
        return head.replaced(by: writer.bytes, in: unit)
    }

    private static func head(
        of unit: ArraySlice<UInt8>, _ header: HEVCSliceHeader
    ) throws(BitstreamFault) -> SliceHead {
        try SliceHead(
            of: unit, count: header.length / 8 + 1, headerBits: header.length, alignment: 1 << (7 - header.length & 7),
            "alignment_bit_equal_to_one")
    }

    /// Throws what `rewritten` would throw for the unit. Of a slice no more than the header is looked at; `read` is
    /// that header where it was read already.
    package func check(_ unit: ArraySlice<UInt8>, read: HEVCSliceHeader? = nil) throws(BitstreamFault) {
        guard let nal = HEVCNAL(unit), nal.isSlice else {
            _ = try rewritten(unit)
            return
        }
        let header = if let read { read } else { try HEVCSliceHeader(unit: unit, sets: sets) }
        _ = try ids.pps(header.ppsID, upTo: 63)
        _ = try Self.head(of: unit, header)
    }

    /// SEI with new ids in the list of active sets. A buffering period goes: its length follows from models of
    /// buffers in the VPS and the SPS, and decoders do without. So do nested messages, which may name sets.
    ///
    /// The timing of pictures goes where an SPS has another id than 0: with several threads, FFmpeg's decoder reads
    /// it by SPS 0 whatever the list says, and refuses the picture where there is none. Pictures that are fields need
    /// it.
    private func sei(_ unit: ArraySlice<UInt8>) throws(BitstreamFault) -> [UInt8]? {
        let messages = try SEIMessage.list(of: unit, headerLength: 2)
        guard messages.contains(where: { [0, 1, 129, 133].contains($0.type) }) else {
            return Array(unit)
        }
        var kept: [SEIMessage] = []
        for message in messages {
            switch message.type {
            case 0, 133: continue
            case 1 where ids.sps.contains { $0 != $1 && $1 != 0 }:
                guard !sets.sps.values.contains(where: \.vui.hasFields) else {
                    throw .unsupported("the timing of fields under another SPS id")
                }
                continue
            case 129: kept.append(try activeSets(message))
            default: kept.append(message)
            }
        }
        let header = Array(unit.prefix(2))
        return kept.isEmpty ? nil : SEIMessage.unit(header: header, kept)
    }

    /// The list of active parameter sets with new ids; of one layer, as other layers are refused.
    private func activeSets(_ message: SEIMessage) throws(BitstreamFault) -> SEIMessage {
        var reader = BitReader(message.payload)
        var writer = BitWriter()
        writer.bits(try ids.vps(try reader.bits(4)), 4)
        writer.bits(try reader.bits(2), 2)
        let more = try reader.ue("num_sps_ids_minus1", upTo: 15)
        writer.ue(more)
        for _ in 0...more {
            writer.ue(try ids.sps(try reader.ue("active_seq_parameter_set_id", upTo: 15), upTo: 15))
        }
        if !writer.isAligned { writer.trailingBits() }
        return SEIMessage(type: message.type, payload: writer.bytes)
    }
}
