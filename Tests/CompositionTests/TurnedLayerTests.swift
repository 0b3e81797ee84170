import Drawings
import Foundation
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing

/// Layers with transforms of sixteen numbers, by multiplying points with them, and key paths that have a value of their
/// own between keys. The layer is 20×10 at (100, 50) on a canvas of 200×100, y up.
@Suite("Layers turned in space") struct TurnedLayerTests {
    private typealias Point = (x: Double, y: Double)

    /// A point is a row before the matrix; what is behind the canvas's plane counts by its x and y alone.
    private static func projected(_ x: Double, _ y: Double, _ m: [Double]) -> Point {
        let (along, up, w) = (
            x * m[0] + y * m[4] + m[12], x * m[1] + y * m[5] + m[13], x * m[3] + y * m[7] + m[15]
        )
        return (along / w, up / w)
    }

    /// Where a point lies by the affine map that touches the projection at the anchor: it has its place and its slopes.
    private static func touched(_ x: Double, _ y: Double, _ m: [Double]) -> Point {
        let step = 1e-5
        let origin = projected(0, 0, m)
        let (right, left) = (projected(step, 0, m), projected(-step, 0, m))
        let (above, below) = (projected(0, step, m), projected(0, -step, m))
        return (
            origin.x + (x * (right.x - left.x) + y * (above.x - below.x)) / (2 * step),
            origin.y + (x * (right.y - left.y) + y * (above.y - below.y)) / (2 * step)
        )
    }

    private static func product(_ first: [Double], _ second: [Double]) -> [Double] {
        (0..<16).map { place -> Double in
            let (row, column) = (place / 4 * 4, place % 4)
            var sum = 0.0
            for step in 0..<4 { sum += first[row + step] * second[step * 4 + column] }
            return sum
        }
    }

    /// About an axis through the origin, by Rodrigues' formula; its columns are CATransform3DMakeRotation's rows.
    private static func turn(_ degrees: Double, _ x: Double, _ y: Double, _ z: Double) -> [Double] {
        let length = (x * x + y * y + z * z).squareRoot()
        let axis = [x / length, y / length, z / length]
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let cross = [[0, axis[2], -axis[1]], [-axis[2], 0, axis[0]], [axis[1], -axis[0], 0]]
        var matrix = identity
        for row in 0..<3 {
            for column in 0..<3 {
                matrix[row * 4 + column] =
                    (row == column ? c : 0) + (1 - c) * axis[row] * axis[column] + s * cross[row][column]
            }
        }
        return matrix
    }

    private static let identity: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

    private static func moved(_ x: Double, _ y: Double, _ z: Double) -> [Double] {
        Array(identity[..<12]) + [x, y, z, 1]
    }

    private static func seen(from distance: Double) -> [Double] {
        var matrix = identity
        matrix[11] = -1 / distance
        return matrix
    }

    private static func tree(_ matrix: [Double], anchor: (Double, Double) = (0.5, 0.5), more: String = "") throws
        -> AnimatedTree
    {
        try AnimatedTree(
            """
            {"bounds": [0, 0, 20, 10], "position": [100, 50], "backgroundColor": [1, 0, 0, 1],
             "anchorPoint": [\(anchor.0), \(anchor.1)], "transform": \(matrix)\(more)}
            """)
    }

    /// The corners of a colour's picture, which is 2×2, in pixels of the canvas: top left, top right, bottom left,
    /// bottom right; y down.
    private static func corners(_ recipe: LayerRecipe) -> [Double] {
        [(0.0, 0.0), (2, 0), (0, 2), (2, 2)].flatMap { corner -> [Double] in
            let place = recipe.transform.apply(corner.0, corner.1)
            return [place.x, place.y]
        }
    }

    /// The same of the layer, by a map about its anchor.
    private static func corners(anchor: (Double, Double) = (0.5, 0.5), _ map: (Double, Double) -> Point) -> [Double] {
        [(0.0, 10.0), (20, 10), (0, 0), (20, 0)].flatMap { corner -> [Double] in
            let place = map(corner.0 - anchor.0 * 20, corner.1 - anchor.1 * 10)
            return [100 + place.x, 100 - (50 + place.y)]
        }
    }

