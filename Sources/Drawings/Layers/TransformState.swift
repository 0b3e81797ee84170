import ExactMath
package import Pictures
import SplitreelProject

/// A layer's transform at a time: the parts that animations may change, one by one, or the numbers that were written.
package struct TransformState: Sendable, Hashable {
    private var parts = Parts()
    /// The matrix in place of the parts, until one of these is asked for; nil where the parts count.
    private var matrix: Matrix?

    private struct Parts: Hashable {
        /// The translation x, y, z; the scale x, y; the rotation x, y, z in degrees.
        var numbers: [Double] = [0, 0, 0, 1, 1, 0, 0, 0]
        /// The tangent of the angle by which the upright axis leans: only a matrix that was split has it.
        var lean = 0.0
        /// The distance of the viewer; 0 for none.
        var perspective = 0.0
    }

    /// The index of one of the parts' numbers.
    enum Part: Int { case translationX, translationY, translationZ, scaleX, scaleY, rotationX, rotationY, rotationZ }

    init(_ transform: LayerTransform?) {
        switch transform {
        case nil: break
        case .affine(let affine): matrix = Matrix(affine)
        case .matrix(let numbers): matrix = Matrix(numbers)
        case .parts(let written):
            let (move, scale) = (written.translate, written.scale ?? NumberPair(1, 1))
            parts.numbers = [
                move?.x ?? 0, move?.y ?? 0, move?.z ?? 0, scale.x, scale.y, written.rotateX ?? 0, written.rotateY ?? 0,
                written.rotate ?? 0,
            ]
            parts.perspective = written.perspective ?? 0
        }
    }

    subscript(_ part: Part) -> Double {
        get { split.numbers[part.rawValue] }
        set {
            (parts, matrix) = (split, nil)
            parts.numbers[part.rawValue] = newValue
        }
    }

    /// The parts of the affine map of a matrix: scaled, leaned, turned, moved.
    private var split: Parts {
        guard let matrix else { return parts }
        var parts = Parts()
        guard let map = matrix.flattened else { return parts }
        let width = (map.a * map.a + map.b * map.b).squareRoot()
        guard width > 0 else {
            parts.numbers[0...4] = [map.tx, map.ty, 0, 0, 0]
            return parts
        }
        let height = map.determinant / width
        parts.numbers = [map.tx, map.ty, 0, width, height, 0, 0, ExactAngle.degrees(x: map.a, y: map.b)]
        parts.lean = height == 0 ? 0 : (map.a * map.c + map.b * map.d) / width / height
        return parts
    }

    /// The state between two, part by part where both have parts, else number by number of their matrices.
    static func mix(_ from: TransformState, _ to: TransformState, _ share: Double) -> TransformState {
        var result = TransformState(nil)
        if from.matrix == nil, to.matrix == nil {
            let (first, last) = (from.parts, to.parts)
            result.parts.numbers = zip(first.numbers, last.numbers).map { .mix($0, $1, share) }
            result.parts.lean = .mix(first.lean, last.lean, share)
            result.parts.perspective = .mix(first.perspective, last.perspective, share)
        } else {
            result.matrix = Matrix(zip(from.whole.numbers, to.whole.numbers).map { .mix($0, $1, share) })
        }
        return result
    }

    /// The transform that applies `first`, then `then`.
    static func joined(_ first: TransformState, _ then: TransformState) -> TransformState {
        var result = TransformState(nil)
        result.matrix = first.whole.then(then.whole)
        return result
    }

    private var whole: Matrix {
        if let matrix { return matrix }
        let n = parts.numbers
        let (x, y) = (ExactAngle(degrees: n[5]), ExactAngle(degrees: n[6]))
        let z = ExactAngle(degrees: n[7])
        var result = Matrix(Affine(a: n[3], b: 0, c: parts.lean * n[4], d: n[4], tx: 0, ty: 0))
        if n[5] != 0 { result = result.then(Matrix(rows: [1, 0, 0], [0, x.cosine, x.sine], [0, -x.sine, x.cosine])) }
        if n[6] != 0 { result = result.then(Matrix(rows: [y.cosine, 0, -y.sine], [0, 1, 0], [y.sine, 0, y.cosine])) }
        if n[7] != 0 { result = result.then(Matrix(rows: [z.cosine, z.sine, 0], [-z.sine, z.cosine, 0], [0, 0, 1])) }
        for axis in 0..<3 { result.numbers[12 + axis] += n[axis] }
        guard parts.perspective != 0 else { return result }
        var view = Matrix(Affine.identity)
        view.numbers[11] = -1 / parts.perspective
        return result.then(view)
    }

    /// The transform's affine map about the origin; nil where nothing is to be seen: behind the viewer, or not finite.
    package var affine: Affine? {
        if matrix == nil, parts.numbers[5] == 0, parts.numbers[6] == 0, parts.numbers[2] == 0 {
            // This is exact, without a way through three dimensions.
            let n = parts.numbers
            let turn = ExactAngle(degrees: n[7])
            let map = Affine(a: n[3], b: 0, c: parts.lean * n[4], d: n[4], tx: 0, ty: 0)
                .then(Affine(a: turn.cosine, b: turn.sine, c: -turn.sine, d: turn.cosine, tx: n[0], ty: n[1]))
            return map.isFinite ? map : nil
        }
        return whole.flattened
    }
}

/// A matrix of sixteen numbers, m11, m12, … m44.
private struct Matrix: Sendable, Hashable {
    var numbers: [Double]

    init(_ numbers: [Double]) { self.numbers = numbers }

    init(_ map: Affine) {
        numbers = [map.a, map.b, 0, 0, map.c, map.d, 0, 0, 0, 0, 1, 0, map.tx, map.ty, 0, 1]
    }

    init(rows x: [Double], _ y: [Double], _ z: [Double]) { numbers = x + [0] + y + [0] + z + [0, 0, 0, 0, 1] }

    func then(_ next: Matrix) -> Matrix {
        var result = [Double](repeating: 0, count: 16)
        for row in 0..<4 {
            for column in 0..<4 {
                var sum = 0.0
                for step in 0..<4 { sum += numbers[row * 4 + step] * next.numbers[step * 4 + column] }
                result[row * 4 + column] = sum
            }
        }
        return Matrix(result)
    }

    /// The affine map that touches the matrix at the origin, and is the same map where there is no perspective; nil
    /// where nothing is to be seen.
    var flattened: Affine? {
        let m = numbers
        let (x, y, w) = (m[12], m[13], m[15])
        guard w > 0 else { return nil }
        let map = Affine(
            a: (m[0] - x / w * m[3]) / w, b: (m[1] - y / w * m[3]) / w, c: (m[4] - x / w * m[7]) / w,
            d: (m[5] - y / w * m[7]) / w, tx: x / w, ty: y / w)
        return map.isFinite ? map : nil
    }
}

extension Affine {
    fileprivate var isFinite: Bool { [a, b, c, d, tx, ty].allSatisfy(\.isFinite) }
}
