extension PacketForm.Codec {
    /// The sets of one film, all stating one reorder depth: how many frames may be decoded before, and shown after,
    /// another.
    ///
    /// A decoder that meets a larger depth at a join waits longer from there on. Readers that work out decoding times
    /// by that wait would have to go back. So sets that state less than others, or nothing, state the most that any
    /// does, or `least` where that is more. A depth is a bound: pictures, their order and packets stay what they are.
    ///
    /// Sets that all state the same stay as they are, and so does a sequence that is alone. `least` is the depth of the
    /// film's packets, 0...16. Throws for a set that cannot be read.
    package func withOneReorderDepth(_ sets: [[UInt8]], least: Int) throws(BitstreamFault) -> [[UInt8]] {
        var stated: [Int?] = []
        for set in sets { stated += try depths(in: set) }
        guard stated.count > 1, Set(stated).count > 1 || stated.contains(nil) else { return sets }
        let most = min(stated.reduce(least) { max($0, $1 ?? 0) }, mostReorderDepth)
        var changed: [[UInt8]] = []
        for set in sets { changed.append(try stating(most, in: set)) }
        return changed
    }

    /// The highest depth that a set can state.
    private var mostReorderDepth: Int {
        switch self {
        case .h264: 16
        case .hevc: 15
        }
    }

    /// The depths that a set states: one for an SPS, nil in it where it says nothing, and none for other sets.
    private func depths(in set: [UInt8]) throws(BitstreamFault) -> [Int?] {
        switch self {
        case .h264: H264NAL(set)?.kind == .sps ? [try H264SPS(unit: set).vui.reorderFrames] : []
        case .hevc: HEVCNAL(set)?.kind == .sps ? [try HEVCSPS(unit: set).reorderPictures] : []
        }
    }

    private func stating(_ depth: Int, in set: [UInt8]) throws(BitstreamFault) -> [UInt8] {
        switch self {
        case .h264:
            return H264NAL(set)?.kind == .sps ? try H264SPS(unit: set).stating(depth, in: set) : set
        case .hevc:
            let ordering: HEVCOrdering
            switch HEVCNAL(set)?.kind {
            case .vps:
                // Decoders of one layer go by the SPS. A VPS that is not as others are stays.
                guard let read = try? HEVCOrdering(vps: set) else { return set }
                ordering = read
            case .sps: ordering = try HEVCSPS(unit: set).ordering
            default: return set
            }
            guard ordering.reordered < depth || ordering.buffered <= depth else { return set }
            return try Replacement.wholeUnit(
                ordering.changes(depth: depth), EmulationPrevention.removed(from: set))
        }
    }
}
