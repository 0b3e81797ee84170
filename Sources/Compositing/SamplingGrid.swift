import Composition

/// Where the samples of a canvas plane fall in a source plane, and the kernel's weights there.
///
/// The kernel along each source axis is a triangle of half-width max(1, r), r being the length of that axis's row of
/// the map (source samples per canvas sample). Shared by planes of one geometry.
final class SamplingGrid {
    let columnTaps = AxisTaps()
    let rowTaps = AxisTaps()
    private(set) var columns = 0..<0
    private(set) var rows = 0..<0
    private(set) var isAligned = true

    // For maps that mix the axes:

    /// Source samples averaged into one before sampling, where the kernel would be too wide to be worth its cost.
    private(set) var reduceX = 1
    private(set) var reduceY = 1
    /// The part of the (reduced) source that is read; parts outside the frame stand for repeated edge samples.
    private(set) var regionX = 0..<1
    private(set) var regionY = 0..<1
    private(set) var tapsX = 2
    private(set) var tapsY = 2
    private(set) var tableX: UnsafeMutablePointer<Float>
    private(set) var tableY: UnsafeMutablePointer<Float>
    private var map = Affine.identity
    private var reachX = 1.0
    private var reachY = 1.0
    private let memoryX = Scratch()
    private let memoryY = Scratch()

    init() {
        tableX = memoryX.floats(1)
        tableY = memoryY.floats(1)
    }

    var isBilinear: Bool { reachX == 1 && reachY == 1 }

    /// - Parameter map: from canvas sample indexes to source sample indexes.
    func configure(map: Affine, columns: Range<Int>, rows: Range<Int>, width: Int, height: Int, isAligned: Bool) {
        (self.columns, self.rows) = (columns, rows)
        self.isAligned = isAligned
        if isAligned {
            columnTaps.build(scale: map.a, offset: map.tx, outputs: columns, sourceCount: width)
            rowTaps.build(scale: map.d, offset: map.ty, outputs: rows, sourceCount: height)
            return
        }
        let lengthX = (map.a * map.a + map.c * map.c).squareRoot()
        let lengthY = (map.b * map.b + map.d * map.d).squareRoot()
        reduceX = lengthX > 32 ? clampedInt(lengthX / 16, 1, width) : 1
        reduceY = lengthY > 32 ? clampedInt(lengthY / 16, 1, height) : 1
        let (fx, fy) = (Double(reduceX), Double(reduceY))
        self.map = Affine(
            a: map.a / fx, b: map.b / fy, c: map.c / fx, d: map.d / fy,
            tx: (map.tx - (fx - 1) / 2) / fx, ty: (map.ty - (fy - 1) / 2) / fy)
        let reducedWidth = (width + reduceX - 1) / reduceX
        let reducedHeight = (height + reduceY - 1) / reduceY
        reachX = Self.reach(lengthX / fx, samples: reducedWidth)
        reachY = Self.reach(lengthY / fy, samples: reducedHeight)
        tapsX = isBilinear ? 2 : (2 * Int(reachX.rounded(.up)) + 3) & ~3
        tapsY = 2 * Int(reachY.rounded(.up))
        if tapsX == 4, tapsY < 4 { tapsY = 4 }
        let corners = [
            (columns.lowerBound, rows.lowerBound), (columns.upperBound, rows.lowerBound),
            (columns.lowerBound, rows.upperBound), (columns.upperBound, rows.upperBound),
        ].map { self.map.apply(Double($0.0), Double($0.1)) }
        regionX = Self.region(corners.map(\.x), reach: reachX, taps: tapsX, samples: reducedWidth)
        regionY = Self.region(corners.map(\.y), reach: reachY, taps: tapsY, samples: reducedHeight)
        guard !isBilinear else { return }
        tableX = Self.table(reach: reachX, taps: tapsX, in: memoryX)
        tableY = Self.table(reach: reachY, taps: tapsY, in: memoryY)
    }

    /// The walk along `row` from `column` on, relative to the region.
    func walk(row: Int, column: Int) -> AffineWalk {
        func fixed(_ value: Double) -> Int64 {
            Int64(clampedInt((value * 0x1p32).rounded(), -(1 << 61), 1 << 61))
        }
        let (x, y) = map.apply(Double(column), Double(row))
        return AffineWalk(
            u: fixed(x - Double(regionX.lowerBound)), v: fixed(y - Double(regionY.lowerBound)),
            du: fixed(map.a), dv: fixed(map.b),
            firstX: Int((-reachX).rounded(.down)) + 1, firstY: Int((-reachY).rounded(.down)) + 1,
            maxX: regionX.count - tapsX, maxY: regionY.count - tapsY)
    }

    private static func reach(_ length: Double, samples: Int) -> Double {
        // Where one sample is left, its edges are all there is.
        guard samples > 1, length > 1 + 1e-6 else { return 1 }
        return min(length, 64)
    }

    /// The samples that outputs between those places can touch, kept near the frame.
    private static func region(_ places: [Double], reach: Double, taps: Int, samples: Int) -> Range<Int> {
        let margin = Int((2.5 * reach).rounded(.up)) + 4
        let least = places.min() ?? 0
        let most = places.max() ?? 0
        let low = clampedInt((least - reach).rounded(.down) - 2, -margin, samples - 1)
        let high = clampedInt((most + reach).rounded(.up) + 3, 1, samples + margin)
        return low..<max(high, low + taps + 1)
    }

    /// Normalised weights for every phase between two samples.
    private static func table(reach: Double, taps: Int, in memory: Scratch) -> UnsafeMutablePointer<Float> {
        let phases = 1 << affinePhaseBits
        let first = (-reach).rounded(.down) + 1
        let table = memory.floats(phases * taps)
        for phase in 0..<phases {
            let place = Double(phase) / Double(phases)
            var total = 0.0
            for k in 0..<taps { total += max(0, 1 - abs(first + Double(k) - place) / reach) }
            for k in 0..<taps {
                table[phase * taps + k] = Float(max(0, 1 - abs(first + Double(k) - place) / reach) / total)
            }
        }
        return table
    }
}
