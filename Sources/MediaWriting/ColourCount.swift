internal import CFFmpeg
internal import Libav

/// The counts of the colours of a film's frames, to six bits a channel, with the sums of their exact values. They
/// depend on the frames alone, in whatever order they come. 8 MiB.
struct ColourCount {
    private static let bits = 6
    private var counts = [Int](repeating: 0, count: 1 << (3 * Self.bits))
    private var sums = [[Int]](repeating: [Int](repeating: 0, count: 1 << (3 * Self.bits)), count: 3)

    /// Counts the colours of a picture in 8 bits of R, G and B.
    mutating func add(_ picture: borrowing Frame) {
        guard let base = unsafe picture.fields.data.0 else { return }
        let stride = Int(picture.fields.linesize.0)
        let shift = 8 - Self.bits
        for y in 0..<picture.height {
            let row = unsafe base + y * stride
            for x in 0..<picture.width {
                let (r, g, b) = unsafe (Int(row[3 * x]), Int(row[3 * x + 1]), Int(row[3 * x + 2]))
                let place = (r >> shift) << (2 * Self.bits) | (g >> shift) << Self.bits | b >> shift
                counts[place] += 1
                sums[0][place] += r
                sums[1][place] += g
                sums[2][place] += b
            }
        }
    }

    /// At most `count` colours that stand for all of them: median cut by the error that is left, then moved to the
    /// middle of the colours that are nearest to them. Each is 0xRRGGBB.
    func palette(of count: Int) -> [UInt32] {
        let shades = counts.indices.filter { counts[$0] > 0 }.map { place in
            let weight = Double(counts[place])
            return Shade(
                weight: weight, r: Double(sums[0][place]) / weight, g: Double(sums[1][place]) / weight,
                b: Double(sums[2][place]) / weight)
        }
        return medianCut(shades, count: count)
    }
}

/// One colour with the number of pixels that have it.
struct Shade {
    var weight: Double
    var r: Double
    var g: Double
    var b: Double

    subscript(axis: Int) -> Double { axis == 0 ? r : axis == 1 ? g : b }
}

/// A palette of at most `count` colours, each 0xRRGGBB: cuts the box whose colours are farthest from their mean, along
/// its longest axis where least error is left, until there are `count` boxes. The order of the shades and IEEE
/// arithmetic decide everything.
func medianCut(_ shades: [Shade], count: Int) -> [UInt32] {
    guard !shades.isEmpty else { return [0] }
    var boxes = [Box(shades)]
    while boxes.count < count {
        var worst = 0
        for index in boxes.indices where boxes[index].error > boxes[worst].error { worst = index }
        guard boxes[worst].error > 0, let (low, high) = boxes[worst].cut() else { break }
        boxes[worst] = low
        boxes.append(high)
    }
    var means = boxes.map(\.mean)
    for _ in 0..<2 { means = settled(means, shades) }
    var seen: Set<UInt32> = []
    return means.map { mean in
        mean.reduce(0 as UInt32) { $0 << 8 | UInt32(max(0, min(255, $1.rounded()))) }
    }.filter { seen.insert($0).inserted }
}

/// Each mean moved to the middle of the shades that are nearest to it.
private func settled(_ means: [[Double]], _ shades: [Shade]) -> [[Double]] {
    var sums = [[Double]](repeating: [0, 0, 0, 0], count: means.count)
    let flat = means.map { ($0[0], $0[1], $0[2]) }
    for shade in shades {
        var (best, least) = (0, Double.infinity)
        for index in flat.indices {
            let (r, g, b) = (flat[index].0 - shade.r, flat[index].1 - shade.g, flat[index].2 - shade.b)
            let error = r * r + g * g + b * b
            if error < least { (best, least) = (index, error) }
        }
        for axis in 0..<3 { sums[best][axis] += shade[axis] * shade.weight }
        sums[best][3] += shade.weight
    }
    return sums.indices.map { index in
        sums[index][3] > 0 ? (0..<3).map { sums[index][$0] / sums[index][3] } : means[index]
    }
}

private struct Box {
    private var shades: [Shade]
    let mean: [Double]
    /// The weighted sum of the squared distances from the mean; `axisErrors` has the part along each axis.
    let error: Double
    private let axisErrors: [Double]

    init(_ shades: [Shade]) {
        self.shades = shades
        let weight = shades.reduce(0) { $0 + $1.weight }
        let mean = (0..<3).map { axis in shades.reduce(0) { $0 + $1[axis] * $1.weight } / weight }
        axisErrors = (0..<3).map { axis in
            shades.reduce(0) { $0 + ($1[axis] - mean[axis]) * ($1[axis] - mean[axis]) * $1.weight }
        }
        self.mean = mean
        error = shades.count > 1 ? axisErrors[0] + axisErrors[1] + axisErrors[2] : 0
    }

    /// The two parts of the box; nil for one colour alone.
    func cut() -> (Box, Box)? {
        guard shades.count > 1 else { return nil }
        let axis = (0..<3).max { axisErrors[$0] < axisErrors[$1] } ?? 0
        // The index keeps equal values in order, since sorting need not be stable.
        let order = shades.indices.sorted { (shades[$0][axis], $0) < (shades[$1][axis], $1) }
        let sorted = order.map { shades[$0] }
        let total = sorted.reduce((0.0, 0.0)) { ($0.0 + $1.weight, $0.1 + $1[axis] * $1.weight) }
        // The best cut has most error between the means, which leaves least within the parts.
        var weight = 0.0
        var sum = 0.0
        var best = -1.0
        var place = 1
        for index in 1..<sorted.count {
            let last = sorted[index - 1]
            weight += last.weight
            sum += last[axis] * last.weight
            let apart = sum / weight - (total.1 - sum) / (total.0 - weight)
            let gain = apart * apart * weight * (total.0 - weight)
            if gain > best { (best, place) = (gain, index) }
        }
        return (Box(Array(sorted[..<place])), Box(Array(sorted[place...])))
    }
}
