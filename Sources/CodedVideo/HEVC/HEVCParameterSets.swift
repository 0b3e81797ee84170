/// The parameter sets of HEVC that hold at a place of a stream: those of its configuration, then each that came in
/// band.
package struct HEVCParameterSets: Hashable, Sendable {
    package private(set) var sps: [Int: HEVCSPS] = [:]
    package private(set) var pps: [Int: HEVCPPS] = [:]
    private var units = ParameterSetList()

    package init() {}

    /// Sets by their units; others among these are left out.
    package init(_ list: [some Collection<UInt8>]) throws(BitstreamFault) {
        for unit in list { _ = try take(unit) }
    }

    /// Takes the set of a unit in place of the one with its id. Returns it, or nil where the unit is no VPS, SPS or
    /// PPS.
    package mutating func take(_ unit: some Collection<UInt8>) throws(BitstreamFault) -> ParameterSet? {
        switch HEVCNAL(unit)?.kind {
        case .vps:
            return units.keep(.video, try Self.vpsID(unit), unit)
        case .sps:
            let set = try HEVCSPS(unit: unit)
            sps[set.id] = set
            return units.keep(.sequence, set.id, unit)
        case .pps:
            let set = try HEVCPPS(unit: unit)
            pps[set.id] = set
            return units.keep(.picture, set.id, unit)
        default: return nil
        }
    }

    /// The id of a VPS, 0...15: the four bits behind the NAL header.
    static func vpsID(_ unit: some Collection<UInt8>) throws(BitstreamFault) -> Int {
        var reader = BitReader(Array(unit.prefix(3)))
        try reader.skip(16)
        return try reader.bits(4)
    }

    /// The sets as they stand: VPS, SPS, PPS, by ids.
    package var list: [ParameterSet] { units.list }

    /// The PPS of an id and its SPS.
    package func sets(pps id: Int) throws(BitstreamFault) -> (sps: HEVCSPS, pps: HEVCPPS) {
        guard let pps = pps[id] else { throw .missing("PPS \(id)") }
        guard let sps = sps[pps.spsID] else { throw .missing("SPS \(pps.spsID)") }
        return (sps, pps)
    }
}
