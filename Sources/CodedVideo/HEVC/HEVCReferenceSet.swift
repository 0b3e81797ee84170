/// The pictures near to another that may be referred to: a short-term reference picture set.
package struct HEVCReferenceSet: Hashable, Sendable {
    /// A picture by its distance in output order, and whether the current picture refers to it itself.
    package struct Entry: Hashable, Sendable {
        package let delta: Int
        package let isUsed: Bool
    }

    /// The pictures that are shown before the current one, nearest first, and those after it.
    package private(set) var before: [Entry] = []
    package private(set) var after: [Entry] = []

    var count: Int { before.count + after.count }
    var usedCount: Int { (before + after).count { $0.isUsed } }

    /// No picture.
    init() {}

    /// Reads set `index` behind `sets`; an index that is the number of sets means a slice header's own set.
    init(
        _ reader: inout BitReader, index: Int, sets: [HEVCReferenceSet], isSlice: Bool
    ) throws(BitstreamFault) {
        if index > 0, try reader.flag() {
            try predict(&reader, index: index, sets: sets, isSlice: isSlice)
        } else {
            let counts = [
                try reader.ue("num_negative_pics", upTo: 16), try reader.ue("num_positive_pics", upTo: 16),
            ]
            before = try Self.entries(&reader, counts[0], sign: -1)
            after = try Self.entries(&reader, counts[1], sign: 1)
        }
        guard count <= 16 else { throw .outOfRange("num_negative_pics") }
    }

    private static func entries(
        _ reader: inout BitReader, _ count: Int, sign: Int
    ) throws(BitstreamFault) -> [Entry] {
        var (list, delta) = ([Entry](), 0)
        for _ in 0..<count {
            delta += sign * (try reader.ue("delta_poc_minus1", upTo: 32767) + 1)
            list.append(Entry(delta: delta, isUsed: try reader.flag()))
        }
        return list
    }

    /// Makes the set of another one, all of whose distances move by one number.
    private mutating func predict(
        _ reader: inout BitReader, index: Int, sets: [HEVCReferenceSet], isSlice: Bool
    ) throws(BitstreamFault) {
        let back = isSlice ? try reader.ue("delta_idx_minus1", upTo: index - 1) + 1 : 1
        let source = sets[index - back]
        let isNegative = try reader.flag()
        let size = try reader.ue("abs_delta_rps_minus1", upTo: 32767) + 1
        let shift = isNegative ? -size : size
        // One pair of flags for each picture of the other set, and one for the picture that it was the set of.
        var flags: [(isUsed: Bool, isTaken: Bool)] = []
        for _ in 0...source.count {
            let isUsed = try reader.flag()
            flags.append((isUsed, isUsed ? true : try reader.flag()))
        }
        let moved = zip(source.before + source.after + [Entry(delta: 0, isUsed: false)], flags)
            .filter { $1.isTaken }.map { Entry(delta: $0.delta + shift, isUsed: $1.isUsed) }
        before = moved.filter { $0.delta < 0 }.sorted { $0.delta > $1.delta }
        after = moved.filter { $0.delta > 0 }.sorted { $0.delta < $1.delta }
    }
}
