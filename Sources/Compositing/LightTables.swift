/// A function of 0…`top` by its nearest of 4,096 places: the light of an encoded component.
final class EvenTable {
    static let last = 4095.0
    private let store: UnsafeMutablePointer<Float>
    /// What one unit of the argument is in places.
    let scale: Double

    init(top: Double, _ function: (Double) -> Double) {
        let count = Int(Self.last) + 1
        store = .allocate(capacity: count)
        scale = Self.last / top
        for k in 0..<count { (store + k).initialize(to: Float(function(Double(k) / scale))) }
    }

    deinit { store.deallocate() }

    var values: UnsafePointer<Float> { UnsafePointer(store) }
}

/// A function of light from 2⁻³⁰ to 2⁶ by places that lie as the floats themselves do: as dense for shadows as for
/// lights. A place is found by a float's own bits.
final class LightTable {
    private static let exponents = -30..<6
    /// As floats: the lowest argument, and the highest.
    static let lowest: Float = 0x1p-30
    static let highest: Float = 0x1.fffffep5

    /// Binary places of the mantissa that tell one place from the next.
    let bits: Int
    /// What a float's bits, shifted right by `shift`, are at the first place.
    let first: UInt32
    private let store: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - bits: of the mantissa.
    ///   - isInterpolated: values stand at the places' lower ends and one more at the end; else at their middles.
    init(bits: Int, isInterpolated: Bool, _ function: (Double) -> Double) {
        self.bits = bits
        first = Self.lowest.bitPattern >> UInt32(23 - bits)
        let count = Self.exponents.count << bits
        store = .allocate(capacity: count + 1)
        let offset = isInterpolated ? 0.0 : 0.5
        for k in 0...count {
            let exponent = Self.exponents.lowerBound + k >> bits
            let part = 1 + (Double(k & ((1 << bits) - 1)) + offset) / Double(1 << bits)
            let place = Double(sign: .plus, exponent: exponent, significand: part)
            (store + k).initialize(to: Float(function(place)))
        }
        // Black stays black.
        if !isInterpolated { store[0] = Float(function(0)) }
    }

    deinit { store.deallocate() }

    var shift: UInt32 { UInt32(23 - bits) }
    var values: UnsafePointer<Float> { UnsafePointer(store) }
}

/// A factor that all three components take, by a weighted sum of them or by the largest.
struct LightFactor {
    enum Argument {
        case luminance(red: Float, green: Float, blue: Float)
        case largest
    }

    let argument: Argument
    let table: LightTable

    init(_ argument: Argument, _ function: (Double) -> Double) {
        self.argument = argument
        table = LightTable(bits: 6, isInterpolated: true, function)
    }
}