    private static let turned: [[Double]] = [
        moved(7, -4, 30), turn(90, 0, 0, 1), turn(40, 1, 1, 1), turn(-130, 2, -1, 0.5),
        product(turn(25, 1, 2, 3), moved(11, 6, -40)), product(turn(60, 0, 1, 0), turn(30, 1, 0, 0)),
        // Scaled, leaning, mirrored, and in halves by m44.
        [2, 0.5, 0, 0, -1, 3, 0, 0, 0, 0, 1, 0, 7, -4, 0, 1], [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 9, 1],
        [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 6, 8, 0, 2],
    ]

    /// Without perspective each corner is where the matrix sends it.
    @Test(arguments: turned) func cornersWithoutPerspective(_ matrix: [Double]) throws {
        for anchor in [(0.5, 0.5), (0.0, 1.0)] {
            let recipe = try #require(try Self.tree(matrix, anchor: anchor).layers(at: Rational(0)).first)
            let expected = Self.corners(anchor: anchor) { Self.projected($0, $1, matrix) }
            let found = Self.corners(recipe)
            #expect(zip(found, expected).allSatisfy { near($0, $1, 1e-6) }, "\(found) for \(expected)")
        }
    }

    private static let seen: [[Double]] = [
        product(turn(50, 0, 1, 0), seen(from: 60)), product(turn(-35, 1, 0, 0), seen(from: 40)),
        product(product(turn(40, 1, 1, 1), moved(15, -9, 20)), seen(from: 80)),
        product(product(turn(200, 1, -2, 0.3), moved(-30, 12, -50)), seen(from: 100)),
        [1.5, 0.2, 0, 0.01, -0.3, 0.8, 0, -0.02, 0, 0, 1, 0, 12, 5, 3, 1.25],
    ]

    /// With perspective a picture's corners are those of the map that touches it at the anchor, which is where the
    /// matrix sends it.
    @Test(arguments: seen) func cornersWithPerspective(_ matrix: [Double]) throws {
        for anchor in [(0.5, 0.5), (0.25, 0.0)] {
            let recipe = try #require(try Self.tree(matrix, anchor: anchor).layers(at: Rational(0)).first)
            let expected = Self.corners(anchor: anchor) { Self.touched($0, $1, matrix) }
            let found = Self.corners(recipe)
            #expect(zip(found, expected).allSatisfy { near($0, $1, 1e-5) }, "\(found) for \(expected)")
            // The picture is 2×2 for a layer of 20×10.
            let held = recipe.transform.apply(2 * anchor.0, 2 * (1 - anchor.1))
            let origin = Self.projected(0, 0, matrix)
            #expect(near(held.x, 100 + origin.x, 1e-9) && near(held.y, 50 - origin.y, 1e-9))
        }
    }

    /// As near as the viewer and behind, and seen from the edge.
    @Test(arguments: [
        product(moved(0, 0, 60), seen(from: 60)), product(moved(0, 0, 90), seen(from: 60)), turn(90, 0, 1, 0),
    ])
    func whatCannotBeSeenIsNotDrawn(_ matrix: [Double]) throws {
        #expect(try Self.tree(matrix.map { abs($0) < 1e-12 ? 0 : $0 }).layers(at: Rational(0)).isEmpty)
    }

    /// What stands in a turned layer is turned with it.
    @Test func sublayersAreTurnedWithTheirLayer() throws {
        let (outer, inner) = (Self.turned[2], Self.seen[0])
        let tree = try AnimatedTree(
            """
            {"bounds": [0, 0, 60, 40], "position": [100, 50], "transform": \(outer), "sublayers": [
                {"bounds": [0, 0, 20, 10], "position": [40, 10], "backgroundColor": [1, 0, 0, 1],
                 "transform": \(inner)}]}
            """)
        let recipe = try #require(tree.layers(at: Rational(0)).first)
        // The parent's anchor is at (30, 20) of its bounds.
        let expected = Self.corners { x, y in
            let place = Self.touched(x, y, inner)
            return Self.projected(place.x + 10, place.y - 10, outer)
        }
        #expect(zip(Self.corners(recipe), expected).allSatisfy { near($0, $1, 1e-5) })
    }

