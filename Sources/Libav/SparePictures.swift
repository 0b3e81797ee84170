package import CFFmpeg
internal import CodedVideo

/// Tells by a packet's bytes whether it holds a spare picture: one that no other picture of its track is made of.
///
/// A decoder that is not given such a packet makes the same of all others. Where the bytes leave a doubt, as damage
/// does, the answer is no. A value for one track; not to be used by two threads at once.
package struct SparePictures {
    /// The statement of a packet's unit about the packet.
    private enum Unit {
        /// A picture, or a part of one, that nothing refers to.
        case spare
        /// Something that concerns the packet's own picture alone.
        case own
        /// Something that later packets may need.
        case needed
    }

    /// The form of packets of H.264 and HEVC; nil for MPEG-1 and MPEG-2.
    private let form: PacketForm?
    /// The highest sub-layer of HEVC that the track's header and the packets since `begin` allow, 0 to 6; nil where
    /// none of them tells. Pictures of sub-layers below it may be referred to in spite of their names.
    private var highest: Int?
    private let statedHighest: Int?

    /// nil for codecs whose packets do not tell it simply.
    package init?(_ parameters: AVCodecParameters) {
        let codec: PacketForm.Codec
        switch parameters.codec_id {
        case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO:
            (form, highest, statedHighest) = (nil, nil, nil)
            return
        case AV_CODEC_ID_H264: codec = .h264
        case AV_CODEC_ID_HEVC: codec = .hevc
        default: return nil
        }
        let header = unsafe bytes(parameters.extradata, count: parameters.extradata_size)
        guard let form = try? PacketForm(codec, header: header) else { return nil }
        self.form = form
        statedHighest = form.sets.compactMap { Self.highest(of: $0[...]) }.max()
        highest = statedHighest
    }

    /// Forgets the packets that it was asked about; call where decoding is entered.
    package mutating func begin() { highest = statedHighest }

    /// Whether the packet, the next one in decode order, holds a spare picture and nothing that another packet needs.
    package mutating func isSpare(_ packet: borrowing Packet) -> Bool {
        !packet.isReconfiguring && isSpare(packet.data)
    }

    /// The same of a packet's bytes.
    package mutating func isSpare(_ packet: [UInt8]) -> Bool {
        guard let units = form.map({ try? $0.units(packet[...]) }) ?? NALUnits.annexB(packet[...]) else { return false }
        var (hasPicture, isNeeded) = (false, false)
        for unit in units {
            switch judge(unit) {
            case .spare: hasPicture = true
            case .own: break
            case .needed: isNeeded = true
            }
        }
        return hasPicture && !isNeeded
    }

    private mutating func judge(_ unit: ArraySlice<UInt8>) -> Unit {
        switch form?.codec {
        case .h264: Self.judgeH264(unit)
        case .hevc: judgeHEVC(unit)
        case nil: Self.judgeMPEG(unit)
        }
    }

    /// A unit of MPEG-1 or MPEG-2, from the byte on that follows its start code's prefix.
    private static func judgeMPEG(_ unit: ArraySlice<UInt8>) -> Unit {
        let head = Array(unit.prefix(3))
        switch head[0] {
        case 0x00:
            // A picture's header: ten bits of its place, three of its type, of which 3 is B.
            return head.count > 2 && head[2] >> 3 & 7 == 3 ? .spare : .needed
        case 0x01...0xAF: return .own
        case 0xB2: return .own
        case 0xB5:
            // The extensions of a picture. Quantiser matrices, which have number 3, hold on.
            let kind = head.count > 1 ? head[1] >> 4 : 0
            return kind == 7 || kind == 8 ? .own : .needed
        default: return .needed
        }
    }

    private static func judgeH264(_ unit: ArraySlice<UInt8>) -> Unit {
        guard let head = H264NAL(unit) else { return .needed }
        return switch head.kind {
        case .slice: head.referenceIDC == 0 ? .spare : .needed
        case .sei: isOwn(unit, headerLength: 1) ? .own : .needed
        case .delimiter, .filler: .own
        default: .needed
        }
    }

    private mutating func judgeHEVC(_ unit: ArraySlice<UInt8>) -> Unit {
        guard let head = HEVCNAL(unit), head.layer == 0 else { return .needed }
        switch head.kind {
        // Pictures that no other one of their own sub-layer refers to have the even types below 10.
        case nil: return head.type < 10 && head.type % 2 == 0 && head.temporalID == highest ? .spare : .needed
        case .sps:
            if let found = Self.highest(of: unit) { highest = max(highest ?? 0, found) }
            return .needed
        case .delimiter, .filler: return .own
        case .prefixSEI, .suffixSEI: return Self.isOwn(unit, headerLength: 2) ? .own : .needed
        default: return .needed
        }
    }

    /// Whether all messages of supplemental information are about the packet's picture alone: its timing, filling,
    /// text, and sum. Others may hold on.
    private static func isOwn(_ unit: ArraySlice<UInt8>, headerLength: Int) -> Bool {
        guard let messages = try? SEIMessage.list(of: unit, headerLength: headerLength) else { return false }
        return messages.allSatisfy { [1, 3, 4, 5, 132].contains($0.type) }
    }

    /// The highest sub-layer that a sequence parameter set of HEVC states; nil for other units.
    private static func highest(of unit: ArraySlice<UInt8>) -> Int? {
        let head = Array(unit.prefix(3))
        return HEVCNAL(head)?.kind == .sps && head.count > 2 ? Int(head[2] >> 1 & 7) : nil
    }
}
