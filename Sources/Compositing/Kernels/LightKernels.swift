// Rows on their way through linear light, four places at a time: rows have room up to a multiple of four, and whatever
// stands there finds a place in each table. Look-ups stand apart. Each is a function of its own: inlined into their
// callers the loops run out of registers.

import Pictures

/// Linear components.
struct LightRows {
    let red, green, blue: UnsafeMutablePointer<Float>

    func from(_ place: Int) -> LightRows { LightRows(red: red + place, green: green + place, blue: blue + place) }
}

/// Places in tables: of red, of green, of blue.
struct PlaceRows {
    let red, green, blue: UnsafeMutablePointer<UInt32>
}

private typealias Four = SIMD4<Float>

/// One machine instruction each, which Swift's own are not: they tell 0 from −0.
@inline(__always)
private func least(_ a: Four, _ b: Float) -> Four {
    Four(a[0] < b ? a[0] : b, a[1] < b ? a[1] : b, a[2] < b ? a[2] : b, a[3] < b ? a[3] : b)
}

@inline(__always)
private func largest(_ a: Four, _ b: Four) -> Four {
    Four(
        a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1], a[2] > b[2] ? a[2] : b[2], a[3] > b[3] ? a[3] : b[3])
}

@inline(__always)
private func largest(_ a: Four, _ b: Float) -> Four { largest(a, Four(repeating: b)) }

@inline(__always)
private func bits(_ value: Four) -> SIMD4<UInt32> { unsafeBitCast(value, to: SIMD4<UInt32>.self) }

@inline(__always)
private func four(_ row: UnsafePointer<Float>, _ place: Int) -> Four {
    UnsafeRawPointer(row + place).loadUnaligned(as: Four.self)
}

@inline(__always)
private func four(_ row: UnsafeMutablePointer<Float>, _ place: Int) -> Four { four(UnsafePointer(row), place) }

@inline(__always)
private func put(_ value: Four, _ row: UnsafeMutablePointer<Float>, _ place: Int) {
    UnsafeMutableRawPointer(row + place).storeBytes(of: value, as: Four.self)
}

@inline(__always)
private func put(_ value: SIMD4<UInt32>, _ row: UnsafeMutablePointer<UInt32>, _ place: Int) {
    UnsafeMutableRawPointer(row + place).storeBytes(of: value, as: SIMD4<UInt32>.self)
}

@inline(__always)
private func byFours(_ count: Int, _ body: (Int) -> Void) {
    var i = 0
    while i < count {
        body(i)
        i &+= 4
    }
}

// MARK: - Codes to light

extension RowDecoding {
    @inline(__always)
    fileprivate func decoded(_ codes: CodeRows, _ i: Int) -> (
        red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>
    ) {
        let (y, b, r) = (four(codes.luma, i) * luma, four(codes.cb, i), four(codes.cr, i))
        let x = (y + r * redFromCr) + red
        let z = (y + b * blueFromCb) + blue
        return (
            largest(least(x, top), 0), largest(least(((y + b * greenFromCb) + r * greenFromCr) + green, top), 0),
            largest(least(z, top), 0)
        )
    }
}

/// Where R'G'B' stand in an `EvenTable`. Adding 2²³ to 0…4095 leaves the nearest whole number in the mantissa.
@inline(never)
func placeCodes(_ codes: CodeRows, _ decoding: RowDecoding, into places: PlaceRows, count: Int) {
    let mask = SIMD4<UInt32>(repeating: 0xFFF)
    byFours(count) { i in
        let value = decoding.decoded(codes, i)
        put(bits(value.red + 0x1p23) & mask, places.red, i)
        put(bits(value.green + 0x1p23) & mask, places.green, i)
        put(bits(value.blue + 0x1p23) & mask, places.blue, i)
    }
}

/// Of samples that are linear themselves.
@inline(never)
func decodeRow(_ codes: CodeRows, _ decoding: RowDecoding, into rows: LightRows, count: Int) {
    byFours(count) { i in
        let value = decoding.decoded(codes, i)
        put(value.red, rows.red, i)
        put(value.green, rows.green, i)
        put(value.blue, rows.blue, i)
    }
}

