// Kernels of rows on their way through linear light, four places at a time. Rows have room up to a multiple of four,
// and any values there find a place in each table. Each kernel is a function of its own: inlined into their callers the
// loops run out of registers.

import Pictures

/// The rows of linear red, green and blue.
struct LightRows {
    let red, green, blue: UnsafeMutablePointer<Float>

    func from(_ place: Int) -> LightRows { LightRows(red: red + place, green: green + place, blue: blue + place) }
}

// MARK: - Codes to light

extension RowDecoding {
    @inline(__always)
    fileprivate func decoded(_ codes: CodeRows, _ i: Int) -> (red: Four, green: Four, blue: Four) {
        let (y, b, r) = (four(codes.luma, i) * luma, four(codes.cb, i), four(codes.cr, i))
        return (
            (y + r * redFromCr) + red, ((y + b * greenFromCb) + r * greenFromCr) + green, (y + b * blueFromCb) + blue
        )
    }
}

/// Writes the places of R'G'B' in an `EvenTable`. Adding 2²³ and more leaves the nearest whole number in the mantissa.
@inline(never)
func placeCodes(_ codes: CodeRows, _ decoding: RowDecoding, into places: PlaceRows, count: Int) {
    let (zero, mask) = (0x1p23 + Float(EvenTable.zero), SIMD4(repeating: EvenTable.mask))
    var i = 0
    while i < count {
        let value = decoding.decoded(codes, i)
        put((value.red + zero).bits & mask, places.red, i)
        put((value.green + zero).bits & mask, places.green, i)
        put((value.blue + zero).bits & mask, places.blue, i)
        i &+= 4
    }
}

/// Decodes samples that are linear themselves.
@inline(never)
func decodeRow(_ codes: CodeRows, _ decoding: RowDecoding, into rows: LightRows, count: Int) {
    let top = Float(LightPath.top)
    var i = 0
    while i < count {
        let value = decoding.decoded(codes, i)
        put(value.red.atMost(top).atLeast(0), rows.red, i)
        put(value.green.atMost(top).atLeast(0), rows.green, i)
        put(value.blue.atMost(top).atLeast(0), rows.blue, i)
        i &+= 4
    }
}

/// The nine factors from one set of primaries to another.
struct LightMatrix {
    let m0, m1, m2, m3, m4, m5, m6, m7, m8: Float

    init(_ matrix: Matrix3) {
        let m = matrix.rows.joined().map { Float($0) }
        (m0, m1, m2, m3, m4, m5, m6, m7, m8) = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
    }
}

/// The change of light before it is encoded: other primaries, and a factor for all three components.
struct LightChange {
    var matrix: LightMatrix?
    var factor: UnsafeMutablePointer<Float>?

    var isNone: Bool { matrix == nil && factor == nil }
}

extension LightRows {
    @inline(__always)
    fileprivate func mixed(_ m: LightMatrix, _ i: Int) -> (red: Four, green: Four, blue: Four) {
        let (r, g, b) = (four(red, i), four(green, i), four(blue, i))
        return (
            (r * m.m0 + g * m.m1) + b * m.m2, (r * m.m3 + g * m.m4) + b * m.m5, (r * m.m6 + g * m.m7) + b * m.m8
        )
    }

    /// Calls `body` with each four places' changed light. There is a loop for each case, so that no loop asks within.
    @inline(__always)
    fileprivate func changed(
        _ change: LightChange, count: Int, _ body: (Int, Four, Four, Four) -> Void
    ) {
        switch (change.matrix, change.factor) {
        case (let matrix?, let factor?):
            var i = 0
            while i < count {
                let (value, f) = (mixed(matrix, i), four(factor, i))
                body(i, value.red * f, value.green * f, value.blue * f)
                i &+= 4
            }
        case (let matrix?, nil):
            var i = 0
            while i < count {
                let value = mixed(matrix, i)
                body(i, value.red, value.green, value.blue)
                i &+= 4
            }
        case (nil, let factor?):
            var i = 0
            while i < count {
                let f = four(factor, i)
                body(i, four(red, i) * f, four(green, i) * f, four(blue, i) * f)
                i &+= 4
            }
        case (nil, nil):
            var i = 0
            while i < count {
                body(i, four(red, i), four(green, i), four(blue, i))
                i &+= 4
            }
        }
    }
}

/// Changes light in place; no component stays below 0.
@inline(never)
func changeLight(_ light: LightRows, _ change: LightChange, count: Int) {
    light.changed(change, count: count) { i, red, green, blue in
        put(red.atLeast(0), light.red, i)
        put(green.atLeast(0), light.green, i)
        put(blue.atLeast(0), light.blue, i)
    }
}

