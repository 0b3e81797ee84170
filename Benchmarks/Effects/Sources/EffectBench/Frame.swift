import Effects
import Pictures

/// A picture of 1080p in memory of its own, which it keeps: the process ends soon.
struct Frame {
    static let size = PixelSize(width: 1920, height: 1080)

    let image: PlanarImage
    private let bytes: Int

    init(_ shift: (x: Int, y: Int), bits: Int, alpha: Bool) {
        let bytes = bits > 8 ? 2 : 1
        func plane(_ width: Int, _ height: Int) -> Plane {
            let base = UnsafeMutableRawPointer.allocate(byteCount: width * height * bytes, alignment: 64)
            base.initializeMemory(as: UInt8.self, repeating: 0, count: width * height * bytes)
            return Plane(base: base, stride: width * bytes, width: width, height: height)
        }
        let (width, height) = (Self.size.width, Self.size.height)
        let encoding = PixelEncoding(
            bitDepth: bits, chromaShiftX: shift.x, chromaShiftY: shift.y, chromaOffsetX: 0,
            chromaOffsetY: shift.y > 0 ? 0.5 : 0, colour: .bt709, isFullRange: false)
        image = PlanarImage(
            luma: plane(width, height), cb: plane(width >> shift.x, height >> shift.y),
            cr: plane(width >> shift.x, height >> shift.y), alpha: alpha ? plane(width, height) : nil,
            encoding: encoding)
        self.bytes = bytes
    }

    private var planes: [Plane] { [image.luma, image.cb, image.cr] + (image.alpha.map { [$0] } ?? []) }

    /// Noise over gradients, the same each time; alpha is a disc with a soft edge.
    func paint(seed: UInt64) {
        var state = 88_172_645_463_325_252 &* seed
        func noise(_ reach: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(2 * reach + 1)) - reach
        }
        let unit = 1 << (image.encoding.bitDepth - 8)
        for (plane, (low, high, reach)) in zip(planes, [(16, 235, 12), (80, 176, 6), (90, 166, 6)]) {
            for y in 0..<plane.height {
                for x in 0..<plane.width {
                    let across = seed % 2 == 0 ? plane.width - 1 - x : x
                    let value = (low + (high - low) * across / plane.width) * unit + noise(reach * unit)
                    put(min(max(value, 16 * unit), 235 * unit), plane, x, y)
                }
            }
        }
        guard let alpha = image.alpha else { return }
        for y in 0..<alpha.height {
            for x in 0..<alpha.width {
                let (u, v) = (x - alpha.width / 2, y - alpha.height / 2)
                put(min(max((500 * 500 - u * u - v * v) / 200, 0), 256 * unit - 1), alpha, x, y)
            }
        }
    }

    private func put(_ value: Int, _ plane: Plane, _ x: Int, _ y: Int) {
        let row = plane.base + y * plane.stride
        if bytes == 2 {
            row.storeBytes(of: UInt16(value), toByteOffset: 2 * x, as: UInt16.self)
        } else {
            row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
        }
    }

    /// FNV-1a of all samples' bytes.
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
