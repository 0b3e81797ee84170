import Testing

/// A key path, an animation of it over 4 s, and what the frames at its first and at its third second look like.
struct KeyPathCase: Sendable, CustomTestStringConvertible {
    typealias Check = @Sendable (_ frame: TreeFrame, _ value: [Double], _ note: String) throws -> Void

    let keyPath: String
    /// The keys of the animation that say its values.
    let values: String
    /// Where the animation goes from and to; nil where the values are no numbers.
    private let ends: (from: [Double], to: [Double])?
    /// Keys of the layer that it is of, and layers beneath and over that one.
    let layer: String
    let over: String
    let check: Check

    var testDescription: String { keyPath }

    /// Values that are no numbers: the check gets 0 at the first second, and 1 at the third.
    init(_ keyPath: String, values: String, layer: String, over: String = "", check: @escaping Check) {
        (self.keyPath, self.layer, self.over, self.check) = (keyPath, layer, over, check)
        (self.values, ends) = (values, nil)
    }

    init(
        _ keyPath: String, _ from: [Double], _ to: [Double], layer: String, over: String = "", check: @escaping Check
    ) {
        (self.keyPath, self.layer, self.over, self.check) = (keyPath, layer, over, check)
        func json(_ numbers: [Double]) -> String { numbers.count == 1 ? "\(numbers[0])" : "\(numbers)" }
        values = "\"from\": \(json(from)), \"to\": \(json(to))"
        ends = (from, to)
    }

    /// All pixels follow from the value.
    init(
        _ keyPath: String, _ from: [Double], _ to: [Double], layer: String, over: String = "",
        patches: @escaping @Sendable ([Double]) -> [Patch]
    ) {
        self.init(keyPath, from, to, layer: layer, over: over) { frame, value, note in
            frame.expect(patches(value), note)
        }
    }

    /// With another name for the key path, or its own.
    func tree(_ name: String? = nil) throws -> RenderedTree {
        let animation = "{\"keyPath\": \"\(name ?? keyPath)\", \(values), \"duration\": \"4s\"}"
        let white = #", "w": {"kind": "color", "size": [4, 4], "color": [1, 1, 1, 1]}"#
        return try RenderedTree(
            "{\(layer), \"animations\": [\(animation)]}\(over.isEmpty ? "" : ", " + over)", assets: white)
    }

    /// A quarter or three quarters of the way.
    func value(atThird: Bool) -> [Double] {
        guard let ends else { return [atThird ? 1 : 0] }
        let share = atThird ? 0.75 : 0.25
        return zip(ends.from, ends.to).map { $0 + ($1 - $0) * share }
    }

    static let all = places + transforms + looks + shadows + gradients + shapes + texts + textLooks
}
