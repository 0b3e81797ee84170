import Pictures
import SplitreelProject

/// A circle about the centre grows until it holds the corners. It is round on the canvas, whatever an output's pixels.
struct CircleIris: TransitionKernel {
    func draw(_ transition: Transition) { transition.mix.mix(by: CircleMask(transition)) }
}

/// A diamond with its corners on the axes grows until it holds the picture's corners; half way it touches the sides.
struct DiamondIris: TransitionKernel {
    func draw(_ transition: Transition) {
        transition.mix.mix(by: SlantMask(transition, x: 1, y: 1, isFolded: true))
    }
}

private struct CircleMask: WeightMask {
    private let width: Int
    private let edge: Edge
    private let centre: (x: Double, y: Double)
    /// The output's rows for each of its columns.
    private let aspect: Double

    init(_ transition: Transition) {
        width = transition.width
        aspect = transition.call.scaleX > 0 ? transition.call.scaleY / transition.call.scaleX : 1
        centre = (Double(transition.width) / 2, Double(transition.height) / 2)
        let across = centre.x * aspect
        edge = transition.edge(length: (across * across + centre.y * centre.y).squareRoot())
    }

    func row(_ y: Int, into weights: UnsafeMutablePointer<Float>) -> MaskRow {
        let down = Double(y) + 0.5 - centre.y
        // The columns that the far side of the ramp meets.
        let chord = edge.high * edge.high - down * down
        guard edge.high > 0, chord > 0 else { return .even(0) }
        let reach = chord.squareRoot() / aspect
        let low = min(max(0, Int((centre.x - reach).rounded(.down)) - 1), width)
        let high = max(low, min(width, Int((centre.x + reach).rounded(.up)) + 1))
        circleRow(
            Float(centre.x), Float(aspect), Float(down * down), Float(edge.middle), Float(1 / edge.width), weights,
            width)
        return .varied(low..<high)
    }
}

private func circleRow(
    _ centre: Float, _ aspect: Float, _ down: Float, _ middle: Float, _ scale: Float,
    _ row: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count {
        let across = (Float(Int32(truncatingIfNeeded: x)) + 0.5 - centre) * aspect
        let far = (across * across + down).squareRoot()
        row[x] = min(max((middle - far) * scale + 0.5, 0), 1)
    }
}
