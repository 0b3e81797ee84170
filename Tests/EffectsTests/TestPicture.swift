import Effects
import JSONText
import MediaTime
import Pictures
import SplitreelProject
import Testing

/// A picture of the test's own memory.
struct TestPicture {
    let kind: TransitionTests.Kind
    /// Luma, Cb, Cr, and alpha or nothing, row by row.
    var planes: [[UInt16]]

    /// Any codes that the film may have; a quarter of the pixels are transparent.
    init(_ kind: TransitionTests.Kind, seed: Int) {
        self.kind = kind
        let step = 1 << (kind.bits - 8)
        let maximum = UInt16((1 << kind.bits) - 1)
        planes = (0..<(kind.hasAlpha ? 4 : 3)).map { plane in
            let size = Self.size(kind, plane)
            return (0..<size.width * size.height).map { index in
                let value = (index &* 2_654_435_761 &+ seed &* 40_503 &+ plane &* 977) >> 7 & 0xFFFF
                guard plane == 3 else { return UInt16(16 * step + value % (219 * step)) }
                return value % 4 == 0 ? 0 : value % 4 == 1 ? maximum : UInt16(value) & maximum
            }
        }
    }

    static func size(_ kind: TransitionTests.Kind, _ plane: Int) -> (width: Int, height: Int) {
        guard plane == 1 || plane == 2 else { return (kind.width, kind.height) }
        return (
            (kind.width + (1 << kind.shiftX) - 1) >> kind.shiftX, (kind.height + (1 << kind.shiftY) - 1) >> kind.shiftY
        )
    }

    mutating func fill(_ codes: [Int]) {
        for plane in planes.indices { planes[plane] = planes[plane].map { _ in UInt16(codes[plane]) } }
    }

    /// The picture that a transition's kernel makes of two. A parameter `matte` is the first one where no other is
    /// given.
    static func drawn(
        _ id: String, _ params: JSONValue?, _ progress: Double, _ from: TestPicture, _ to: TestPicture,
        matte: TestPicture? = nil, change: (inout EffectCall) -> Void = { _ in }
    ) throws -> TestPicture {
        let description = try #require(EffectRegistry.description(of: id, version: nil))
        let kernel = try #require(EffectKernels.kernel(id: id, version: 1))
        var problems: [Problem] = []
        let parameters = EffectParameters(params, of: description, "", problems: &problems)
        try #require(problems.isEmpty)
        var call = EffectCall(id: id, version: 1, values: parameters.values(at: .zero))
        call.progress = progress
        if description.parameter("matte") != nil { call.pictures["matte"] = 2 }
        change(&call)
        var result = TestPicture(from.kind, seed: 99)
        let memory = EffectMemory()
        from.withImage { first in
            to.withImage { second in
                (matte ?? from).withImage { third in
                    result.withWritableImage { kernel.render(call, [first, second, third], into: $0, memory) }
                }
            }
        }
        return result
    }

    // MARK: - As a picture

    func withImage(_ body: (PlanarImage) -> Void) {
        var copy = self
        copy.withWritableImage(body)
    }

