// Four floats at a time. Rows have room up to a multiple of four.

typealias Four = SIMD4<Float>

/// One machine instruction each, which Swift's own are not: they tell 0 from −0.
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

/// Added to a number between −2²² and 2²², it leaves the nearest whole number in the lowest bits.
let wholeNumbers: Float = 0x1.8p23

/// The nearest whole numbers, below 2²².
@inline(__always)
func indexes(_ value: Four) -> SIMD4<UInt32> { wholeBits(value + wholeNumbers) }

/// Of numbers to which `wholeNumbers` was added.
@inline(__always)
func wholeBits(_ value: Four) -> SIMD4<UInt32> {
    unsafeBitCast(value, to: SIMD4<UInt32>.self) &- 0x4B40_0000
}
