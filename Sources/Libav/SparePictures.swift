package import CFFmpeg

/// Tells by a packet's bytes whether it holds a spare picture: one that no other picture of its track is made of.
///
/// A decoder that is not given such a packet makes the same of all others. Where the bytes leave a doubt, as damage
/// does, the answer is no. A value for one track; not to be used by two threads at once.
@safe
package struct SparePictures {
    private enum Coding { case mpeg, h264, hevc }

    /// The statement of a packet's unit about the packet.
    private enum Unit {
        /// A picture, or a part of one, that nothing refers to.
        case spare
        /// Something that concerns the packet's own picture alone.
        case own
        /// Something that later packets may need.
        case needed
    }

    private let coding: Coding
    /// The number of bytes that tell a unit's length, 1 to 4; nil where start codes part the units.
    private let lengthSize: Int?
    /// The highest sub-layer of HEVC that the track's header and the packets since `begin` allow, 0 to 6; nil where
    /// none of them tells. Pictures of sub-layers below it may be referred to in spite of their names.
    private var highest: Int?
    private let statedHighest: Int?

    /// nil for codecs whose packets do not tell it simply.
    package init?(_ parameters: AVCodecParameters) {
        let header = unsafe UnsafeRawBufferPointer(
            start: parameters.extradata, count: max(0, Int(parameters.extradata_size)))
        var size: Int?
        switch parameters.codec_id {
        case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO: coding = .mpeg
        case AV_CODEC_ID_H264:
            coding = .h264
            if unsafe header.count > 6 && header[0] == 1 { size = unsafe Int(header[4] & 3) + 1 }
        case AV_CODEC_ID_HEVC:
            coding = .hevc
            let hasRecord = unsafe header.count > 22 && (header[0] != 0 || header[1] != 0 || header[2] > 1)
            if hasRecord { size = unsafe Int(header[21] & 3) + 1 }
            statedHighest = unsafe hasRecord ? Self.highestOfRecord(header) : Self.highestOfUnits(header)
            (lengthSize, highest) = (size, statedHighest)
            return
        default: return nil
        }
        (lengthSize, statedHighest, highest) = (size, nil, nil)
    }

    /// Forgets the packets that it was asked about; call where decoding is entered.
    package mutating func begin() { highest = statedHighest }

    /// Whether the packet, the next one in decode order, holds a spare picture and nothing that another packet needs.
    package mutating func isSpare(_ packet: borrowing Packet) -> Bool {
        guard let data = unsafe packet.fields.data, packet.byteCount > 0 else { return false }
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: packet.byteCount)
        var (hasPicture, isNeeded) = (false, false)
        let isWhole = unsafe Self.forEachUnit(of: bytes, lengthSize) { unit in
            switch unsafe judge(unit) {
            case .spare: hasPicture = true
            case .own: break
            case .needed: isNeeded = true
            }
        }
        return isWhole && hasPicture && !isNeeded && !packet.isReconfiguring
    }

    private mutating func judge(_ unit: UnsafeRawBufferPointer) -> Unit {
        switch coding {
        case .mpeg: unsafe Self.judgeMPEG(unit)
        case .h264: unsafe Self.judgeH264(unit)
        case .hevc: unsafe judgeHEVC(unit)
        }
    }

    /// A unit of MPEG-1 or MPEG-2, from the byte on that follows its start code's prefix.
    private static func judgeMPEG(_ unit: UnsafeRawBufferPointer) -> Unit {
        switch unsafe unit[0] {
        case 0x00:
            // A picture's header: ten bits of its place, three of its type, of which 3 is B.
            return unsafe unit.count > 2 && unit[2] >> 3 & 7 == 3 ? .spare : .needed
        case 0x01...0xAF: return .own
        case 0xB2: return .own
        case 0xB5:
            // The extensions of a picture. Quantiser matrices, which have number 3, hold on.
            let kind = unsafe unit.count > 1 ? unit[1] >> 4 : 0
            return kind == 7 || kind == 8 ? .own : .needed
        default: return .needed
        }
    }

    private static func judgeH264(_ unit: UnsafeRawBufferPointer) -> Unit {
        let head = unsafe unit[0]
        switch head & 0x1f {
        case 1: return head & 0xe0 == 0 ? .spare : .needed
        // Supplemental information, a delimiter, filling.
        case 6, 9, 12: return .own
        default: return .needed
        }
    }

    private mutating func judgeHEVC(_ unit: UnsafeRawBufferPointer) -> Unit {
        guard unit.count > 2 else { return .needed }
        let head = unsafe Int(unit[0]) << 8 | Int(unit[1])
        let (type, layer, subLayer) = (head >> 9, head >> 3 & 0x3f, head & 7 - 1)
        guard head < 1 << 15, layer == 0 else { return .needed }
        switch type {
        // Pictures that no other one of their own sub-layer refers to.
        case 0, 2, 4, 6, 8: return subLayer == highest ? .spare : .needed
        case 33:
            if let found = unsafe Self.highestOfSet(unit) { highest = max(highest ?? 0, found) }
            return .needed
        // A delimiter, filling.
        case 35, 38: return .own
        // Supplemental information: a picture's timing, text, and sum. The rest may hold on.
        case 39, 40: return unsafe [1, 4, 5, 132].contains(unit[2]) ? .own : .needed
        default: return .needed
        }
    }

    /// The highest sub-layer that a sequence parameter set of HEVC states.
    private static func highestOfSet(_ unit: UnsafeRawBufferPointer) -> Int? {
        unsafe unit.count > 2 && unit[0] >> 1 == 33 ? Int(unit[2] >> 1 & 7) : nil
    }

    private static func highestOfUnits(_ header: UnsafeRawBufferPointer) -> Int? {
        var found: Int?
        _ = unsafe forEachUnit(of: header, nil) { unit in
            if let own = unsafe highestOfSet(unit) { found = max(found ?? 0, own) }
        }
        return found
    }

    /// The same of the record that MP4 and Matroska keep: arrays of units, each with a length of 16 bits.
    private static func highestOfRecord(_ header: UnsafeRawBufferPointer) -> Int? {
        var (found, place): (Int?, Int) = (nil, 23)
        func number(_ place: Int) -> Int { unsafe Int(header[place]) << 8 | Int(header[place + 1]) }
        for _ in 0..<(unsafe header[22]) {
            guard place + 3 <= header.count else { return found }
            let count = number(place + 1)
            place += 3
            for _ in 0..<count {
                guard place + 2 <= header.count, place + 2 + number(place) <= header.count else { return found }
                let unit = unsafe UnsafeRawBufferPointer(rebasing: header[place + 2..<place + 2 + number(place)])
                if let own = unsafe highestOfSet(unit) { found = max(found ?? 0, own) }
                place += 2 + unit.count
            }
        }
        return found
    }

    /// Calls `body` with each unit, none of them empty; false where the bytes are no row of units.
    private static func forEachUnit(
        of bytes: UnsafeRawBufferPointer, _ lengthSize: Int?, _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        guard let lengthSize else { return unsafe forEachStart(in: bytes, body) }
        var place = 0
        while place < bytes.count {
            guard place + lengthSize <= bytes.count else { return false }
            let length = (0..<lengthSize).reduce(0) { unsafe $0 << 8 | Int(bytes[place + $1]) }
            place += lengthSize
            guard length > 0, length <= bytes.count - place else { return false }
            unsafe body(UnsafeRawBufferPointer(rebasing: bytes[place..<place + length]))
            place += length
        }
        return true
    }

    private static func forEachStart(
        in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        var start: Int?
        var place = 0
        while place + 2 < bytes.count {
            // The prefix is 0, 0, 1: a third byte above 1 rules out that it begins at any of the three.
            if unsafe bytes[place + 2] > 1 {
                place += 3
            } else if unsafe bytes[place] == 0 && bytes[place + 1] == 0 && bytes[place + 2] == 1 {
                if let start, start < place { unsafe body(UnsafeRawBufferPointer(rebasing: bytes[start..<place])) }
                place += 3
                start = place
            } else {
                place += 1
            }
        }
        guard let start, start < bytes.count else { return false }
        unsafe body(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        return true
    }
}
