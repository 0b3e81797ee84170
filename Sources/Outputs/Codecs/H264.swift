extension PictureCodec {
    /// H.264 (Rec. ITU-T H.264), by x264.
    public static let h264 = PictureCodec("h264", encoder: "libx264") {
        $0.otherNames = ["h.264", "h256", "x264", "libx264", "avc", "avc1", "avc3", "mpeg4", "h264_nvenc"]
        $0.places = [.mp4: 1, .mov: 1, .mkv: 1, .m3u8: 1, .mpd: 1]
        $0.presets.known = presetsOfX264
        $0.presets.fallback = "medium"
        $0.qualities = Qualities(range: 0...51, fallback: 20, isZeroLossless: true)
        $0.takesBitRate = true
        // A start code, and the header of a NAL unit of filler.
        $0.limitedRate = LimitedRate(fillerHead: [0, 0, 0, 1, 12])
        $0.sharesBits = true
        $0.usualBits = .halving(0.11, every: 6)
        $0.bFrames = { $0.bFramesOfX264 }
        // The encoder lets one level of B-frames be referred to, never two.
        $0.reorderDepth = 2
        $0.goesByTimes = true
        $0.hasFrameThreads = true
        $0.profiles = { $0.profilesOfX264 }
        $0.levels = Levels(
            numbers: H264Level.numbers, lowest: { $0.lowestH264Level(frameDuration: $1).number },
            limit: { H264Level(number: $0)?.limit($1.bitsOfH264Level) })
        // The look-ahead holds each frame whole, and at half its size in four phases. A reference has four planes. A
        // further thread has a frame in hand, and the look-ahead runs ahead of it.
        $0.memory = { settings in
            let ahead =
                settings.lookAhead([0, 0, 10, 20, 30, 40, 50, 60, 60, 60]) + settings.bFrames
                + (settings.threads - 1) * (settings.bFrames + 2)
            let pictures = 1.65 * Double(ahead) + 3 * Double(settings.referenceFrames + 1)
            return EncoderMemory(margin: 64, pictures: pictures, bytesPerPixel: 15)
        }
        $0.tunes = ["film", "animation", "grain", "stillimage", "psnr", "ssim", "fastdecode"]
        $0.fields = { settings, frameDuration in
            let lowest = settings.lowestH264Level(frameDuration: frameDuration)
            let level = settings.level.flatMap(H264Level.init(number:)) ?? lowest
            return EncoderFields(
                level: level.number, references: min(settings.referenceFrames, level.mostReferences(settings.size)))
        }
        $0.options = { settings, pace in
            let parameters =
                "stitchable=1:cpu-independent=1:force-cfr=\(pace.isEven ? 1 : 0)\(settings.toolOfX264)"
                + (settings.parameterSetID.map { ":sps-id=\($0)" } ?? "")
            return [("preset", settings.preset), ("profile", settings.profileOfX264), ("forced-idr", "1")]
                + settings.tuneOption + settings.rateOptions + [("x264-params", parameters), ("a53cc", "0")]
        }
        $0.stream = { StreamFacts(tag: $1 == .mp4 || $1 == .mov ? .code("avc1") : .ofMuxer) }
    }

    /// The presets of x264 and x265.
    static let presetsOfX264 = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
    ]
}

extension VideoSettings {
    /// The number of B-frames as the presets of x264 have it.
    fileprivate var bFramesOfX264: Int {
        if preset == "ultrafast" || profile == "baseline" { return 0 }
        return switch preset {
        case "veryslow": 8
        case "placebo": 16
        default: 3
        }
    }

    /// The number of x264's reference frames by preset, before the level's limit.
    fileprivate var referenceFrames: Int {
        switch preset {
        case "ultrafast", "superfast", "veryfast": 1
        case "faster", "fast": 2
        case "slow": 5
        case "slower": 8
        case "veryslow", "placebo": 16
        default: 3
        }
    }

    /// The names of the profiles that x264 gives the film for so named: it names the lowest one that holds the pixel
    /// format.
    fileprivate var profilesOfX264: [String] {
        let shift = format.chromaShift
        // High 4:4:4 Predictive is the only profile that knows losslessness, whatever the pixel format.
        if crf == 0 || shift.x == 0 { return ["high444"] }
        if shift.y == 0 { return ["high422"] }
        return format.bitDepth > 8 ? ["high10"] : ["baseline", "main", "high"]
    }

    fileprivate var profileOfX264: String {
        if let profile { return profile }
        if isLossless { return "high444" }
        return switch (format.chromaShift.x, format.chromaShift.y, format.bitDepth) {
        case (1, 1, 8): "high"
        case (1, 1, _): "high10"
        case (1, 0, _): "high422"
        default: "high444"
        }
    }

    /// The option that makes a film of the wanted profile where the preset and the tune leave all of the profile's
    /// tools out: x264 names the lowest profile that holds the tools that it used.
    fileprivate var toolOfX264: String {
        switch profile {
        case "main" where bFrames == 0 && (preset == "ultrafast" || tune == "fastdecode"): ":cabac=1"
        case "high" where preset == "ultrafast": ":8x8dct=1"
        default: ""
        }
    }
}
