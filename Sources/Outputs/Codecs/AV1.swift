import Pictures

extension PictureCodec {
    /// AV1, by SVT-AV1.
    public static let av1 = PictureCodec("av1", encoder: "libsvtav1") {
        $0.otherNames = ["av01", "aom", "libaom", "libaom-av1", "svt-av1", "svtav1", "libsvtav1", "rav1e"]
        // DASH is left out: the encoder places its key frames itself, and segments begin with them.
        $0.places = [.webm: 2, .mp4: 3, .mkv: 3]
        $0.formats = [.yuv420p, .yuv420p10]
        $0.presets.known = (0...13).map(String.init)
        $0.presets.fallback = "8"
        $0.qualities = Qualities(range: 0...63, fallback: 32, areWhole: true)
        $0.leastSize = PixelSize(width: 64, height: 64)
        $0.mostSize = PixelSize(width: 16384, height: 8704)
        $0.takesBitRate = true
        $0.usualBits = .halving(0.05, every: 9)
        // A frame that is shown later is kept in the packet of one that is shown now: nothing is reordered.
        $0.placesKeyFrames = false
        $0.memory = { _ in EncoderMemory(pictures: 34, bytesPerPixel: 127) }
        // `lp` is the number of threads, on which the bits of a given rate depend.
        $0.options = { settings, _ in
            [("preset", settings.preset)] + settings.rateOptions
                + [("svtav1-params", "lp=1" + settings.svtParamsOfHDR)]
        }
    }
}

extension VideoSettings {
    /// The options of SVT-AV1 for HDR: chromaticities in parts of one, luminance in candela per square metre.
    fileprivate var svtParamsOfHDR: String {
        var text = ""
        if let display = hdrMetadata?.mastering {
            func point(_ name: String, _ point: MasteringDisplay.Point) -> String {
                "\(name)(\(Double(point.x) / 50000),\(Double(point.y) / 50000))"
            }
            text += ":mastering-display=" + point("G", display.green) + point("B", display.blue)
            text += point("R", display.red) + point("WP", display.white)
            text += "L(\(Double(display.most) / 10000),\(Double(display.least) / 10000))"
        }
        if let light = hdrMetadata?.light { text += ":content-light=\(light.most),\(light.average)" }
        return text
    }
}
