/// The shape of a pixel, in lowest terms: as wide as `width` where it is as high as `height`.
public struct PixelAspect: Sendable, Hashable, Codable {
    /// The width of a pixel in parts, of which `height` are its height; from 1 to 4096.
    public let width: Int
    /// The height of a pixel in parts, of which `width` are its width; from 1 to 4096.
    public let height: Int

    /// The range of each part that encoders and containers can say.
    static let parts = 1...4096
    /// The most that one part may be of the other; wider or higher pixels are a mistake.
    static let mostRatio = 16

    /// Makes an aspect in lowest terms; nil for one that no film has: both parts are 1…4096, and none is more than 16
    /// times the other.
    public init?(_ width: Int, _ height: Int) {
        guard Self.parts.contains(width), Self.parts.contains(height), width <= Self.mostRatio * height,
            height <= Self.mostRatio * width
        else { return nil }
        var (divisor, rest) = (width, height)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        (self.width, self.height) = (width / divisor, height / divisor)
    }

    /// Reads a list of two whole numbers; another value, and an aspect that no film has, is a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        guard let read = PixelAspect(try container.decode(Int.self), try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no film has such pixels")
        }
        self = read
    }

    /// Writes a list of the width and the height.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(width)
        try container.encode(height)
    }

    /// Whether pixels are as wide as they are high.
    public var isSquare: Bool { width == height }
    /// The width over the height.
    public var ratio: Double { Double(width) / Double(height) }

    /// The size in these pixels of a picture of `size` square ones: the same lines, and the nearest even number of
    /// columns.
    package func size(showing size: PixelSize) -> PixelSize {
        let pairs = (size.width * height + width) / (2 * width)
        return PixelSize(width: max(2, 2 * pairs), height: size.height)
    }
}
