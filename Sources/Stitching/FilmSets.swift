internal import CodedVideo
internal import Diagnostics
internal import Libav
internal import Outputs
internal import Planning

/// The parameter sets of a film in its header, and the one form that rendered and copied packets have in it.
///
/// A film without copies has the encoder's header and packets as they are. H.264 and HEVC beside copies: the header is
/// an `avcC` or `hvcC` with the sets of the encoder and of all sources, and each NAL unit has its length in four bytes
/// in front. Sets that stand in the header, and delimiters, go from packets; every other unit stays byte for byte.
struct FilmSets {
    /// The header of the film's picture; empty for codecs without one.
    let header: [UInt8]
    private let units: UnitForm?
    /// The forms in which the sources have their packets, by their places in the plan's sets.
    private let sources: [PacketForm]

    /// `own` are the sets of the chunks that are rendered; nil where there is none. Throws `.settingsImpossible` where
    /// the plan's copied chunks cannot stand in one film with them.
    init(_ plan: RenderPlan, own: [UInt8]?) throws {
        guard let codec = plan.output.video?.codec, let copied = plan.copiedSets, !copied.isEmpty else {
            (header, units, sources) = (own ?? [], nil, [])
            return
        }
        guard codec == .h264 || codec == .hevc else {
            // Each packet tells all that its decoder needs; but FFV1's, which go by their header.
            let headers = Set(copied.map(\.header) + [own].compactMap(\.self))
            header = codec == .ffv1 ? headers.first ?? [] : own ?? []
            (units, sources) = (nil, [])
            guard codec != .ffv1 || headers.count == 1 else { throw Self.misfit("their headers differ") }
            return
        }
        do throws(BitstreamFault) {
            let forms = try copied.map { set throws(BitstreamFault) in try PacketForm(codec, header: set.header) }
            var sets: [[UInt8]] = []
            for set in try PacketForm(codec, header: own ?? []).sets + forms.flatMap(\.sets) where !sets.contains(set) {
                sets.append(set)
            }
            let form = UnitForm(isHEVC: codec == .hevc, sets: Set(sets))
            header = try form.header(of: sets)
            (units, sources) = (form, forms)
        } catch {
            throw Self.misfit("\(error)")
        }
    }

    /// A rendered chunk's packet as the film has it.
    func rendered(_ packet: consuming Packet) throws -> Packet {
        guard let units else { return packet }
        guard let list = units.kept(NALUnits.annexB(packet.data[...])) else {
            throw Self.misfit("an encoder changed its own within a chunk")
        }
        return try packet.with(NALUnits.lengthPrefixed(list))
    }

    /// A source's packet as the film has it; `sets` is the place of its sets in the plan.
    func copied(_ packet: consuming Packet, of sets: Int, path: String) throws -> Packet {
        guard let units else { return packet }
        guard sources.indices.contains(sets) else { throw Self.misfit("the plan has no sets \(sets)") }
        let form = sources[sets]
        let data = packet.data
        let (all, list): ([ArraySlice<UInt8>], [ArraySlice<UInt8>])
        do throws(BitstreamFault) {
            all = try form.units(data[...])
            guard let kept = units.kept(all) else { throw .unsupported("a parameter set that is not in the header") }
            list = kept
        } catch {
            throw SplitreelError(
                .settingsImpossible, operation: "copying", subject: path, reason: "\(error)",
                hint: "render it without copies")
        }
        if form.lengthSize == 4, list.count == all.count { return packet }
        return try packet.with(NALUnits.lengthPrefixed(list))
    }

    private static func misfit(_ reason: String) -> SplitreelError {
        SplitreelError(
            .settingsImpossible, operation: "stitching", subject: "the copied chunks",
            reason: "their parameter sets do not stand in one film: \(reason)", hint: "render it without copies")
    }
}

/// The form of packets of H.264 or HEVC: Annex B, or units with their lengths in front.
private struct PacketForm {
    /// The bytes of a length; nil for Annex B.
    let lengthSize: Int?
    /// The units of the parameter sets in the header.
    let sets: [[UInt8]]

    /// The form that a header tells: an `avcC` or `hvcC`, or Annex B, which may be empty.
    init(_ codec: PictureCodec, header: [UInt8]) throws(BitstreamFault) {
        guard header.first == 1 || (codec == .hevc && header.first == 0 && !header.starts(with: [0, 0])) else {
            lengthSize = nil
            sets = NALUnits.annexB(header[...]).map(Array.init).filter { UnitForm(isHEVC: codec == .hevc).isSet($0) }
            return
        }
        if codec == .hevc {
            let configuration = try HEVCConfiguration(header)
            lengthSize = configuration.lengthSize
            sets = configuration.allUnits.filter(UnitForm(isHEVC: true).isSet)
        } else {
            let configuration = try AVCConfiguration(header)
            lengthSize = configuration.lengthSize
            sets = configuration.sps + configuration.pps + configuration.spsExtensions
        }
    }

    func units(_ packet: ArraySlice<UInt8>) throws(BitstreamFault) -> [ArraySlice<UInt8>] {
        guard let lengthSize else { return NALUnits.annexB(packet) }
        return try NALUnits.lengthPrefixed(packet, lengthSize: lengthSize)
    }
}

/// The NAL units of a film's packets.
private struct UnitForm {
    let isHEVC: Bool
    /// The units in the header.
    var sets: Set<[UInt8]> = []

    private func type(_ unit: some Collection<UInt8>) -> UInt8 {
        guard let first = unit.first else { return 0 }
        return isHEVC ? first >> 1 & 63 : first & 31
    }

    func isSet(_ unit: some Collection<UInt8>) -> Bool {
        isHEVC ? (32...34).contains(type(unit)) : [7, 8, 13].contains(type(unit))
    }

    private func isDelimiter(_ unit: some Collection<UInt8>) -> Bool { type(unit) == (isHEVC ? 35 : 9) }

    /// The units without those of the header and without delimiters; nil where there is a set that the header lacks.
    func kept(_ units: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>]? {
        var kept: [ArraySlice<UInt8>] = []
        for unit in units {
            if isSet(unit) {
                guard sets.contains(Array(unit)) else { return nil }
            } else if !isDelimiter(unit) {
                kept.append(unit)
            }
        }
        return kept
    }

    /// The header with these sets.
    func header(of sets: [[UInt8]]) throws(BitstreamFault) -> [UInt8] {
        func all(_ number: UInt8) -> [[UInt8]] { sets.filter { type($0) == number } }
        try requireOneOfEach(sets)
        guard isHEVC else {
            return try AVCConfiguration(sps: all(7), pps: all(8), spsExtensions: all(13)).bytes
        }
        return try HEVCConfiguration(vps: all(32), sps: all(33), pps: all(34)).bytes
    }

    /// Throws where two sets have one number and other content.
    private func requireOneOfEach(_ sets: [[UInt8]]) throws(BitstreamFault) {
        let known = isHEVC ? try HEVCParameterSets(sets).list : try H264ParameterSets(sets).list
        guard known.count == sets.count(where: { isHEVC || type($0) != 13 }) else {
            throw .unsupported("two parameter sets of one number")
        }
    }
}
