/// The form of a track's packets of H.264 or HEVC, as its header tells it: units behind start codes (Annex B), or with
/// their lengths in front.
package struct PacketForm: Hashable, Sendable {
    package enum Codec: Sendable { case h264, hevc }

    package let codec: Codec
    /// The bytes of a length; nil for Annex B.
    package let lengthSize: Int?
    /// The units of the parameter sets in the header, SPS extensions among them.
    package let sets: [[UInt8]]

    /// Reads a header: an `avcC`, an `hvcC`, or Annex B, which may be empty.
    package init(_ codec: Codec, header: [UInt8]) throws(BitstreamFault) {
        self.codec = codec
        // Files from before HEVC's standard was finished have version 0, and no start code.
        let isRecord = header.first == 1 || (codec == .hevc && header.first == 0 && !header.starts(with: [0, 0]))
        let units: [[UInt8]]
        if !isRecord {
            lengthSize = nil
            units = NALUnits.annexB(header[...]).map(Array.init)
        } else if codec == .hevc {
            let configuration = try HEVCConfiguration(header)
            (lengthSize, units) = (configuration.lengthSize, configuration.allUnits)
        } else {
            let configuration = try AVCConfiguration(header)
            lengthSize = configuration.lengthSize
            units = configuration.sps + configuration.pps + configuration.spsExtensions
        }
        sets = units.filter(codec.isSet)
    }

    /// A packet's units. Throws `.ended` where a length leads behind the packet's end.
    package func units(_ packet: ArraySlice<UInt8>) throws(BitstreamFault) -> [ArraySlice<UInt8>] {
        guard let lengthSize else { return NALUnits.annexB(packet) }
        return try NALUnits.lengthPrefixed(packet, lengthSize: lengthSize)
    }
}

extension PacketForm.Codec {
    /// Whether a unit is a parameter set, or an SPS's extension.
    package func isSet(_ unit: some Collection<UInt8>) -> Bool {
        switch self {
        case .h264: [.sps, .pps, .spsExtension].contains(H264NAL(unit)?.kind)
        case .hevc: [.vps, .sps, .pps].contains(HEVCNAL(unit)?.kind)
        }
    }

    /// Whether a unit is an access unit delimiter.
    package func isDelimiter(_ unit: some Collection<UInt8>) -> Bool {
        switch self {
        case .h264: H264NAL(unit)?.kind == .delimiter
        case .hevc: HEVCNAL(unit)?.kind == .delimiter
        }
    }

    /// A header of these parameter sets: an `avcC` or an `hvcC` with lengths of four bytes. Throws where two sets have
    /// one number and other content, and where there is no SPS.
    package func header(of sets: [[UInt8]]) throws(BitstreamFault) -> [UInt8] {
        switch self {
        case .h264:
            func all(_ kind: H264NAL.Kind) -> [[UInt8]] { sets.filter { H264NAL($0)?.kind == kind } }
            let (sps, pps) = (all(.sps), all(.pps))
            guard try H264ParameterSets(sets).list.count == sps.count + pps.count else {
                throw .unsupported("two parameter sets of one number")
            }
            return try AVCConfiguration(sps: sps, pps: pps, spsExtensions: all(.spsExtension)).bytes
        case .hevc:
            func all(_ kind: HEVCNAL.Kind) -> [[UInt8]] { sets.filter { HEVCNAL($0)?.kind == kind } }
            guard try HEVCParameterSets(sets).list.count == sets.count else {
                throw .unsupported("two parameter sets of one number")
            }
            return try HEVCConfiguration(vps: all(.vps), sps: all(.sps), pps: all(.pps)).bytes
        }
    }
}
