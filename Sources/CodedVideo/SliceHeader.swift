/// The header of a slice of H.264 or of a slice segment of HEVC.
package enum SliceHeader: Sendable {
    case h264(H264SliceHeader)
    case hevc(HEVCSliceHeader)
}

/// The parameter sets in a track's header, by which the headers of its slices are read.
enum HeaderSets: Sendable {
    case h264(H264ParameterSets)
    case hevc(HEVCParameterSets)

    /// Reads the sets of a header. Throws where one of them cannot be read.
    init(_ form: PacketForm) throws(BitstreamFault) {
        switch form.codec {
        case .h264: self = .h264(try H264ParameterSets(form.sets))
        case .hevc: self = .hevc(try HEVCParameterSets(form.sets))
        }
    }

    /// Reads the header of a slice's unit. Throws where it cannot be read, or goes by sets that are not among these.
    func slice(_ unit: ArraySlice<UInt8>) throws(BitstreamFault) -> SliceHeader {
        switch self {
        case .h264(let sets): .h264(try H264SliceHeader(unit: unit, sets: sets))
        case .hevc(let sets): .hevc(try HEVCSliceHeader(unit: unit, sets: sets))
        }
    }
}
