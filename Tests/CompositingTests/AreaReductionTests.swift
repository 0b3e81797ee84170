import Compositing
import Pictures
import Testing

@Suite("Reduction by area") struct AreaReductionTests {
    private static func encoding(_ offsetX: Double, _ offsetY: Double, depth: Int = 8) -> PixelEncoding {
        PixelEncoding(
            bitDepth: depth, chromaShiftX: 1, chromaShiftY: 1, chromaOffsetX: offsetX, chromaOffsetY: offsetY,
            colour: .bt709, isFullRange: false)
    }

    private func reduced(_ source: Picture, _ factor: Int, alpha: Bool = false) -> Picture {
        let size = ((source.width + factor - 1) / factor, (source.height + factor - 1) / factor)
        let target = Picture(size.0, size.1, source.encoding, alpha: alpha)
        reduceByArea(source.image, by: factor, into: target.image)
        #expect(target.damagedGuards == 0)
        return target
    }

    /// Means of squares, halves upwards; what lies beyond an edge is the edge.
    @Test(arguments: [8, 10]) func means(_ depth: Int) {
        let source = Picture(5, 3, Self.encoding(0, 0.5, depth: depth))
        source.paint(0) { x, y in 10 * x + 3 * y }
        source.paint(1) { x, y in 100 + x }
        source.paint(2) { _, _ in 7 }
        // Row 0: of 0, 10, 3, 13; of 20, 30, 23, 33; of 40, 43 twice. Row 1: line 2 twice: 6, 16; 26, 36; 46.
        // Three columns of chroma: 100, 101; 102, 102.
        #expect(reduced(source, 2).samples == [[7, 27, 42, 11, 31, 46], [101, 102], [7, 7]])
    }

    /// Colours count as much as they are seen: 200 under an alpha of 255, 50 under 51 and 0.
    @Test func alphaWeighs() {
        var whole = Self.encoding(0, 0)
        (whole.chromaShiftX, whole.chromaShiftY) = (0, 0)
        let source = Picture(4, 2, whole, alpha: true)
        source.paint(0) { x, y in x > 1 ? 30 + 10 * y : x == 0 && y == 0 ? 200 : 50 }
        source.paint(3) { x, y in x > 1 || y == 1 ? 0 : x == 0 ? 255 : 51 }
        let target = reduced(source, 2, alpha: true)
        // (200 · 255 + 50 · 51) / 306 is 175; of the clear square the plain mean. (255 + 51) / 4 is 76.5.
        #expect(target.samples[0] == [175, 35] && target.samples[3] == [77, 0])
    }

    /// A ramp of chroma stays where it is, wherever chroma is sited: a kernel that is even does nothing to a ramp.
    @Test(arguments: [(0, 0.5), (0.5, 0.5), (0, 0), (0.5, 1)]) func chromaStaysInItsPlace(_ x: Double, _ y: Double) {
        let encoding = Self.encoding(x, y, depth: 10)
        let source = Picture(240, 192, encoding).fill(500, 512, 512)
        // Cb at a place u, v of luma: 200 + 2 u; Cr: 300 + 2 v.
        source.paint(1) { column, _ in 200 + 4 * column + Int(2 * x) }
        source.paint(2) { _, row in 300 + 4 * row + Int(2 * y) }
        let target = reduced(source, 3)
        var small = target.image
        small.encoding = encoding.reducedByArea(3)
        let canvas = Picture(40, 32, Self.encoding(0, 0.5, depth: 10))
        var compositor = Compositor(
            size: PixelSize(width: 40, height: 32), encoding: canvas.encoding, hasAlpha: false)
        // Three of the six that make a pixel are in the picture already.
        let layer = LayerImage(image: small, pixelAspect: 1, transform: .scale(0.5, 0.5), crop: nil, opacity: 1)
        withExtendedLifetime(target) {
            compositor.compose(background: .black, layers: [layer], into: canvas.image)
        }
        for row in 4..<12 {
            for column in 4..<16 {
                // Sited left: over the first of two pixels across, between two rows. The first one's centre is 0.
                let (u, v) = (6 * (2 * Double(column) + 0.5) - 0.5, 6 * (2 * Double(row) + 1) - 0.5)
                #expect(abs(Double(canvas[1, column, row]) - 200 - 2 * u) <= 1)
                #expect(abs(Double(canvas[2, column, row]) - 300 - 2 * v) <= 1)
            }
        }
    }
}
