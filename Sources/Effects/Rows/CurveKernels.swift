// Rows of colours by a table for each component, and by matrices.

/// The functions of R', G' and B' by the nearest of 8,192 places a unit, from a quarter below black to a quarter above
/// white; beyond, the ends hold.
final class CurveTables {
    static let low = -0.25
    static let high = 1.25
    static let perUnit = 8192
    /// The places from one call of a function to the next; between them it is linear.
    private static let step = 4
    private static let last = Int((high - low) * Double(perUnit))

    private let store: [UnsafeMutablePointer<Float>]
    /// The places of R', G' and B' in their tables as affine functions of codes: Y', Cb, Cr, 1.
    let places: [Four]
    /// The Y', Cb and Cr codes as affine functions of R', G', B', 1.
    let codes: [Four]

    /// Tables of one function for each component, or of one for all.
    init(_ codes: ColourCodes, _ functions: [(Double) -> Double]) {
        places = codes.places(scale: Double(Self.perUnit), from: Self.low)
        self.codes = codes.encoding
        let tables = functions.map { Self.table($0) }
        store = tables.count == 3 ? tables : Array(repeating: tables[0], count: 3)
    }

    deinit { for table in Set(store) { table.deallocate() } }

    var red: UnsafePointer<Float> { UnsafePointer(store[0]) }
    var green: UnsafePointer<Float> { UnsafePointer(store[1]) }
    var blue: UnsafePointer<Float> { UnsafePointer(store[2]) }
    static var top: Float { Float(last) }

    private static func table(_ function: (Double) -> Double) -> UnsafeMutablePointer<Float> {
        let table = UnsafeMutablePointer<Float>.allocate(capacity: last + 1)
        var value = function(low)
        for start in stride(from: 0, to: last, by: step) {
            let next = function(low + Double(start + step) / Double(perUnit))
            for k in 0..<step {
                (table + start + k).initialize(to: Float(value + (next - value) * Double(k) / Double(step)))
            }
            value = next
        }
        (table + last).initialize(to: Float(value))
        return table
    }
}

extension ColourCodes {
    /// The places of R', G' and B' in tables of so many places a unit, as functions of codes.
    func places(scale: Double, from low: Double) -> [Four] {
        decoding.map {
            Four(
                Float($0.luma * scale), Float($0.cb * scale), Float($0.cr * scale), Float(($0.offset - low) * scale))
        }
    }

    /// The Y', Cb and Cr codes as functions of R', G', B', 1.
    var encoding: [Four] {
        let none = encoded([0, 0, 0])
        let columns = [encoded([1, 0, 0]) - none, encoded([0, 1, 0]) - none, encoded([0, 0, 1]) - none, none]
        return (0..<3).map { row in Four(columns[0][row], columns[1][row], columns[2][row], columns[3][row]) }
    }
}

/// The number of pixels that are placed before they are looked up.
private let blockLength = 512

/// The room for three rows of indexes, in floats.
let curveRoom = 3 * blockLength

func curveRow(_ row: ColourRow, _ tables: CurveTables, room: UnsafeMutablePointer<Float>) {
    let words = UnsafeMutableRawPointer(room).assumingMemoryBound(to: UInt32.self)
    var start = 0
    while start < row.count {
        let part = row.part(from: start, count: min(blockLength, row.count - start))
        placeCurves(part, tables.places, CurveTables.top, words)
        lookUp(tables.red, words, part.luma, part.count)
        lookUp(tables.green, words + blockLength, part.cb, part.count)
        lookUp(tables.blue, words + 2 * blockLength, part.cr, part.count)
        changeRow(part, tables.codes)
        start += part.count
    }
}

private func placeCurves(
    _ row: ColourRow, _ places: [Four], _ top: Float, _ words: UnsafeMutablePointer<UInt32>
) {
    let (r, g, b) = (places[0], places[1], places[2])
    var i = 0
    while i < row.count {
        let (y, cb, cr) = (four(row.luma, i), four(row.cb, i), four(row.cr, i))
        let red = sum(y, r[0], cr, r[2]) + r[3]
        let green = (sum(y, g[0], cb, g[1]) + cr * g[2]) + g[3]
        let blue = sum(y, b[0], cb, b[1]) + b[3]
        put(indexes(largest(least(red, top), 0)), words, i)
        put(indexes(largest(least(green, top), 0)), words, i &+ blockLength)
        put(indexes(largest(least(blue, top), 0)), words, i &+ 2 &* blockLength)
        i &+= 4
    }
}

private func lookUp(
    _ table: UnsafePointer<Float>, _ places: UnsafePointer<UInt32>, _ out: UnsafeMutablePointer<Float>, _ count: Int
) {
    for i in 0..<count { out[i] = table[Int(places[i])] }
}

/// The sum of two products. Whole expressions of vectors and numbers take the compiler seconds.
@inline(__always)
func sum(_ x: Four, _ xFactor: Float, _ y: Four, _ yFactor: Float) -> Four { x * xFactor + y * yFactor }

/// Makes each component of a row a function of all three: factors, and an offset.
func changeRow(_ row: ColourRow, _ factors: [Four]) {
    let (r, g, b) = (factors[0], factors[1], factors[2])
    var i = 0
    while i < row.count {
        let (x, y, z) = (four(row.luma, i), four(row.cb, i), four(row.cr, i))
        let red: Four = (sum(x, r[0], y, r[1]) + z * r[2]) + r[3]
        let green: Four = (sum(x, g[0], y, g[1]) + z * g[2]) + g[3]
        let blue: Four = (sum(x, b[0], y, b[1]) + z * b[2]) + b[3]
        put(red, row.luma, i)
        put(green, row.cb, i)
        put(blue, row.cr, i)
        i &+= 4
    }
}

extension ColourRow {
    func part(from start: Int, count: Int) -> ColourRow {
        ColourRow(luma: luma + start, cb: cb + start, cr: cr + start, count: count)
    }
}
