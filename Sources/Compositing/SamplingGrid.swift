import Pictures

/// The places of a canvas plane's samples in a source plane, and the kernel's weights there.
///
/// The kernel along each source axis is a triangle of half-width max(1, r), r being the length of that axis's row of
/// the map (source samples per canvas sample). Shared by planes of one geometry.
final class SamplingGrid {
    /// A block of the canvas's cells that are sampled together.
    struct Tile {
        var columns, rows: Range<Int>
    }

    let columnTaps = AxisTaps()
    let rowTaps = AxisTaps()
    private(set) var columns = 0..<0
    private(set) var rows = 0..<0
    private(set) var isAligned = true

    // The following serve maps that mix the axes:

    /// The number of source samples along an axis that are averaged into one before sampling, where the kernel would be
    /// too wide to be worth its cost.
    private(set) var reduceX = 1
    private(set) var reduceY = 1
    /// The part of the (reduced) source that is read; parts outside the frame stand for repeated edge samples.
    private var regionX = 0..<1
    private var regionY = 0..<1
    /// The size of the reduced source in samples.
    private var samplesX = 1
    private var samplesY = 1
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

    func configure(_ geometry: GridGeometry) {
        let (map, width, height) = (geometry.map, geometry.width, geometry.height)
        (columns, rows) = (geometry.columns, geometry.rows)
        isAligned = geometry.isAligned
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
        samplesX = (width + reduceX - 1) / reduceX
        samplesY = (height + reduceY - 1) / reduceY
        reachX = Self.reach(lengthX / fx, samples: samplesX)
        reachY = Self.reach(lengthY / fy, samples: samplesY)
        tapsX = isBilinear ? 2 : (2 * Int(reachX.rounded(.up)) + 3) & ~3
        tapsY = 2 * Int(reachY.rounded(.up))
        if tapsX == 4, tapsY < 4 { tapsY = 4 }
        let corners = corners(Tile(columns: columns, rows: rows))
        regionX = Self.region(corners.map(\.x), reach: reachX, taps: tapsX, samples: samplesX)
        regionY = Self.region(corners.map(\.y), reach: reachY, taps: tapsY, samples: samplesY)
        guard !isBilinear else { return }
        tableX = Self.table(reach: reachX, taps: tapsX, in: memoryX)
        tableY = Self.table(reach: reachY, taps: tapsY, in: memoryY)
    }

    /// The walk along `row` from `column` on, relative to that part of the region. Its place, in fixed point, depends
    /// only on where it began: tiles do not show.
    func walk(row: Int, column: Int, from origin: Int, in xs: Range<Int>, _ ys: Range<Int>) -> AffineWalk {
        func fixed(_ value: Double) -> Int64 {
            Int64(clampedInt((value * 0x1p32).rounded(), -(1 << 61), 1 << 61))
        }
        let (x, y) = map.apply(Double(origin), Double(row))
        let (du, dv) = (fixed(map.a), fixed(map.b))
        func advanced(_ start: Int64, _ step: Int64, _ skipped: Int) -> Int64 {
            start &+ step &* Int64(column - origin) &- Int64(skipped) << 32
        }
        return AffineWalk(
            u: advanced(fixed(x - Double(regionX.lowerBound)), du, xs.lowerBound - regionX.lowerBound),
            v: advanced(fixed(y - Double(regionY.lowerBound)), dv, ys.lowerBound - regionY.lowerBound),
            du: du, dv: dv,
            firstX: Int((-reachX).rounded(.down)) + 1, firstY: Int((-reachY).rounded(.down)) + 1,
            maxX: xs.count - tapsX, maxY: ys.count - tapsY)
    }

    // MARK: Tiles

    private static let smallestSide = 16

    /// All cells, in pieces that read no more than `samples` samples of the source where that can be.
    func tiles(samples: Int) -> [Tile] {
        let whole = Tile(columns: columns, rows: rows)
        return isAligned ? [whole] : split(whole, samples)
    }

    private func split(_ tile: Tile, _ samples: Int) -> [Tile] {
        let (xs, ys) = region(of: tile)
        let side = max(tile.columns.count, tile.rows.count)
        guard xs.count * ys.count > samples, side > Self.smallestSide else { return [tile] }
        var (first, second) = (tile, tile)
        if tile.columns.count == side {
            let middle = tile.columns.lowerBound + side / 2
            (first.columns, second.columns) = (tile.columns.lowerBound..<middle, middle..<tile.columns.upperBound)
        } else {
            let middle = tile.rows.lowerBound + side / 2
            (first.rows, second.rows) = (tile.rows.lowerBound..<middle, middle..<tile.rows.upperBound)
        }
        return split(first, samples) + split(second, samples)
    }

    /// The part of the (reduced) source that those cells read.
    func region(of tile: Tile) -> (x: Range<Int>, y: Range<Int>) {
        let corners = corners(tile)
        // A part of the frame is always in it, even where the cells lie outside.
        func part(_ places: [Double], _ whole: Range<Int>, reach: Double, taps: Int, samples: Int) -> Range<Int> {
            let least = ((places.min() ?? 0) - reach).rounded(.down) - 4
            let most = ((places.max() ?? 0) + reach).rounded(.up) + Double(taps) + 4
            let low = clampedInt(least, whole.lowerBound, min(whole.upperBound - taps, samples) - 1)
            return low..<clampedInt(most, max(low + taps + 1, 1), whole.upperBound)
        }
        let xs = part(corners.map(\.x), regionX, reach: reachX, taps: tapsX, samples: samplesX)
        return (xs, part(corners.map(\.y), regionY, reach: reachY, taps: tapsY, samples: samplesY))
    }

    private func corners(_ tile: Tile) -> [(x: Double, y: Double)] {
        [
            (tile.columns.lowerBound, tile.rows.lowerBound), (tile.columns.upperBound, tile.rows.lowerBound),
            (tile.columns.lowerBound, tile.rows.upperBound), (tile.columns.upperBound, tile.rows.upperBound),
        ].map { map.apply(Double($0.0), Double($0.1)) }
    }

    private static func reach(_ length: Double, samples: Int) -> Double {
        // A single sample is its own edges, so that no wider kernel is needed.
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

    /// The normalised weights for every phase between two samples.
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
