import Compositing
import Pictures

/// The checksum of ffmpeg's framecrc: Adler-32 beginning with 0, over the planes' rows without padding.
struct FrameChecksum {
    private var a: UInt32 = 0
    private var b: UInt32 = 0
    var value: UInt32 { b << 16 | a }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var start = 0
        // 5552 bytes are the most whose sums fit 32 bits.
        while start < bytes.count {
            let end = min(start + 5552, bytes.count)
            for place in start..<end {
                a &+= UInt32(bytes[place])
                b &+= a
            }
            a %= 65521
            b %= 65521
            start = end
        }
    }
}

func checksum(_ image: PlanarImage) -> UInt32 {
    var sum = FrameChecksum()
    let bytes = image.encoding.bitDepth > 8 ? 2 : 1
    for plane in [image.luma, image.cb, image.cr] + (image.alpha.map { [$0] } ?? []) {
        for y in 0..<plane.height {
            sum.add(UnsafeRawBufferPointer(start: plane.base + y * plane.stride, count: plane.width * bytes))
        }
    }
    return sum.value
}
