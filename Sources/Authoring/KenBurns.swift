import MediaTime
import Pictures
import SplitreelProject

/// The move of a still while it is shown: slowly nearer, or farther off, towards one of four corners in turn.
enum KenBurns {
    /// The scale at the far and at the near end, and how much of the canvas's sides the picture moves at these. Nowhere
    /// on the way does it move further than (scale − 1) / 2, so that it always covers the canvas.
    private static let far = (scale: 1.04, way: 0.01)
    private static let near = (scale: 1.2, way: 0.07)

    /// The key of a still's move; the same number always moves alike.
    static func ramp(number: Int, from start: Rational, for length: Rational, on canvas: PixelSize) -> Key<Transform> {
        let corners = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]
        let corner = corners[number / 2 % 4]
        func placed(_ end: (scale: Double, way: Double), _ sign: Double) -> Transform {
            var parts = TransformParts()
            parts.scale = NumberPair(end.scale, end.scale)
            parts.anchor = .middle
            parts.translate = NumberPair(
                (corner.0 * sign * end.way * Double(canvas.width)).rounded(.towardZero),
                (corner.1 * sign * end.way * Double(canvas.height)).rounded(.towardZero))
            return .parts(parts)
        }
        let (first, last) = (placed(far, -1), placed(near, 1))
        let isNearing = number % 2 == 0
        return Key(
            range: TimeRange(from: start, for: length), from: isNearing ? first : last, to: isNearing ? last : first)
    }
}
