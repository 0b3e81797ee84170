/// The header of a slice of H.264, read to its end.
package struct H264SliceHeader: Hashable, Sendable {
    /// The kinds of slices, by `slice_type` modulo 5.
    package enum SliceType: Int, Sendable { case p, b, i, sp, si }

    /// The part of a frame that a picture is.
    package enum Structure: Hashable, Sendable { case frame, topField, bottomField }

    /// How references are marked after this picture: `dec_ref_pic_marking`.
    package enum Marking: Hashable, Sendable {
        /// The oldest goes, or nothing refers to this picture.
        case sliding
        /// An IDR picture: nothing before it stays. It may stay for long itself. What was not shown yet may go unshown.
        case idr(isLongTerm: Bool, dropsPrior: Bool)
        /// Operations, by their numbers 1...6. With 5 everything goes, as with an IDR picture.
        case operations([Int])
    }

    package let nal: H264NAL
    /// The address of its first macroblock: 0 in a picture's first slice.
    package let firstBlock: Int
    package let type: SliceType
    /// Whether all slices of the picture are said to have this type.
    package let isOfOneType: Bool
    package let ppsID: Int
    package let spsID: Int
    package let frameNumber: Int
    package let structure: Structure
    /// `idr_pic_id`; nil for other pictures.
    package private(set) var idrID: Int?
    /// `pic_order_cnt_lsb`; 0 where the order has another type.
    package private(set) var orderLSB = 0
    /// The distance of the bottom field from the top one (type 0), or from its expected one (type 1).
    package private(set) var bottomOrderDelta = 0
    /// The distance from the order that is expected of the picture; 0 where the order has another type than 1.
    package private(set) var orderDelta = 0
    package private(set) var redundancy = 0
    /// How many pictures each list of references has.
    package private(set) var references = [0, 0]
    package private(set) var marking = Marking.sliding
    package private(set) var quantiserDelta = 0
    /// The bits of the unit, without emulation prevention, in which `pic_parameter_set_id` and `idr_pic_id` stand.
    let ppsIDBits: Range<Int>
    private(set) var idrIDBits: Range<Int>?
    /// The bits before the slice's data, NAL header included, without emulation prevention.
    package private(set) var length = 0

    /// Reads the header of a slice's unit. Headers have some dozen bytes: no more than 4,096 of them are looked at.
    package init(unit: some Collection<UInt8>, sets: H264ParameterSets) throws(BitstreamFault) {
        // Nearly all have some dozen bytes: the others are read again.
        let short = 128
        do throws(BitstreamFault) {
            try self.init(unit, sets, upTo: short)
        } catch {
            guard error == .ended, unit.count > short else { throw error }
            try self.init(unit, sets, upTo: 4096)
        }
    }

    private init(
        _ unit: some Collection<UInt8>, _ sets: H264ParameterSets, upTo limit: Int
    ) throws(BitstreamFault) {
        guard let nal = H264NAL(unit), nal.isSlice else { throw .unsupported("a unit that is no slice") }
        self.nal = nal
        let isIDR = nal.kind == .idrSlice
        var reader = BitReader(EmulationPrevention.removed(from: unit, upTo: limit).bytes)
        try reader.skip(8)
        firstBlock = try reader.ue("first_mb_in_slice", upTo: 1 << 24)
        let number = try reader.ue("slice_type", upTo: 9)
        guard let type = SliceType(rawValue: number % 5) else { throw .outOfRange("slice_type") }
        self.type = type
        isOfOneType = number > 4
        let start = reader.position
        ppsID = try reader.ue("pic_parameter_set_id", upTo: 255)
        ppsIDBits = start..<reader.position
        let (sps, pps) = try sets.sets(pps: ppsID)
        spsID = sps.id
        if sps.hasSeparatePlanes { try reader.skip(2) }
        frameNumber = try reader.bits(sps.frameNumberBits)
        structure = try Self.structure(&reader, sps)
        if isIDR {
            let start = reader.position
            idrID = try reader.ue("idr_pic_id", upTo: 65535)
            idrIDBits = start..<reader.position
        }
        try readOrder(&reader, sps, pps)
        if pps.hasRedundancy { redundancy = try reader.ue("redundant_pic_cnt", upTo: 127) }
        try readReferences(&reader, sps, pps)
        if nal.referenceIDC != 0 { marking = try Self.marking(&reader, isIDR: isIDR) }
        try readEnd(&reader, sps, pps)
        length = reader.position
    }

    private static func structure(_ reader: inout BitReader, _ sps: H264SPS) throws(BitstreamFault) -> Structure {
        guard !sps.hasFramesOnly, try reader.flag() else { return .frame }
        return try reader.flag() ? .bottomField : .topField
    }

    private mutating func readOrder(
        _ reader: inout BitReader, _ sps: H264SPS, _ pps: H264PPS
    ) throws(BitstreamFault) {
        let hasBottom = pps.hasBottomOrder && structure == .frame
        if sps.orderType == 0 {
            orderLSB = try reader.bits(sps.orderBits)
            if hasBottom { bottomOrderDelta = try reader.se("delta_pic_order_cnt_bottom") }
        } else if sps.orderType == 1, !sps.hasNoOrderDelta {
            orderDelta = try reader.se("delta_pic_order_cnt")
            if hasBottom { bottomOrderDelta = try reader.se("delta_pic_order_cnt") }
        }
    }

    private mutating func readReferences(
        _ reader: inout BitReader, _ sps: H264SPS, _ pps: H264PPS
    ) throws(BitstreamFault) {
        let lists = type == .b ? 2 : type == .p || type == .sp ? 1 : 0
        if type == .b { try reader.skip(1) }
        guard lists > 0 else { return }
        let isStated = try reader.flag()
        for list in 0..<lists {
            references[list] =
                isStated ? try reader.ue("num_ref_idx_active_minus1", upTo: 31) + 1 : pps.references[list]
        }
        for _ in 0..<lists where try reader.flag() { try Self.skipOrderOfList(&reader) }
        if type == .b ? pps.bipredWeights == 1 : pps.hasWeights {
            try skipWeights(&reader, lists: lists, hasChroma: sps.chromaArrayType != 0)
        }
    }

    private static func skipOrderOfList(_ reader: inout BitReader) throws(BitstreamFault) {
        while true {
            let step = try reader.ue("modification_of_pic_nums_idc", upTo: 3)
            if step == 3 { return }
            _ = try reader.ue("abs_diff_pic_num_minus1")
        }
    }

    private func skipWeights(_ reader: inout BitReader, lists: Int, hasChroma: Bool) throws(BitstreamFault) {
        _ = try reader.ue("luma_log2_weight_denom", upTo: 7)
        if hasChroma { _ = try reader.ue("chroma_log2_weight_denom", upTo: 7) }
        for list in 0..<lists {
            for _ in 0..<references[list] {
                if try reader.flag() { for _ in 0..<2 { try reader.se("luma_weight") } }
                if hasChroma, try reader.flag() { for _ in 0..<4 { try reader.se("chroma_weight") } }
            }
        }
    }

    private static func marking(_ reader: inout BitReader, isIDR: Bool) throws(BitstreamFault) -> Marking {
        if isIDR {
            let dropsPrior = try reader.flag()
            return .idr(isLongTerm: try reader.flag(), dropsPrior: dropsPrior)
        }
        guard try reader.flag() else { return .sliding }
        var operations: [Int] = []
        while true {
            let operation = try reader.ue("memory_management_control_operation", upTo: 6)
            if operation == 0 { return .operations(operations) }
            if operation != 5 { _ = try reader.ue("difference_of_pic_nums_minus1") }
            if operation == 3 { _ = try reader.ue("long_term_frame_idx") }
            operations.append(operation)
        }
    }

    private mutating func readEnd(_ reader: inout BitReader, _ sps: H264SPS, _ pps: H264PPS) throws(BitstreamFault) {
        if pps.hasCABAC, type != .i, type != .si { _ = try reader.ue("cabac_init_idc", upTo: 2) }
        quantiserDelta = try reader.se("slice_qp_delta")
        if type == .sp { try reader.skip(1) }
        if type == .sp || type == .si { try reader.se("slice_qs_delta") }
        if pps.hasDeblocking, try reader.ue("disable_deblocking_filter_idc", upTo: 2) != 1 {
            try reader.se("slice_alpha_c0_offset_div2")
            try reader.se("slice_beta_offset_div2")
        }
        if pps.groups.count > 1, (3...5).contains(pps.groups.type) {
            // The cycle counts from 0 to the number of steps in which the map's units change their group.
            let units = sps.widthInBlocks * sps.heightInMapUnits
            let steps = (units + pps.groups.changeRate - 1) / pps.groups.changeRate
            try reader.skip(bitsNeeded(steps + 1))
        }
    }
}
