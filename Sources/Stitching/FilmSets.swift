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
    private let units: FilmUnits?
    /// The forms in which the sources have their packets, by their places in the plan's sets.
    private let sources: [PacketForm]

    /// `own` are the sets of the chunks that are rendered; nil where there is none. Throws `.settingsImpossible` where
    /// the plan's copied chunks cannot stand in one film with them.
    init(_ plan: RenderPlan, own: [UInt8]?) throws {
        guard let codec = plan.output.video?.codec, let copied = plan.copiedSets, !copied.isEmpty else {
            (header, units, sources) = (own ?? [], nil, [])
            return
        }
        guard let coding = codec.packetCodec else {
            // Each packet tells all that its decoder needs; but FFV1's, which go by their header.
            let headers = Set(copied.map(\.header) + [own].compactMap(\.self))
            header = codec == .ffv1 ? headers.first ?? [] : own ?? []
            (units, sources) = (nil, [])
            guard codec != .ffv1 || headers.count == 1 else { throw Self.misfit("their headers differ") }
            return
        }
        do throws(BitstreamFault) {
            let forms = try copied.map { set throws(BitstreamFault) in try PacketForm(coding, header: set.header) }
            var sets: [[UInt8]] = []
            for set in try PacketForm(coding, header: own ?? []).sets + forms.flatMap(\.sets) where !sets.contains(set)
            {
                sets.append(set)
            }
            header = try coding.header(of: sets)
            (units, sources) = (FilmUnits(codec: coding, sets: Set(sets)), forms)
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

extension PictureCodec {
    /// The codec as its packets are read; nil for those whose packets tell all that their decoder needs, and FFV1.
    fileprivate var packetCodec: PacketForm.Codec? {
        switch self {
        case .h264: .h264
        case .hevc: .hevc
        default: nil
        }
    }
}

/// The NAL units of a film's packets.
private struct FilmUnits {
    let codec: PacketForm.Codec
    /// The units in the header.
    let sets: Set<[UInt8]>

    /// The units without those of the header and without delimiters; nil where there is a set that the header lacks.
    func kept(_ units: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>]? {
        var kept: [ArraySlice<UInt8>] = []
        for unit in units {
            if codec.isSet(unit) {
                guard sets.contains(Array(unit)) else { return nil }
            } else if !codec.isDelimiter(unit) {
                kept.append(unit)
            }
        }
        return kept
    }
}
