extension PictureCodec {
    /// PNG, for sequences of images.
    public static let png = PictureCodec("png", encoder: "png") {
        $0.places = [.png: 1]
        $0.samples = .rgb(RGBFormats(plain: "rgb24", alpha: "rgba", deep: "rgb48be", deepAlpha: "rgba64be"))
        $0.formats = [.yuv444p, .yuv444p10, .yuva444p10]
        $0.usualBits = .of { $0.format.bitDepth > 8 ? 30 : 12 }
        $0.isIntraOnly = true
    }
}
