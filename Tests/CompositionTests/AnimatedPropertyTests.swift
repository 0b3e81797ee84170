import Drawings
import ExactMath
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing

/// Each key path at the middle of a linear animation, by what it does to a layer of 20×10 at (100, 50), y up.
@Suite("Key paths") struct AnimatedPropertyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var keyPath: String
        var from: String
        var to: String
        var layer = ""
        /// The places of the layer's corners at the top left and at the bottom right, in pixels of the canvas, y down.
        var corners: [Double] = []

        var testDescription: String { keyPath }
    }

    static let geometry = [
        Case(keyPath: "position", from: "[100, 50]", to: "[120, 70]", corners: [100, 35, 120, 45]),
        Case(keyPath: "position.x", from: "0", to: "80", corners: [30, 45, 50, 55]),
        Case(keyPath: "position.y", from: "0", to: "80", corners: [90, 55, 110, 65]),
        Case(keyPath: "bounds", from: "[0, 0, 20, 10]", to: "[0, 0, 60, 30]", corners: [80, 40, 120, 60]),
        // Its own space moves, and with it what stands in it, not the layer.
        Case(keyPath: "bounds.origin", from: "[0, 0]", to: "[40, 20]", corners: [90, 45, 110, 55]),
        Case(keyPath: "bounds.size", from: "[20, 10]", to: "[60, 30]", corners: [80, 40, 120, 60]),
        Case(keyPath: "bounds.size.width", from: "20", to: "60", corners: [80, 45, 120, 55]),
        Case(keyPath: "bounds.size.height", from: "10", to: "30", corners: [90, 40, 110, 60]),
        Case(keyPath: "anchorPoint", from: "[0, 0]", to: "[1, 2]", corners: [90, 50, 110, 60]),
        Case(keyPath: "anchorPoint.x", from: "0", to: "0.5", corners: [95, 45, 115, 55]),
        Case(keyPath: "anchorPoint.y", from: "1", to: "3", corners: [90, 60, 110, 70]),
        Case(keyPath: "transform.scale", from: "1", to: "3", corners: [80, 40, 120, 60]),
        Case(keyPath: "scale", from: "[1, 1]", to: "[3, 1]", corners: [80, 45, 120, 55]),
        Case(keyPath: "transform.scale.x", from: "1", to: "3", corners: [80, 45, 120, 55]),
        Case(keyPath: "transform.scale.y", from: "1", to: "3", corners: [90, 40, 110, 60]),
        Case(keyPath: "transform.translation", from: "[0, 0]", to: "[40, 20]", corners: [110, 35, 130, 45]),
        Case(keyPath: "transform.translation.x", from: "0", to: "40", corners: [110, 45, 130, 55]),
        Case(keyPath: "transform.translation.y", from: "0", to: "40", corners: [90, 25, 110, 35]),
        // A quarter turn counter-clockwise: the top left goes to the bottom left.
        Case(keyPath: "transform.rotation", from: "0", to: "180", corners: [95, 60, 105, 40]),
        Case(keyPath: "rotation", from: "0", to: "-180", corners: [105, 40, 95, 60]),
        // Where y goes down the same turn is clockwise: the top left goes to the top right.
        Case(
            keyPath: "transform.rotation.z", from: "0", to: "180", layer: #", "flipped": true"#,
            corners: [105, 40, 95, 60]),
        // About an axis: of 60° half is left.
        Case(keyPath: "transform.rotation.y", from: "0", to: "120", corners: [95, 45, 105, 55]),
        Case(keyPath: "transform.rotation.x", from: "0", to: "120", corners: [90, 47.5, 110, 52.5]),
        // Of 100 it is 50 nearer: twice as large.
        Case(
            keyPath: "transform.translation.z", from: "0", to: "100", layer: #", "transform": {"perspective": 100}"#,
            corners: [80, 40, 120, 60]),
        Case(
            keyPath: "transform", from: "[1, 0, 0, 1, 0, 0]", to: "[3, 0, 0, 1, 20, 0]", corners: [90, 45, 130, 55]),
        Case(
            keyPath: "transform", from: #"{"rotate": 0}"#, to: #"{"rotate": 180, "translate": [0, 20]}"#,
            corners: [95, 50, 105, 30]),
        // What is turned as numbers turns on: 30° and 90° make 60° half-way.
        Case(
            keyPath: "transform.rotation", from: "90", to: "90", layer: #", "transform": [0, 2, -2, 0, 5, 0]"#,
            corners: [95, 70, 115, 30]),
    ]

    @Test(arguments: geometry) func places(_ one: Case) throws {
        let isFlipped = one.layer.contains("flipped")
        let layer = """
            {"bounds": [0, 0, 20, 10], "position": [100, 50], "backgroundColor": [1, 0, 0, 1]\
            \(isFlipped ? "" : one.layer), "animations": [
                {"keyPath": "\(one.keyPath)", "from": \(one.from), "to": \(one.to), "duration": "2s"}]}
            """
        let tree = try AnimatedTree(
            isFlipped
                ? """
                {"bounds": [0, 0, 200, 100], "position": [100, 50], "geometryFlipped": true, "sublayers": [\(layer)]}
                """ : layer)
        let recipe = try #require(tree.layers(at: Rational(1)).first)
        // The picture of a colour is 2×2.
        let (first, last) = (recipe.transform.apply(0, 0), recipe.transform.apply(2, 2))
        let found = [first.x, first.y, last.x, last.y]
        #expect(zip(found, one.corners).allSatisfy { near($0, $1, 1e-6) }, "\(found) for \(one.corners)")
    }

    private func middle(_ keyPath: String, _ from: String, _ to: String, _ layer: String) throws -> LayerRecipe {
        let tree = try AnimatedTree(
            """
            {"bounds": [0, 0, 20, 10], "position": [100, 50], \(layer), "animations": [
                {"keyPath": "\(keyPath)", "from": \(from), "to": \(to), "duration": "2s"}]}
            """)
        return try #require(tree.layers(at: Rational(1)).first)
    }

    private static let red = #""backgroundColor": [1, 0, 0, 1]"#

    @Test func look() throws {
        #expect(try middle("opacity", "0.5", "1", Self.red).opacity == 0.75)
        #expect(try middle("cornerRadius", "0", "4", Self.red).outline?.cornerRadius == 0.2)
        let border = try middle("borderWidth", "0", "4", Self.red)
        #expect(border.outline?.borderWidth == 0.2)
        let blue = try middle("borderColor", "[0, 0, 0, 1]", "[0, 0, 1, 0]", Self.red + #", "borderWidth": 2"#)
        #expect(blue.outline?.borderColour == Colour(red: 0, green: 0, blue: 0.5, alpha: 0.5))
        let filled = try middle("backgroundColor", "[1, 0, 0, 1]", "[0, 1, 0, 0.5]", Self.red)
        #expect(filled.opacity == 0.75)
        #expect(filled.fill == Colour(red: 0.5, green: 0.5, blue: 0))
        #expect(
            try middle("color", "[1, 1, 1, 1]", "[0, 0, 0, 1]", #""contents": {"color": [1, 0, 0, 1]}"#).fill?.red
                == 0.5)
    }

    /// Hidden in the second half only; a colour takes the place of the other in steps.
    @Test func steps() throws {
        let hidden = try AnimatedTree(animation: #"{"keyPath": "hidden", "values": [false, true], "duration": "2s"}"#)
        #expect(hidden.layers(at: Rational(9, 10)).count == 1 && hidden.layers(at: Rational(1)).isEmpty)
        let contents = try AnimatedTree(
            animation: """
                {"keyPath": "contents", "values": [{"color": [0, 1, 0, 1]}, {"color": [0, 0, 0, 1]}], "duration": "2s"}
                """)
        #expect(contents.layers(at: Rational(0)).last?.fill == Colour(red: 0, green: 1, blue: 0))
        #expect(contents.layers(at: Rational(1)).last?.fill == .black)
        #expect(contents.layers(at: Rational(2)).count == 1)
    }

    private static let shape = """
        "contents": {"shape": {"path": "M0 0 L20 0", "strokeColor": [1, 1, 1, 1], "fillColor": [0, 0, 0, 1]}}
        """

    private func shape(_ keyPath: String, _ from: String, _ to: String) throws -> ShapeDrawing? {
        guard case .drawing(let picture) = try middle(keyPath, from, to, Self.shape).picture,
            case .shape(let shape) = picture.drawing
        else { return nil }
        return shape
    }

    @Test func shapes() throws {
        #expect(try shape("shape.strokeEnd", "0", "1")?.strokeEnd == 0.5)
        #expect(try shape("shape.trimEnd", "0.5", "1")?.strokeEnd == 0.75)
        #expect(try shape("strokeStart", "0", "1")?.strokeStart == 0.5)
        #expect(try shape("shape.lineWidth", "1", "5")?.lineWidth == 3)
        #expect(try shape("lineDashPhase", "0", "8")?.dashPhase == 4)
        #expect(try shape("shape.strokeColor", "[1, 1, 1, 1]", "[0, 1, 1, 1]")?.strokeColour?.red == 0.5)
        #expect(try shape("shape.fillColor", "[0, 0, 0, 1]", "[0, 0, 1, 1]")?.fillColour?.blue == 0.5)
        let path = try shape("shape.path", "\"M0 0 L20 0\"", "\"M0 10 L40 20\"")?.path
        #expect(path?.segments == [.move(DrawingPoint(0, 5)), .line(DrawingPoint(30, 10))])
    }

    @Test func texts() throws {
        func text(_ keyPath: String, _ from: String, _ to: String) throws -> TextDrawing? {
            let contents = #""contents": {"text": {"string": "Ab", "size": 10, "outline": {"width": 1}}}"#
            guard case .drawing(let picture) = try middle(keyPath, from, to, contents).picture,
                case .text(let text) = picture.drawing
            else { return nil }
            return text
        }
        #expect(try text("text.size", "10", "30")?.font.size == 20)
        #expect(try text("text.tracking", "0", "3")?.tracking == 1.5)
        #expect(try text("text.color", "[1, 1, 1, 1]", "[0, 1, 1, 1]")?.colour.red == 0.5)
        #expect(try text("text.outline.width", "1", "3")?.outline?.width == 2)
        #expect(try text("text.reveal", "0", "1")?.reveal?.progress == 0.5)
        #expect(try text("text.string", "\"Ab\"", "\"Cd\"")?.string == "Ab")
        // Its box is the layer's.
        #expect(try text("bounds.size", "[20, 10]", "[40, 30]")?.width == 30)
    }

    /// What is mixed stays in the range that the layer's own key has.
    @Test(arguments: [("1e7", true), ("-1e7", false)]) func ranges(_ far: String, _ isHigh: Bool) throws {
        func text(_ keyPath: String) throws -> TextDrawing? {
            let look = #""outline": {"width": 1}, "shadow": {"blur": 1}, "weight": 400, "leading": 20"#
            let contents = #""contents": {"text": {"string": "Ab", "size": 10, \#(look)}}"#
            guard case .drawing(let picture) = try middle(keyPath, far, far, contents).picture,
                case .text(let text) = picture.drawing
            else { return nil }
            return text
        }
        #expect(try text("text.tracking")?.tracking == (isHigh ? 4096 : -4096))
        #expect(try text("text.shadow.blur")?.shadow?.blur == (isHigh ? 256 : 0))
        #expect(try text("text.outline.width")?.outline?.width == (isHigh ? 256 : 0))
        #expect(try text("text.leading")?.leading == (isHigh ? 16384 : 0))
        #expect(try text("text.weight")?.font.weight == (isHigh ? 1000 : 1))
        #expect(try text("text.size")?.font.size == (isHigh ? 4096 : 1))
        #expect(try shape("shape.lineWidth", far, far)?.lineWidth == (isHigh ? 16384 : 0))
        #expect(try shape("shape.miterLimit", far, far)?.miterLimit == (isHigh ? 1000 : 1))
        #expect(try shape("shape.lineDashPhase", far, far)?.dashPhase == (isHigh ? 1e6 : -1e6))
    }

    @Test func numbersAreHeld() {
        let cases = [(Double.nan, -2.0), (-.infinity, -2), (-3, -2), (1, 1), (9, 5), (.infinity, 5)]
        for (number, held) in cases { #expect(number.held(in: -2...5) == held, "\(number)") }
    }

    @Test func gradients() throws {
        let contents = """
            "contents": {"gradient": {"stops": [{"at": 0, "color": [0, 0, 0, 1]}, {"at": 1, "color": [1, 1, 1, 1]}]}}
            """
        func gradient(_ keyPath: String, _ from: String, _ to: String) throws -> Gradient? {
            guard case .pattern(let picture) = try middle(keyPath, from, to, contents).picture,
                case .gradient(let gradient) = picture.pattern
            else { return nil }
            return gradient
        }
        #expect(try gradient("gradient.from", "[0, 0]", "[1, 1]")?.from ?? (0, 0) == (0.5, 0.5))
        #expect(try gradient("endPoint", "[0, 0]", "[1, 1]")?.to ?? (0, 0) == (0.5, 0.5))
        #expect(try gradient("gradient.locations", "[0, 0.5]", "[0.5, 1]")?.stops.map(\.place) == [0.25, 0.75])
        let colours = try gradient("colors", "[[0,0,0,1],[1,1,1,1]]", "[[1,0,0,1],[1,0,1,1]]")?.stops.map(\.colour)
        #expect(colours == [Colour(red: 0.5, green: 0, blue: 0), Colour(red: 1, green: 0.5, blue: 1)])
    }

    @Test func depthDecidesWhatIsOnTop() throws {
        func layer(_ colour: String, _ more: String) -> String {
            #"{"bounds": [0, 0, 9, 9], "backgroundColor": \#(colour)\#(more)}"#
        }
        let rising = #", "animations": [{"keyPath": "zPosition", "from": 0, "to": 4, "duration": "4s"}]"#
        let tree = try AnimatedTree(
            #"""
            {"bounds": [0, 0, 200, 100], "sublayers": [
                \#(layer("[1, 0, 0, 1]", rising)),
                \#(layer("[0, 1, 0, 1]", #", "zPosition": 2"#)), \#(layer("[0, 0, 0, 1]", ""))]}
            """#)
        #expect(tree.layers(at: Rational(1)).compactMap(\.fill).map(\.green) == [0, 0, 1])
        #expect(tree.layers(at: Rational(1)).compactMap(\.fill).map(\.red) == [0, 1, 0])
        #expect(tree.layers(at: Rational(3)).compactMap(\.fill).map(\.red) == [0, 0, 1])
    }
}

extension LayerRecipe {
    fileprivate var fill: Colour? { if case .fill(let fill) = picture { fill.colour } else { nil } }
}
