import Pictures

extension PictureCodec {
    /// HEVC (Rec. ITU-T H.265), by x265.
    public static let hevc = PictureCodec("hevc", encoder: "libx265") {
        $0.otherNames = ["h265", "h.265", "x265", "libx265", "hvc1", "hev1", "hevc_nvenc"]
        $0.places = [.mp4: 2, .mov: 2, .mkv: 2, .m3u8: 2, .mpd: 2]
        $0.presets.known = presetsOfX264
        $0.presets.fallback = "medium"
        $0.qualities = Qualities(range: 0...51, fallback: 24)
        $0.leastSize = PixelSize(width: 16, height: 16)
        $0.takesBitRate = true
        // A start code, and the header of a NAL unit of filler.
        $0.limitedRate = LimitedRate(fillerHead: [0, 0, 0, 1, 38 << 1, 1])
        $0.sharesBits = true
        $0.overshootsInShort = true
        $0.hasFrameThreads = true
        $0.usualBits = .halving(0.06, every: 6)
        $0.bFrames = { settings in
            switch settings.preset {
            case "ultrafast", "superfast": 3
            case "slower", "veryslow", "placebo": 8
            default: 4
            }
        }
        // The encoder lets one level of B-frames be referred to, never two.
        $0.reorderDepth = 2
        $0.profiles = { settings in
            let isDeep = settings.format.bitDepth > 8
            return switch (settings.format.chromaShift.x, settings.format.chromaShift.y) {
            case (0, _): [isDeep ? "main444-10" : "main444-8"]
            case (_, 0): ["main422-10"]
            default: [isDeep ? "main10" : "main"]
            }
        }
        $0.profilesBetweenFrames = ["main", "main10"]
        $0.levels = Levels(
            numbers: HEVCLevel.all.map(\.number), lowest: { HEVCLevel.lowest(for: $0, frameDuration: $1) },
            limit: { number, settings in
                HEVCLevel.all.first { $0.number == number }?.limit(settings.bitsOfHEVCLevel)
            })
        $0.memory = { settings in
            let ahead = settings.lookAhead([5, 10, 15, 15, 15, 20, 25, 40, 40, 60]) + settings.bFrames
            let inHand = 8.5 + 5 * Double(settings.threads - 1)
            return EncoderMemory(margin: 192, pictures: 2.1 * Double(ahead) + inHand, bytesPerPixel: 45)
        }
        $0.tunes = ["animation", "grain", "psnr", "ssim", "fastdecode"]
        $0.options = { settings, pace in
            let stable = settings.stableHEVCLevel(frameDuration: pace.frameDuration)
            return [("preset", settings.preset), ("forced-idr", "1")] + settings.tuneOption + settings.rateOptions
                + [("x265-params", settings.paramsOfX265(stable))]
        }
        // Apple's players take HEVC only so; the parameter sets stand in the header alone.
        $0.stream = { StreamFacts(tag: $1 == .mp4 || $1 == .mov ? .code("hvc1") : .ofMuxer) }
    }
}

extension VideoSettings {
    /// The parameters of x265. `stable`: the level that all chunks of a limited rate name, where the settings ask for
    /// none.
    fileprivate func paramsOfX265(_ stable: Int?) -> String {
        var params = "info=0:no-open-gop=1:pools=none:frame-threads=\(threads):log-level=none:repeat-headers=0"
        if let level = level ?? stable { params += ":level-idc=\(level)" }
        // A level is one of the main tier.
        if rateLimit != nil || level != nil { params += ":high-tier=0" }
        return params + paramsOfHDR
    }

    /// The options of x265 for HDR, which x265 writes into the header that all chunks share; empty without HDR
    /// metadata.
    private var paramsOfHDR: String {
        var text = ""
        if let display = hdrMetadata?.mastering {
            func point(_ name: String, _ point: MasteringDisplay.Point) -> String { "\(name)(\(point.x),\(point.y))" }
            text += ":master-display=" + point("G", display.green) + point("B", display.blue)
            text += point("R", display.red) + point("WP", display.white) + "L(\(display.most),\(display.least))"
        }
        // With a display and no light x265 would say a light of 0.
        if let light = hdrMetadata?.light {
            text += ":max-cll=\(light.most),\(light.average)"
        } else if !text.isEmpty {
            text += ":cll=0"
        }
        return text
    }
}
