/// A reader of packets of H.264 in the order of decoding: what each one holds.
package struct H264PictureReader: Sendable {
    /// The parameter sets that hold behind the last packet.
    package private(set) var sets: H264ParameterSets

    /// A reader of a stream that begins with `sets`, the ones of its configuration.
    package init(sets: H264ParameterSets) { self.sets = sets }

    /// The picture of a packet's units. Throws where a slice refers to sets that are not there, and for syntax that
    /// cannot be copied.
    package mutating func picture(_ units: [ArraySlice<UInt8>]) throws(BitstreamFault) -> CodedPicture {
        var picture = CodedPicture()
        var structures: [H264SliceHeader.Structure] = []
        var beginnings = 0
        picture.isReference = false
        for unit in units {
            guard let nal = H264NAL(unit) else { throw .outOfRange("forbidden_zero_bit") }
            if nal.isForeign { throw .unsupported("nal_unit_type \(nal.type)") }
            switch nal.kind {
            case .slice, .idrSlice:
                let header = try H264SliceHeader(unit: unit, sets: sets)
                if header.firstBlock == 0, header.redundancy == 0 { beginnings += 1 }
                if structures.last != header.structure { structures.append(header.structure) }
                Self.take(header, into: &picture)
            case .sps, .pps:
                if let set = try sets.take(unit) { picture.parameterSets.append(set) }
            case .sei: try Self.takeSEI(unit, into: &picture)
            case .delimiter: picture.hasDelimiter = true
            case .endOfSequence, .endOfStream: picture.endsSequence = true
            default: break
            }
        }
        guard picture.slices > 0 else { return picture }
        switch structures {
        case [.frame]: picture.structure = .frame
        case [.topField]: picture.structure = .topField
        case [.bottomField]: picture.structure = .bottomField
        case [.topField, .bottomField], [.bottomField, .topField]: picture.structure = .fieldPair
        default: throw .unsupported("a packet of several frames")
        }
        guard beginnings <= structures.count else { throw .unsupported("a packet of several frames") }
        // The second field of an IDR picture may be coded with the first in mind: no IDR slice, and not intra.
        if picture.kind != .idr, let recovery = picture.recovery, recovery.count == 0, !recovery.isBroken,
            recovery.isExact || picture.isIntra
        {
            picture.kind = .recovery
        }
        return picture
    }

    private static func take(_ header: H264SliceHeader, into picture: inout CodedPicture) {
        if picture.slices == 0 {
            picture.orderLSB = header.orderLSB
            picture.frameNumber = header.frameNumber
            picture.idrID = header.idrID
            if header.isIDR { picture.kind = .idr }
        }
        picture.slices += 1
        picture.ppsIDs.insert(header.ppsID)
        picture.spsIDs.insert(header.spsID)
        if header.nal.referenceIDC != 0 { picture.isReference = true }
        if header.type != .i, header.type != .si { picture.isIntra = false }
        if case .operations(let list) = header.marking, list.contains(5) { picture.forgetsAll = true }
    }

    private static func takeSEI(_ unit: ArraySlice<UInt8>, into picture: inout CodedPicture) throws(BitstreamFault) {
        for message in try SEIMessage.list(of: unit, headerLength: 1) {
            switch message.type {
            case 0: picture.hasBufferingPeriod = true
            case 1: picture.hasTiming = true
            case 6: picture.recovery = try RecoveryPoint(h264: message.payload)
            default: if message.isCaptions { picture.hasCaptions = true }
            }
        }
    }
}
