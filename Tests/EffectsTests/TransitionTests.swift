import Effects
import JSONText
import MediaTime
import Pictures
import SplitreelProject
import Testing

/// Each transition against what is inside of its shape, counted at 16 × 16 points of the area that each sample stands
/// for.
@Suite struct TransitionTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let bits, shiftX, shiftY, width, height: Int
        let hasAlpha: Bool

        var testDescription: String { "\(bits) bits, shifts \(shiftX) \(shiftY), \(width)×\(height) \(hasAlpha)" }
    }

    static let kinds = [
        Kind(bits: 8, shiftX: 1, shiftY: 1, width: 70, height: 46, hasAlpha: false),
        Kind(bits: 8, shiftX: 1, shiftY: 1, width: 65, height: 37, hasAlpha: true),
        Kind(bits: 10, shiftX: 1, shiftY: 0, width: 67, height: 41, hasAlpha: false),
        Kind(bits: 10, shiftX: 0, shiftY: 0, width: 64, height: 36, hasAlpha: true),
    ]

    /// Whether a point of the picture shows the second one; the way is from 0 to 1, points are in pixels.
    typealias Shape = @Sendable (_ x: Double, _ y: Double, _ size: (Double, Double), _ progress: Double) -> Bool

    static let shapes: [(id: String, params: JSONValue?, isRound: Bool, shape: Shape)] = [
        ("wipe.left", nil, false, { x, _, size, way in x > size.0 * (1 - way) }),
        ("wipe.right", nil, false, { x, _, size, way in x < size.0 * way }),
        ("wipe.up", nil, false, { _, y, size, way in y > size.1 * (1 - way) }),
        ("wipe.down", nil, false, { _, y, size, way in y < size.1 * way }),
        ("wipe.up-left", nil, false, { x, y, size, way in x / size.0 + y / size.1 > 2 * (1 - way) }),
        ("wipe.up-right", nil, false, { x, y, size, way in x / size.0 + 1 - y / size.1 < 2 * way }),
        ("wipe.down-left", nil, false, { x, y, size, way in 1 - x / size.0 + y / size.1 < 2 * way }),
        ("wipe.down-right", nil, false, { x, y, size, way in x / size.0 + y / size.1 < 2 * way }),
        (
            "iris.circle", nil, true,
            { x, y, size, way in
                let (dx, dy) = (x - size.0 / 2, y - size.1 / 2)
                return dx * dx + dy * dy < way * way * (size.0 * size.0 + size.1 * size.1) / 4
            }
        ),
        (
            "iris.diamond", nil, true,
            { x, y, size, way in abs(x / size.0 - 0.5) + abs(y / size.1 - 0.5) < way }
        ),
        (
            "blinds", .object(["count": .integer(3)]), false,
            { _, y, size, way in (y / size.1 * 3).truncatingRemainder(dividingBy: 1) < way }
        ),
        (
            "blinds", .object(["count": .integer(5), "direction": .string("vertical")]), false,
            { x, _, size, way in (x / size.0 * 5).truncatingRemainder(dividingBy: 1) < way }
        ),
    ]

    @Test(arguments: kinds) func sharpEdgesCoverByArea(_ kind: Kind) throws {
        let (from, to) = (TestPicture(kind, seed: 1), TestPicture(kind, seed: 2))
        for entry in Self.shapes {
            for progress in [0.13, 0.5, 0.871] {
                let out = try draw(entry.id, entry.params, progress, from, to)
                let size = (Double(kind.width), Double(kind.height))
                // The points tell a 32nd; a curve's area is taken for its distance, and so is a diamond's tip.
                let tolerance = (entry.isRound ? 0.11 : 0.035) * Double((1 << kind.bits) - 1)
                for plane in 0..<3 {
                    let worst = out.worst(plane, from, to) { entry.shape($0, $1, size, progress) ? 1 : 0 }
                    #expect(worst <= max(1, tolerance), "\(entry.id) at \(progress), plane \(plane): \(worst)")
                }
            }
        }
    }

    @Test(arguments: kinds) func softEdgesAreRamps(_ kind: Kind) throws {
        let (from, to) = (TestPicture(kind, seed: 3), TestPicture(kind, seed: 4))
        let softness = 0.3
        for progress in [0.2, 0.64] {
            let out = try draw("wipe.left", .object(["softness": JSONValue(softness)]), progress, from, to)
            let circle = try draw("iris.circle", .object(["softness": JSONValue(softness)]), progress, from, to)
            let size = (Double(kind.width), Double(kind.height))
            func ramp(_ way: Double) -> Double {
                min(max((progress * (1 + softness) - way) / softness, 0), 1)
            }
            for plane in 0..<3 {
                let tolerance = 0.012 * Double((1 << kind.bits) - 1)
                #expect(out.worst(plane, from, to) { x, _ in ramp(1 - x / size.0) } <= max(1, tolerance))
                let round = circle.worst(plane, from, to) { x, y in
                    let (dx, dy) = (x - size.0 / 2, y - size.1 / 2)
                    return ramp(((dx * dx + dy * dy) / (size.0 * size.0 + size.1 * size.1) * 4).squareRoot())
                }
                #expect(round <= max(1.5, 2 * tolerance))
            }
        }
    }

    /// The hand's edge as an area of a half-plane, each time; pixels that both edges cross are left out.
    @Test(arguments: kinds) func aHandGoesRound(_ kind: Kind) throws {
        let (from, to) = (TestPicture(kind, seed: 5), TestPicture(kind, seed: 6))
        let middle = (Double(kind.width) / 2, Double(kind.height) / 2)
        // Eighths of a turn: where the hand points is known without trigonometry.
        for (eighth, hand) in [(1, (1.0, 1.0)), (3, (1, -1)), (5, (-1, -1)), (7, (-1, 1))] {
            let out = try draw("clock", nil, Double(eighth) / 8, from, to)
            let tolerance = 0.13 * Double((1 << kind.bits) - 1)
            let worst = out.worst(0, from, to, skipping: { abs($0 - middle.0) < 2 && abs($1 - middle.1) < 2 }) { x, y in
                let (right, up) = (x - middle.0, middle.1 - y)
                let isBehind = hand.0 * up - hand.1 * right > 0
                return (eighth < 4 ? right > 0 && isBehind : right > 0 || isBehind) ? 1 : 0
            }
            #expect(worst <= tolerance, "\(eighth)/8: \(worst)")
        }
    }

    @Test(arguments: kinds) func fadesAreStraight(_ kind: Kind) throws {
        let (from, to) = (TestPicture(kind, seed: 7), TestPicture(kind, seed: 8))
        for progress in [0.25, 0.7] {
            let out = try draw("dissolve", nil, progress, from, to)
            let dip = try draw(
                "dip-to-color", .object(["color": .array([1, 1, 1, 1].map { .integer($0) })]), progress, from, to)
            var white = TestPicture(kind, seed: 0)
            let step = 1 << (kind.bits - 8)
            white.fill([235 * step, 128 * step, 128 * step, (1 << kind.bits) - 1])
            for plane in 0..<3 {
                #expect(out.worst(plane, from, to) { _, _ in progress } <= 0.51)
                let part = 2 * progress
                let worst =
                    part < 1
                    ? dip.worst(plane, from, white) { _, _ in part }
                    : dip.worst(plane, white, to) { _, _ in part - 1 }
                #expect(worst <= 0.51)
            }
        }
    }

    /// Luma by whole samples, whatever the way is; chroma too where it moves by an even number, but for one at the
    /// edge.
    @Test(arguments: kinds) func movesAreCopies(_ kind: Kind) throws {
        let (from, to) = (TestPicture(kind, seed: 11), TestPicture(kind, seed: 12))
        let params = JSONValue.object(["shadow": .integer(0)])
        for (name, x, y) in [("left", -1, 0), ("right", 1, 0), ("up", 0, -1), ("down", 0, 1)] {
            let length = x == 0 ? kind.height : kind.width
            for way in [4, length / 2 + 1, length - 4] {
                let rest = length - way
                for (move, fromMoves, toMoves) in [
                    ("slide", 0, rest), ("push", way, rest), ("cover", 0, rest), ("reveal", way, 0),
                ] {
                    let out = try draw(
                        "\(move).\(name)", move == "cover" || move == "reveal" ? params : nil,
                        Double(way) / Double(length), from, to)
                    var wrong = 0
                    for index in 0..<kind.width * kind.height {
                        let place = (index % kind.width, index / kind.width)
                        let along = x == 0 ? place.1 : place.0
                        let isNew = x + y < 0 ? along >= rest : along < way
                        let (source, moved) = isNew ? (to, -toMoves) : (from, fromMoves)
                        let at = (place.0 - x * moved, place.1 - y * moved)
                        if out.planes[0][index] != source.planes[0][at.1 * kind.width + at.0] { wrong += 1 }
                    }
                    #expect(wrong == 0, "\(move).\(name) by \(way): \(wrong)")
                }
            }
        }
    }

    /// The same picture on both sides stays that picture, but where a shadow falls; grey stays grey in all.
    @Test(arguments: kinds) func evenPicturesStayEven(_ kind: Kind) throws {
        var grey = TestPicture(kind, seed: 13)
        let step = 1 << (kind.bits - 8)
        grey.fill([100 * step, 90 * step, 160 * step, 700 * step / 4])
        for description in EffectDescription.transitions
        where !["dip-to-color", "film-burn"].contains(description.id) && description.parameter("shadow") == nil {
            let params = description.parameter("matte") != nil ? JSONValue.object(["matte": .string("m")]) : nil
            for progress in [0.1, 0.37, 0.5, 0.9] {
                let out = try draw(description.id, params, progress, grey, grey)
                #expect(out.planes == grey.planes, "\(description.id) at \(progress)")
            }
        }
    }

    /// Both ends are the pictures themselves, whatever the parameters are, and so is what an easing overshoots to.
    @Test(arguments: kinds) func endsAreExact(_ kind: Kind) throws {
        let (from, to) = (TestPicture(kind, seed: 9), TestPicture(kind, seed: 10))
        for description in EffectDescription.transitions {
            let needsMatte = description.parameter("matte") != nil
            let params = needsMatte ? JSONValue.object(["matte": .string("m")]) : nil
            for (progress, expected) in [(0.0, from), (-0.5, from), (1.0, to), (1.5, to)] {
                let out = try draw(description.id, params, progress, from, to)
                #expect(out.planes == expected.planes, "\(description.id) at \(progress)")
            }
        }
    }

    /// A colour's keys with an easing that overshoots on both sides end at black and white.
    @Test func colourKeysStayInTheirRange() throws {
        let description = try #require(EffectRegistry.description(of: "dip-to-color", version: nil))
        func colour(_ value: Int64) -> JSONValue {
            .array([.integer(value), .integer(value), .integer(value), .integer(1)])
        }
        let ramp = JSONValue.object([
            "range": .array([.string("0s"), .string("1s")]), "from": colour(0), "to": colour(1),
            "easing": .array([0.68, -0.55, 0.27, 1.55].map { JSONValue($0) }),
        ])
        var problems: [Problem] = []
        let parameters = EffectParameters(
            .object(["color": .array([ramp])]), of: description, "", problems: &problems)
        try #require(problems.isEmpty)
        let lists = (0...100).compactMap { step -> [Double]? in
            guard case .numbers(let list)? = parameters.values(at: Rational(step, 100))["color"] else { return nil }
            return list
        }
        #expect(lists.count == 101 && lists.joined().allSatisfy { (0...1).contains($0) })
        // It does overshoot: it stays at both ends of the range for a while.
        #expect(lists.count { $0[0] == 0 } > 5 && lists.count { $0[0] == 1 } > 5)
    }

    /// Kernels of numbers that no file can say draw something.
    @Test(arguments: kinds) func wrongNumbersAreDrawn(_ kind: Kind) throws {
        let (from, to) = (TestPicture(kind, seed: 1), TestPicture(kind, seed: 2))
        for colour in [[-9.0, -9, -9, -9], [9, 9, 9, 9], [.nan, .nan, .nan, .nan]] {
            for progress in [0.3, 0.5, 0.7] {
                let drawn = try TestPicture.drawn("dip-to-color", nil, progress, from, to) {
                    $0.values["color"] = .numbers(colour)
                }
                #expect(drawn.planes.count == from.planes.count)
            }
        }
        for scale in [0, -1, .nan, .infinity] {
            let drawn = try TestPicture.drawn("zoom", nil, 0.5, from, to) { $0.values["scale"] = .numbers([scale]) }
            #expect(drawn.planes.count == from.planes.count)
        }
    }

    private func draw(
        _ id: String, _ params: JSONValue?, _ progress: Double, _ from: TestPicture, _ to: TestPicture
    ) throws -> TestPicture {
        try TestPicture.drawn(id, params, progress, from, to)
    }
}