    /// Between two of them number by number: half-way the mean of both.
    @Test func sixteenNumbersGoOneByOne() throws {
        let (first, last) = (Self.seen[0], Self.seen[2])
        let tree = try Self.tree(
            Self.identity,
            more: """
                , "animations": [{"keyPath": "transform", "values": [\(first), \(last)], "duration": "4s"}]
                """)
        for (time, share) in [(0, 0.0), (1, 0.25), (2, 0.5), (3, 0.75)] {
            let mixed = zip(first, last).map { $0 + ($1 - $0) * share }
            let recipe = try #require(tree.layers(at: Rational(time)).first)
            let expected = Self.corners { Self.touched($0, $1, mixed) }
            #expect(zip(Self.corners(recipe), expected).allSatisfy { near($0, $1, 1e-5) }, "at \(time) s")
        }
    }

    // MARK: - Key paths

    /// From 0 s to 1 s from the first to the second value, until 4 s to the third.
    private static func animation(_ keyPath: String, _ values: String, more: String = "") -> String {
        """
        , "animations": [{"keyPath": "\(keyPath)", "values": [\(values)], "keyTimes": [0, 0.25, 1],
            "duration": "4s"\(more)}]
        """
    }

    private static let moments = [Rational(0), Rational(1, 4), Rational(1), Rational(5, 2), Rational(13, 4)]

    /// The values of such an animation at these moments, worked out by hand.
    private static func levels(_ first: Double, _ second: Double, _ third: Double) -> [Double] {
        [
            first, first * 0.75 + second * 0.25, second, (second + third) / 2, second * 0.25 + third * 0.75,
        ]
    }

    private func shadows(_ keyPath: String, _ values: String) throws -> [EffectCall] {
        let tree = try Self.tree(
            Self.identity,
            more: """
                , "shadow": {"opacity": 0.5, "color": [0.25, 0.5, 0.75, 0.8], "radius": 2, "offset": [4, -6]}\
                \(Self.animation(keyPath, values))
                """)
        return try Self.moments.map { time in
            guard case .effect(let effect)? = tree.layers(at: time).first?.picture else { return EffectCall.none }
            try #require(effect.call.id == "drop-shadow" && effect.call.scaleX == 1 && effect.call.scaleY == 1)
            return effect.call
        }
    }

    private func isNear(_ found: [Double], _ expected: [Double]) -> Bool {
        found.count == expected.count && zip(found, expected).allSatisfy { near($0, $1, 1e-12) }
    }

    /// The shadow is another alpha, another blur or elsewhere, and nothing else of it changes.
    @Test func shadowsBetweenKeys() throws {
        let colour = [0.25, 0.5, 0.75]
        let opacities = try shadows("shadow.opacity", "0.2, 1, 0.5")
        #expect(isNear(opacities.map { $0.numbers("color").last ?? -1 }, Self.levels(0.2, 1, 0.5).map { $0 * 0.8 }))
        #expect(opacities.allSatisfy { Array($0.numbers("color").prefix(3)) == colour && $0.number("radius") == 2 })
        for keyPath in ["shadow.radius", "shadowRadius"] {
            let radii = try shadows(keyPath, "1, 9, 3")
            #expect(isNear(radii.map { $0.number("radius") }, Self.levels(1, 9, 3)))
            #expect(radii.allSatisfy { $0.numbers("offset") == [4, 6] && near($0.numbers("color").last ?? 0, 0.4) })
        }
        let offsets = try shadows("shadow.offset.x", "-8, 8, 20")
        #expect(isNear(offsets.map { $0.number("offset") }, Self.levels(-8, 8, 20)))
        // Six downwards, where y goes up; a shadow's effect counts downwards.
        #expect(offsets.allSatisfy { $0.numbers("offset").last == 6 && $0.number("radius") == 2 })
        let lower = try shadows("shadow.offset.y", "-8, 8, 20")
        #expect(isNear(lower.map { $0.numbers("offset").last ?? 0 }, Self.levels(8, -8, -20)))
        let colours = try shadows("shadow.color", "[1, 0, 0, 1], [0, 1, 0, 0.5], [0, 0, 1, 1]")
        #expect(isNear(colours.map { $0.number("color") }, Self.levels(1, 0, 0)))
        #expect(isNear(colours.map { $0.numbers("color").last ?? 0 }, Self.levels(0.5, 0.25, 0.5)))
    }

