// Rows on their way through linear light. Steps without a table vectorise; look-ups stand apart from them.

/// Linear components, and room for what all three are multiplied by.
struct LightRows {
    let red, green, blue, sum: UnsafeMutablePointer<Float>
}

/// Places in a table.
struct PlaceRows {
    let red, green, blue: UnsafeMutablePointer<UInt32>
}

/// One machine instruction each, which Swift's own are not: they tell 0 from −0.
@inline(__always)
private func least(_ a: Float, _ b: Float) -> Float { a < b ? a : b }

@inline(__always)
private func largest(_ a: Float, _ b: Float) -> Float { a > b ? a : b }

func decodeRow(
    _ luma: UnsafePointer<Float>, _ cb: UnsafePointer<Float>, _ cr: UnsafePointer<Float>, _ decoding: RowDecoding,
    into rows: LightRows, count: Int
) {
    let d = decoding
    let (red, green, blue) = (rows.red, rows.green, rows.blue)
    for i in 0..<count {
        let (y, b, r) = (luma[i] * d.luma, cb[i], cr[i])
        red[i] = largest(least((y + r * d.redFromCr) + d.red, d.top), 0)
        green[i] = largest(least(((y + b * d.greenFromCb) + r * d.greenFromCr) + d.green, d.top), 0)
        blue[i] = largest(least((y + b * d.blueFromCb) + d.blue, d.top), 0)
    }
}

/// The nearest whole numbers of values in 0…4095: adding 2²³ leaves them in the mantissa.
func roundRow(_ values: UnsafePointer<Float>, into places: UnsafeMutablePointer<UInt32>, count: Int) {
    for i in 0..<count { places[i] = (values[i] + 0x1p23).bitPattern & 0xFFF }
}

func lookUpRow(
    _ places: UnsafePointer<UInt32>, _ table: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, count: Int
) {
    for i in 0..<count { out[i] = table[Int(places[i])] }
}

func luminanceRow(_ light: LightRows, red: Float, green: Float, blue: Float, count: Int) {
    let (r, g, b, sum) = (light.red, light.green, light.blue, light.sum)
    for i in 0..<count { sum[i] = (r[i] * red + g[i] * green) + b[i] * blue }
}

func largestRow(_ light: LightRows, count: Int) {
    let (r, g, b, sum) = (light.red, light.green, light.blue, light.sum)
    for i in 0..<count { sum[i] = largest(largest(r[i], g[i]), b[i]) }
}

/// The table's values between its places, of the row's own, in place; `places` is room for as many.
func factorRow(
    _ row: UnsafeMutablePointer<Float>, _ table: LightTable, places: UnsafeMutablePointer<UInt32>, count: Int
) {
    let (values, shift, first) = (table.values, table.shift, table.first)
    let below = (UInt32(1) &<< shift) &- 1
    let scale = Float(1) / Float(below &+ 1)
    for i in 0..<count {
        let bits = largest(least(row[i], LightTable.highest), LightTable.lowest).bitPattern
        places[i] = (bits &>> shift) &- first
        row[i] = Float(Int32(bitPattern: bits & below)) * scale
    }
    for i in 0..<count {
        let place = values + Int(places[i])
        row[i] = place[0] + (place[1] - place[0]) * row[i]
    }
}

/// Other primaries: nine factors, row by row.
func mixLightRows(_ light: LightRows, _ m: UnsafePointer<Float>, count: Int) {
    let (red, green, blue) = (light.red, light.green, light.blue)
    let (m0, m1, m2, m3, m4, m5, m6, m7, m8) = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
    for i in 0..<count {
        let (r, g, b) = (red[i], green[i], blue[i])
        red[i] = largest((r * m0 + g * m1) + b * m2, 0)
        green[i] = largest((r * m3 + g * m4) + b * m5, 0)
        blue[i] = largest((r * m6 + g * m7) + b * m8, 0)
    }
}

/// Where a row's light stands in a table.
func placeRow(
    _ row: UnsafePointer<Float>, _ table: LightTable, brightest: Float, into places: UnsafeMutablePointer<UInt32>,
    count: Int
) {
    let (shift, first) = (table.shift, table.first)
    let top = least(brightest, LightTable.highest)
    for i in 0..<count {
        let held = largest(least(row[i], top), LightTable.lowest)
        places[i] = (held.bitPattern &>> shift) &- first
    }
}

func encodeRow(
    _ rows: PlaceRows, _ table: UnsafePointer<Float>, _ weights: (red: Float, green: Float, blue: Float, zero: Float),
    into out: UnsafeMutablePointer<Float>, count: Int
) {
    let (red, green, blue) = (rows.red, rows.green, rows.blue)
    for i in 0..<count {
        let (r, g, b) = (table[Int(red[i])], table[Int(green[i])], table[Int(blue[i])])
        out[i] = ((r * weights.red + g * weights.green) + b * weights.blue) + weights.zero
    }
}
