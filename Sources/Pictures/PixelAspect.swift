/// The shape of a pixel, in lowest terms: as wide as `width` where it is as high as `height`.
package struct PixelAspect: Sendable, Hashable, Codable {
    package let width: Int
    package let height: Int

    /// What encoders and containers can say of each part.
    static let parts = 1...4096
    /// Wider or higher ones are a mistake.
    static let mostRatio = 16

    /// nil for what no film has.
    package init?(_ width: Int, _ height: Int) {
        guard Self.parts.contains(width), Self.parts.contains(height), width <= Self.mostRatio * height,
            height <= Self.mostRatio * width
        else { return nil }
        var (divisor, rest) = (width, height)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        (self.width, self.height) = (width / divisor, height / divisor)
    }

    package init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        guard let read = PixelAspect(try container.decode(Int.self), try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no film has such pixels")
        }
        self = read
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(width)
        try container.encode(height)
    }

    package var isSquare: Bool { width == height }
    package var ratio: Double { Double(width) / Double(height) }

    /// As many of these pixels as show a picture of square ones: the same lines, and the nearest even number of
    /// columns.
    package func size(showing size: PixelSize) -> PixelSize {
        let pairs = (size.width * height + width) / (2 * width)
        return PixelSize(width: max(2, 2 * pairs), height: size.height)
    }
}
