import Foundation
import Testing

// In a layer that is as large as the canvas, so that a shape's units are pixels from the top left.

extension KeyPathCase {
    private static func layer(_ shape: String) -> String {
        #""bounds": [0, 0, 128, 96], "anchorPoint": [0, 0], "contents": {"shape": {\#(shape)}}"#
    }

    /// A line of 80 from (24, 48) to the right, 8 wide.
    private static func line(
        _ keyPath: String, _ from: [Double], _ to: [Double], _ keys: String = "",
        _ patches: @escaping @Sendable ([Double]) -> [Patch]
    ) -> KeyPathCase {
        let shape = #""path": "M24 48 h80", "lineWidth": 8, "strokeColor": [1, 1, 1, 1]"# + keys
        return KeyPathCase(keyPath, from, to, layer: layer(shape), patches: patches)
    }

    private static func part(_ left: Double, _ right: Double) -> Patch {
        Patch(left: left, top: 44, right: right, bottom: 52)
    }

    private static let square = #""path": "M32 24 h64 v48 h-64 z""#

    static let shapes = [
        line("shape.lineWidth", [4], [20]) { [.centred(64, 48, 80, $0[0])] },
        line("shape.strokeStart", [0], [1]) { [part(24 + 80 * $0[0], 104)] },
        line("shape.strokeEnd", [0], [1]) { [part(24, 24 + 80 * $0[0])] },
        line("shape.strokeColor", [1, 0, 0, 1], [0, 1, 0.5, 0.2]) { [part(24, 104).coloured($0)] },
        // Dashes of 8 and gaps of 8, the first of which begins so far before the line does.
        line("shape.lineDashPhase", [0], [16], #", "lineDashPattern": [8, 8]"#) { value in
            (0..<6).map { Double($0) * 16 + 24 - value[0] }.map { part(max($0, 24), max(min($0 + 8, 104), 24)) }
        },
        KeyPathCase(
            "shape.fillColor", [1, 0, 0, 1], [0, 1, 0.5, 0.2],
            layer: layer(square + #", "fillColor": [1, 0, 0, 1]"#)
        ) { [Patch.centred(64, 48, 64, 48).coloured($0)] },
        KeyPathCase(
            "shape.path", values: #""from": "M32 24 h8 v48 h-8 z", "to": "M32 24 h64 v16 h-64 z""#,
            layer: layer(square + #", "fillColor": [1, 1, 1, 1]"#)
        ) { frame, value, note in
            let share = value[0] == 0 ? 0.25 : 0.75
            frame.expect([Patch(left: 32, top: 24, right: 40 + 56 * share, bottom: 72 - 32 * share)], note)
        },
        // A corner of 60° that points upwards is twice as long as its line is wide: by a limit of 1.5 it is cut off 4
        // above its point (16 · sin 30° / 2), by one of 2.5 it reaches 16 above it. The tip between both is a triangle.
        KeyPathCase(
            "shape.miterLimit", [1], [3],
            layer: layer(
                """
                "path": "M\(64 - 48 / 3.0.squareRoot()) 80 L64 32 L\(64 + 48 / 3.0.squareRoot()) 80",
                "lineWidth": 16, "strokeColor": [1, 1, 1, 1]
                """)
        ) { frame, value, note in
            let isWhole = value[0] > 2
            let tip = 12 * 12 / 3.0.squareRoot()
            let rows = (16..<28).map { frame.row($0).reduce(0, +) }
            #expect(abs(rows.reduce(0, +) - (isWhole ? tip : 0)) < 0.5, "\(note): \(rows)")
            for (place, found) in rows.enumerated() {
                let width = isWhole ? (Double(place) * 2 + 1) / 3.0.squareRoot() : 0
                #expect(abs(found - width) < 0.2, "\(note): row \(place + 16)")
            }
            // Below the cut the lines' outer edges are the same.
            #expect(abs(frame.row(28).reduce(0, +) - 25 / 3.0.squareRoot()) < 0.2, "\(note)")
            #expect(frame.column(63)[..<16].allSatisfy { $0 == 0 } && frame.luma(63, 40) == 1, "\(note)")
        },
    ]
}
