/// A rewriter that gives parameter sets of H.264 other ids, and slices the ids of these. Pixels stay what they are:
/// data of slices move by some bits, and never change.
///
/// It is for streams that go by the sets of their configuration alone: a set in band is one of them once more.
package struct H264Rewriter: Sendable {
    /// The sets with their old ids.
    private let sets: H264ParameterSets
    private let ids: Renumbering

    package init(sets: H264ParameterSets, ids: Renumbering) {
        self.sets = sets
        self.ids = ids
    }

    /// The unit with new ids; nil where nothing of it is left. `idrID` takes the place of `idr_pic_id`, as two
    /// IDR pictures in a row must differ in it.
    ///
    /// Delimiters, filler, ends and other units without ids pass as they are. Throws where an id has no new one, and
    /// for what this module cannot rewrite.
    package func rewritten(_ unit: ArraySlice<UInt8>, idrID: Int? = nil) throws(BitstreamFault) -> [UInt8]? {
        guard let nal = H264NAL(unit) else { throw .outOfRange("forbidden_zero_bit") }
        if nal.isForeign { throw .unsupported("nal_unit_type \(nal.type)") }
        switch nal.kind {
        case .slice, .idrSlice: return try slice(unit, idrID: idrID)
        case .sps: return try Self.renumbered(unit, from: H264SPS.bitsBeforeID, sps: ids)
        case .pps: return try ids.renumbered(pps: unit, behind: 8, upTo: (pps: 255, sps: 31))
        case .spsExtension: return try Self.renumbered(unit, from: 8, sps: ids)
        case .sei: return try sei(unit)
        default: return Array(unit)
        }
    }

    private static func renumbered(
        _ unit: ArraySlice<UInt8>, from start: Int, sps ids: Renumbering
    ) throws(BitstreamFault) -> [UInt8] {
        let bytes = EmulationPrevention.removed(from: unit)
        var reader = BitReader(bytes)
        try reader.skip(start)
        let sps = try Replacement.next(&reader, "seq_parameter_set_id") { id throws(BitstreamFault) in
            try ids.sps(id, upTo: 31)
        }
        return try Replacement.wholeUnit([sps], bytes)
    }

    private func slice(_ unit: ArraySlice<UInt8>, idrID: Int?) throws(BitstreamFault) -> [UInt8] {
        let header = try H264SliceHeader(unit: unit, sets: sets)
        var changes = [Replacement(range: header.ppsIDBits, value: try ids.pps(header.ppsID, upTo: 255))]
        if let idrID, let range = header.idrIDBits {
            guard (0...65535).contains(idrID) else { throw .outOfRange("idr_pic_id") }
            changes.append(Replacement(range: range, value: idrID))
        }
        guard let head = try head(of: unit, header) else {
            return try Replacement.wholeUnit(changes, EmulationPrevention.removed(from: unit))
        }
        var writer = Replacement.applied(changes, to: head.bytes, end: header.length)
        writer.alignWithOnes()
        return head.replaced(by: writer.bytes, in: unit)
    }

    /// The head of a slice; nil for CAVLC. Data of CABAC begin at a whole byte, before and after: they are taken as
    /// they stand.
    private func head(of unit: ArraySlice<UInt8>, _ header: H264SliceHeader) throws(BitstreamFault) -> SliceHead? {
        guard try sets.sets(pps: header.ppsID).pps.hasCABAC else { return nil }
        let count = (header.length + 7) / 8
        return try SliceHead(
            of: unit, count: count, headerBits: header.length, alignment: (1 << (count * 8 - header.length)) - 1,
            "cabac_alignment_one_bit")
    }

    /// Throws what `rewritten` would throw for the unit. Of a slice no more than the header is looked at; `read` is
    /// that header where it was read already.
    package func check(_ unit: ArraySlice<UInt8>, read: H264SliceHeader? = nil) throws(BitstreamFault) {
        guard let nal = H264NAL(unit), nal.isSlice else {
            _ = try rewritten(unit)
            return
        }
        let header = if let read { read } else { try H264SliceHeader(unit: unit, sets: sets) }
        _ = try ids.pps(header.ppsID, upTo: 255)
        _ = try head(of: unit, header)
    }

    /// `idr_pic_id` of a slice; nil for units of other kinds, and where the header cannot be read.
    package func idrID(of unit: ArraySlice<UInt8>) -> Int? {
        guard H264NAL(unit)?.kind == .idrSlice else { return nil }
        return try? H264SliceHeader(unit: unit, sets: sets).idrID
    }

    /// SEI with the new id in a buffering period. Scalable nesting, which names sets too, goes: it tells of further
    /// layers.
    private func sei(_ unit: ArraySlice<UInt8>) throws(BitstreamFault) -> [UInt8]? {
        let messages = try SEIMessage.list(of: unit, headerLength: 1)
        guard messages.contains(where: { [0, 30, 37].contains($0.type) }) else { return Array(unit) }
        var kept: [SEIMessage] = []
        for message in messages {
            switch message.type {
            case 0: kept.append(try bufferingPeriod(message))
            case 30, 37: continue
            default: kept.append(message)
            }
        }
        let header = Array(unit.prefix(1))
        return kept.isEmpty ? nil : SEIMessage.unit(header: header, kept)
    }

    /// A buffering period with the new id of its SPS; its length follows from the SPS's buffers.
    private func bufferingPeriod(_ message: SEIMessage) throws(BitstreamFault) -> SEIMessage {
        var reader = BitReader(message.payload)
        let id = try reader.ue("seq_parameter_set_id", upTo: 31)
        let range = 0..<reader.position
        guard let sps = sets.sps[id] else { throw .missing("SPS \(id)") }
        for buffers in [sps.vui.nalBuffers, sps.vui.videoBuffers].compactMap({ $0 }) {
            try reader.skip(2 * buffers.count * buffers.delayBits)
        }
        let change = Replacement(range: range, value: try ids.sps(id, upTo: 31))
        var writer = Replacement.applied([change], to: message.payload, end: reader.position)
        // A payload that ends within a byte is filled up in the form of trailing bits.
        if !writer.isAligned { writer.trailingBits() }
        return SEIMessage(type: 0, payload: writer.bytes)
    }
}
