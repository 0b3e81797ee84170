import Compositing
import Pictures
import Testing

/// The mean of two pictures, by the formula in whole numbers.
@Suite struct FrameMeanTests {
    private static func encoding(_ depth: Int, _ shift: Int) -> PixelEncoding {
        PixelEncoding(
            bitDepth: depth, chromaShiftX: shift, chromaShiftY: shift, chromaOffsetX: 0,
            chromaOffsetY: shift > 0 ? 0.5 : 0, colour: .bt709, isFullRange: false)
    }

    /// A picture whose samples differ everywhere; its alpha has clear pixels.
    private static func picture(_ seed: Int, _ encoding: PixelEncoding, alpha: Bool) -> Picture {
        let picture = Picture(7, 5, encoding, alpha: alpha)
        let most = 1 << encoding.bitDepth
        for plane in 0..<(alpha ? 4 : 3) {
            let own = seed * 7919 + plane * 131
            picture.paint(plane) { x, y in
                let value = (own + y * 977 + x * 53) * 31 % most
                return plane == 3 && x < 2 ? 0 : value
            }
        }
        return picture
    }

    @Test(arguments: [8, 10, 16]) func everySampleIsTheNearestCode(depth: Int) {
        for shift in [0, 1] {
            for share in [1, 43, 128, 255] {
                let encoding = Self.encoding(depth, shift)
                let first = Self.picture(1, encoding, alpha: false)
                let second = Self.picture(2, encoding, alpha: false)
                let mean = Self.picture(1, encoding, alpha: false)
                FrameMean(share: share).mix(second.image, into: mean.image)
                for (plane, x, y) in [(0, 0, 0), (0, 6, 4), (0, 3, 2), (1, 2, 1), (2, 1, 2)] {
                    let exact = first[plane, x, y] * (256 - share) + second[plane, x, y] * share
                    #expect(mean[plane, x, y] == (exact + 128) / 256)
                }
            }
        }
    }

    /// A colour counts by its alpha; where both pictures are clear by the shares alone.
    @Test func coloursCountByTheirAlpha() {
        let encoding = Self.encoding(8, 0)
        let first = Self.picture(1, encoding, alpha: true)
        let second = Self.picture(2, encoding, alpha: true)
        let mean = Self.picture(1, encoding, alpha: true)
        let share = 64
        FrameMean(share: share).mix(second.image, into: mean.image)
        for (x, y) in [(0, 0), (3, 1), (6, 4)] {
            let alphas = (first[3, x, y] * (256 - share), second[3, x, y] * share)
            #expect(mean[3, x, y] == (alphas.0 + alphas.1 + 128) / 256)
            let isClear = alphas.0 + alphas.1 == 0
            let weights = isClear ? (256 - share, share) : alphas
            for plane in 0..<3 {
                let sum = first[plane, x, y] * weights.0 + second[plane, x, y] * weights.1
                let exact = Double(sum) / Double(weights.0 + weights.1)
                #expect(abs(Double(mean[plane, x, y]) - exact) <= 0.5)
            }
        }
    }
}
