/// The header of a slice segment of HEVC, read to its end.
package struct HEVCSliceHeader: Hashable, Sendable {
    /// The kinds of slices, by `slice_type`.
    package enum SliceType: Int, Sendable { case b, p, i }

    package let nal: HEVCNAL
    /// Whether it is the first of a picture.
    package let isFirst: Bool
    package let ppsID: Int
    package let spsID: Int
    /// Whether it goes on with the header of the slice in front, and has no more than its place.
    package private(set) var isDependent = false
    /// Its first coding tree block.
    package private(set) var address = 0
    /// Nil in a dependent segment.
    package private(set) var type: SliceType?
    /// `pic_output_flag`: whether the picture is shown.
    package private(set) var isShown = true
    /// `slice_pic_order_cnt_lsb`; 0 in an IDR picture.
    package private(set) var orderLSB = 0
    /// The pictures near to it that stay.
    package private(set) var references = HEVCReferenceSet()
    /// The number of pictures far from it that stay.
    package private(set) var longTermCount = 0
    /// How many pictures each list of references has.
    package private(set) var listLengths = [0, 0]
    package private(set) var quantiserDelta = 0
    /// Sizes of the parts of its data in bytes, emulation prevention counted; the last part's is not said.
    package private(set) var entryPoints: [Int] = []
    /// The bits of the unit, without emulation prevention, in which `slice_pic_parameter_set_id` stands.
    let ppsIDBits: Range<Int>
    /// The bits before `byte_alignment()`, NAL header included, without emulation prevention.
    package private(set) var length = 0

    private var hasLumaOffsets = false
    private var hasChromaOffsets = false
    private var usedLongTerm = 0
    private var hasTemporalVectors = false

    /// Reads the header of a slice segment's unit. No more than its first 64 KiB are looked at.
    package init(unit: some Collection<UInt8>, sets: HEVCParameterSets) throws(BitstreamFault) {
        // Nearly all have some dozen bytes: the others are read again.
        let short = 128
        do throws(BitstreamFault) {
            try self.init(unit, sets, upTo: short)
        } catch {
            guard error == .ended, unit.count > short else { throw error }
            try self.init(unit, sets, upTo: 1 << 16)
        }
    }

    private init(
        _ unit: some Collection<UInt8>, _ sets: HEVCParameterSets, upTo limit: Int
    ) throws(BitstreamFault) {
        guard let nal = HEVCNAL(unit), nal.isSlice else { throw .unsupported("a unit that is no slice") }
        guard nal.layer == 0 else { throw .unsupported("nuh_layer_id \(nal.layer)") }
        guard !nal.isReservedSlice else { throw .unsupported("nal_unit_type \(nal.type)") }
        self.nal = nal
        var reader = BitReader(EmulationPrevention.removed(from: unit, upTo: limit).bytes)
        try reader.skip(16)
        isFirst = try reader.flag()
        if nal.isIRAP { try reader.skip(1) }
        let start = reader.position
        ppsID = try reader.ue("slice_pic_parameter_set_id", upTo: 63)
        ppsIDBits = start..<reader.position
        let (sps, pps) = try sets.sets(pps: ppsID)
        spsID = sps.id
        if !isFirst {
            if pps.hasDependentSlices { isDependent = try reader.flag() }
            address = try reader.bits(bitsNeeded(sps.blocks))
        }
        if !isDependent {
            try reader.skip(pps.extraBits)
            guard let type = SliceType(rawValue: try reader.ue("slice_type", upTo: 2)) else {
                throw .outOfRange("slice_type")
            }
            self.type = type
            if pps.hasOutputFlag { isShown = try reader.flag() }
            if sps.hasSeparatePlanes { try reader.skip(2) }
            if !nal.isIDR { try readOrder(&reader, sps) }
            if sps.hasOffsets {
                hasLumaOffsets = try reader.flag()
                if sps.chromaArrayType != 0 { hasChromaOffsets = try reader.flag() }
            }
            if type != .i { try readLists(&reader, type, sps, pps) }
            try readFilters(&reader, pps)
        }
        try readEnd(&reader, pps)
        length = reader.position
    }

    private mutating func readOrder(_ reader: inout BitReader, _ sps: HEVCSPS) throws(BitstreamFault) {
        orderLSB = try reader.bits(sps.orderBits)
        let sets = sps.referenceSets
        if try !reader.flag() {
            references = try HEVCReferenceSet(&reader, index: sets.count, sets: sets, isSlice: true)
        } else {
            let index = try reader.bits(bitsNeeded(sets.count))
            guard index < sets.count else { throw .outOfRange("short_term_ref_pic_set_idx") }
            references = sets[index]
        }
        if sps.hasLongTerm { try readLongTerm(&reader, sps) }
        if sps.hasTemporalVectors { hasTemporalVectors = try reader.flag() }
    }

    private mutating func readLongTerm(_ reader: inout BitReader, _ sps: HEVCSPS) throws(BitstreamFault) {
        let named = sps.longTermUse.isEmpty ? 0 : try reader.ue("num_long_term_sps", upTo: 32)
        longTermCount = named + (try reader.ue("num_long_term_pics", upTo: 32))
        for index in 0..<longTermCount {
            let isUsed: Bool
            if index < named {
                let place = try reader.bits(bitsNeeded(sps.longTermUse.count))
                guard place < sps.longTermUse.count else { throw .outOfRange("lt_idx_sps") }
                isUsed = sps.longTermUse[place]
            } else {
                try reader.skip(sps.orderBits)
                isUsed = try reader.flag()
            }
            if isUsed { usedLongTerm += 1 }
            if try reader.flag() { _ = try reader.ue("delta_poc_msb_cycle_lt") }
        }
    }

    private mutating func readLists(
        _ reader: inout BitReader, _ type: SliceType, _ sps: HEVCSPS, _ pps: HEVCPPS
    ) throws(BitstreamFault) {
        let lists = type == .b ? 2 : 1
        let isStated = try reader.flag()
        for list in 0..<lists {
            listLengths[list] =
                isStated ? try reader.ue("num_ref_idx_active_minus1", upTo: 14) + 1 : pps.references[list]
        }
        let pictures = references.usedCount + usedLongTerm + (pps.refersToItself ? 1 : 0)
        if pps.mayModifyLists, pictures > 1 {
            for list in 0..<lists where try reader.flag() {
                try reader.skip(listLengths[list] * bitsNeeded(pictures))
            }
        }
        if type == .b { try reader.skip(1) }
        if pps.hasCABACInit { try reader.skip(1) }
        if hasTemporalVectors {
            let isFirstList = type == .b ? try reader.flag() : true
            if listLengths[isFirstList ? 0 : 1] > 1 { _ = try reader.ue("collocated_ref_idx", upTo: 14) }
        }
        if type == .p ? pps.hasWeights : pps.hasBipredWeights {
            // A picture that refers to itself has no weight for itself, which takes its order to know.
            guard !pps.refersToItself else { throw .unsupported("pred_weight_table with pps_curr_pic_ref") }
            try skipWeights(&reader, lists: lists, hasChroma: sps.chromaArrayType != 0)
        }
        _ = try reader.ue("five_minus_max_num_merge_cand", upTo: 4)
        if sps.vectorResolution == 2 { try reader.skip(1) }
    }

    private func skipWeights(_ reader: inout BitReader, lists: Int, hasChroma: Bool) throws(BitstreamFault) {
        _ = try reader.ue("luma_log2_weight_denom", upTo: 7)
        if hasChroma { try reader.se("delta_chroma_log2_weight_denom") }
        for list in 0..<lists {
            let count = listLengths[list]
            var numbers = Array(repeating: 0, count: count)
            for index in 0..<count where try reader.flag() { numbers[index] += 2 }
            if hasChroma { for index in 0..<count where try reader.flag() { numbers[index] += 4 } }
            for _ in 0..<numbers.reduce(0, +) { try reader.se("delta_weight") }
        }
    }

    private mutating func readFilters(_ reader: inout BitReader, _ pps: HEVCPPS) throws(BitstreamFault) {
        quantiserDelta = try reader.se("slice_qp_delta")
        if pps.hasSliceChromaOffsets { for _ in 0..<2 { try reader.se("slice_cb_qp_offset") } }
        if pps.hasActOffsets { for _ in 0..<3 { try reader.se("slice_act_qp_offset") } }
        if pps.hasChromaOffsetLists { try reader.skip(1) }
        var isDeblockingOff = pps.isDeblockingOff
        if pps.mayOverrideDeblocking, try reader.flag() {
            isDeblockingOff = try reader.flag()
            if !isDeblockingOff { for _ in 0..<2 { try reader.se("slice_beta_offset_div2") } }
        }
        if pps.filtersAcrossSlices, hasLumaOffsets || hasChromaOffsets || !isDeblockingOff { try reader.skip(1) }
    }

    private mutating func readEnd(_ reader: inout BitReader, _ pps: HEVCPPS) throws(BitstreamFault) {
        if pps.hasEntryPoints {
            let count = try reader.ue("num_entry_point_offsets", upTo: 1 << 14)
            if count > 0 {
                let bits = try reader.ue("offset_len_minus1", upTo: 31) + 1
                for _ in 0..<count { entryPoints.append(try reader.bits(bits) + 1) }
            }
        }
        if pps.hasHeaderExtension {
            try reader.skip(8 * (try reader.ue("slice_segment_header_extension_length", upTo: 256)))
        }
    }
}
