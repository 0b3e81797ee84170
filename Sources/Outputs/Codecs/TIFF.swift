extension PictureCodec {
    /// TIFF, for sequences of images.
    public static let tiff = PictureCodec("tiff", encoder: "tiff") {
        $0.places = [.tiff: 1]
        $0.samples = .rgb(RGBFormats(plain: "rgb24", alpha: "rgba", deep: "rgb48le", deepAlpha: "rgba64le"))
        $0.formats = [.yuv444p, .yuv444p10, .yuva444p10]
        $0.usualBits = .of { $0.format.bitDepth > 8 ? 30 : 12 }
        $0.isIntraOnly = true
        $0.options = { _, _ in [("compression_algo", "deflate")] }
        $0.segmentTag = .code("tiff")
    }
}
