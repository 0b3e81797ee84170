extension PictureCodec {
    /// FFV1 (RFC 9043), of which the films are made, too, that are written in the end: each frame begins anew with a
    /// context of 0, and its packets come at once.
    public static let ffv1 = PictureCodec("ffv1", encoder: "ffv1") {
        $0.places = [.mov: 5, .mkv: 7]
        $0.usualBits = .of { Double($0.format.bitDepth) * ($0.format.chromaShift.x == 0 ? 1.5 : 0.75) }
        $0.isIntraOnly = true
        $0.encodeAsFFV1()
        $0.stream = { StreamFacts(tag: $1 == .mov ? .code("FFV1") : .ofMuxer) }
    }

    /// Takes FFV1's encoder for the chunks.
    mutating func encodeAsFFV1() {
        isReusable = true
        // It sets 37 samples of 32 bits a pixel aside for a packet.
        memory = { _ in EncoderMemory(bytesPerPixel: 148) }
        fields = { settings, _ in
            let slices = settings.format.slicesOfFFV1(settings.size)
            return EncoderFields(level: slices == nil ? 1 : 3, slices: slices ?? 1)
        }
        options = { settings, _ in
            let slices = settings.format.slicesOfFFV1(settings.size)
            return [("slicecrc", slices == nil ? "0" : "1"), ("coder", "1"), ("context", "0")]
        }
    }
}
