import CodedVideo
import Foundation
import TestTools
import Testing

/// FFmpeg's own reader of headers finds the same values, and the same ends.
@Suite("Parameter sets and slice headers")
struct HeaderTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("headers") }

    private func trace(_ units: [some Collection<UInt8>], isHEVC: Bool) throws -> HeaderTrace {
        let path = try folder.write(Data(NALUnits.annexB(units)), to: "headers-\(UUID().uuidString)")
        return try HeaderTrace(path, isHEVC: isHEVC, in: folder)
    }

    @Test("Sets and slices of x264", arguments: MadeStream.allCases.filter { !$0.isHEVC })
    func h264(_ stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        let trace = try trace(film.units, isHEVC: false)
        let sets = try H264ParameterSets(film.sets)
        let sps = try #require(sets.sps.values.first)
        let set = try #require(trace.units("Sequence Parameter Set").first)
        #expect(set["seq_parameter_set_id"] == sps.id)
        #expect(set["profile_idc"] == sps.profile && set["level_idc"] == sps.level)
        #expect((set["chroma_format_idc"] ?? 1) == sps.chromaFormat)
        #expect((set["bit_depth_luma_minus8"] ?? 0) + 8 == sps.lumaDepth)
        #expect((set["bit_depth_chroma_minus8"] ?? 0) + 8 == sps.chromaDepth)
        #expect(set["frame_mbs_only_flag"] == (sps.hasFramesOnly ? 1 : 0))
        #expect(set["max_num_ref_frames"] == sps.referenceFrames)
        #expect(set["pic_order_cnt_type"] == sps.orderType)
        #expect(set["max_num_reorder_frames"] == sps.vui.reorderFrames)
        #expect(set["max_dec_frame_buffering"] == sps.vui.bufferedFrames)
        #expect(set["num_units_in_tick"] == sps.vui.timing?.units && set["time_scale"] == sps.vui.timing?.scale)
        #expect((set["nal_hrd_parameters_present_flag"] == 1) == (sps.vui.nalBuffers != nil))
        // The film's own size.
        #expect(sps.width == 320 && sps.height == 180)
        let pps = try #require(sets.pps.values.first)
        let picture = try #require(trace.units("Picture Parameter Set").first)
        #expect(picture["pic_parameter_set_id"] == pps.id && picture["seq_parameter_set_id"] == pps.spsID)
        #expect(picture["entropy_coding_mode_flag"] == (pps.hasCABAC ? 1 : 0))
        #expect(picture["weighted_pred_flag"] == (pps.hasWeights ? 1 : 0))
        #expect(picture["weighted_bipred_idc"] == pps.bipredWeights)

        let slices = try film.units.filter { H264NAL($0)?.isSlice == true }
            .map { try H264SliceHeader(unit: $0, sets: sets) }
        let traced = trace.units("Slice Header")
        #expect(slices.count == traced.count && slices.count >= 50)
        for (slice, fields) in zip(slices, traced) {
            #expect(fields["first_mb_in_slice"] == slice.firstBlock)
            #expect((fields["slice_type"] ?? 0) % 5 == slice.type.rawValue)
            #expect(fields["pic_parameter_set_id"] == slice.ppsID)
            #expect(fields["frame_num"] == slice.frameNumber)
            #expect(fields["idr_pic_id"] == slice.idrID)
            #expect((fields["pic_order_cnt_lsb"] ?? 0) == slice.orderLSB)
            #expect(fields["slice_qp_delta"] == slice.quantiserDelta)
            #expect(fields.all("memory_management_control_operation").filter { $0 != 0 } == slice.operations)
            #expect(fields.end == slice.length)
        }
    }

    @Test("Sets and slices of x265", arguments: MadeStream.allCases.filter(\.isHEVC))
    func hevc(_ stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        let trace = try trace(film.units, isHEVC: true)
        let sets = try HEVCParameterSets(film.sets)
        let sps = try #require(sets.sps.values.first)
        let set = try #require(trace.units("Sequence Parameter Set").first)
        #expect(set["general_profile_idc"] == sps.profile.profile && set["general_level_idc"] == sps.profile.level)
        #expect(set["general_tier_flag"] == (sps.profile.isHighTier ? 1 : 0))
        #expect(set["chroma_format_idc"] == sps.chromaFormat)
        #expect((set["bit_depth_luma_minus8"] ?? 0) + 8 == sps.lumaDepth)
        #expect(set.all("sps_max_num_reorder_pics").last == sps.reorderPictures)
        #expect((set.all("sps_max_dec_pic_buffering_minus1").last ?? 0) + 1 == sps.bufferedPictures)
        #expect((set["sps_max_sub_layers_minus1"] ?? 0) + 1 == sps.subLayers)
        #expect((set["matrix_coefficients"] ?? 2) == sps.vui.signal.matrix)
        #expect((set["transfer_characteristics"] ?? 2) == sps.vui.signal.transfer)
        #expect((set["colour_primaries"] ?? 2) == sps.vui.signal.primaries)
        #expect(set["vui_time_scale"] == sps.vui.timing?.scale)
        #expect(set["field_seq_flag"] == (sps.vui.hasFields ? 1 : 0))
        #expect(sps.width == 320 && sps.height == 180)

        let slices = try film.units.filter { HEVCNAL($0)?.isSlice == true }
            .map { try HEVCSliceHeader(unit: $0, sets: sets) }
        let traced = trace.units("Slice Segment Header")
        #expect(slices.count == traced.count && slices.count >= 50)
        for (slice, fields) in zip(slices, traced) {
            #expect(fields["nal_unit_type"] == slice.nal.type)
            #expect(fields["nuh_temporal_id_plus1"] == slice.nal.temporalID + 1)
            #expect(fields["slice_pic_parameter_set_id"] == slice.ppsID)
            #expect((fields["slice_segment_address"] ?? 0) == slice.address)
            #expect(fields["slice_type"] == slice.type?.rawValue)
            #expect((fields["slice_pic_order_cnt_lsb"] ?? 0) == slice.orderLSB)
            #expect(fields["slice_qp_delta"] == slice.quantiserDelta)
            #expect(fields.all("entry_point_offset_minus1").map { $0 + 1 } == slice.entryPoints)
            #expect(fields.end == slice.length)
        }
    }

    /// No encoder here codes fields as pictures of their own in H.264, so the test writes such headers bit by bit.
    /// Lists are put in order anew, references marked, slices weighted.
    @Test("Fields, weights and marks of H.264 that x264 does not write")
    func handWritten() throws {
        let units = [HandWritten.sps, HandWritten.pps(id: 3)] + HandWritten.slices(pps: 3)
        let sets = try H264ParameterSets(units)
        let headers = try units.dropFirst(2).map { try H264SliceHeader(unit: $0, sets: sets) }
        #expect(headers.map(\.structure) == [.topField, .bottomField, .frame])
        let traced = try trace(units, isHEVC: false).units("Slice Header")
        #expect(traced.count == 3)
        for (header, fields) in zip(headers, traced) {
            #expect(fields["field_pic_flag"] == (header.structure == .frame ? 0 : 1))
            #expect((fields["bottom_field_flag"] ?? 0) == (header.structure == .bottomField ? 1 : 0))
            #expect(fields.all("memory_management_control_operation").filter { $0 != 0 } == header.operations)
            #expect((fields["delta_pic_order_cnt_bottom"] ?? 0) == header.bottomOrderDelta)
            #expect(fields["redundant_pic_cnt"] == header.redundancy)
            #expect(fields.end == header.length)
        }
        let rewritten = HandWritten.slices(pps: 200)
        let rewriter = H264Rewriter(sets: sets, ids: try #require(Renumbering(sps: [0: 0], pps: [3: 200])))
        #expect(try units.dropFirst(2).map { try rewriter.rewritten($0[...]) } == rewritten)
    }
}

