import Pictures

extension PictureCodec {
    /// Moving WebP. Its encoder has no rate control.
    public static let webp = PictureCodec("webp", encoder: "libwebp") {
        $0.places = [.webp: 1]
        // The encoder itself makes a picture without alpha where all of its alpha is opaque.
        $0.samples = .rgb(RGBFormats(always: "bgra"))
        $0.formats = [.yuv444p, .yuv444p10, .yuva444p10]
        // This is 100 less the encoder's quality; 0 is lossless.
        $0.qualities = Qualities(range: 0...100, fallback: 25)
        $0.highDynamicRange = .none
        $0.mostSize = PixelSize(width: 16383, height: 16383)
        // More are not read again, and films are verified.
        $0.mostPixels = 1 << 25
        $0.usualBits = .of { $0.crf == 0 ? 8 : 0.5 + (100 - ($0.crf ?? 25)) / 100 }
        $0.isIntraOnly = true
        $0.options = { settings, _ in
            settings.crf == 0 ? [("lossless", "1")] : [("quality", "\(100 - (settings.crf ?? 25))")]
        }
        $0.segmentTag = .code("webp")
    }
}
