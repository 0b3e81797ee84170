import Testing

/// Expects that each stored field of a value is in the bytes that are made of it: whatever is changed makes other
/// bytes. A field that neither `changes` nor `leftOut` names is a failure too, so that a new one is not forgotten.
///
/// - Parameter leftOut: the fields that decide nothing, each for a reason that stands beside it.
func expectEveryField<Value>(
    of value: Value, leftOut: Set<String> = [], _ changes: [String: (inout Value) -> Void],
    in bytes: (Value) -> [UInt8], at place: SourceLocation = #_sourceLocation
) {
    let fields = Set(Mirror(reflecting: value).children.compactMap(\.label))
    #expect(fields == leftOut.union(changes.keys), "\(Value.self)", sourceLocation: place)
    var seen = [bytes(value): "nothing"]
    for (field, change) in changes.sorted(by: { $0.key < $1.key }) {
        var other = value
        change(&other)
        let same = seen.updateValue(field, forKey: bytes(other))
        #expect(same == nil, "\(Value.self): \(field) is told from \(same ?? "") by nothing", sourceLocation: place)
    }
}