extension H264SliceHeader {
    /// The numbers of its operations on references, in order.
    fileprivate var operations: [Int] {
        if case .operations(let list) = marking { list } else { [] }
    }
}

/// Units of H.264 whose bits the test lays.
private enum HandWritten {
    static func unit(_ header: UInt8, _ write: (inout BitWriter) -> Void) -> [UInt8] {
        var writer = BitWriter()
        writer.bits(Int(header), 8)
        write(&writer)
        return EmulationPrevention.added(to: writer.bytes)
    }

    /// Main profile, 4:2:0, 320 × 192, fields allowed.
    static let sps = unit(0x67) { writer in
        for byte in [77, 0, 30] { writer.bits(byte, 8) }
        for value in [0, 4, 0, 2, 4] { writer.ue(value) }
        writer.flag(false)
        for value in [19, 5] { writer.ue(value) }
        // Fields with blocks of fields in frames, direct inference, no cropping, no VUI.
        for bit in [false, true, true, false, false] { writer.flag(bit) }
        writer.trailingBits()
    }

    /// CABAC, order of bottom fields, two references in each list, weights, deblocking, redundant pictures.
    static func pps(id: Int) -> [UInt8] {
        unit(0x68) { writer in
            writer.ue(id)
            writer.ue(0)
            for bit in [true, true] { writer.flag(bit) }
            for value in [0, 1, 1] { writer.ue(value) }
            writer.flag(true)
            writer.bits(1, 2)
            for value in [0, 0, 0] { writer.ue(value) }
            for bit in [true, false, true] { writer.flag(bit) }
            writer.trailingBits()
        }
    }