    /// Rows have some bytes of padding.
    mutating func withWritableImage(_ body: (PlanarImage) -> Void) {
        let bytes = kind.bits > 8 ? 2 : 1
        var memory: [UnsafeMutableRawPointer] = []
        var images: [Plane] = []
        for (index, samples) in planes.enumerated() {
            let size = Self.size(kind, index)
            let stride = size.width * bytes + 6
            let base = UnsafeMutableRawPointer.allocate(byteCount: stride * size.height, alignment: 64)
            base.initializeMemory(as: UInt8.self, repeating: 0xA5, count: stride * size.height)
            for (place, code) in samples.enumerated() {
                let target = base + place / size.width * stride + place % size.width * bytes
                if bytes > 1 {
                    target.storeBytes(of: code, as: UInt16.self)
                } else {
                    target.storeBytes(of: UInt8(code), as: UInt8.self)
                }
            }
            memory.append(base)
            images.append(Plane(base: base, stride: stride, width: size.width, height: size.height))
        }
        body(
            PlanarImage(
                luma: images[0], cb: images[1], cr: images[2], alpha: images.count > 3 ? images[3] : nil,
                encoding: PixelEncoding(
                    bitDepth: kind.bits, chromaShiftX: kind.shiftX, chromaShiftY: kind.shiftY, chromaOffsetX: 0,
                    chromaOffsetY: kind.shiftY > 0 ? 0.5 : 0, colour: .bt709, isFullRange: false)))
        for (index, image) in images.enumerated() {
            planes[index] = (0..<image.width * image.height).map { place in
                let source = image.base + place / image.width * image.stride + place % image.width * bytes
                return bytes > 1 ? source.load(as: UInt16.self) : UInt16(source.load(as: UInt8.self))
            }
        }
        for base in memory { base.deallocate() }
    }

    // MARK: - Against what it should be

    /// How far the farthest sample of a plane is from the mix of two pictures by weights, in codes.
    func worst(
        _ plane: Int, _ from: TestPicture, _ to: TestPicture,
        skipping: (_ x: Double, _ y: Double) -> Bool = { _, _ in false }, weight: (Double, Double) -> Double
    ) -> Double {
        let size = Self.size(kind, plane)
        let (lumaWidth, lumaHeight) = (kind.width, kind.height)
        let isChroma = plane == 1 || plane == 2
        // By pixels: each one's mean weight.
        let pixels = (0..<lumaWidth * lumaHeight).map { index in
            let (x, y) = (Double(index % lumaWidth), Double(index / lumaWidth))
            var sum = 0.0
            for k in 0..<256 {
                sum += weight(x + (Double(k % 16) + 0.5) / 16, y + (Double(k / 16) + 0.5) / 16)
            }
            return sum / 256
        }
        let maximum = Double((1 << kind.bits) - 1)
        var worst = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let centre = isChroma ? (Double(x << kind.shiftX), Double(y << kind.shiftY)) : (Double(x), Double(y))
                if skipping(centre.0, centre.1) { continue }
                var (part, total, plain) = (0.0, 0.0, 0.0)
                for tap in taps(x, y, isChroma) {
                    let index = min(max(tap.y, 0), lumaHeight - 1) * lumaWidth + min(max(tap.x, 0), lumaWidth - 1)
                    let first = kind.hasAlpha ? Double(from.planes[3][index]) / maximum : 1
                    let second = kind.hasAlpha ? Double(to.planes[3][index]) / maximum : 1
                    part += tap.weight * pixels[index] * second
                    total += tap.weight * (pixels[index] * second + (1 - pixels[index]) * first)
                    plain += tap.weight * pixels[index]
                }
                let share = total > 1e-9 ? part / total : plain
                let place = y * size.width + x
                let (a, b) = (Double(from.planes[plane][place]), Double(to.planes[plane][place]))
                // What is hardly seen counts as little.
                worst = max(worst, total * abs(a + (b - a) * share - Double(planes[plane][place])))
            }
        }
        return worst
    }

    /// The pixels that a sample stands for: of chroma a quarter, a half and a quarter of three columns, and two rows.
    private func taps(_ x: Int, _ y: Int, _ isChroma: Bool) -> [(x: Int, y: Int, weight: Double)] {
        guard isChroma else { return [(x, y, 1)] }
        typealias Tap = (place: Int, weight: Double)
        let columns: [Tap] = kind.shiftX > 0 ? [(2 * x - 1, 0.25), (2 * x, 0.5), (2 * x + 1, 0.25)] : [(x, 1)]
        let rows: [Tap] = kind.shiftY > 0 ? [(2 * y, 0.5), (2 * y + 1, 0.5)] : [(y, 1)]
        return columns.flatMap { column in
            rows.map { (column.place, $0.place, column.weight * $0.weight) }
        }
    }
}
