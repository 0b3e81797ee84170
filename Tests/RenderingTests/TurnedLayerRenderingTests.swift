import Foundation
import Rendering
import TestTools
import Testing

/// A layer of 24×16 turned by sixteen numbers, in pixels: its surface and its middle are those of the polygon that the
/// matrix makes of its corners.
@Suite("Rendered layers that are turned in space") struct TurnedLayerRenderingTests {
    private static func text(_ matrix: [Double]) -> String {
        """
        {"format": "splitreel/1", "assets": {"a": {"kind": "color", "color": [0, 0, 0, 1]}},
         "composition": {"tracks": [
            {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "1/25"]}]}]},
         "video": {"renderSize": [64, 48], "frameDuration": "1/25", "animation": {"videoLayers": ["film"],
            "root": {"bounds": [0, 0, 64, 48], "sublayers": [
                {"id": "film", "bounds": [0, 0, 64, 48], "position": [32, 24]},
                {"bounds": [0, 0, 24, 16], "position": [30, 26], "backgroundColor": [1, 1, 1, 1],
                 "transform": \(matrix)}]}}}}
        """
    }

    /// About an axis by its unit vector, then moved.
    private static func turn(_ degrees: Double, _ axis: [Double], _ x: Double, _ y: Double) -> [Double] {
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let (u, v, w) = (axis[0], axis[1], axis[2])
        let first = [c + u * u * (1 - c), u * v * (1 - c) + w * s, u * w * (1 - c) - v * s, 0]
        let second = [u * v * (1 - c) - w * s, c + v * v * (1 - c), v * w * (1 - c) + u * s, 0]
        let third = [u * w * (1 - c) + v * s, v * w * (1 - c) - u * s, c + w * w * (1 - c), 0]
        return first + second + third + [x, y, 0, 1]
    }

    @Test(arguments: [
        turn(0, [0, 0, 1], 0, 0), turn(30, [0, 0, 1], 3, -2), turn(50, [0.6, 0.8, 0], 0, 0),
        turn(-70, [0.48, 0.6, 0.64], -4, 3),
    ])
    func surfaceAndMiddle(_ matrix: [Double]) throws {
        let fixture = try RenderFixture("turned")
        let plan = try fixture.plan(Self.text(matrix))
        let luma = try #require(try fixture.witness.luma(fixture.render(plan, .chunk(0)).path).first)
        let corners = [(-12.0, -8.0), (12, -8), (12, 8), (-12, 8)].map { corner -> (x: Double, y: Double) in
            let along = corner.0 * matrix[0] + corner.1 * matrix[4] + matrix[12]
            let up = corner.0 * matrix[1] + corner.1 * matrix[5] + matrix[13]
            return (30 + along, 48 - (26 + up))
        }
        let next = corners.dropFirst() + corners.prefix(1)
        let area = abs(zip(corners, next).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }) / 2
        let middle = (x: corners.reduce(0) { $0 + $1.x } / 4, y: corners.reduce(0) { $0 + $1.y } / 4)
        let shares = luma.map { (Double($0) - 16) / 219 }
        let seen = shares.reduce(0, +)
        #expect(abs(seen - area) < 0.01 * area + 0.5, "\(seen) of \(area)")
        let x = shares.enumerated().reduce(0) { $0 + $1.element * (Double($1.offset % 64) + 0.5) } / seen
        let y = shares.enumerated().reduce(0) { $0 + $1.element * (Double($1.offset / 64) + 0.5) } / seen
        #expect(abs(x - middle.x) < 0.05 && abs(y - middle.y) < 0.05, "(\(x), \(y)) for \(middle)")
        // A pixel within the corners is white by a pixel or more; one outside of them is black.
        for (place, value) in luma.enumerated() {
            let (x, y) = (Double(place % 64) + 0.5, Double(place / 64) + 0.5)
            let sides = zip(corners, next).map { from, to -> Double in
                let (dx, dy) = (to.x - from.x, to.y - from.y)
                return ((y - from.y) * dx - (x - from.x) * dy) / (dx * dx + dy * dy).squareRoot()
            }
            let depth = max(sides.min() ?? 0, -(sides.max() ?? 0))
            if depth > 1 { #expect(value == 235, "\(x), \(y)") }
            if depth < -1 { #expect(value == 16, "\(x), \(y)") }
        }
    }
}
