import Pictures

/// The memory that an encoder takes for a chunk at its peak, as it was measured: it grows with the picture, and with
/// the frames that it looks ahead.
package struct EncoderMemory: Hashable, Sendable {
    /// The pixels by which its pictures are wider, and higher, than the film's.
    package var margin = 0
    /// The pictures of the film's format that it holds.
    package var pictures = 4.0
    /// The bytes beside them for each pixel of a picture, whatever its depth.
    package var bytesPerPixel = 0.0
}

extension VideoSettings {
    /// The bytes of a picture in the film's format.
    package var pictureBytes: Int { Int(Double(size.width * size.height) * format.bytesPerPixel) }

    /// The memory that the encoder takes for a chunk at its peak, in bytes, about.
    package var encoderBytes: Int {
        let memory = codec.ofSegments.memory(self)
        let pixels = Double((size.width + memory.margin) * (size.height + memory.margin))
        return Int((pixels * (memory.pictures * format.bytesPerPixel + memory.bytesPerPixel)).rounded())
    }

    /// The number for the film's preset of x264's or x265's, of a list in the order of `ultrafast` to `placebo`.
    func lookAhead(_ frames: [Int]) -> Int {
        PictureCodec.presetsOfX264.firstIndex(of: preset).map { frames[$0] } ?? frames[5]
    }
}

extension WorkingFormat {
    /// The bytes that a pixel takes in all planes together.
    fileprivate var bytesPerPixel: Double {
        let chroma = 2 / Double(1 << (chromaShift.x + chromaShift.y))
        return (1 + chroma + (hasAlpha ? 1 : 0)) * (bitDepth > 8 ? 2 : 1)
    }
}
