import Pictures

extension PlanarImage {
    /// The picture that `body` makes plane by plane, in the memory: called for alpha with that plane alone, for all
    /// others with the alpha of their samples, where there is some.
    func mapped(
        _ name: String, _ memory: EffectMemory,
        _ body: (_ plane: Plane, _ alpha: Plane?, _ kind: PlaneKind, _ result: Plane) -> Void
    ) -> PlanarImage {
        let result = memory.picture(name, like: self, hasAlpha: alpha != nil)
        let reduced = reducedAlpha(memory)
        body(cb, reduced, .chroma, result.cb)
        body(cr, reduced, .chroma, result.cr)
        body(luma, alpha, .luma, result.luma)
        if let alpha, let target = result.alpha { body(alpha, nil, .luma, target) }
        return result
    }

    /// The mean alpha of the pixels that each chroma sample stands for; nil without alpha.
    private func reducedAlpha(_ memory: EffectMemory) -> Plane? {
        guard let alpha else { return nil }
        let layout = ChromaLayout(encoding)
        guard layout.shiftX + layout.shiftY > 0 else { return alpha }
        let (depth, width) = (encoding.bitDepth, alpha.width)
        let stride = cb.width * (depth > 8 ? 2 : 1)
        let room = memory.words("plane.alpha", (stride * cb.height + 1) / 2)
        let result = Plane(base: UnsafeMutableRawPointer(room), stride: stride, width: cb.width, height: cb.height)
        let (first, second) = (memory.floats("plane.first", width), memory.floats("plane.second", width))
        let rows = SampleRows(alpha, bitDepth: depth)
        for y in 0..<cb.height {
            rows.read(min(y << layout.shiftY, alpha.height - 1), into: first)
            if layout.shiftY > 0 {
                rows.read(min(2 * y + 1, alpha.height - 1), into: second)
                average(first, second, into: first, 0..<width)
            }
            if layout.shiftX == 0 {
                second.update(from: first, count: width)
            } else if layout.isCosited {
                filterCosited(first, count: width, into: second, 0..<cb.width)
            } else {
                filterCentred(first, count: width, into: second, 0..<cb.width)
            }
            SampleRows(result, bitDepth: depth).write(second, to: y)
        }
        return result
    }
}

enum PlaneKind { case luma, chroma }

/// The rows of a plane, multiplied by the share of 1 that their alpha is.
struct WeightedRows {
    private let samples: SampleRows
    private let alpha: SampleRows?
    private let step: Float

    init(_ plane: Plane, _ alpha: Plane?, depth: Int) {
        samples = SampleRows(plane, bitDepth: depth)
        self.alpha = alpha.map { SampleRows($0, bitDepth: depth) }
        step = 1 / Float((1 << depth) - 1)
    }

    /// Reads a row; `weights` is written where there is alpha.
    func read(_ y: Int, into values: UnsafeMutablePointer<Float>, weights: UnsafeMutablePointer<Float>) {
        samples.read(y, into: values)
        guard let alpha else { return }
        alpha.read(y, into: weights)
        scale(weights, by: step, count: samples.width)
        multiply(values, by: weights, count: samples.width)
    }
}

private func multiply(_ row: UnsafeMutablePointer<Float>, by other: UnsafePointer<Float>, count: Int) {
    for x in 0..<count { row[x] = row[x] * other[x] }
}

func divide(_ row: UnsafeMutablePointer<Float>, by other: UnsafePointer<Float>, count: Int) {
    for x in 0..<count { row[x] = row[x] / (other[x] > 1e-4 ? other[x] : 1) }
}
