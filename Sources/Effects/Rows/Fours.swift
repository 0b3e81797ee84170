// Four floats at a time. Rows have room up to a multiple of four.

typealias Four = SIMD4<Float>

/// The lesser of each two numbers. `least` and `largest` are one machine instruction each, which Swift's own are not:
/// they tell 0 from −0.
@inline(__always)
func least(_ a: Four, _ b: Four) -> Four {
    Four(
        a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1], a[2] < b[2] ? a[2] : b[2], a[3] < b[3] ? a[3] : b[3])
}

@inline(__always)
func largest(_ a: Four, _ b: Four) -> Four {
    Four(
        a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1], a[2] > b[2] ? a[2] : b[2], a[3] > b[3] ? a[3] : b[3])
}

@inline(__always)
func least(_ a: Four, _ b: Float) -> Four { least(a, Four(repeating: b)) }

@inline(__always)
func largest(_ a: Four, _ b: Float) -> Four { largest(a, Four(repeating: b)) }

@inline(__always)
func four(_ row: UnsafePointer<Float>, _ place: Int) -> Four {
    UnsafeRawPointer(row + place).loadUnaligned(as: Four.self)
}

@inline(__always)
func four(_ row: UnsafeMutablePointer<Float>, _ place: Int) -> Four { four(UnsafePointer(row), place) }

@inline(__always)
func put(_ value: Four, _ row: UnsafeMutablePointer<Float>, _ place: Int) {
    UnsafeMutableRawPointer(row + place).storeBytes(of: value, as: Four.self)
}

@inline(__always)
func put(_ value: SIMD4<UInt32>, _ row: UnsafeMutablePointer<UInt32>, _ place: Int) {
    UnsafeMutableRawPointer(row + place).storeBytes(of: value, as: SIMD4<UInt32>.self)
}

/// The number that, added to one between −2²² and 2²², leaves the nearest whole number in the lowest bits.
let wholeNumbers: Float = 0x1.8p23

/// The nearest whole numbers, below 2²².
@inline(__always)
func indexes(_ value: Four) -> SIMD4<UInt32> { wholeBits(value + wholeNumbers) }

/// The whole numbers in the lowest bits of numbers to which `wholeNumbers` was added.
@inline(__always)
func wholeBits(_ value: Four) -> SIMD4<UInt32> {
    unsafeBitCast(value, to: SIMD4<UInt32>.self) &- 0x4B40_0000
}

/// The largest whole numbers that are not above numbers between −2²² and 2²².
@inline(__always)
func floors(_ value: Four) -> Four {
    let near = (value + wholeNumbers) - wholeNumbers
    return near - Four(repeating: 0).replacing(with: 1, where: near .> value)
}

/// Four rows of four as four columns.
@inline(__always)
func turned(_ a: Four, _ b: Four, _ c: Four, _ d: Four) -> (Four, Four, Four, Four) {
    (
        Four(a[0], b[0], c[0], d[0]), Four(a[1], b[1], c[1], d[1]), Four(a[2], b[2], c[2], d[2]),
        Four(a[3], b[3], c[3], d[3])
    )
}

/// Makes twice as many values, those between two being their mean. `row` has one more than `count`; it and `out` have
/// room.
func spreadRow(_ row: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, _ count: Int) {
    var i = 0
    while i < count {
        let here = four(row, i)
        let between = (here + four(row, i &+ 1)) * 0.5
        put(Four(here[0], between[0], here[1], between[1]), out, 2 &* i)
        put(Four(here[2], between[2], here[3], between[3]), out, 2 &* i &+ 4)
        i &+= 4
    }
}
