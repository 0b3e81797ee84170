// Look-ups in tables. They stand apart from the kernels that find the places: look-ups are bound by loads.

/// The rows of places in tables: of red, of green, of blue.
struct PlaceRows {
    let red, green, blue: UnsafeMutablePointer<UInt32>
}

/// The tables of values: for red, for green, for blue.
struct ValueTables {
    let red, green, blue: UnsafePointer<Float>
}

/// The weights of red, green and blue in luminance.
typealias LuminanceWeights = (red: Float, green: Float, blue: Float)

/// Reads two places by one load.
@inline(__always)
private func two(_ places: UnsafePointer<UInt32>) -> (Int, Int) {
    let both = UnsafeRawPointer(places).loadUnaligned(as: UInt64.self)
    return (Int(both & 0xFFFF_FFFF), Int(both &>> 32))
}

/// A table's values at four places, which count from `first` on.
@inline(__always)
func four(_ table: UnsafePointer<Float>, at places: UnsafePointer<UInt32>, first: Int = 0) -> Four {
    let (a, b) = two(places)
    let (c, d) = two(places + 2)
    return Four(table[a &- first], table[b &- first], table[c &- first], table[d &- first])
}

/// The places of light in a `LightTable` or in `LightLines`.
@inline(__always)
func places(_ light: Four, bits: UInt32, top: Float = LightTable.highest) -> SIMD4<UInt32> {
    light.atMost(top).atLeast(LightTable.lowest).bits &>> LightTable.shift(bits: bits)
}

extension PlaceRows {
    /// Writes the tables' values as rows of light, and returns them.
    @inline(__always)
    fileprivate func lookedUp(_ tables: ValueTables, _ i: Int, into light: LightRows) -> (Four, Four, Four) {
        let r = four(tables.red, at: red + i)
        let g = four(tables.green, at: green + i)
        let b = four(tables.blue, at: blue + i)
        put(r, light.red, i)
        put(g, light.green, i)
        put(b, light.blue, i)
        return (r, g, b)
    }
}

@inline(never)
func lookUpLight(_ places: PlaceRows, _ tables: ValueTables, into light: LightRows, count: Int) {
    var i = 0
    while i < count {
        _ = places.lookedUp(tables, i, into: light)
        i &+= 4
    }
}

/// Looks up light and writes the largest component at each place; returns the largest of all.
@inline(never)
func lookUpLight(
    _ places: PlaceRows, _ tables: ValueTables, into light: LightRows, largest: UnsafeMutablePointer<Float>, count: Int
) -> Float {
    var (i, most) = (0, Four.zero)
    while i < count {
        let (r, g, b) = places.lookedUp(tables, i, into: light)
        let value = r.atLeast(g).atLeast(b)
        put(value, largest, i)
        most = most.atLeast(value)
        i &+= 4
    }
    return most.max()
}

/// Looks up light and writes the places of its luminance in a `LightTable`.
@inline(never)
func lookUpLight(
    _ rows: PlaceRows, _ tables: ValueTables, into light: LightRows, _ weights: LuminanceWeights,
    luminance: UnsafeMutablePointer<UInt32>, count: Int
) {
    var i = 0
    while i < count {
        let (r, g, b) = rows.lookedUp(tables, i, into: light)
        put(places((r * weights.red + g * weights.green) + b * weights.blue, bits: LightTable.bits), luminance, i)
        i &+= 4
    }
}

/// Looks up factors in a table.
@inline(never)
func lookUpFactors(
    _ places: UnsafePointer<UInt32>, _ table: LightTable, into factors: UnsafeMutablePointer<Float>, count: Int
) {
    let (values, first) = (table.values, Int(LightTable.first(bits: LightTable.bits)))
    var i = 0
    while i < count {
        put(four(values, at: places + i, first: first), factors, i)
        i &+= 4
    }
}

/// Looks up factors and writes the largest component of `light` times its factor; returns the largest of all.
@inline(never)
func lookUpFactors(
    _ places: UnsafePointer<UInt32>, _ table: LightTable, into factors: UnsafeMutablePointer<Float>,
    of light: LightRows,
    largest: UnsafeMutablePointer<Float>, count: Int
) -> Float {
    let (values, first) = (table.values, Int(LightTable.first(bits: LightTable.bits)))
    var (i, most) = (0, Four.zero)
    while i < count {
        let factor = four(values, at: places + i, first: first)
        let value = four(light.red, i).atLeast(four(light.green, i)).atLeast(four(light.blue, i)) * factor
        put(factor, factors, i)
        put(value, largest, i)
        most = most.atLeast(value)
        i &+= 4
    }
    return most.max()
}

@inline(never)
func placeLines(_ row: UnsafePointer<Float>, into out: UnsafeMutablePointer<UInt32>, count: Int) {
    var i = 0
    while i < count {
        put(places(four(row, i), bits: LightLines.bits), out, i)
        i &+= 4
    }
}

extension LightLines {
    @inline(__always)
    fileprivate static func at(
        _ values: UnsafePointer<SIMD2<Float>>, _ places: UnsafePointer<UInt32>, _ light: Four
    ) -> Four {
        let first = Int(LightTable.first(bits: bits))
        let (i, j) = two(places)
        let (k, l) = two(places + 2)
        let (a, b, c, d) = (values[i &- first], values[j &- first], values[k &- first], values[l &- first])
        return Four(a[0], b[0], c[0], d[0]) + Four(a[1], b[1], c[1], d[1]) * light
    }
}

/// Replaces the row's values by those of the lines there; `places` are the row's own.
@inline(never)
func lookUpLines(
    _ row: UnsafeMutablePointer<Float>, _ lines: LightLines, at places: UnsafePointer<UInt32>, count: Int
) {
    let values = lines.values
    var i = 0
    while i < count {
        put(LightLines.at(values, places + i, four(row, i)), row, i)
        i &+= 4
    }
}

/// Multiplies the factors by the values of the lines at the row's.
@inline(never)
func lookUpLines(
    _ row: UnsafePointer<Float>, _ lines: LightLines, at places: UnsafePointer<UInt32>,
    into factors: UnsafeMutablePointer<Float>, count: Int
) {
    let values = lines.values
    var i = 0
    while i < count {
        put(four(factors, i) * LightLines.at(values, places + i, four(row, i)), factors, i)
        i &+= 4
    }
}
