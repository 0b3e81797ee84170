import Pictures
import SplitreelProject

/// The first picture gets more and more blurred up to the middle, where it fades into the second one, which then gets
/// sharp. The blur is two boxes one after the other, each of half the radius.
struct BlurThrough: TransitionKernel {
    func draw(_ transition: Transition) {
        let share = 1 - abs(2 * transition.progress - 1)
        let radius = transition.call.number("radius") * share
        let (x, y) = (radius * transition.call.scaleX, radius * transition.call.scaleY)
        // All of the fade is in the middle third.
        let weight = min(max(3 * transition.progress - 1, 0), 1)
        let from = weight < 1 ? transition.from.blurred("blur.from", x, y, transition.memory) : transition.from
        let to = weight > 0 ? transition.to.blurred("blur.to", x, y, transition.memory) : transition.to
        transition.mixOnto(from, to).evenly(weight)
    }
}

extension PlanarImage {
    fileprivate func blurred(_ name: String, _ x: Double, _ y: Double, _ memory: EffectMemory) -> PlanarImage {
        mapped(name, memory) { plane, alpha, kind, result in
            let isChroma = kind == .chroma
            let across = Box(radius: x / 2 / Double(1 << (isChroma ? encoding.chromaShiftX : 0)), of: plane.width)
            let down = Box(radius: y / 2 / Double(1 << (isChroma ? encoding.chromaShiftY : 0)), of: plane.height)
            TwiceBlurred(plane, alpha, across, down, depth: encoding.bitDepth, memory).draw(result)
        }
    }
}

/// A box whose mean is taken: so many samples on both sides, with a part of one more.
private struct Box {
    let whole: Int
    let part, scale: Float

    init(radius: Double, of count: Int) {
        let bounded = min(max(radius, 0), Double(count))
        whole = Int(bounded)
        part = Float(bounded - Double(whole))
        scale = 1 / (2 * (Float(whole) + part) + 1)
    }
}

/// A plane blurred twice. Beyond its edges its edge samples go on.
private struct TwiceBlurred {
    private let source: WeightedRows
    private let across, down: Box
    private let width, height, depth: Int
    private let hasAlpha: Bool
    private let memory: EffectMemory
    /// The room for four rows with their margins.
    private let padded: UnsafeMutablePointer<Float>
    private let padLength: Int

    init(_ plane: Plane, _ alpha: Plane?, _ across: Box, _ down: Box, depth: Int, _ memory: EffectMemory) {
        source = WeightedRows(plane, alpha, depth: depth)
        self.across = across
        self.down = down
        self.depth = depth
        self.memory = memory
        width = plane.width
        height = plane.height
        hasAlpha = alpha != nil
        padLength = width + 2 * (across.whole + 1)
        padded = memory.floats("blur.padded", 4 * padLength)
    }

    func draw(_ result: Plane) {
        let values = memory.floats("blur.values", width * height)
        let weights = hasAlpha ? memory.floats("blur.weights", width * height) : values
        for y in 0..<height {
            let (row, cover) = (values + y * width, weights + y * width)
            source.read(y, into: row, weights: cover)
        }
        for y in stride(from: 0, to: height, by: 4) {
            for _ in 0..<2 {
                blurRows(values + y * width, min(4, height - y))
                if hasAlpha { blurRows(weights + y * width, min(4, height - y)) }
            }
        }
        blurColumns(values)
        if hasAlpha { blurColumns(weights) }
        let target = SampleRows(result, bitDepth: depth)
        for y in 0..<height {
            if hasAlpha { divide(values + y * width, by: weights + y * width, count: width) }
            target.write(values + y * width, to: y)
        }
    }