/// A table's values at four places: one store for four loads.
@inline(__always)
private func four(_ table: UnsafePointer<Float>, at places: UnsafePointer<UInt32>) -> Four {
    Four(table[Int(places[0])], table[Int(places[1])], table[Int(places[2])], table[Int(places[3])])
}

@inline(never)
func lookUpRow(
    _ places: UnsafePointer<UInt32>, _ table: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, count: Int
) {
    byFours(count) { i in put(four(table, at: places + i), out, i) }
}

/// Nine factors, from one set of primaries to another.
struct LightMatrix {
    let m0, m1, m2, m3, m4, m5, m6, m7, m8: Float

    init(_ matrix: Matrix3) {
        let m = matrix.rows.joined().map { Float($0) }
        (m0, m1, m2, m3, m4, m5, m6, m7, m8) = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
    }
}

/// What becomes of light before it is encoded: other primaries, and a factor for all three components.
struct LightChange {
    var matrix: LightMatrix?
    var factor: UnsafeMutablePointer<Float>?
}

extension LightRows {
    @inline(__always)
    fileprivate func mixed(_ m: LightMatrix, _ i: Int) -> (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
        let (r, g, b) = (four(red, i), four(green, i), four(blue, i))
        return (
            (r * m.m0 + g * m.m1) + b * m.m2, (r * m.m3 + g * m.m4) + b * m.m5, (r * m.m6 + g * m.m7) + b * m.m8
        )
    }

    /// Calls `body` with what becomes of each four. A loop for each case, so that none asks within.
    @inline(__always)
    fileprivate func changed(
        _ change: LightChange, count: Int, _ body: (Int, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) -> Void
    ) {
        switch (change.matrix, change.factor) {
        case (let matrix?, let factor?):
            byFours(count) { i in
                let (value, f) = (mixed(matrix, i), four(factor, i))
                body(i, value.red * f, value.green * f, value.blue * f)
            }
        case (let matrix?, nil):
            byFours(count) { i in
                let value = mixed(matrix, i)
                body(i, value.red, value.green, value.blue)
            }
        case (nil, let factor?):
            byFours(count) { i in
                let f = four(factor, i)
                body(i, four(red, i) * f, four(green, i) * f, four(blue, i) * f)
            }
        case (nil, nil):
            byFours(count) { i in body(i, four(red, i), four(green, i), four(blue, i)) }
        }
    }
}

/// In place; nothing stays below 0.
@inline(never)
func changeLight(_ light: LightRows, _ change: LightChange, count: Int) {
    light.changed(change, count: count) { i, red, green, blue in
        put(largest(red, 0), light.red, i)
        put(largest(green, 0), light.green, i)
        put(largest(blue, 0), light.blue, i)
    }
}

// MARK: - Factors

@inline(never)
func largestRow(_ light: LightRows, into out: UnsafeMutablePointer<Float>, count: Int) {
    byFours(count) { i in
        put(largest(largest(four(light.red, i), four(light.green, i)), four(light.blue, i)), out, i)
    }
}

@inline(never)
func luminanceRow(
    _ light: LightRows, _ weights: (red: Float, green: Float, blue: Float), into out: UnsafeMutablePointer<Float>,
    count: Int
) {
    byFours(count) { i in
        let (r, g, b) = (four(light.red, i), four(light.green, i), four(light.blue, i))
        put((r * weights.red + g * weights.green) + b * weights.blue, out, i)
    }
}

/// The table's values at the row's, in place; `places` is room for as many.
@inline(never)
func lookUpLight(
    _ row: UnsafeMutablePointer<Float>, _ table: LightTable, places: UnsafeMutablePointer<UInt32>, count: Int
) {
    let first = SIMD4(repeating: LightTable.first(bits: LightTable.bits))
    byFours(count) { i in
        let held = largest(least(four(row, i), LightTable.highest), LightTable.lowest)
        put((bits(held) &>> LightTable.shift(bits: LightTable.bits)) &- first, places, i)
    }
    lookUpRow(places, table.values, into: row, count: count)
}

