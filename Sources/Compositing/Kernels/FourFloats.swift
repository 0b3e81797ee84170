// Operations on four places of a row at a time.

typealias Four = SIMD4<Float>

extension SIMD4<Float> {
    /// The smaller of each value and `b`. It is one machine instruction, and so is `atLeast`; Swift's own functions are
    /// not, as they tell 0 from −0.
    @inline(__always)
    func atMost(_ b: Float) -> Four {
        Four(self[0] < b ? self[0] : b, self[1] < b ? self[1] : b, self[2] < b ? self[2] : b, self[3] < b ? self[3] : b)
    }

    @inline(__always)
    func atLeast(_ b: Four) -> Four {
        Four(
            self[0] > b[0] ? self[0] : b[0], self[1] > b[1] ? self[1] : b[1], self[2] > b[2] ? self[2] : b[2],
            self[3] > b[3] ? self[3] : b[3])
    }

    @inline(__always)
    func atLeast(_ b: Float) -> Four { atLeast(Four(repeating: b)) }

    @inline(__always)
    var bits: SIMD4<UInt32> { unsafeBitCast(self, to: SIMD4<UInt32>.self) }
}

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