    /// Blurs up to four rows that follow one another, side by side: a row's sum has to wait for itself.
    private func blurRows(_ rows: UnsafeMutablePointer<Float>, _ count: Int) {
        let margin = across.whole + 1
        for number in 0..<count {
            let (row, pad) = (rows + number * width, padded + number * padLength)
            pad.update(repeating: row[0], count: margin)
            (pad + margin).update(from: row, count: width)
            (pad + margin + width).update(repeating: row[width - 1], count: margin)
        }
        if count == 4 {
            slideFour(padded, padLength, across.whole, across.part, across.scale, into: rows, width)
            return
        }
        for number in 0..<count {
            slide(
                padded + number * padLength, across.whole, across.part, across.scale, into: rows + number * width,
                width)
        }
    }

    /// Blurs the columns both times, by sums that move down.
    private func blurColumns(_ values: UnsafeMutablePointer<Float>) {
        let other = memory.floats("blur.other", width * height)
        let sums = memory.floats("blur.sums", width)
        for (from, to) in [(values, other), (other, values)] {
            func row(_ y: Int) -> UnsafeMutablePointer<Float> { from + min(max(y, 0), height - 1) * width }
            sums.update(repeating: 0, count: width)
            for y in -down.whole...down.whole { add(row(y), to: sums, width) }
            for y in 0..<height {
                let before = row(y - down.whole - 1)
                // The first row's sum is there already.
                close(
                    sums, adding: y > 0 ? row(y + down.whole) : before, before, row(y + down.whole + 1), down.part,
                    down.scale, into: to + y * width, width)
            }
        }
    }
}

/// Blurs along a row that has `whole + 1` samples more on both sides.
private func slide(
    _ row: UnsafePointer<Float>, _ whole: Int, _ part: Float, _ scale: Float, into out: UnsafeMutablePointer<Float>,
    _ count: Int
) {
    var sum: Float = 0
    for x in 1...2 * whole + 1 { sum += row[x] }
    let last = 2 * whole + 2
    for x in 0..<count {
        out[x] = (sum + (row[x] + row[x + last]) * part) * scale
        sum += row[x + last] - row[x + 1]
    }
}

private func add(_ row: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>, _ count: Int) {
    for x in 0..<count { sums[x] = sums[x] + row[x] }
}

/// Moves the sums on by a row, and makes means of them with parts of the rows beside.
private func close(
    _ sums: UnsafeMutablePointer<Float>, adding new: UnsafePointer<Float>, _ before: UnsafePointer<Float>,
    _ after: UnsafePointer<Float>, _ part: Float, _ scale: Float, into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    var x = 0
    while x &+ 4 <= count {
        let old = four(before, x)
        let sum = four(sums, x) + (four(new, x) - old)
        put(sum, sums, x)
        put((sum + (old + four(after, x)) * part) * scale, out, x)
        x &+= 4
    }
    while x < count {
        sums[x] = sums[x] + (new[x] - before[x])
        out[x] = (sums[x] + (before[x] + after[x]) * part) * scale
        x &+= 1
    }
}

/// Does `slide` for four rows at once; the samples of each begin `stride` after those of the one before.
private func slideFour(
    _ rows: UnsafePointer<Float>, _ stride: Int, _ whole: Int, _ part: Float, _ scale: Float,
    into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    let (a, b, c, d) = (rows, rows + stride, rows + 2 * stride, rows + 3 * stride)
    let (first, second, third, fourth) = (out, out + count, out + 2 * count, out + 3 * count)
    var sums = Four.zero
    for x in 1...2 * whole + 1 { sums += Four(a[x], b[x], c[x], d[x]) }
    let last = 2 * whole + 2
    for x in 0..<count {
        let (left, right) = (Four(a[x], b[x], c[x], d[x]), Four(a[x + last], b[x + last], c[x + last], d[x + last]))
        let mean = (sums + (left + right) * part) * scale
        (first[x], second[x], third[x], fourth[x]) = (mean[0], mean[1], mean[2], mean[3])
        sums += right - Four(a[x + 1], b[x + 1], c[x + 1], d[x + 1])
    }
}
