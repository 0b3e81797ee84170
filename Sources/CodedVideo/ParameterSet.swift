/// A parameter set as it stands in a stream.
package struct ParameterSet: Hashable, Sendable {
    /// The sets of H.264 are sequences' and pictures'; HEVC has those of the video too.
    package enum Kind: Hashable, Sendable, Comparable { case video, sequence, picture }

    package let kind: Kind
    /// The number by which others refer to it.
    package let id: Int
    /// The NAL unit, its header and emulation prevention with it. Two sets with equal ids are the same set where
    /// these are equal.
    package let unit: [UInt8]

    package init(kind: Kind, id: Int, unit: [UInt8]) {
        self.kind = kind
        self.id = id
        self.unit = unit
    }
}

/// The units of parameter sets, each in its place: one with the kind and the id of another takes its place.
struct ParameterSetList: Hashable, Sendable {
    private var units: [ParameterSet.Kind: [Int: [UInt8]]] = [:]

    mutating func keep(_ kind: ParameterSet.Kind, _ id: Int, _ unit: some Collection<UInt8>) -> ParameterSet {
        units[kind, default: [:]][id] = Array(unit)
        return ParameterSet(kind: kind, id: id, unit: Array(unit))
    }

    /// The sets by kinds, and by ids.
    var list: [ParameterSet] {
        units.sorted { $0.key < $1.key }.flatMap { kind, units in
            units.sorted { $0.key < $1.key }.map { ParameterSet(kind: kind, id: $0.key, unit: $0.value) }
        }
    }
}
