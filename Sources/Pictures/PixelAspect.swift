/// The shape of a pixel, in lowest terms: as wide as `width` where it is as high as `height`.
public struct PixelAspect: Sendable, Hashable, Codable {
    public let width: Int
    public let height: Int

    /// The range of each part that encoders and containers can say.
    static let parts = 1...4096
    /// The most that one part may be of the other; wider or higher pixels are a mistake.
    static let mostRatio = 16

    /// Makes an aspect in lowest terms; nil for one that no film has.
    public init?(_ width: Int, _ height: Int) {
        guard Self.parts.contains(width), Self.parts.contains(height), width <= Self.mostRatio * height,
            height <= Self.mostRatio * width
        else { return nil }
        var (divisor, rest) = (width, height)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        (self.width, self.height) = (width / divisor, height / divisor)
    }

    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        guard let read = PixelAspect(try container.decode(Int.self), try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no film has such pixels")
        }
        self = read
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(width)
        try container.encode(height)
    }

    public var isSquare: Bool { width == height }
    public var ratio: Double { Double(width) / Double(height) }

    /// The size in these pixels of a picture of `size` square ones: the same lines, and the nearest even number of
    /// columns.
    public func size(showing size: PixelSize) -> PixelSize {
        let pairs = (size.width * height + width) / (2 * width)
        return PixelSize(width: max(2, 2 * pairs), height: size.height)
    }
}
