// Rows of floats under small filters. Where a loop steps by eights it writes up to seven values past the end.

func halveDown(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ c: UnsafePointer<Float>, _ d: UnsafePointer<Float>,
    into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count { out[x] = (a[x] + d[x]) * 0.125 + (b[x] + c[x]) * 0.375 }
}

/// Halves a row; the first output's middle is between the second and the third of `row`.
func halveAcross(_ row: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, _ count: Int) {
    for x in 0..<count {
        out[x] = (row[2 * x] + row[2 * x + 3]) * 0.125 + (row[2 * x + 1] + row[2 * x + 2]) * 0.375
    }
}

@inline(__always)
private func eight(_ pointer: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<Float>.self)
}

@inline(__always)
private func put(_ value: SIMD8<Float>, _ pointer: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(pointer).storeBytes(of: value, as: SIMD8<Float>.self)
}

/// Filters a row across. `row` begins as many columns before the first as there are taps on one side.
func filterAcross(
    _ row: UnsafePointer<Float>, _ taps: [Float], into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    let reach = taps.count - 1
    taps.withUnsafeBufferPointer { taps in
        var x = 0
        while x + 8 <= count {
            let middle = row + (x + reach)
            var sum = eight(middle) * taps[0]
            for k in 1..<taps.count { sum += (eight(middle - k) + eight(middle + k)) * taps[k] }
            put(sum, out + x)
            x += 8
        }
        while x < count {
            let middle = row + (x + reach)
            var sum = middle[0] * taps[0]
            for k in 1..<taps.count { sum += (middle[-k] + middle[k]) * taps[k] }
            out[x] = sum
            x += 1
        }
    }
}

/// Filters a row down, from the column before the first on.
func filterDown(
    _ plane: FloatPlane, _ y: Int, _ taps: [Float], into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    let above = taps.indices.map { UnsafePointer(plane.row(y - $0) - 1) }
    let below = taps.indices.map { UnsafePointer(plane.row(y + $0) - 1) }
    above.withUnsafeBufferPointer { above in
        below.withUnsafeBufferPointer { below in
            taps.withUnsafeBufferPointer { taps in
                var x = 0
                while x + 8 <= count {
                    var sum = eight(above[0] + x) * taps[0]
                    for k in 1..<taps.count { sum += (eight(above[k] + x) + eight(below[k] + x)) * taps[k] }
                    put(sum, out + x)
                    x += 8
                }
                while x < count {
                    var sum = above[0][x] * taps[0]
                    for k in 1..<taps.count { sum += (above[k][x] + below[k][x]) * taps[k] }
                    out[x] = sum
                    x += 1
                }
            }
        }
    }
}

func interpolateRows(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ share: Float, into out: UnsafeMutablePointer<Float>,
    _ count: Int
) {
    for x in 0..<count { out[x] = a[x] + (b[x] - a[x]) * share }
}

/// Widens a row of samples `step` apart, whose centres lie between two places.
func widenRow(_ row: UnsafePointer<Float>, _ step: Int, into out: UnsafeMutablePointer<Float>, _ count: Int) {
    let half = step / 2
    let part = 1 / Float(step)
    for i in -1..<(count + half) / step + 1 {
        let (start, change) = (row[i], (row[i + 1] - row[i]) * part)
        for k in 0..<step {
            let x = i * step + half + k
            if x >= 0, x < count { out[x] = start + change * (Float(k) + 0.5) }
        }
    }
}

/// Widens a row as `widenRow` does, for a step of 8 or a multiple.
func widenRowByEights(_ row: UnsafePointer<Float>, _ step: Int, into out: UnsafeMutablePointer<Float>, _ count: Int) {
    let part = 1 / Float(step)
    let places = SIMD8<Float>(0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5)
    var x = 0
    while x < count {
        // The number of the sample before, whose place is half a step behind its own middle.
        let place = x - step / 2
        let i = place >= 0 ? place / step : -((step - 1 - place) / step)
        let first = Float(place - i * step)
        let change = (row[i + 1] - row[i]) * part
        let length = min(8, step - (place - i * step))
        let values = row[i] + (places + first) * change
        // Only the first block may be shorter, where a half step is no multiple of 8.
        put(values, out + x)
        x += length
    }
}
