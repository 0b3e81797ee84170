import Compositing
import Foundation
import Pictures

/// A picture in memory of its own, with guard bytes between and around its rows that nothing may write.
final class Picture {
    static let guardByte: UInt8 = 0xA7
    static let guardRows = 3

    struct Storage {
        let memory: UnsafeMutableRawPointer
        let byteCount: Int
        let plane: Plane
        let rowBytes: Int
    }

    let width, height: Int
    let encoding: PixelEncoding
    private(set) var planes: [Storage] = []
    private let hasAlpha: Bool

    init(_ width: Int, _ height: Int, _ encoding: PixelEncoding, alpha: Bool = false) {
        (self.width, self.height, self.encoding, hasAlpha) = (width, height, encoding, alpha)
        let chromaWidth = (width + (1 << encoding.chromaShiftX) - 1) >> encoding.chromaShiftX
        let chromaHeight = (height + (1 << encoding.chromaShiftY) - 1) >> encoding.chromaShiftY
        var sizes = [(width, height), (chromaWidth, chromaHeight), (chromaWidth, chromaHeight)]
        if alpha { sizes.append((width, height)) }
        let sample = encoding.bitDepth > 8 ? 2 : 1
        for (w, h) in sizes {
            let stride = (w * sample + 37) & ~1
            let byteCount = stride * (h + 2 * Self.guardRows)
            let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
            memory.initializeMemory(as: UInt8.self, repeating: Self.guardByte, count: byteCount)
            let base = memory + stride * Self.guardRows + 16
            planes.append(
                Storage(
                    memory: memory, byteCount: byteCount,
                    plane: Plane(base: base, stride: stride, width: w, height: h), rowBytes: w * sample))
        }
    }

    deinit { for plane in planes { plane.memory.deallocate() } }

    var image: PlanarImage {
        PlanarImage(
            luma: planes[0].plane, cb: planes[1].plane, cr: planes[2].plane, alpha: hasAlpha ? planes[3].plane : nil,
            encoding: encoding)
    }

    subscript(_ plane: Int, _ x: Int, _ y: Int) -> Int {
        get {
            let p = planes[plane].plane
            let row = p.base + y * p.stride
            return encoding.bitDepth > 8
                ? Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
                : Int(row.load(fromByteOffset: x, as: UInt8.self))
        }
        set {
            let p = planes[plane].plane
            let row = p.base + y * p.stride
            if encoding.bitDepth > 8 {
                row.storeBytes(of: UInt16(newValue), toByteOffset: 2 * x, as: UInt16.self)
            } else {
                row.storeBytes(of: UInt8(newValue), toByteOffset: x, as: UInt8.self)
            }
        }
    }

    func size(_ plane: Int) -> (width: Int, height: Int) { (planes[plane].plane.width, planes[plane].plane.height) }

    @discardableResult
    func fill(_ values: Int...) -> Picture {
        for (plane, value) in values.enumerated() {
            paint(plane) { _, _ in value }
        }
        return self
    }

    func paint(_ plane: Int, _ body: (Int, Int) -> Int) {
        let size = size(plane)
        for y in 0..<size.height {
            for x in 0..<size.width { self[plane, x, y] = body(x, y) }
        }
    }

    /// Waves, edges and a little noise, the same for the same seed; all values legal.
    @discardableResult
    func paintScene(seed: UInt64) -> Picture {
        let unit = 1 << (encoding.bitDepth - 8)
        for plane in planes.indices {
            var random = Random(seed: seed &* 31 &+ UInt64(plane))
            let (period, phase) = (random.double(in: 17...40), random.double(in: 0...6))
            paint(plane) { x, y in
                let wave = triangle((Double(x) + phase * 3) / period) * 70 + triangle(Double(y) / (period * 0.7)) * 40
                let edge = (x / 23 + y / 19) % 3 == 0 ? 35.0 : -10.0
                let noise = random.double(in: -3...3)
                return Int(min(max((125 + wave + edge + noise) * Double(unit), 0), Double(255 * unit)))
            }
        }
        return self
    }

    /// All samples, row by row, plane by plane, without the guards.
    var samples: [[Int]] {
        planes.map { storage in
            let p = storage.plane
            var values: [Int] = []
            values.reserveCapacity(p.width * p.height)
            for y in 0..<p.height {
                let row = p.base + y * p.stride
                if encoding.bitDepth > 8 {
                    let words = UnsafeBufferPointer(start: row.assumingMemoryBound(to: UInt16.self), count: p.width)
                    values.append(contentsOf: words.map(Int.init))
                } else {
                    let bytes = UnsafeBufferPointer(start: row.assumingMemoryBound(to: UInt8.self), count: p.width)
                    values.append(contentsOf: bytes.map(Int.init))
                }
            }
            return values
        }
    }

    /// Guard bytes that no longer are.
    var damagedGuards: Int {
        var damaged = 0
        for storage in planes {
            let bytes = UnsafeRawBufferPointer(start: storage.memory, count: storage.byteCount)
            let p = storage.plane
            var next = 0
            for y in 0...p.height {
                // Up to the row's first sample, or after the last row to the end.
                let row = y < p.height ? p.base - storage.memory + y * p.stride : storage.byteCount
                damaged += bytes[next..<row].count { $0 != Self.guardByte }
                next = row + storage.rowBytes
            }
        }
        return damaged
    }

    func layer(
        _ transform: Affine = .identity, crop: Rect? = nil, opacity: Double = 1, aspect: Double = 1
    ) -> LayerImage {
        LayerImage(image: image, pixelAspect: aspect, transform: transform, crop: crop, opacity: opacity)
    }

    /// A fresh compositor's work in this picture.
    @discardableResult
    func compose(_ layers: [LayerImage], background: Colour = .black) -> Picture {
        var compositor = Compositor(
            size: PixelSize(width: width, height: height), encoding: encoding, hasAlpha: hasAlpha)
        compositor.compose(background: background, layers: layers, into: image)
        return self
    }
}

/// A wave of straight lines, −1…1, period 1.
private func triangle(_ x: Double) -> Double {
    let part = x - x.rounded(.down)
    return part < 0.5 ? 4 * part - 1 : 3 - 4 * part
}

struct Random {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func double(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) / Double(1 << 53)
    }

    mutating func int(in range: Range<Int>) -> Int { range.lowerBound + Int(next() % UInt64(range.count)) }
}

enum Layout: CaseIterable {
    case i420, i422, i444
    var shifts: (Int, Int) {
        switch self {
        case .i420: (1, 1)
        case .i422: (1, 0)
        case .i444: (0, 0)
        }
    }
}

func encoding(
    _ layout: Layout = .i420, bits: Int = 8, matrix: ColourMatrix = .bt709, full: Bool = false,
    siting: (Double, Double)? = nil
) -> PixelEncoding {
    let (x, y) = layout.shifts
    return PixelEncoding(
        bitDepth: bits, chromaShiftX: x, chromaShiftY: y, chromaOffsetX: siting?.0 ?? 0,
        chromaOffsetY: siting?.1 ?? (y > 0 ? 0.5 : 0),
        colour: ColourTriple(primaries: .bt709, transfer: .bt709, matrix: matrix), isFullRange: full)
}

/// In decibels, for codes of that depth; 99 for equal pictures.
func psnr(_ a: [Int], _ b: [Int], bits: Int) -> Double {
    precondition(a.count == b.count, "Pictures of one size are compared.")
    let sum = zip(a, b).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
    guard sum > 0 else { return 99 }
    let peak = Double((1 << bits) - 1)
    return 10 * log10(peak * peak * Double(a.count) / sum)
}
