import Drawings
import Foundation
import JSONText
import Pictures
import SplitreelProject
import Testing

/// The properties that programs name by their types are those that files name by their key paths.
@Suite("Typed properties of layers") struct LayerPropertyTests {
    private func expectKnown<Value>(_ property: LayerProperty<Value>, _ value: Value) throws {
        let known = try #require(AnimatedProperty.named(property.keyPath), "\(property.keyPath)")
        let state = LayerState(AnimationLayer(bounds: Rect(x: 0, y: 0, width: 10, height: 10)))
        #expect(
            known.value(value.animated, of: state, contents: { _ in LayerPicture.none }) != nil, "\(property.keyPath)")
    }

    @Test func everyOneIsKnownAndTakesItsValues() throws {
        let numbers: [LayerProperty<Double>] = [
            .opacity, .zPosition, .cornerRadius, .borderWidth, .rotation, .rotationX, .rotationY, .scale,
            .shadowOpacity, .shadowRadius, .textSize, .textReveal, .lineWidth, .lineDashPhase, .strokeStart, .strokeEnd,
        ]
        for property in numbers { try expectKnown(property, 0.5) }
        let points: [LayerProperty<LayerPoint>] = [.position, .anchorPoint, .translation, .shadowOffset]
        for property in points { try expectKnown(property, LayerPoint(1, 2)) }
        let colours: [LayerProperty<Colour>] = [
            .backgroundColor, .borderColor, .shadowColor, .color, .textColor, .fillColor, .strokeColor,
        ]
        for property in colours { try expectKnown(property, .black) }
        try expectKnown(.bounds, Rect(x: 0, y: 0, width: 1, height: 1))
        try expectKnown(.transform, .parts(LayerTransformParts(scale: NumberPair(2))))
        try expectKnown(.hidden, true)
        try expectKnown(.string, "a")
        try expectKnown(.path, "M0 0L1 1")
        try expectKnown(.contents, .image("a"))
        try expectKnown(LayerProperty("gradient.locations"), [Double]())
    }

    /// An animation of a program is read back from its file as it was written.
    @Test func animationsAreTheFiles() throws {
        let animation = LayerAnimation.basic(
            .position, from: LayerPoint(0, 1), by: LayerPoint(2, 3), duration: time("2s"),
            timing: AnimationTiming(forEachWay: [.easeIn, .cubicBezier(x1: 0.1, y1: 0, x2: 1, y2: 1)]))
        let text = """
            {"type": "basic", "keyPath": "position", "from": [0, 1], "by": [2, 3], "duration": "2s",
             "timing": ["ease-in", [0.1, 0, 1, 1]]}
            """
        #expect(try JSONDecoder().decode(LayerAnimation.self, from: Data(text.utf8)) == animation)
    }
}