/// Changes light in place, and writes its luminance with the luminance's places in `LightLines`.
@inline(never)
func changeLight(
    _ light: LightRows, _ change: LightChange, _ weights: LuminanceWeights, luminance: UnsafeMutablePointer<Float>,
    at rows: UnsafeMutablePointer<UInt32>, count: Int
) {
    light.changed(change, count: count) { i, red, green, blue in
        let (r, g, b) = (red.atLeast(0), green.atLeast(0), blue.atLeast(0))
        put(r, light.red, i)
        put(g, light.green, i)
        put(b, light.blue, i)
        let y = (r * weights.red + g * weights.green) + b * weights.blue
        put(y, luminance, i)
        put(places(y, bits: LightLines.bits), rows, i)
    }
}

/// Writes the luminance of light that is not below 0, with its places in `LightLines`.
@inline(never)
func luminanceRow(
    _ light: LightRows, _ weights: LuminanceWeights, into out: UnsafeMutablePointer<Float>,
    at rows: UnsafeMutablePointer<UInt32>, count: Int
) {
    var i = 0
    while i < count {
        let (r, g, b) = (four(light.red, i), four(light.green, i), four(light.blue, i))
        let y = (r * weights.red + g * weights.green) + b * weights.blue
        put(y, out, i)
        put(places(y, bits: LightLines.bits), rows, i)
        i &+= 4
    }
}

/// Writes the largest component at each place; returns the largest of all.
@inline(never)
func largestRow(_ light: LightRows, into out: UnsafeMutablePointer<Float>, count: Int) -> Float {
    var (i, most) = (0, Four.zero)
    while i < count {
        let value = four(light.red, i).atLeast(four(light.green, i)).atLeast(four(light.blue, i))
        put(value, out, i)
        most = most.atLeast(value)
        i &+= 4
    }
    return most.max()
}

/// Blends the upper light over `under`, in place, by the upper one's shares.
@inline(never)
func blendLight(_ upper: LightRows, over under: LightRows, shares: UnsafePointer<Float>, count: Int) {
    var i = 0
    while i < count {
        let share = four(shares, i)
        let (r, g, b) = (four(under.red, i), four(under.green, i), four(under.blue, i))
        put(r + (four(upper.red, i) - r) * share, under.red, i)
        put(g + (four(upper.green, i) - g) * share, under.green, i)
        put(b + (four(upper.blue, i) - b) * share, under.blue, i)
        i &+= 4
    }
}

// MARK: - Light to codes

/// Writes the places of changed light in the table of codes.
@inline(never)
func placeLight(_ light: LightRows, _ change: LightChange, brightest: Float, into rows: PlaceRows, count: Int) {
    let top = brightest < LightTable.highest ? brightest : LightTable.highest
    light.changed(change, count: count) { i, red, green, blue in
        put(places(red, bits: LightTable.bits, top: top), rows.red, i)
        put(places(green, bits: LightTable.bits, top: top), rows.green, i)
        put(places(blue, bits: LightTable.bits, top: top), rows.blue, i)
    }
}

extension PlaceRows {
    @inline(__always)
    fileprivate func encoded(_ table: UnsafePointer<Float>, _ i: Int) -> (red: Four, green: Four, blue: Four) {
        let first = Int(LightTable.first(bits: LightTable.bits))
        return (
            four(table, at: red + i, first: first), four(table, at: green + i, first: first),
            four(table, at: blue + i, first: first)
        )
    }
}

extension CodeWeights {
    @inline(__always)
    fileprivate func sum(_ value: (red: Four, green: Four, blue: Four)) -> Four {
        ((value.red * red + value.green * green) + value.blue * blue) + zero
    }
}

/// Writes one row of codes, up to a multiple of four.
@inline(never)
func encodeRow(
    _ places: PlaceRows, _ table: UnsafePointer<Float>, _ weights: CodeWeights,
    into out: UnsafeMutablePointer<Float>, count: Int
) {
    var i = 0
    while i < count {
        put(weights.sum(places.encoded(table, i)), out, i)
        i &+= 4
    }
}

/// Writes two rows of codes at once, up to a multiple of four.
@inline(never)
func encodeRows(
    _ places: PlaceRows, _ table: UnsafePointer<Float>, _ first: CodeWeights, _ second: CodeWeights,
    into out: UnsafeMutablePointer<Float>, _ other: UnsafeMutablePointer<Float>, count: Int
) {
    var i = 0
    while i < count {
        let value = places.encoded(table, i)
        put(first.sum(value), out, i)
        put(second.sum(value), other, i)
        i &+= 4
    }
}
