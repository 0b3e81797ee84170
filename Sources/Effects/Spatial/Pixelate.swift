import Pictures
import SplitreelProject

/// The mean of squares of `size` pixels, from the top left corner on.
struct Pixelate: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let sides = (call.number("size") * call.scaleX, call.number("size") * call.scaleY)
        guard max(sides.0, sides.1) > 1 else { return output.copy(inputs[0]) }
        filterPicture(inputs[0], into: output, memory) { plane, read in
            let columns = Self.squares(plane.width, plane.shiftX, sides.0)
            let lines = Self.squares(plane.height, plane.shiftY, sides.1)
            let (across, down) = ((columns.last ?? 0) + 1, (lines.last ?? 0) + 1)
            let means = memory.floats(plane.name + ".means", across * down)
            let row = memory.floats(plane.name + ".row", plane.width)
            means.update(repeating: 0, count: across * down)
            for y in 0..<plane.height {
                read(y, row)
                let line = means + lines[y] * across
                for x in 0..<plane.width { line[columns[x]] += row[x] }
            }
            let (wide, high) = (Self.counts(columns), Self.counts(lines))
            for j in 0..<down {
                for i in 0..<across { means[j * across + i] /= Float(wide[i] * high[j]) }
            }
            return { y, out in
                let line = means + lines[y] * across
                for x in columns.indices { out[x] = line[columns[x]] }
            }
        }
    }

    /// The number of each sample's square; some are empty where samples are farther apart than squares.
    private static func squares(_ count: Int, _ shift: Int, _ side: Double) -> [Int] {
        var last = (raw: 0, number: 0)
        return (0..<count).map { x in
            let raw = Int(Double(x << shift) / max(1, side))
            if raw != last.raw { last = (raw, last.number + 1) }
            return last.number
        }
    }

    private static func counts(_ squares: [Int]) -> [Int] {
        var counts = [Int](repeating: 0, count: (squares.last ?? 0) + 1)
        for square in squares { counts[square] += 1 }
        return counts
    }
}
