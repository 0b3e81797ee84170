/// New ids for the parameter sets of a stream, by the old ones. Different ids stay different.
package struct Renumbering: Hashable, Sendable {
    /// New ids of HEVC's VPS; empty for H.264.
    package let vps: [Int: Int]
    package let sps: [Int: Int]
    package let pps: [Int: Int]

    /// A renumbering; nil where two sets would get one id, or where an id is negative.
    package init?(vps: [Int: Int] = [:], sps: [Int: Int], pps: [Int: Int]) {
        for ids in [vps, sps, pps] {
            guard Set(ids.values).count == ids.count, ids.allSatisfy({ $0.key >= 0 && $0.value >= 0 }) else {
                return nil
            }
        }
        self.vps = vps
        self.sps = sps
        self.pps = pps
    }

    func vps(_ id: Int, upTo limit: Int = 15) throws(BitstreamFault) -> Int { try number(vps[id], "VPS \(id)", limit) }
    func sps(_ id: Int, upTo limit: Int) throws(BitstreamFault) -> Int { try number(sps[id], "SPS \(id)", limit) }
    func pps(_ id: Int, upTo limit: Int) throws(BitstreamFault) -> Int { try number(pps[id], "PPS \(id)", limit) }

    private func number(_ id: Int?, _ name: String, _ limit: Int) throws(BitstreamFault) -> Int {
        guard let id else { throw .missing("a new id for \(name)") }
        guard id <= limit else { throw .outOfRange("the new id for \(name)") }
        return id
    }

    /// The unit of a PPS with its new id and that of its SPS, the first two numbers behind the `header` bits of its
    /// NAL header. The new ids go up to `limits`; `prefix` is what the standard puts in front of the numbers' names.
    func renumbered(
        pps unit: ArraySlice<UInt8>, behind header: Int, upTo limits: (pps: Int, sps: Int), prefix: String = ""
    ) throws(BitstreamFault) -> [UInt8] {
        let bytes = EmulationPrevention.removed(from: unit)
        var reader = BitReader(bytes)
        try reader.skip(header)
        let own = try Replacement.next(&reader, prefix + "pic_parameter_set_id") { id throws(BitstreamFault) in
            try pps(id, upTo: limits.pps)
        }
        let sequence = try Replacement.next(&reader, prefix + "seq_parameter_set_id") { id throws(BitstreamFault) in
            try sps(id, upTo: limits.sps)
        }
        return try Replacement.wholeUnit([own, sequence], bytes)
    }
}

/// A number in Exp-Golomb code that takes the place of another: where the old one stands, in bits of a unit without
/// emulation prevention, and the new value.
struct Replacement {
    let range: Range<Int>
    let value: Int

    /// The first `end` bits of `bytes` with the replacements, which are in order and do not overlap.
    static func applied(_ list: [Replacement], to bytes: [UInt8], end: Int) -> BitWriter {
        var (writer, position) = (BitWriter(), 0)
        for part in list {
            writer.copy(position..<part.range.lowerBound, of: bytes)
            writer.ue(part.value)
            position = part.range.upperBound
        }
        writer.copy(position..<end, of: bytes)
        return writer
    }

    /// A whole unit with the replacements: all bits behind them move, and the trailing bits come anew.
    static func wholeUnit(_ list: [Replacement], _ bytes: [UInt8]) throws(BitstreamFault) -> [UInt8] {
        guard let end = BitReader.contentLength(bytes), end >= list.last?.range.upperBound ?? 0 else { throw .ended }
        var writer = applied(list, to: bytes, end: end)
        writer.trailingBits()
        return EmulationPrevention.added(to: writer.bytes)
    }

    /// A replacement of the number that `reader` stands at. `value` gives the new one for the old.
    static func next(
        _ reader: inout BitReader, _ name: String, _ value: (Int) throws(BitstreamFault) -> Int
    ) throws(BitstreamFault) -> Replacement {
        let start = reader.position
        let old = try reader.ue(name)
        return Replacement(range: start..<reader.position, value: try value(old))
    }
}
