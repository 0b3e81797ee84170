import Effects
import Foundation
import Pictures
import SplitreelProject

/// A picture in memory of its own; bytes between its rows that nothing may write.
final class PlanePicture {
    private static let guardByte: UInt8 = 0xA7
    let width, height: Int
    let encoding: PixelEncoding
    private var memory: [(start: UnsafeMutableRawPointer, bytes: Int, plane: Plane)] = []

    init(_ width: Int, _ height: Int, _ encoding: PixelEncoding, alpha: Bool = false) {
        (self.width, self.height, self.encoding) = (width, height, encoding)
        let chromaWidth = (width + (1 << encoding.chromaShiftX) - 1) >> encoding.chromaShiftX
        let chromaHeight = (height + (1 << encoding.chromaShiftY) - 1) >> encoding.chromaShiftY
        var sizes = [(width, height), (chromaWidth, chromaHeight), (chromaWidth, chromaHeight)]
        if alpha { sizes.append((width, height)) }
        for (w, h) in sizes {
            let stride = (w * (encoding.bitDepth > 8 ? 2 : 1) + 37) & ~1
            let bytes = stride * (h + 2)
            let start = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
            start.initializeMemory(as: UInt8.self, repeating: Self.guardByte, count: bytes)
            memory.append((start, bytes, Plane(base: start + stride, stride: stride, width: w, height: h)))
        }
    }

    deinit { for part in memory { part.start.deallocate() } }

    var image: PlanarImage {
        PlanarImage(
            luma: memory[0].plane, cb: memory[1].plane, cr: memory[2].plane,
            alpha: memory.count > 3 ? memory[3].plane : nil, encoding: encoding)
    }

    var planeCount: Int { memory.count }

    func size(_ plane: Int) -> (width: Int, height: Int) { (memory[plane].plane.width, memory[plane].plane.height) }

    subscript(_ plane: Int, _ x: Int, _ y: Int) -> Int {
        get {
            let p = memory[plane].plane
            let row = p.base + y * p.stride
            return encoding.bitDepth > 8
                ? Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
                : Int(row.load(fromByteOffset: x, as: UInt8.self))
        }
        set {
            let p = memory[plane].plane
            let row = p.base + y * p.stride
            if encoding.bitDepth > 8 {
                row.storeBytes(of: UInt16(newValue), toByteOffset: 2 * x, as: UInt16.self)
            } else {
                row.storeBytes(of: UInt8(newValue), toByteOffset: x, as: UInt8.self)
            }
        }
    }

    @discardableResult
    func paint(_ plane: Int, _ body: (_ x: Int, _ y: Int) -> Int) -> PlanePicture {
        let size = size(plane)
        for y in 0..<size.height { for x in 0..<size.width { self[plane, x, y] = body(x, y) } }
        return self
    }

    /// Waves, edges and noise, legal codes; alpha of 0, 1 and between in patches.
    @discardableResult
    func paintScene(seed: UInt64) -> PlanePicture {
        let unit = Double(1 << (encoding.bitDepth - 8))
        for plane in 0..<planeCount {
            var random = SceneNoise(seed &* 31 &+ UInt64(plane))
            let (period, phase) = (random.value(17, 40), random.value(0, 6))
            paint(plane) { x, y in
                let wave = sin((Double(x) + phase * 9) / period * 6.28) * 70 + cos(Double(y) / period * 8) * 40
                let edge = (x / 9 + y / 7) % 3 == 0 ? 35.0 : -10.0
                let code = 125 + wave + edge + random.value(-3, 3)
                if plane == 3 {
                    return Int(min(max(code - 60, 0) * 1.6, 255) * unit) | (code > 220 ? Int(unit) - 1 : 0)
                }
                return Int(min(max(code, 16), 235) * unit)
            }
        }
        return self
    }

    /// All samples, row by row, of each plane.
    var samples: [[Int]] {
        (0..<planeCount).map { plane in
            let size = size(plane)
            return (0..<size.height).flatMap { y in (0..<size.width).map { self[plane, $0, y] } }
        }
    }

    /// Bytes outside of the samples that are not what they were.
    var damage: Int {
        memory.reduce(0) { sum, part in
            let row = part.plane.width * (encoding.bitDepth > 8 ? 2 : 1)
            let bytes = UnsafeRawBufferPointer(start: part.start, count: part.bytes)
            return sum
                + bytes.indices.count { index in
                    let (line, column) = (index / part.plane.stride - 1, index % part.plane.stride)
                    let isInside = line >= 0 && line < part.plane.height && column < row
                    return !isInside && bytes[index] != Self.guardByte
                }
        }
    }

    /// The likeness of each plane to the other picture's, in decibels of its depth's codes.
    func likeness(_ other: PlanePicture) -> [Double] { zip(samples, other.samples).map { decibels($0, $1) } }

    func decibels(_ a: [Int], _ b: [Int]) -> Double {
        let sum = zip(a, b).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
        let peak = Double((1 << encoding.bitDepth) - 1)
        return sum > 0 ? 10 * log10(peak * peak * Double(a.count) / sum) : 99
    }

    func apart(_ other: PlanePicture) -> [Int] {
        zip(samples, other.samples).map { zip($0, $1).map { abs($0 - $1) }.max() ?? 0 }
    }

    /// The kernel's work on these pictures.
    static func rendered(
        _ call: EffectCall, _ inputs: [PlanePicture], alpha: Bool = false, memory: EffectMemory = EffectMemory()
    ) -> PlanePicture {
        let first = inputs[0]
        let output = PlanePicture(first.width, first.height, first.encoding, alpha: alpha)
        EffectKernels.kernel(id: call.id, version: call.version)?.render(
            call, inputs.map(\.image), into: output.image, memory)
        return output
    }
}

struct SceneNoise {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03 }

    mutating func value(_ low: Double, _ high: Double) -> Double {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return low + (high - low) * Double(state >> 11) / Double(1 << 53)
    }
}

/// Left siting; limited range.
func filmEncoding(_ shiftX: Int, _ shiftY: Int, bits: Int = 8, matrix: ColourMatrix = .bt709) -> PixelEncoding {
    PixelEncoding(
        bitDepth: bits, chromaShiftX: shiftX, chromaShiftY: shiftY, chromaOffsetX: 0,
        chromaOffsetY: shiftY > 0 ? 0.5 : 0,
        colour: ColourTriple(primaries: .bt709, transfer: .bt709, matrix: matrix), isFullRange: false)
}

/// 4:2:0, 4:2:2 and 4:4:4, of 8 and of 10 bits.
let filmEncodings = [(1, 1, 8), (1, 0, 8), (0, 0, 8), (1, 1, 10), (0, 0, 10)].map {
    filmEncoding($0.0, $0.1, bits: $0.2)
}
