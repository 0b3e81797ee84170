import Pictures

/// A picture of 1080p in memory of its own, which it keeps: the process ends soon.
struct Frame {
    static let size = PixelSize(width: 1920, height: 1080)

    let image: PlanarImage
    private var planes: [Plane] { [image.luma, image.cb, image.cr] }
    private var sampleBytes: Int { image.encoding.bitDepth > 8 ? 2 : 1 }

    init(_ encoding: PixelEncoding) {
        let bytes = encoding.bitDepth > 8 ? 2 : 1
        func plane(_ width: Int, _ height: Int) -> Plane {
            let base = UnsafeMutableRawPointer.allocate(byteCount: width * height * bytes, alignment: 64)
            base.initializeMemory(as: UInt8.self, repeating: 0, count: width * height * bytes)
            return Plane(base: base, stride: width * bytes, width: width, height: height)
        }
        let (width, height) = (Self.size.width, Self.size.height)
        image = PlanarImage(
            luma: plane(width, height), cb: plane(width / 2, height / 2), cr: plane(width / 2, height / 2), alpha: nil,
            encoding: encoding)
    }

    /// Noise over gradients, the same each time.
    func paint() {
        var state: UInt64 = 88_172_645_463_325_252
        func noise(_ reach: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(2 * reach + 1)) - reach
        }
        let unit = 1 << (image.encoding.bitDepth - 8)
        for (plane, (low, high, reach)) in zip(planes, [(10, 240, 12), (80, 176, 6), (90, 166, 6)]) {
            for y in 0..<plane.height {
                for x in 0..<plane.width {
                    let value = (low + (high - low) * x / plane.width) * unit + noise(reach * unit)
                    put(min(max(value, 0), 256 * unit - 1), plane, x, y)
                }
            }
        }
    }

    private func put(_ value: Int, _ plane: Plane, _ x: Int, _ y: Int) {
        let row = plane.base + y * plane.stride
        if sampleBytes == 2 {
            row.storeBytes(of: UInt16(value), toByteOffset: 2 * x, as: UInt16.self)
        } else {
            row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
        }
    }

    /// FNV-1a of all bytes.
    var sum: UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for plane in planes {
            for byte in UnsafeRawBufferPointer(start: plane.base, count: plane.stride * plane.height) {
                sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        return sum
    }
}
