// The product kernel for maps that mix the axes: one output at a time, four taps of a row at once.

/// The bits that count the places between two source samples for which the weight tables have weights.
let affinePhaseBits = 10

/// A straight walk through a source in 32.32 fixed point, and the bounds that keep the taps inside it.
struct AffineWalk {
    var u, v, du, dv: Int64
    /// The distance from the sample at or before the position to the first tap.
    var firstX, firstY: Int
    /// The largest first tap along each axis.
    var maxX, maxY: Int

    /// The first tap, held inside the source, and the phase.
    @inline(__always)
    static func place(_ position: Int64, _ first: Int, _ limit: Int) -> (tap: Int, phase: Int) {
        let shift = Int64(32 - affinePhaseBits)
        let rounded = Int((position &+ (1 << (shift - 1))) >> shift)
        let tap = (rounded >> affinePhaseBits) &+ first
        return (min(max(tap, 0), limit), rounded & ((1 << affinePhaseBits) - 1))
    }
}

/// Samples a row bilinearly, by two taps each way.
func affineRow2(
    _ source: UnsafePointer<Float>, stride: Int, walk: AffineWalk, into out: UnsafeMutablePointer<Float>, count: Int
) {
    var (u, v) = (walk.u, walk.v)
    for i in 0..<count {
        let x = min(max(Int(u >> 32), 0), walk.maxX)
        let y = min(max(Int(v >> 32), 0), walk.maxY)
        let fx = Float(Int32(truncatingIfNeeded: (u & 0xFFFF_FFFF) >> 9)) * 0x1p-23
        let fy = Float(Int32(truncatingIfNeeded: (v & 0xFFFF_FFFF) >> 9)) * 0x1p-23
        let p = source + (y &* stride &+ x)
        let q = p + stride
        let top = p[0] + (p[1] - p[0]) * fx
        let bottom = q[0] + (q[1] - q[0]) * fx
        out[i] = top + (bottom - top) * fy
        u = u &+ walk.du
        v = v &+ walk.dv
    }
}

/// Samples a row by four taps each way; the tables have four weights for each phase.
func affineRow4(
    _ source: UnsafePointer<Float>, stride: Int, walk: AffineWalk, weightsX: UnsafePointer<Float>,
    weightsY: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, count: Int
) {
    var (u, v) = (walk.u, walk.v)
    let bytes = stride &* 4
    for i in 0..<count {
        let (x, phaseX) = AffineWalk.place(u, walk.firstX, walk.maxX)
        let (y, phaseY) = AffineWalk.place(v, walk.firstY, walk.maxY)
        let p = UnsafeRawPointer(source + (y &* stride &+ x))
        let wy = weightsY + (phaseY &* 4)
        let wx = UnsafeRawPointer(weightsX + (phaseX &* 4)).loadUnaligned(as: SIMD4<Float>.self)
        let a = p.loadUnaligned(as: SIMD4<Float>.self) * wy[0]
        let b = (p + bytes).loadUnaligned(as: SIMD4<Float>.self) * wy[1]
        let c = (p + 2 &* bytes).loadUnaligned(as: SIMD4<Float>.self) * wy[2]
        let d = (p + 3 &* bytes).loadUnaligned(as: SIMD4<Float>.self) * wy[3]
        let t = ((a + b) + (c + d)) * wx
        out[i] = (t[0] + t[2]) + (t[1] + t[3])
        u = u &+ walk.du
        v = v &+ walk.dv
    }
}

/// Samples a row by any number of taps; the tables have `tapsX` and `tapsY` weights for each phase, `tapsX` a multiple
/// of 4.
func affineRowN(
    _ source: UnsafePointer<Float>, stride: Int, walk: AffineWalk, weightsX: UnsafePointer<Float>, tapsX: Int,
    weightsY: UnsafePointer<Float>, tapsY: Int, into out: UnsafeMutablePointer<Float>, count: Int
) {
    var (u, v) = (walk.u, walk.v)
    for i in 0..<count {
        let (x, phaseX) = AffineWalk.place(u, walk.firstX, walk.maxX)
        let (y, phaseY) = AffineWalk.place(v, walk.firstY, walk.maxY)
        let corner = source + (y &* stride &+ x)
        let wx = UnsafeRawPointer(weightsX + (phaseX &* tapsX))
        let wy = weightsY + (phaseY &* tapsY)
        var sum = SIMD4<Float>.zero
        var k = 0
        while k < tapsX {
            var p = UnsafeRawPointer(corner + k)
            var column = SIMD4<Float>.zero
            for row in 0..<tapsY {
                column += p.loadUnaligned(as: SIMD4<Float>.self) * wy[row]
                p += stride &* 4
            }
            sum += column * (wx + k &* 4).loadUnaligned(as: SIMD4<Float>.self)
            k &+= 4
        }
        out[i] = (sum[0] + sum[2]) + (sum[1] + sum[3])
        u = u &+ walk.du
        v = v &+ walk.dv
    }
}
