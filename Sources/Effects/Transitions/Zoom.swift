import ExactMath
import Pictures
import SplitreelProject

/// The first picture is enlarged while it fades into the second one, which shrinks from as large to its own size.
struct Zoom: TransitionKernel {
    func draw(_ transition: Transition) {
        let largest = transition.call.number("scale")
        let place = transition.call.numbers("center")
        let centre = (place[0] * Double(transition.width), place[1] * Double(transition.height))
        // The size grows as fast at every size.
        let from = transition.from.enlarged(
            "zoom.from", by: power(largest, transition.progress), about: centre, transition.memory)
        let to = transition.to.enlarged(
            "zoom.to", by: power(largest, 1 - transition.progress), about: centre, transition.memory)
        transition.mixOnto(from, to).evenly(transition.progress)
    }
}

extension PlanarImage {
    /// The picture enlarged by interpolation between samples, about a point that stays where it is; `scale` is 1 or
    /// more.
    fileprivate func enlarged(
        _ name: String, by scale: Double, about centre: (x: Double, y: Double), _ memory: EffectMemory
    ) -> PlanarImage {
        mapped(name, memory) { plane, alpha, kind, result in
            let isChroma = kind == .chroma
            let columns = Places(
                count: plane.width, shift: isChroma ? encoding.chromaShiftX : 0,
                offset: isChroma ? encoding.chromaOffsetX : 0, scale, centre.x)
            let rows = Places(
                count: plane.height, shift: isChroma ? encoding.chromaShiftY : 0,
                offset: isChroma ? encoding.chromaOffsetY : 0, scale, centre.y)
            Enlarger(plane, alpha, columns, rows, depth: encoding.bitDepth, memory).draw(result)
        }
    }
}

/// The places of an axis's samples: the sample before each, and the share of the one after it.
private struct Places {
    let starts: [Int]
    let shares: [Float]

    init(count: Int, shift: Int, offset: Double, _ scale: Double, _ centre: Double) {
        let step = Double(1 << shift)
        let places = (0..<count).map { index in
            let pixel = Double(index) * step + offset + 0.5
            let source = centre + (pixel - centre) / scale
            let place = (source - 0.5 - offset) / step
            // A scale of 0 makes NaN of the centre.
            return place > 0 ? min(place, Double(count - 1)) : 0
        }
        starts = places.map { Int($0) }
        shares = zip(places, starts).map { Float($0 - Double($1)) }
    }
}

private struct Enlarger {
    private let source: WeightedRows
    private let width, depth: Int
    private let height: Int
    private let hasAlpha: Bool
    private let columns, rows: Places
    private let values, weights, line, cover: UnsafeMutablePointer<Float>
    /// The two source rows that have been stretched, with their alpha.
    private let stretched, covers: [UnsafeMutablePointer<Float>]

    init(
        _ plane: Plane, _ alpha: Plane?, _ columns: Places, _ rows: Places, depth: Int, _ memory: EffectMemory
    ) {
        source = WeightedRows(plane, alpha, depth: depth)
        width = plane.width
        height = plane.height
        self.depth = depth
        hasAlpha = alpha != nil
        (self.columns, self.rows) = (columns, rows)
        // One sample more, beside the last one.
        values = memory.floats("zoom.values", width + 1)
        weights = memory.floats("zoom.weights", width + 1)
        line = memory.floats("zoom.line", width)
        cover = memory.floats("zoom.cover", width)
        stretched = (0..<2).map { memory.floats("zoom.row\($0)", plane.width) }
        covers = (0..<2).map { memory.floats("zoom.alpha\($0)", plane.width) }
    }

    func draw(_ result: Plane) {
        let target = SampleRows(result, bitDepth: depth)
        // Row y is kept in slot y & 1.
        var kept = [-1, -1]
        for y in 0..<height {
            let first = rows.starts[y]
            for row in [first, min(first + 1, height - 1)] where kept[row & 1] != row {
                stretch(row)
                kept[row & 1] = row
            }
            let second = min(first + 1, height - 1) & 1
            lerp(stretched[first & 1], stretched[second], rows.shares[y], into: line, width)
            if hasAlpha {
                lerp(covers[first & 1], covers[second], rows.shares[y], into: cover, width)
                divide(line, by: cover, count: width)
            }
            target.write(line, to: y)
        }
    }

    private func stretch(_ row: Int) {
        source.read(row, into: values, weights: weights)
        values[width] = values[width - 1]
        spread(values, into: stretched[row & 1])
        guard hasAlpha else { return }
        weights[width] = weights[width - 1]
        spread(weights, into: covers[row & 1])
    }

    private func spread(_ row: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>) {
        columns.starts.withUnsafeBufferPointer { starts in
            columns.shares.withUnsafeBufferPointer { shares in
                guard let starts = starts.baseAddress, let shares = shares.baseAddress else { return }
                gather(row, starts, shares, into: out, width)
            }
        }
    }
}

private func gather(
    _ row: UnsafePointer<Float>, _ starts: UnsafePointer<Int>, _ shares: UnsafePointer<Float>,
    into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count {
        let (a, b) = (row[starts[x]], row[starts[x] + 1])
        out[x] = a + (b - a) * shares[x]
    }
}

private func lerp(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ share: Float,
    into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count { out[x] = first[x] + (second[x] - first[x]) * share }
}
