import Pictures

extension PictureCodec {
    /// Avid's DNxHR, whose profiles are its presets.
    public static let dnxhr = PictureCodec("dnxhr", encoder: "dnxhd", libav: "dnxhd") {
        $0.otherNames = ["dnxhd", "dnx", "avdn", "vc3", "vc-3"]
        $0.places = [.mxf: 1, .mov: 4, .mkv: 6]
        $0.formats = [.yuv422p, .yuv422p10, .yuv444p10]
        $0.presets.known = ["lb", "sq", "hq", "hqx", "444"]
        $0.presets.fallback = "hq"
        $0.presets.formats = ([.yuv422p], ["hqx": [.yuv422p10], "444": [.yuv444p10]])
        $0.presets.ofWholeColour = "444"
        $0.presets.ofHighDynamicRange = "hqx"
        $0.highDynamicRange = .deep
        $0.leastSize = PixelSize(width: 256, height: 120)
        // Avid's table: Mb/s of 1080p at 29.97.
        $0.usualBits = .of { settings in
            let rates = ["lb": 45.0, "sq": 145, "hq": 220, "hqx": 220, "444": 440]
            return (rates[settings.preset] ?? 220) * 1_000_000 / (1920 * 1080 * 29.97)
        }
        $0.isIntraOnly = true
        $0.options = { settings, _ in [("profile", "dnxhr_" + settings.preset)] }
        $0.isForEditing = true
        $0.segmentTag = .code("AVdn")
    }
}