    /// Component by component, alpha too; what is additive is added to the layer's own.
    @Test func outlinesOfTextsBetweenKeys() throws {
        func colours(_ values: String, more: String = "") throws -> [[Double]] {
            let tree = try AnimatedTree(
                """
                {"bounds": [0, 0, 90, 40], "position": [100, 50], "contents": {"text": {"string": "Ab", "size": 10,
                    "outline": {"width": 1, "color": [0.5, 0.25, 0, 0.5]}}}\
                \(Self.animation("text.outline.color", values, more: more))}
                """)
            return try Self.moments.map { time in
                guard case .drawing(let picture)? = tree.layers(at: time).first?.picture,
                    case .text(let text) = picture.drawing
                else { return [] }
                let colour = try #require(text.outline?.colour)
                #expect(text.outline?.width == 1 && text.colour == Colour(red: 1, green: 1, blue: 1))
                return [colour.red, colour.green, colour.blue, colour.alpha]
            }
        }
        func expected(_ parts: [[Double]]) -> [[Double]] {
            let levels = parts.map { Self.levels($0[0], $0[1], $0[2]) }
            return Self.moments.indices.map { moment in levels.map { $0[moment] } }
        }
        let found = try colours("[1, 0, 0.2, 1], [0, 1, 0.6, 0], [0.5, 0, 1, 1]")
        let wanted = expected([[1, 0, 0.5], [0, 1, 0], [0.2, 0.6, 1], [1, 0, 1]])
        #expect(zip(found, wanted).allSatisfy(isNear), "\(found)")
        let added = try colours("[0, 0, 0, 0], [0.25, 0.5, 0.5, 0.5], [0, 0.5, 1, 0]", more: #", "additive": true"#)
        let sums = expected([[0.5, 0.75, 0.5], [0.25, 0.75, 0.75], [0, 0.5, 1], [0.5, 1, 0.5]])
        #expect(zip(added, sums).allSatisfy(isNear), "\(added)")
    }

    /// A layer's space moves to the left, and what stands in it; the layer's own background stays.
    @Test(arguments: [("bounds.origin.x", -1.0, 0.0), ("bounds.origin.y", 0, 1)])
    func ownSpaceBetweenKeys(_ keyPath: String, _ alongX: Double, _ alongY: Double) throws {
        let tree = try AnimatedTree(
            """
            {"bounds": [0, 0, 60, 40], "position": [100, 50], "backgroundColor": [0, 1, 0, 1], "sublayers": [
                {"bounds": [0, 0, 20, 10], "position": [30, 20], "backgroundColor": [1, 0, 0, 1]}]\
            \(Self.animation(keyPath, "0, 16, -8"))}
            """)
        for (time, level) in zip(Self.moments, Self.levels(0, 16, -8)) {
            let layers = tree.layers(at: time)
            try #require(layers.count == 2)
            let (own, inner) = (layers[0].transform.apply(0, 0), layers[1].transform.apply(0, 0))
            #expect(near(own.x, 70) && near(own.y, 30), "\(time)")
            #expect(near(inner.x, 90 + alongX * level) && near(inner.y, 45 + alongY * level), "\(time)")
        }
    }
}

extension EffectCall {
    fileprivate static let none = EffectCall(id: "none", version: 0)
}
