internal import CFFmpeg
internal import Diagnostics
internal import MediaTime
package import Outputs
internal import Pictures

extension VideoSettings {
    /// The most frames by which a packet's place in decoding order may run ahead of its frame's place in time. The
    /// settings decide it, so that the first frame of a film can be stamped before its last chunk is rendered.
    package var reorderDepth: Int {
        switch codec {
        case .ffv1, .prores, .dnxhr, .mjpeg, .gif, .webp, .png, .tiff, .exr, .raw: 0
        // These codecs keep a frame that is shown later in the packet of one that is shown now.
        case .av1, .vp9: 0
        case .mpeg2: bFrames > 0 ? 1 : 0
        // Both encoders let one level of B-frames be referred to, never two.
        case .h264, .hevc: bFrames > 0 ? 2 : 0
        }
    }

    /// Whether every frame stands alone.
    package var isIntraOnly: Bool { codec.isIntraOnly }

    /// The most B-frames in a row, as the presets of x264 and x265 have it. They are stated since they decide the
    /// parameter sets.
    var bFrames: Int {
        guard keyFrameInterval > 1, !isIntraOnly else { return 0 }
        switch (codec, preset) {
        case (.av1, _), (.vp9, _), (.h264, "ultrafast"): return 0
        case (.h264, _) where profile == "baseline": return 0
        case (.mpeg2, _): return 2
        case (.h264, "veryslow"): return 8
        case (.h264, "placebo"): return 16
        case (.h264, _), (.hevc, "ultrafast"), (.hevc, "superfast"): return 3
        case (.hevc, "slower"), (.hevc, "veryslow"), (.hevc, "placebo"): return 8
        default: return 4
        }
    }

    /// The number of x264's reference frames by preset, before the level's limit.
    var referenceFrames: Int {
        switch preset {
        case "ultrafast", "superfast", "veryfast": 1
        case "faster", "fast": 2
        case "slow": 5
        case "slower": 8
        case "veryslow", "placebo": 16
        default: 3
        }
    }

    var profileName: String {
        if let profile { return profile }
        if isLossless { return "high444" }
        return switch (format.chromaShift.x, format.chromaShift.y, format.bitDepth) {
        case (1, 1, 8): "high"
        case (1, 1, _): "high10"
        case (1, 0, _): "high422"
        default: "high444"
        }
    }

    /// The encoder's own options; all others are set in its context. `isEven`: all frames last equally long. `stable`:
    /// the level that all chunks of a limited rate name, where the settings ask for no level of HEVC.
    func encoderOptions(isEven: Bool, stable: Int?) -> [(String, String)] {
        switch codec {
        case .h264:
            [("preset", preset), ("profile", profileName), ("forced-idr", "1")] + tuneOption
                + rateOptions(defaultCRF: 20) + [
                    ("x264-params", "stitchable=1:cpu-independent=1:force-cfr=\(isEven ? 1 : 0)\(toolOfX264)"),
                    ("a53cc", "0"),
                ]
        case .hevc:
            [("preset", preset), ("forced-idr", "1")] + tuneOption + rateOptions(defaultCRF: 24) + [
                ("x265-params", paramsOfX265(stable))
            ]
        case .ffv1, .gif, .raw:
            [("slicecrc", format.slicesOfFFV1(size) == nil ? "0" : "1"), ("coder", "1"), ("context", "0")]
        case .prores: [("profile", preset), ("vendor", "apl0")]
        case .dnxhr: [("profile", "dnxhr_" + preset)]
        case .mjpeg: [("huffman", "optimal")]
        case .webp: crf == 0 ? [("lossless", "1")] : [("quality", "\(100 - (crf ?? 25))")]
        case .png: []
        case .tiff: [("compression_algo", "deflate")]
        case .exr: [("compression", "zip16"), ("format", preset)]
        // MPEG-2's encoder cannot have closed groups and begin one where the scene changes.
        case .mpeg2: [("sc_threshold", "1000000000")]
        // `lp` is the number of threads, on which the bits of a given rate depend.
        case .av1: [("preset", preset)] + rateOptions(defaultCRF: 32) + [("svtav1-params", "lp=1" + svtParamsOfHDR)]
        case .vp9:
            [
                ("deadline", "good"), ("cpu-used", preset), ("row-mt", "0"), ("auto-alt-ref", "1"),
                ("lag-in-frames", "25"),
            ] + rateOptions(defaultCRF: 31)
        }
    }

    /// The option that makes a film of the wanted profile where the preset and the tune leave all of the profile's
    /// tools out: x264 names the lowest profile that holds the tools that it used.
    private var toolOfX264: String {
        switch profile {
        case "main" where bFrames == 0 && (preset == "ultrafast" || tune == "fastdecode"): ":cabac=1"
        case "high" where preset == "ultrafast": ":8x8dct=1"
        default: ""
        }
    }

    private func paramsOfX265(_ stable: Int?) -> String {
        var params = "info=0:no-open-gop=1:pools=none:frame-threads=\(threads):log-level=none:repeat-headers=0"
        if let level = level ?? stable { params += ":level-idc=\(level)" }
        // A level is one of the main tier.
        if rateLimit != nil || level != nil { params += ":high-tier=0" }
        return params + paramsOfHDR
    }

    /// The constant quantiser of MJPEG and MPEG-2; nil for other codecs, and without one.
    var quantiser: Double? { codec == .mjpeg || codec == .mpeg2 ? crf : nil }

    private var tuneOption: [(String, String)] { tune.map { [("tune", $0)] } ?? [] }

    private func rateOptions(defaultCRF: Double) -> [(String, String)] {
        // At 10 bits x264's crf 0 is far from lossless; its qp 0 always is.
        if isLossless { return [("qp", "0")] }
        guard bitRate == nil else { return [] }
        let value = crf ?? defaultCRF
        return [("crf", codec.hasWholeQualities ? "\(Int(value))" : "\(value)")]
    }

    /// Throws `.settingsImpossible` for combinations that the encoder would take and get wrong.
    func check() throws {
        guard codec == .prores || codec == .dnxhr, !codec.formats(ofPreset: preset).contains(format) else { return }
        throw SplitreelError(
            .settingsImpossible, operation: "setting up the encoder", subject: "\(codec.rawValue) \(preset)",
            reason: "profile \(preset) does not take \(format.rawValue)",
            hint: "say --pixel-format " + codec.formats(ofPreset: preset).map(\.rawValue).joined(separator: " or "))
    }

    /// The width of a pixel over its height, in libav's terms.
    var sampleAspect: AVRational {
        AVRational(num: Int32(clamping: pixelAspect?.width ?? 1), den: Int32(clamping: pixelAspect?.height ?? 1))
    }

    /// The words for these settings in error messages.
    var summary: String { "\(codec.rawValue) \(size.width)x\(size.height) \(format.rawValue)" }
}

extension VideoCodec {
    /// Whether the encoder takes twice an average rate in the two seconds of a chunk, where no buffer holds it: it
    /// comes down to the rate only later.
    var overshootsInShort: Bool { self == .hevc || self == .mpeg2 }
}
