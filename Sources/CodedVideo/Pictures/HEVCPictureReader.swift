/// A reader of packets of HEVC in the order of decoding: what each one holds.
package struct HEVCPictureReader: Sendable {
    /// The parameter sets that hold behind the last packet.
    package private(set) var sets: HEVCParameterSets

    /// A reader of a stream that begins with `sets`, the ones of its configuration.
    package init(sets: HEVCParameterSets) { self.sets = sets }

    /// The picture of a packet's units. Throws where a slice refers to sets that are not there, and for syntax that
    /// cannot be copied, among it other layers.
    package mutating func picture(_ units: [ArraySlice<UInt8>]) throws(BitstreamFault) -> CodedPicture {
        var picture = CodedPicture()
        var fields: CodedPicture.Structure?
        for unit in units {
            guard let nal = HEVCNAL(unit) else { throw .outOfRange("forbidden_zero_bit") }
            guard nal.layer == 0 || nal.type >= 48 else { throw .unsupported("nuh_layer_id \(nal.layer)") }
            if nal.isSlice {
                try take(HEVCSliceHeader(unit: unit, sets: sets), fields: fields, into: &picture)
                continue
            }
            switch nal.kind {
            case .vps, .sps, .pps:
                if let set = try sets.take(unit) { picture.parameterSets.append(set) }
            case .prefixSEI, .suffixSEI: try Self.takeSEI(unit, into: &picture, fields: &fields)
            case .delimiter: picture.hasDelimiter = true
            case .endOfSequence, .endOfStream: picture.endsSequence = true
            default: break
            }
        }
        return picture
    }

    private func take(
        _ header: HEVCSliceHeader, fields: CodedPicture.Structure?, into picture: inout CodedPicture
    ) throws(BitstreamFault) {
        let sps = try sets.sets(pps: header.ppsID).sps
        if picture.slices == 0 {
            picture.orderLSB = header.orderLSB
            picture.temporalID = header.nal.temporalID
            // In a lower sub-layer, pictures of higher ones may refer to it.
            picture.isReference = !(header.nal.isSubLayerNonReference && header.nal.temporalID == sps.subLayers - 1)
            if sps.vui.hasFields {
                guard let fields else { throw .missing("pic_struct of a field") }
                picture.structure = fields
            }
            switch header.nal.pictureKind {
            case .idr: picture.kind = .idr
            case .brokenLink: picture.kind = .brokenLink
            case .cleanRandomAccess: picture.kind = .cleanRandomAccess
            case .decodableLeading: picture.kind = .decodableLeading
            case .skippedLeading: picture.kind = .skippedLeading
            default: picture.kind = .inner
            }
        } else if header.isFirst {
            throw .unsupported("a packet of several pictures")
        }
        picture.slices += 1
        picture.ppsIDs.insert(header.ppsID)
        picture.spsIDs.insert(header.spsID)
        if let type = header.type, type != .i { picture.isIntra = false }
    }

    private static func takeSEI(
        _ unit: ArraySlice<UInt8>, into picture: inout CodedPicture, fields: inout CodedPicture.Structure?
    ) throws(BitstreamFault) {
        for message in try SEIMessage.list(of: unit, headerLength: 2) {
            switch message.type {
            case 0: picture.hasBufferingPeriod = true
            case 1:
                picture.hasTiming = true
                // `pic_struct`, of meaning where pictures are fields: alone, or a pair with the one before or behind.
                switch (message.payload.first ?? 0) >> 4 {
                case 1, 9, 11: fields = .topField
                case 2, 10, 12: fields = .bottomField
                default: fields = nil
                }
            case 6: picture.recovery = try RecoveryPoint(hevc: message.payload)
            default: if message.isCaptions { picture.hasCaptions = true }
            }
        }
    }
}
