// A row of colours through a lattice, tetrahedrally. Places and look-ups stand apart: inlined into one loop they run
// out of registers.

/// A lattice of colours, red fastest, as Y', Cb and Cr codes; reached from codes.
final class Lattice {
    let size: Int
    private let store: UnsafeMutablePointer<Four>
    /// The places of red, green and blue in the lattice as affine functions of codes: Y', Cb, Cr, 1.
    let places: [Four]

    init(size: Int, places: [Four], _ value: (Int) -> Four) {
        (self.size, self.places) = (size, places)
        store = .allocate(capacity: size * size * size)
        for k in 0..<size * size * size { (store + k).initialize(to: value(k)) }
    }

    deinit { store.deallocate() }

    var values: UnsafePointer<Four> { UnsafePointer(store) }
}

/// The number of pixels that are placed before they are looked up.
private let blockLength = 256

/// The room of `latticeRow` in floats: three rows of fractions, three of indexes, and one of colours.
let latticeRoom = 10 * blockLength

func latticeRow(_ row: ColourRow, _ lattice: Lattice, room: UnsafeMutablePointer<Float>) {
    let words = UnsafeMutableRawPointer(room + 3 * blockLength).assumingMemoryBound(to: UInt32.self)
    let colours = UnsafeMutableRawPointer(room + 6 * blockLength).assumingMemoryBound(to: Four.self)
    var start = 0
    while start < row.count {
        let part = row.part(from: start, count: min(blockLength, row.count - start))
        placeRow(part, lattice.places, Float(lattice.size), room, words)
        lookUpRow(colours, lattice.values, lattice.size, room, words, part.count)
        spreadColours(colours, part)
        start += part.count
    }
}

/// Finds each colour's cell, which of its corners lie on its way through the cell, and its three fractions, the largest
/// first.
///
/// A place on the border of two cells may be found in either, a hair outside of it: on both sides the lattice goes on
/// alike.
@inline(never)
private func placeRow(
    _ row: ColourRow, _ places: [Four], _ size: Float, _ fractions: UnsafeMutablePointer<Float>,
    _ indexRows: UnsafeMutablePointer<UInt32>
) {
    let (r, g, b) = (places[0], places[1], places[2])
    let hair: Float = 0x1p-16
    let top = (size - 1) - 2 * hair
    let (second, third) = (size, size * size)
    let one = SIMD4<UInt32>(repeating: 1)
    let (greenStep, blueStep) = (SIMD4(repeating: UInt32(second)), SIMD4(repeating: UInt32(third)))
    let all = SIMD4(repeating: UInt32(1 + second + third))
    var i = 0
    while i < row.count {
        let (y, cb, cr) = (four(row.luma, i), four(row.cb, i), four(row.cr, i))
        let red = largest(least(sum(y, r[0], cr, r[2]) + r[3], top), 0)
        let green = largest(least((sum(y, g[0], cb, g[1]) + cr * g[2]) + g[3], top), 0)
        let blue = largest(least(sum(y, b[0], cb, b[1]) + b[3], top), 0)
        let redWhole = (red + (hair - 0.5)) + wholeNumbers
        let greenCell = ((green + (hair - 0.5)) + wholeNumbers) - wholeNumbers
        let blueCell = ((blue + (hair - 0.5)) + wholeNumbers) - wholeNumbers
        let (fr, fg, fb) = (red - (redWhole - wholeNumbers), green - greenCell, blue - blueCell)
        let base = wholeBits((redWhole + greenCell * second) + blueCell * third)
        let (low, high) = (least(fr, fg), largest(fr, fg))
        let (redLeads, blueLeads, blueLags) = (fr .>= fg, fb .> high, fb .<= low)
        let most = greenStep.replacing(with: one, where: redLeads).replacing(with: blueStep, where: blueLeads)
        let fewest = one.replacing(with: greenStep, where: redLeads).replacing(with: blueStep, where: blueLags)
        put(largest(high, fb), fractions, i)
        put(largest(low, least(high, fb)), fractions, i &+ blockLength)
        put(least(low, fb), fractions, i &+ 2 &* blockLength)
        put(base, indexRows, i)
        put(base &+ most, indexRows, i &+ blockLength)
        put(base &+ (all &- fewest), indexRows, i &+ 2 &* blockLength)
        i &+= 4
    }
}

@inline(never)
private func lookUpRow(
    _ colours: UnsafeMutablePointer<Four>, _ values: UnsafePointer<Four>, _ size: Int,
    _ fractions: UnsafePointer<Float>, _ indexRows: UnsafePointer<UInt32>, _ count: Int
) {
    let far = values + (1 + size + size * size)
    for i in 0..<count {
        let start = Int(indexRows[i])
        let first = values[start]
        let second = values[Int(indexRows[i &+ blockLength])]
        let third = values[Int(indexRows[i &+ 2 &* blockLength])]
        colours[i] =
            ((first + (second - first) * fractions[i]) + (third - second) * fractions[i &+ blockLength])
            + (far[start] - third) * fractions[i &+ 2 &* blockLength]
    }
}

@inline(never)
private func spreadColours(_ colours: UnsafePointer<Four>, _ row: ColourRow) {
    var i = 0
    while i < row.count {
        let (a, b, c, d) = (colours[i], colours[i &+ 1], colours[i &+ 2], colours[i &+ 3])
        put(Four(a[0], b[0], c[0], d[0]), row.luma, i)
        put(Four(a[1], b[1], c[1], d[1]), row.cb, i)
        put(Four(a[2], b[2], c[2], d[2]), row.cr, i)
        i &+= 4
    }
}
