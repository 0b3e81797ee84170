import MediaTime
import Testing

/// Timing functions and calculations on pixels: the brightness of a white layer whose opacity they say.
@Suite("Rendered timing") struct TimingRenderingTests {
    private static func tree(_ values: String) throws -> RenderedTree {
        try RenderedTree(
            """
            {"bounds": [0, 0, 64, 48], "position": [64, 48], "backgroundColor": [1, 1, 1, 1],
             "animations": [{"keyPath": "opacity", \(values), "duration": "10s"}]}
            """)
    }

    /// The y of a cubic Bézier curve where its x is `x`, found by halves on the curve's formula.
    private static func bezier(_ curve: [Double], at x: Double) -> Double {
        func value(_ a: Double, _ b: Double, _ t: Double) -> Double {
            3 * (1 - t) * (1 - t) * t * a + 3 * (1 - t) * t * t * b + t * t * t
        }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if value(curve[0], curve[2], middle) < x { low = middle } else { high = middle }
        }
        return value(curve[1], curve[3], low)
    }

    private static let timings: [(timing: String, curve: [Double])] = [
        (#""linear""#, [0.25, 0.25, 0.75, 0.75]), (#""easeIn""#, [0.42, 0, 1, 1]), (#""easeOut""#, [0, 0, 0.58, 1]),
        (#""easeInOut""#, [0.42, 0, 0.58, 1]), (#""default""#, [0.25, 0.1, 0.25, 1]),
        ("[0.1, 0.7, 0.9, 0.3]", [0.1, 0.7, 0.9, 0.3]),
    ]

    @Test(arguments: timings) func curves(_ timing: String, _ curve: [Double]) throws {
        let tree = try Self.tree(#""from": 0, "to": 1, "timing": \#(timing)"#)
        for second in 1...9 {
            let found = try tree.frame(at: Rational(second)).luma(64, 48)
            let expected = Self.bezier(curve, at: Double(second) / 10)
            #expect(abs(found - expected) < 0.004, "\(timing) at \(second) s: \(found) for \(expected)")
        }
    }

    /// Through 0, 0.8, 0.2 and 0.6, a third of the time each way: at each sixth of it.
    private static let ways: [(word: String, values: [Double])] = [
        ("linear", [0, 0.4, 0.8, 0.5, 0.2, 0.4]),
        // Steps have a quarter each.
        ("discrete", [0, 0, 0.8, 0.2, 0.2, 0.6]),
        // The whole way is 1.8, in even parts of 0.3.
        ("paced", [0, 0.3, 0.6, 0.7, 0.4, 0.3]),
        // Half-way: the mean of both ends and an eighth of what the slopes there differ by. From one value to the next
        // these are 0.8, 0.1, -0.1 and 0.4.
        ("cubic", [0, 0.4875, 0.8, 0.525, 0.2, 0.3375]),
    ]

    @Test(arguments: ways) func calculations(_ word: String, _ expected: [Double]) throws {
        let tree = try Self.tree(#""values": [0, 0.8, 0.2, 0.6], "calculation": "\#(word)""#)
        for (sixth, value) in expected.enumerated() {
            let found = try tree.frame(at: Rational(10 * sixth, 6)).luma(64, 48)
            #expect(abs(found - value) < 0.004, "\(word) at \(sixth) sixths: \(found) for \(value)")
        }
    }
}
