import Effects
import Foundation
import JSONText
import Pictures
import SplitreelProject
import Testing

/// Colour effects against formulas in doubles, in all layouts, for any colours.
@Suite struct ColourEffectTests {
    typealias Formula = @Sendable ([Double]) -> [Double]

    private static func object(_ values: [String: JSONValue]) -> JSONValue { .object(values) }
    private static func list(_ values: [Double]) -> JSONValue { .array(values.map { JSONValue($0) }) }

    /// Curves end a quarter beyond black and white.
    private static func each(_ change: @escaping @Sendable (Double, Int) -> Double) -> Formula {
        { rgb in rgb.enumerated().map { change(min(max($1, -0.25), 1.25), $0) } }
    }

    private static func luma(_ rgb: [Double]) -> Double { 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] }

    private static func signed(_ x: Double, _ exponent: Double) -> Double {
        x < 0 ? -pow(-x, exponent) : pow(x, exponent)
    }

    static let pointwise: [(id: String, params: JSONValue, formula: Formula)] = [
        ("exposure", object(["stops": JSONValue(1.3)]), each { x, _ in signed(x, 1) * pow(pow(2, 1.3), 1 / 2.4) }),
        (
            "lift-gamma-gain",
            object([
                "lift": list([0.1, 0, -0.05]), "gamma": list([1, 1.4, 0.8]), "gain": list([1.1, 0.9, 1]),
            ]),
            each { x, k in
                signed(
                    [1.1, 0.9, 1][k] * (x + [0.1, 0, -0.05][k] * (1 - x)), 1 / [1, 1.4, 0.8][k])
            }
        ),
        (
            "levels",
            object([
                "black": JSONValue(0.1), "white": JSONValue(0.8), "gamma": JSONValue(1.2),
                "outputBlack": JSONValue(0.05), "channel": .string("green"),
            ]),
            each { x, k in k == 1 ? 0.05 + 0.95 * pow(min(max((x - 0.1) / 0.7, 0), 1), 1 / 1.2) : x }
        ),
        // Points on two lines: each piece of the red curve is one; the master is level outside of its points.
        (
            "curves",
            object([
                "red": .array([list([-0.5, 1]), list([1.5, -1])]),
                "master": .array([list([0, 0.2]), list([1, 0.7])]),
            ]),
            each { x, k in 0.2 + 0.5 * min(max(k == 0 ? 0.5 - x : x, 0), 1) }
        ),
        (
            "black-and-white", object(["mix": list([0.6, 0.3, 0.1]), "amount": JSONValue(0.75)]),
            { rgb in rgb.map { $0 + 0.75 * (0.6 * rgb[0] + 0.3 * rgb[1] + 0.1 * rgb[2] - $0) } }
        ),
        (
            "sepia", object([:]),
            { rgb in
                [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]].map {
                    $0[0] * rgb[0] + $0[1] * rgb[1] + $0[2] * rgb[2]
                }
            }
        ),
        ("tint", object(["color": list([1, 0.5, 0.2, 1])]), { rgb in [1, 0.5, 0.2].map { $0 * luma(rgb) } }),
        (
            "color-matrix", object(["red": list([0, 1, 0, 0.1]), "blue": list([0.5, 0, 0.5, 0])]),
            { rgb in [rgb[1] + 0.1, rgb[1], 0.5 * (rgb[0] + rgb[2])] }
        ),
    ]

    @Test(arguments: TransitionTests.kinds) func eachPixelIsAsTheFormulaSays(_ kind: TransitionTests.Kind) throws {
        let picture = TestPicture(kind, seed: 3)
        let reference = ColourReference(picture: picture)
        let colours = reference.pixels
        for (id, params, formula) in Self.pointwise {
            let result = try TestPicture.changed(id, params, picture)
            let expected = reference.planes(colours.map(formula))
            for plane in 0..<3 {
                // Half of it is rounding.
                let worst = result.worst(plane, expected[plane])
                #expect(worst <= (kind.bits > 8 ? 1 : 0.6), "\(id), plane \(plane): \(worst)")
            }
            if kind.hasAlpha { #expect(result.planes[3] == picture.planes[3], "\(id)") }
        }
    }

    /// They are functions of a plane, or of Cb and Cr: chroma is as sharp as before.
    @Test(arguments: TransitionTests.kinds) func planesAreChangedAlone(_ kind: TransitionTests.Kind) throws {
        let picture = TestPicture(kind, seed: 5)
        let unit = Double(1 << (kind.bits - 8))
        let (cosine, sine) = (cos(50 * Double.pi / 180), sin(50 * Double.pi / 180))
        typealias Change = (luma: (Double) -> Double, chroma: (Double, Double) -> (Double, Double))
        let cases: [(String, JSONValue, Change)] = [
            ("brightness", ["amount": 0.1], ({ $0 + 21.9 * unit }, { ($0, $1) })),
            (
                "contrast", ["amount": 1.5, "pivot": 0.4],
                ({ (16 + 87.6) * unit + ($0 - (16 + 87.6) * unit) * 1.5 }, { ($0 * 1.5, $1 * 1.5) })
            ),
            ("saturation", ["amount": 0.3], ({ $0 }, { ($0 * 0.3, $1 * 0.3) })),
            ("hue", ["degrees": 50], ({ $0 }, { ($0 * cosine - $1 * sine, $0 * sine + $1 * cosine) })),
            ("invert", [:], ({ 251 * unit - $0 }, { (-$0, -$1) })),
        ].map { ($0.0, .object($0.1.mapValues { JSONValue($0) }), $0.2) }
        for (id, params, change) in cases {
            let result = try TestPicture.changed(id, params, picture)
            let grey = 128 * unit
            let pairs = zip(picture.planes[1], picture.planes[2]).map {
                change.chroma(Double($0) - grey, Double($1) - grey)
            }
            let expected = [
                picture.planes[0].map { change.luma(Double($0)) }, pairs.map { $0.0 + grey }, pairs.map { $0.1 + grey },
            ]
            for plane in 0..<3 {
                let worst = result.worst(plane, expected[plane])
                #expect(worst <= 0.51, "\(id), plane \(plane): \(worst)")
            }
        }
    }

    /// With all parameters at rest.
    @Test(arguments: TransitionTests.kinds) func whatChangesNothingCopies(_ kind: TransitionTests.Kind) throws {
        let picture = TestPicture(kind, seed: 7)
        let changing = ["invert", "black-and-white", "sepia", "tint", "lut", "chroma-key", "luma-key"]
        let ids = EffectDescription.colourEffects.map(\.id)
        for id in ids where !changing.contains(id) {
            #expect(try TestPicture.changed(id, nil, picture).planes == picture.planes, "\(id)")
        }
        for id in changing
        where ids.contains(id)
            && EffectRegistry.description(of: id, version: 1)?
                .parameter("amount") != nil
            && id != "lut"
        {
            let none = JSONValue.object(["amount": .integer(0)])
            #expect(try TestPicture.changed(id, none, picture).planes == picture.planes, "\(id)")
        }
    }

    /// Tables say what light is neutral: illuminant A and the black body of 6500 K, in CIE x and y.
    @Test func lightOfItsTemperatureBecomesGrey() throws {
        func linear(_ x: Double, _ y: Double) -> [Double] {
            let (a, b) = (x / y, (1 - x - y) / y)
            return [
                3.2404542 * a - 1.5371385 - 0.4985314 * b, -0.9692660 * a + 1.8760108 + 0.0415560 * b,
                0.0556434 * a - 0.2040259 + 1.0572252 * b,
            ]
        }
        let (warm, white) = (linear(0.44757, 0.40745), linear(0.3135, 0.3237))
        // Grey paper in that light.
        let seen = zip(warm, white).map { pow($0 / $1 * 0.18, 1 / 2.4) }
        let kind = TransitionTests.Kind(bits: 10, shiftX: 0, shiftY: 0, width: 16, height: 4, hasAlpha: false)
        var picture = TestPicture(kind, seed: 1)
        let reference = ColourReference(picture: picture)
        picture.fill(reference.codes(seen).map { Int($0.rounded()) })
        let params = JSONValue.object(["kelvin": .integer(2856)])
        let result = try TestPicture.changed("white-balance", params, picture)
        let colour = reference.rgb(
            Double(result.planes[0][0]), Double(result.planes[1][0]), Double(result.planes[2][0]))
        #expect((colour.max() ?? 1) - (colour.min() ?? 0) < 0.012, "\(colour)")
        let greener = try TestPicture.changed("white-balance", .object(["tint": .integer(60)]), picture)
        #expect(greener.planes[2][0] > picture.planes[2][0], "more magenta has more red")
        #expect(greener.planes[1][0] > picture.planes[1][0], "and more blue")
    }

    /// Between points a curve goes no farther than they do, and through them.
    @Test func curvesDoNotOvershoot() throws {
        let kind = TransitionTests.Kind(bits: 10, shiftX: 0, shiftY: 0, width: 877, height: 1, hasAlpha: false)
        var ramp = TestPicture(kind, seed: 1)
        ramp.planes = [(0..<877).map { UInt16(64 + $0) }, Array(repeating: 512, count: 877)]
        ramp.planes.append(ramp.planes[1])
        let points = [[0, 0], [0.1, 0.02], [0.2, 0.9], [0.6, 0.9], [1, 0.3]]
        let params = JSONValue.object(["master": .array(points.map { Self.list($0) })])
        let luma = try TestPicture.changed("curves", params, ramp).planes[0].map { (Double($0) - 64) / 876 }
        for point in points { #expect(abs(luma[Int((point[0] * 876).rounded())] - point[1]) < 0.006, "\(point)") }
        let steps = zip(luma, luma.dropFirst()).map { $1 - $0 }
        #expect(steps[..<175].allSatisfy { $0 >= 0 } && steps[526...].allSatisfy { $0 <= 0 })
        #expect(luma[176..<525].allSatisfy { abs($0 - 0.9) < 0.002 })
    }
}
