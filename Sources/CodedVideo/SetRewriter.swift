/// The units of a track under other numbers of its parameter sets: the sets, and all that names them. Pictures stay
/// what they are.
///
/// The track goes by the sets of its header alone.
package struct SetRewriter: Sendable {
    private enum Coding: Sendable {
        case h264(H264Rewriter)
        case hevc(HEVCRewriter)
    }

    private let coding: Coding

    /// `numbers` are the new ones by the old ones, for sets of all kinds; nil where they stay. Throws where a set of
    /// the header cannot be read, and where two would get one number.
    package init(_ form: PacketForm, numbers: [Int: Int]?) throws(BitstreamFault) {
        func renumbering(_ list: [ParameterSet]) throws(BitstreamFault) -> Renumbering {
            let same = Dictionary(list.map { ($0.id, $0.id) }) { first, _ in first }
            let all = numbers ?? same
            guard let ids = Renumbering(vps: form.codec == .hevc ? all : [:], sps: all, pps: all) else {
                throw .unsupported("one number for two parameter sets")
            }
            return ids
        }
        switch form.codec {
        case .h264:
            let sets = try H264ParameterSets(form.sets)
            coding = .h264(H264Rewriter(sets: sets, ids: try renumbering(sets.list)))
        case .hevc:
            let sets = try HEVCParameterSets(form.sets)
            coding = .hevc(HEVCRewriter(sets: sets, ids: try renumbering(sets.list)))
        }
    }

    /// A unit under the new numbers; nil where nothing of it is left: some messages go. `idrID` takes the place of
    /// `idr_pic_id` in slices that have one.
    package func rewritten(_ unit: ArraySlice<UInt8>, idrID: Int? = nil) throws(BitstreamFault) -> [UInt8]? {
        switch coding {
        case .h264(let rewriter): try rewriter.rewritten(unit, idrID: idrID)
        case .hevc(let rewriter): try rewriter.rewritten(unit)
        }
    }

    /// Throws where a unit cannot get the new numbers. Of a slice no more than its header is looked at, which is
    /// `header` where it was read already.
    package func check(_ unit: ArraySlice<UInt8>, header: SliceHeader? = nil) throws(BitstreamFault) {
        switch (coding, header) {
        case (.h264(let rewriter), .h264(let header)): try rewriter.check(unit, read: header)
        case (.hevc(let rewriter), .hevc(let header)): try rewriter.check(unit, read: header)
        case (.h264(let rewriter), _): try rewriter.check(unit)
        case (.hevc(let rewriter), _): try rewriter.check(unit)
        }
    }

    /// `idr_pic_id` of a picture's units; nil for other pictures, and for HEVC, which has none.
    package func idrID(of units: [ArraySlice<UInt8>]) -> Int? {
        guard case .h264(let rewriter) = coding else { return nil }
        return units.lazy.compactMap { rewriter.idrID(of: $0) }.first
    }
}

extension PacketForm.Codec {
    /// The highest number that a set of any kind can have.
    package var mostSetNumber: Int {
        switch self {
        case .h264: 31
        case .hevc: 15
        }
    }
}
