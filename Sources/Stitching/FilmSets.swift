internal import Diagnostics
internal import Libav
internal import Outputs
internal import Planning

/// The parameter sets of a film in its header, and the one form that rendered and copied packets have in it.
struct FilmSets {
    /// The header of the film's picture; empty for codecs without one.
    let header: [UInt8]

    /// `own` are the sets of the chunks that are rendered; nil where there is none. Throws `.settingsImpossible` where
    /// the plan's copied chunks cannot stand in one film with them.
    init(_ plan: RenderPlan, own: [UInt8]?) throws {
        guard let codec = plan.output.video?.codec, let copied = plan.copiedSets, !copied.isEmpty else {
            header = own ?? []
            return
        }
        guard codec == .ffv1 else {
            // Each packet of the others tells all that its decoder needs.
            header = own ?? []
            return
        }
        let headers = Set(copied.map(\.header) + [own].compactMap(\.self))
        guard headers.count == 1, let only = headers.first else {
            throw SplitreelError(
                .settingsImpossible, operation: "stitching", subject: "the copied chunks",
                reason: "their headers differ from each other's or from the encoder's", hint: "render it without copies")
        }
        header = only
    }

    /// A rendered chunk's packet as the film has it.
    func rendered(_ packet: consuming Packet) throws -> Packet { packet }

    /// A source's packet as the film has it; `sets` is the place of its sets in the plan.
    func copied(_ packet: consuming Packet, of sets: Int, path: String) throws -> Packet { packet }
}
