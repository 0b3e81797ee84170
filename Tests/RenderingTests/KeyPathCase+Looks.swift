import Foundation
import Testing

extension KeyPathCase {
    private static let box = #""bounds": [0, 0, 64, 48], "position": [64, 48]"#
    private static let whole = Patch.centred(64, 48, 64, 48)
    private static let white = #", "backgroundColor": [1, 1, 1, 1]"#

    static let looks = [
        KeyPathCase("opacity", [0.2], [1], layer: box + white) { [whole.coloured([1, 1, 1, $0[0]])] },
        KeyPathCase("backgroundColor", [1, 0, 0, 1], [0, 1, 0.5, 0.2], layer: box + white) { [whole.coloured($0)] },
        KeyPathCase(
            "color", [0, 0, 1, 1], [1, 1, 0, 0.6], layer: box + #", "contents": {"color": [0, 0, 1, 1]}"#
        ) { [whole.coloured($0)] },
        KeyPathCase("hidden", values: #""values": [false, true]"#, layer: box + white) { frame, value, note in
            frame.expect(value[0] == 0 ? [whole] : [], note)
        },
        KeyPathCase("contents", values: #""values": [{"color": [1, 0, 0, 1]}, "w"]"#, layer: box) {
            frame, value, note in
            frame.expect([whole.coloured(value[0] == 0 ? [1, 0, 0, 1] : [1, 1, 1, 1])], note)
        },
        // Four corners are as many quarters of a circle, in place of squares.
        KeyPathCase("cornerRadius", [0], [16], layer: box + white) { frame, value, note in
            let radius = value[0]
            #expect(abs(frame.ink - (64 * 48 - (4 - Double.pi) * radius * radius)) < 1, "\(note): \(frame.ink)")
            frame.expect([whole], note) { x, y in
                abs(Double(x) + 0.5 - 64) < 32 - radius || abs(Double(y) + 0.5 - 48) < 24 - radius
            }
        },
        KeyPathCase(
            "borderWidth", [0], [16], layer: box + #", "borderColor": [1, 1, 1, 1]"#
        ) { [whole, .centred(64, 48, 64 - 2 * $0[0], 48 - 2 * $0[0]).coloured([0, 0, 0, 1])] },
        KeyPathCase(
            "borderColor", [1, 0, 0, 1], [0, 1, 0.5, 0.2], layer: box + #", "borderWidth": 6"#
        ) { [whole.coloured($0), Patch.centred(64, 48, 52, 36).coloured([0, 0, 0, 1])] },
    ]

    /// The case of a shadow of a black layer of 24×16, which is not seen itself.
    private static func shadow(
        _ keyPath: String, _ from: [Double], _ to: [Double], _ keys: String,
        _ patches: @escaping @Sendable ([Double]) -> [Patch]
    ) -> KeyPathCase {
        let layer = #""bounds": [0, 0, 24, 16], "position": [64, 48], "backgroundColor": [0, 0, 0, 1]"#
        return KeyPathCase(keyPath, from, to, layer: layer + ", \"shadow\": {\"radius\": 0, \(keys)}") { value in
            patches(value) + [Patch.centred(64, 48, 24, 16).coloured([0, 0, 0, 1])]
        }
    }

    private static let cast = #""opacity": 1, "color": [1, 1, 1, 1]"#

    static let shadows = [
        shadow("shadow.opacity", [0.2], [1], #""color": [1, 1, 1, 1], "offset": [40, 0]"#) {
            [Patch.centred(104, 48, 24, 16).coloured([1, 1, 1, $0[0]])]
        },
        shadow("shadow.color", [1, 0, 0, 1], [0, 1, 0.5, 0.2], #""opacity": 1, "offset": [40, 0]"#) {
            [Patch.centred(104, 48, 24, 16).coloured($0)]
        },
        shadow("shadow.offset", [0, 32], [40, -32], cast) { [.centred(64 + $0[0], 48 - $0[1], 24, 16)] },
        shadow("shadow.offset.x", [40], [-40], cast + #", "offset": [0, 8]"#) {
            [.centred(64 + $0[0], 40, 24, 16)]
        },
        shadow("shadow.offset.y", [32], [-32], cast + #", "offset": [8, 0]"#) {
            [.centred(72, 48 - $0[0], 24, 16)]
        },
        // A column of 40 that is longer than the canvas: a row of its shadow is the integral of a Gaussian.
        KeyPathCase(
            "shadow.radius", [2], [10],
            layer: """
                "bounds": [0, 0, 40, 400], "position": [64, 48], "backgroundColor": [0, 0, 0, 1],
                "shadow": {\(cast), "offset": [0, 0]}
                """
        ) { frame, value, note in
            for y in [0, 48, 95] {
                blurred(frame.row(y), from: 44, to: 84, deviation: value[0], within: 0.02, note) {
                    !(44..<84).contains($0)
                }
            }
        },
    ]

    /// A row over what is white from one place to another, blurred.
    static func blurred(
        _ row: [Double], from: Double, to: Double, deviation: Double, within tolerance: Double, _ note: String,
        _ isSeen: (Int) -> Bool
    ) {
        for (x, found) in row.enumerated() where isSeen(x) {
            func share(_ edge: Double) -> Double {
                (1 + erf((Double(x) + 0.5 - edge) / deviation / 2.0.squareRoot())) / 2
            }
            let expected = share(from) - share(to)
            #expect(abs(found - expected) < tolerance, "\(note): \(found) for \(expected) at \(x)")
        }
    }

    /// A gradient from the left to the right of 96 columns, from column 16 on.
    private static func gradient(
        _ keyPath: String, _ from: [Double], _ to: [Double],
        _ colour: @escaping @Sendable (_ place: Double, _ value: [Double]) -> [Double]
    ) -> KeyPathCase {
        let stops = #"[{"at": 0, "color": [0, 0, 0, 1]}, {"at": 1, "color": [1, 1, 1, 1]}]"#
        return KeyPathCase(
            keyPath, from, to,
            layer: """
                "bounds": [0, 0, 96, 64], "position": [64, 48],
                "contents": {"gradient": {"from": [0, 0.5], "to": [1, 0.5], "stops": \(stops)}}
                """
        ) { value in
            (0..<96).map { column in
                Patch(left: Double(column) + 16, top: 16, right: Double(column) + 17, bottom: 80)
                    .coloured(colour((Double(column) + 0.5) / 96, value) + [1])
            }
        }
    }

    private static func grey(_ share: Double) -> [Double] { [Double](repeating: min(max(share, 0), 1), count: 3) }

    static let gradients = [
        gradient("gradient.from", [0, 0.5], [0.4, 0.5]) { grey(($0 - $1[0]) / (1 - $1[0])) },
        gradient("gradient.to", [0.2, 0.5], [1, 0.5]) { grey($0 / $1[0]) },
        gradient("gradient.locations", [0, 1], [0.4, 0.6]) { grey(($0 - $1[0]) / ($1[1] - $1[0])) },
        gradient("gradient.colors", [0, 0, 0, 1, 1, 1, 1, 1], [1, 0, 0, 1, 1, 0, 1, 1]) { place, value in
            (0..<3).map { value[$0] * (1 - place) + value[4 + $0] * place }
        },
    ]
}
