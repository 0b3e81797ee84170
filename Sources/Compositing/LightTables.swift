/// A function of 0…`top` by its nearest of 4,096 places: the light of an encoded component. Before the first and after
/// the last place there is room for all values that codes can stand for, with the value of the first or the last place.
final class EvenTable {
    static let last = 4095.0
    /// The place of argument 0.
    static let zero = 1 << 13
    /// The mask of a place's bits, which count all places.
    static let mask: UInt32 = (1 << 15) - 1

    private let store: UnsafeMutablePointer<Float>
    /// The number of places in one unit of the argument.
    let scale: Double

    init(top: Double, _ function: (Double) -> Double) {
        let (count, last) = (Int(Self.mask) + 1, Int(Self.last))
        store = .allocate(capacity: count)
        scale = Self.last / top
        let values = (0...last).map { [scale] in Float(function(Double($0) / scale)) }
        for k in 0..<count { (store + k).initialize(to: values[min(max(k - Self.zero, 0), last)]) }
    }

    deinit { store.deallocate() }

    var values: UnsafePointer<Float> { UnsafePointer(store) }
}

/// A function of light from 2⁻³⁰ to 2⁶ by places that lie as the floats themselves do: as dense for shadows as for
/// lights. A place is found by a float's own bits; its value is that of its middle.
final class LightTable {
    static let exponents = -30..<6
    /// The lowest argument as a float; `highest` is the highest one.
    static let lowest: Float = 0x1p-30
    static let highest: Float = 0x1.fffffep5
    /// The bits of the mantissa that tell one place from the next.
    static let bits: UInt32 = 9

    /// The value of a float's bits, shifted right, at the first place.
    @inline(__always)
    static func first(bits: UInt32) -> UInt32 { 97 &<< bits }

    /// The number of bits by which a float's bits are shifted right.
    @inline(__always)
    static func shift(bits: UInt32) -> UInt32 { 23 &- bits }

    private let store: UnsafeMutablePointer<Float>

    init(_ function: (Double) -> Double) {
        let count = Self.exponents.count << Int(Self.bits)
        store = .allocate(capacity: count)
        for k in 0..<count { (store + k).initialize(to: Float(function(Self.place(Double(k) + 0.5, bits: Self.bits)))) }
        // Black stays black.
        store[0] = Float(function(0))
    }

    deinit { store.deallocate() }

    var values: UnsafePointer<Float> { UnsafePointer(store) }

    /// The light at a place, counted from the first.
    static func place(_ place: Double, bits: UInt32) -> Double {
        let octave = Double(1 << Int(bits))
        let exponent = (place / octave).rounded(.down)
        return Double(
            sign: .plus, exponent: exponents.lowerBound + Int(exponent), significand: 1 + place / octave - exponent)
    }
}

/// A function of light as straight lines from place to place, each of them `[0] + [1]·light`: it has no steps, so that
/// a factor that falls slower than light rises does not turn a ramp round.
final class LightLines {
    static let bits: UInt32 = 6
    private let store: UnsafeMutablePointer<SIMD2<Float>>
    /// The light up to which all lines say 1.
    let flatUpTo: Float

    init(_ function: (Double) -> Double) {
        let count = LightTable.exponents.count << Int(Self.bits)
        store = .allocate(capacity: count)
        for k in 0..<count {
            let (from, to) = (
                LightTable.place(Double(k), bits: Self.bits), LightTable.place(Double(k + 1), bits: Self.bits)
            )
            let slope = (function(to) - function(from)) / (to - from)
            (store + k).initialize(to: SIMD2(Float(function(from) - slope * from), Float(slope)))
        }
        let bent = (0..<count).first { [store] in store[$0] != SIMD2(1, 0) } ?? 0
        flatUpTo = Float(LightTable.place(Double(bent), bits: Self.bits))
    }

    deinit { store.deallocate() }

    var values: UnsafePointer<SIMD2<Float>> { UnsafePointer(store) }
}
