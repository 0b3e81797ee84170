internal import CodedVideo
internal import Diagnostics
internal import Libav
internal import Outputs
internal import Planning

/// The parameter sets of a film in its header, and the one form that rendered and copied packets have in it.
///
/// A film without copies has the encoder's header and packets as they are. H.264 and HEVC beside copies: the header is
/// an `avcC` or `hvcC` with the sets of the encoder and of all sources, and each NAL unit has its length in four bytes
/// in front. Where the sets state several reorder depths, all state the largest.
///
/// Sets that stand in the header, and delimiters, go from packets. Every other unit stays byte for byte, but for two
/// reasons to rewrite one: the plan has other numbers for the sets that it names, or it is of an IDR picture that has
/// the `idr_pic_id` of one just before it. Confined to one thread at a time, and told all packets in order.
final class FilmSets {
    /// The header of the film's picture; empty for codecs without one.
    let header: [UInt8]
    /// The packets' forms, of the encoder and of the sources by their places in the plan's sets; nil where packets stay
    /// as they are.
    private let forms: (own: FilmUnits, sources: [FilmUnits])?
    /// `idr_pic_id` of the last packet; nil where it was no IDR picture of H.264.
    private var lastIDR: Int?

    /// `own` are the sets of the chunks that are rendered; nil where there is none. Throws `.settingsImpossible` where
    /// the plan's copied chunks cannot stand in one film with them.
    init(_ plan: RenderPlan, own: [UInt8]?) throws {
        guard let codec = plan.output.video?.codec, let copied = plan.copiedSets, !copied.isEmpty else {
            (header, forms) = (own ?? [], nil)
            return
        }
        guard let coding = codec.packetCodec else {
            // Each packet tells all that its decoder needs; but FFV1's, which go by their header.
            let headers = Set(copied.map(\.header) + [own].compactMap(\.self))
            header = codec == .ffv1 ? headers.first ?? [] : own ?? []
            forms = nil
            guard codec != .ffv1 || headers.count == 1 else { throw Self.misfit("their headers differ") }
            return
        }
        do throws(BitstreamFault) {
            let made = try FilmUnits(coding, header: own ?? [], numbers: nil)
            let sources = try copied.map { set throws(BitstreamFault) in
                try FilmUnits(coding, header: set.header, numbers: set.numbers)
            }
            var sets: [[UInt8]] = []
            for set in made.sets + sources.flatMap(\.sets) where !sets.contains(set) { sets.append(set) }
            let depth = plan.output.video?.reorderDepth ?? 0
            header = try coding.header(of: try coding.withOneReorderDepth(sets, least: depth))
            forms = (made, sources)
        } catch {
            throw Self.misfit("\(error)")
        }
    }

    /// A rendered chunk's packet as the film has it.
    func rendered(_ packet: consuming Packet) throws -> Packet {
        guard let form = forms?.own else { return packet }
        let data: [UInt8]
        do throws(BitstreamFault) {
            data = NALUnits.lengthPrefixed(try units(of: packet.data, form).units)
        } catch {
            throw Self.misfit("a packet of the encoder: \(error)")
        }
        return try packet.with(data)
    }

    /// A source's packet as the film has it; `sets` is the place of its sets in the plan.
    func copied(_ packet: consuming Packet, of sets: Int, path: String) throws -> Packet {
        guard let sources = forms?.sources else { return packet }
        guard sources.indices.contains(sets) else { throw Self.misfit("the plan has no sets \(sets)") }
        let form = sources[sets]
        let (list, isWhole): ([ArraySlice<UInt8>], Bool)
        do throws(BitstreamFault) {
            (list, isWhole) = try units(of: packet.data, form)
        } catch {
            throw SplitreelError(
                .settingsImpossible, operation: "copying", subject: path, reason: "\(error)",
                hint: "render it without copies")
        }
        if isWhole, form.form.lengthSize == 4 { return packet }
        return try packet.with(NALUnits.lengthPrefixed(list))
    }

    /// The units of the next packet as the film has them, and whether they are all of the packet's as they were.
    private func units(
        of packet: [UInt8], _ form: FilmUnits
    ) throws(BitstreamFault) -> (units: [ArraySlice<UInt8>], isWhole: Bool) {
        let all = try form.form.units(packet[...])
        let kept = try form.kept(all)
        var idrID = form.rewriter.idrID(of: kept)
        // Two such pictures in a row differ in it, so that decoders tell them apart.
        let isSame = idrID != nil && idrID == lastIDR
        if isSame { idrID = idrID == 0 ? 1 : 0 }
        lastIDR = idrID
        guard isSame || form.isRenumbered else { return (kept, kept.count == all.count) }
        var units: [ArraySlice<UInt8>] = []
        for unit in kept {
            // Under the old numbers the picture's slices alone change.
            guard form.isRenumbered || form.rewriter.idrID(of: [unit]) != nil else {
                units.append(unit)
                continue
            }
            if let unit = try form.rewriter.rewritten(unit, idrID: isSame ? idrID : nil) { units.append(unit[...]) }
        }
        return (units, false)
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

/// The NAL units of packets that go by one header.
private struct FilmUnits {
    let form: PacketForm
    let rewriter: SetRewriter
    let isRenumbered: Bool
    /// The header's sets as the film has them.
    let sets: [[UInt8]]
    /// The header's sets as they are.
    private let old: Set<[UInt8]>

    init(_ codec: PacketForm.Codec, header: [UInt8], numbers: [Int: Int]?) throws(BitstreamFault) {
        form = try PacketForm(codec, header: header)
        rewriter = try SetRewriter(form, numbers: numbers)
        isRenumbered = numbers != nil
        old = Set(form.sets)
        guard isRenumbered else {
            sets = form.sets
            return
        }
        var sets: [[UInt8]] = []
        for set in form.sets { if let new = try rewriter.rewritten(set[...]) { sets.append(new) } }
        self.sets = sets
    }

    /// The units without those of the header and without delimiters. Throws for a set that the header lacks.
    func kept(_ units: [ArraySlice<UInt8>]) throws(BitstreamFault) -> [ArraySlice<UInt8>] {
        var kept: [ArraySlice<UInt8>] = []
        for unit in units {
            if form.codec.isSet(unit) {
                guard old.contains(Array(unit)) else { throw .unsupported("a parameter set that is not in the header") }
            } else if !form.codec.isDelimiter(unit) {
                kept.append(unit)
            }
        }
        return kept
    }
}
