package import Pictures

extension VideoSettings {
    /// The most bytes of a frame's samples: four planes of two bytes each.
    package var mostFrameBytes: Int { 8 * size.width * size.height }

    /// The most bytes of a cover.
    package static let mostPosterBytes = 1 << 17
    private static let posterPixels = 640 * 360

    /// The cover's size in pixels: the film's shape in square pixels, of as many pixels as 640×360 at most.
    package var posterSize: PixelSize {
        let aspect = pixelAspect.map { Double($0.width) / Double($0.height) } ?? 1
        let (width, height) = (Double(size.width) * aspect, Double(size.height))
        let factor = min(1, (Double(Self.posterPixels) / (width * height)).squareRoot())
        func side(_ length: Double) -> Int { max(1, Int(length * factor)) }
        return PixelSize(width: side(width), height: side(height))
    }
}
