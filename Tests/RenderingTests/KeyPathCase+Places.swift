import Foundation

// Of a white layer of 24×16 whose middle is the canvas's: (64, 48), y up in the tree and down in a frame.

extension KeyPathCase {
    private static let box =
        #""bounds": [0, 0, 24, 16], "position": [64, 48], "backgroundColor": [1, 1, 1, 1]"#

    private static func place(
        _ keyPath: String, _ from: [Double], _ to: [Double], more: String = "",
        _ patch: @escaping @Sendable ([Double]) -> Patch
    ) -> KeyPathCase {
        KeyPathCase(keyPath, from, to, layer: box + more) { [patch($0)] }
    }

    /// A layer of 40×32 that shows nothing itself; in its middle stands a white one.
    private static func inner(
        _ keyPath: String, _ from: [Double], _ to: [Double], _ patch: @escaping @Sendable ([Double]) -> Patch
    ) -> KeyPathCase {
        let sublayer = #"{"bounds": [0, 0, 24, 16], "position": [20, 16], "backgroundColor": [1, 1, 1, 1]}"#
        return KeyPathCase(
            keyPath, from, to, layer: #""bounds": [0, 0, 40, 32], "position": [64, 48], "sublayers": [\#(sublayer)]"#
        ) { [patch($0)] }
    }

    static let places = [
        place("position", [24, 20], [88, 68]) { .centred($0[0], 96 - $0[1], 24, 16) },
        place("position.x", [16], [112]) { .centred($0[0], 48, 24, 16) },
        place("position.y", [8], [72]) { .centred(64, 96 - $0[0], 24, 16) },
        // The anchor stays: half a width of it more is half a width to the left.
        place("anchorPoint", [0, 0], [2, 4]) { .centred(64 - ($0[0] - 0.5) * 24, 48 + ($0[1] - 0.5) * 16, 24, 16) },
        place("anchorPoint.x", [0], [2]) { .centred(64 - ($0[0] - 0.5) * 24, 48, 24, 16) },
        place("anchorPoint.y", [-1], [3]) { .centred(64, 48 + ($0[0] - 0.5) * 16, 24, 16) },
        place("bounds", [0, 0, 12, 8], [40, 20, 76, 40]) { .centred(64, 48, $0[2], $0[3]) },
        place("bounds.size", [8, 4], [40, 36]) { .centred(64, 48, $0[0], $0[1]) },
        place("bounds.size.width", [12], [44]) { .centred(64, 48, $0[0], 16) },
        place("bounds.size.height", [8], [40]) { .centred(64, 48, 24, $0[0]) },
        // The layer's own space moves beneath what stands in it.
        inner("bounds.origin", [0, 0], [40, -24]) { .centred(64 - $0[0], 48 + $0[1], 24, 16) },
        inner("bounds.origin.x", [-40], [40]) { .centred(64 - $0[0], 48, 24, 16) },
        inner("bounds.origin.y", [-24], [24]) { .centred(64, 48 + $0[0], 24, 16) },
        // At a depth of 2 stands a grey layer in its middle.
        KeyPathCase(
            "zPosition", [0], [4], layer: box,
            over: """
                {"bounds": [0, 0, 8, 8], "position": [64, 48], "zPosition": 2, "backgroundColor": [0.4, 0.4, 0.4, 1]}
                """
        ) { value in
            let grey = Patch.centred(64, 48, 8, 8).coloured([0.4, 0.4, 0.4, 1])
            let white = Patch.centred(64, 48, 24, 16)
            return value[0] < 2 ? [white, grey] : [grey, white]
        },
    ]

    static let transforms = [
        place("transform", [1, 0, 0, 1, 0, 0], [3, 0, 0, 3, 32, 16]) {
            .centred(64 + $0[4], 48 - $0[5], 24 * $0[0], 16 * $0[3])
        },
        // About the lower left corner: counter-clockwise by a quarter, then by three.
        place("transform.rotation", [0], [360], more: #", "anchorPoint": [0, 0]"#) { value in
            value[0] < 180
                ? Patch(left: 48, top: 24, right: 64, bottom: 48) : Patch(left: 64, top: 48, right: 80, bottom: 72)
        },
        // 60° leave half, 0° all.
        place("transform.rotation.x", [90], [-30]) { .centred(64, 48, 24, 16 * cos($0[0] * .pi / 180)) },
        place("transform.rotation.y", [90], [-30]) { .centred(64, 48, 24 * cos($0[0] * .pi / 180), 16) },
        place("transform.scale", [1, 2], [5, 6]) { .centred(64, 48, 24 * $0[0], 16 * $0[1]) },
        place("transform.scale.x", [1], [5]) { .centred(64, 48, 24 * $0[0], 16) },
        place("transform.scale.y", [1], [5]) { .centred(64, 48, 24, 16 * $0[0]) },
        place("transform.translation", [0, 0], [40, 32]) { .centred(64 + $0[0], 48 - $0[1], 24, 16) },
        place("transform.translation.x", [40], [-40]) { .centred(64 + $0[0], 48, 24, 16) },
        place("transform.translation.y", [24], [-24]) { .centred(64, 48 - $0[0], 24, 16) },
        // Towards a viewer who is 100 away: 50 and 75 nearer, twice and four times as large.
        place("transform.translation.z", [37.5], [87.5], more: #", "transform": {"perspective": 100}"#) {
            .centred(64, 48, 2400 / (100 - $0[0]), 1600 / (100 - $0[0]))
        },
    ]
}
