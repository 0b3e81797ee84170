/// The parameter sets of H.264 that hold at a place of a stream: those of its configuration, then each that came in
/// band.
package struct H264ParameterSets: Hashable, Sendable {
    package private(set) var sps: [Int: H264SPS] = [:]
    package private(set) var pps: [Int: H264PPS] = [:]
    private var units = ParameterSetList()

    package init() {}

    /// Sets by their units; others among these are left out.
    package init(_ list: [some Collection<UInt8>]) throws(BitstreamFault) {
        for unit in list { _ = try take(unit) }
    }

    /// Takes the set of a unit in place of the one with its id. Returns it, or nil where the unit is no SPS or PPS.
    package mutating func take(_ unit: some Collection<UInt8>) throws(BitstreamFault) -> ParameterSet? {
        switch H264NAL(unit)?.kind {
        case .sps:
            let set = try H264SPS(unit: unit)
            sps[set.id] = set
            return units.keep(.sequence, set.id, unit)
        case .pps:
            let set = try H264PPS(unit: unit)
            pps[set.id] = set
            return units.keep(.picture, set.id, unit)
        default: return nil
        }
    }

    /// The sets as they stand: SPS before PPS, by ids.
    package var list: [ParameterSet] { units.list }

    /// The PPS of an id and its SPS.
    package func sets(pps id: Int) throws(BitstreamFault) -> (sps: H264SPS, pps: H264PPS) {
        guard let pps = pps[id] else { throw .missing("PPS \(id)") }
        guard let sps = sps[pps.spsID] else { throw .missing("SPS \(pps.spsID)") }
        return (sps, pps)
    }
}