/// The same by lines.
@inline(never)
func lookUpLines(
    _ row: UnsafeMutablePointer<Float>, _ lines: LightLines, places: UnsafeMutablePointer<UInt32>, count: Int
) {
    let first = SIMD4(repeating: LightTable.first(bits: LightLines.bits))
    byFours(count) { i in
        let held = largest(least(four(row, i), LightTable.highest), LightTable.lowest)
        put((bits(held) &>> LightTable.shift(bits: LightLines.bits)) &- first, places, i)
    }
    let values = lines.values
    byFours(count) { i in
        let (a, b) = (values[Int(places[i])], values[Int(places[i &+ 1])])
        let (c, d) = (values[Int(places[i &+ 2])], values[Int(places[i &+ 3])])
        put(Four(a[0], b[0], c[0], d[0]) + Four(a[1], b[1], c[1], d[1]) * four(row, i), row, i)
    }
}

@inline(never)
func isAny(of row: UnsafePointer<Float>, above limit: Float, count: Int) -> Bool {
    var found: UInt32 = 0
    for i in 0..<count { found |= row[i] > limit ? 1 : 0 }
    return found != 0
}

/// `under` becomes what is seen of both, by the upper one's shares.
@inline(never)
func blendLight(_ upper: LightRows, over under: LightRows, shares: UnsafePointer<Float>, count: Int) {
    byFours(count) { i in
        let share = four(shares, i)
        let (r, g, b) = (four(under.red, i), four(under.green, i), four(under.blue, i))
        put(r + (four(upper.red, i) - r) * share, under.red, i)
        put(g + (four(upper.green, i) - g) * share, under.green, i)
        put(b + (four(upper.blue, i) - b) * share, under.blue, i)
    }
}

// MARK: - Light to codes

/// Where light stands in the table of codes.
@inline(never)
func placeLight(_ light: LightRows, _ change: LightChange, brightest: Float, into places: PlaceRows, count: Int) {
    let top = brightest < LightTable.highest ? brightest : LightTable.highest
    let first = SIMD4(repeating: LightTable.first(bits: LightTable.bits))
    @inline(__always) func place(_ value: SIMD4<Float>) -> SIMD4<UInt32> {
        let held = largest(least(value, top), LightTable.lowest)
        return (bits(held) &>> LightTable.shift(bits: LightTable.bits)) &- first
    }
    light.changed(change, count: count) { i, red, green, blue in
        put(place(red), places.red, i)
        put(place(green), places.green, i)
        put(place(blue), places.blue, i)
    }
}

/// Rows are written up to a multiple of four.
@inline(never)
func encodeRow(
    _ places: PlaceRows, _ table: UnsafePointer<Float>, _ weights: CodeWeights,
    into out: UnsafeMutablePointer<Float>, count: Int
) {
    byFours(count) { i in
        let (r, g, b) = (
            four(table, at: places.red + i), four(table, at: places.green + i), four(table, at: places.blue + i)
        )
        put(weights.sum(r, g, b), out, i)
    }
}

/// Two at once.
@inline(never)
func encodeRows(
    _ places: PlaceRows, _ table: UnsafePointer<Float>, _ first: CodeWeights, _ second: CodeWeights,
    into out: UnsafeMutablePointer<Float>, _ other: UnsafeMutablePointer<Float>, count: Int
) {
    byFours(count) { i in
        let (r, g, b) = (
            four(table, at: places.red + i), four(table, at: places.green + i), four(table, at: places.blue + i)
        )
        put(first.sum(r, g, b), out, i)
        put(second.sum(r, g, b), other, i)
    }
}

extension CodeWeights {
    @inline(__always)
    fileprivate func sum(_ r: SIMD4<Float>, _ g: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
        ((r * red + g * green) + b * blue) + zero
    }
}