    /// A top field of I slices, a bottom field of P and a frame of B, with made up data that begin with zeros.
    static func slices(pps: Int) -> [[UInt8]] {
        [
            unit(0x65) { writer in
                for value in [0, 7, pps] { writer.ue(value) }
                writer.bits(0, 8)
                for bit in [true, false] { writer.flag(bit) }
                writer.ue(9)
                writer.bits(0, 6)
                writer.ue(0)
                writer.bits(1, 2)
                for value in [3, 0, 2, 1] { writer.ue(value) }
                data(&writer)
            },
            unit(0x41) { writer in
                for value in [0, 5, pps] { writer.ue(value) }
                writer.bits(0, 8)
                for bit in [true, true] { writer.flag(bit) }
                writer.bits(1, 6)
                writer.ue(0)
                writer.flag(false)
                // The list is put in order: one step back, and its end.
                writer.flag(true)
                for value in [0, 0, 3] { writer.ue(value) }
                weights(&writer, 2)
                // Marks: 1, 3 and 6 with their numbers, the end.
                writer.flag(true)
                for value in [1, 0, 3, 1, 2, 6, 1, 0] { writer.ue(value) }
                for value in [1, 6, 0, 3, 4] { writer.ue(value) }
                data(&writer)
            },
            unit(0x01) { writer in
                for value in [0, 6, pps] { writer.ue(value) }
                writer.bits(1, 8)
                writer.flag(false)
                writer.bits(4, 6)
                for value in [4, 0] { writer.ue(value) }
                // Spatial prediction; one reference in the first list and two in the second.
                for bit in [true, true] { writer.flag(bit) }
                for value in [0, 1] { writer.ue(value) }
                for bit in [false, false] { writer.flag(bit) }
                weights(&writer, 3)
                for value in [2, 5, 1] { writer.ue(value) }
                data(&writer)
            },
        ]
    }

    /// Weights of a number of references: denominators, then for every other one luma and chroma.
    private static func weights(_ writer: inout BitWriter, _ count: Int) {
        for value in [5, 4] { writer.ue(value) }
        for number in 0..<count {
            writer.flag(number & 1 == 0)
            if number & 1 == 0 { for value in [40, 3] { writer.ue(value) } }
            writer.flag(number & 1 == 1)
            if number & 1 == 1 { for value in [9, 8, 7, 6] { writer.ue(value) } }
        }
    }

    private static func data(_ writer: inout BitWriter) {
        writer.alignWithOnes()
        for byte in [0, 0, 1, 77, 0, 0, 3, 0, 0, 0, 200, 0x80] { writer.bits(byte, 8) }
    }
}
