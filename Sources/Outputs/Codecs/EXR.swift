extension PictureCodec {
    /// OpenEXR, whose samples are its presets.
    public static let exr = PictureCodec("exr", encoder: "exr") {
        $0.places = [.exr: 1]
        $0.samples = .light
        $0.formats = [.yuv444p10, .yuva444p10]
        $0.presets.known = ["half", "float"]
        $0.presets.fallback = "half"
        $0.usualBits = .of { $0.preset == "half" ? 36 : 72 }
        $0.isIntraOnly = true
        $0.options = { settings, _ in [("compression", "zip16"), ("format", settings.preset)] }
        $0.segmentTag = .code("exr ")
    }
}
