// Kernels that turn rows into columns, in blocks that stay in the first-level cache.

func transpose8(
    _ source: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int, into out: UnsafeMutablePointer<UInt8>,
    outStride: Int
) {
    let block = 16
    for top in Swift.stride(from: 0, to: height, by: block) {
        let bottom = min(top &+ block, height)
        for left in Swift.stride(from: 0, to: width, by: block) {
            for x in left..<min(left &+ block, width) {
                let column = out + x &* outStride
                for y in top..<bottom { column[y] = source[y &* stride &+ x] }
            }
        }
    }
}

/// Turns rows of 16-bit samples into columns; `stride` is in bytes, `outStride` in samples.
func transpose16(
    _ source: UnsafeRawPointer, stride: Int, width: Int, height: Int, into out: UnsafeMutablePointer<UInt16>,
    outStride: Int
) {
    let block = 16
    for top in Swift.stride(from: 0, to: height, by: block) {
        let bottom = min(top &+ block, height)
        for left in Swift.stride(from: 0, to: width, by: block) {
            for x in left..<min(left &+ block, width) {
                let column = out + x &* outStride
                for y in top..<bottom {
                    column[y] = (source + y &* stride).load(fromByteOffset: 2 &* x, as: UInt16.self)
                }
            }
        }
    }
}
