package import MediaTime
package import Pictures

/// The rules of each codec, as its encoder here has them.
extension VideoCodec {
    /// Whether its encoder holds each chunk to a part of the film's rate and of a decoder's buffer.
    package var canBeLimited: Bool { self == .h264 || self == .hevc || self == .mpeg2 }

    /// Whether every frame stands alone.
    package var isIntraOnly: Bool {
        switch self {
        case .prores, .dnxhr, .ffv1, .mjpeg, .gif, .webp, .png, .tiff, .exr, .raw: true
        case .h264, .hevc, .av1, .vp9, .mpeg2: false
        }
    }

    /// Whether its pictures use all codes, as JPEG's do.
    package var isFullRange: Bool { self == .mjpeg }

    /// The formats that it takes, the default first, but for high dynamic range.
    package var formats: [WorkingFormat] {
        switch self {
        case .h264, .hevc, .ffv1: WorkingFormat.allCases.filter { !$0.hasAlpha }
        case .vp9: WorkingFormat.allCases.filter { !$0.hasAlpha || $0 == .yuva420p }
        case .av1: [.yuv420p, .yuv420p10]
        case .prores: [.yuv422p10, .yuv444p10, .yuva444p10]
        case .dnxhr: [.yuv422p, .yuv422p10, .yuv444p10]
        case .mjpeg: [.yuv420p, .yuv422p, .yuv444p]
        case .mpeg2: [.yuv420p, .yuv422p]
        case .gif: [.yuv444p]
        case .webp, .png, .tiff: [.yuv444p, .yuv444p10, .yuva444p10]
        case .exr: [.yuv444p10, .yuva444p10]
        case .raw: WorkingFormat.allCases.filter { !$0.hasAlpha || $0 == .yuva444p10 }
        }
    }

    /// The presets of the encoder, or the profiles where the codec is made of them, with the one that is taken when
    /// nothing is said.
    package var presets: (known: [String], fallback: String) {
        switch self {
        case .h264, .hevc:
            (
                [
                    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
                    "placebo",
                ], "medium"
            )
        case .prores: (["proxy", "lt", "standard", "hq", "4444", "4444xq"], "hq")
        case .dnxhr: (["lb", "sq", "hq", "hqx", "444"], "hq")
        case .av1: ((0...13).map(String.init), "8")
        case .vp9: ((0...8).map(String.init), "4")
        case .exr: (["half", "float"], "half")
        case .ffv1, .mjpeg, .mpeg2, .gif, .webp, .png, .tiff, .raw: ([], "")
        }
    }

    /// The formats of a profile, where profiles decide; all formats of other codecs.
    package func formats(ofPreset preset: String) -> [WorkingFormat] {
        switch (self, preset) {
        case (.prores, "4444"), (.prores, "4444xq"): [.yuv444p10, .yuva444p10]
        case (.prores, _): [.yuv422p10]
        case (.dnxhr, "hqx"): [.yuv422p10]
        case (.dnxhr, "444"): [.yuv444p10]
        case (.dnxhr, _): [.yuv422p]
        default: formats
        }
    }

    /// The range of the quality, where lower is better, and its default; nil where quality is fixed.
    package var qualities: (range: ClosedRange<Double>, fallback: Double)? {
        switch self {
        case .h264: (0...51, 20)
        case .hevc: (0...51, 24)
        case .av1: (0...63, 32)
        case .vp9: (0...63, 31)
        // These are quantisers.
        case .mjpeg: (2...31, 3)
        case .mpeg2: (2...31, 3)
        // This is 100 less the encoder's quality; 0 is lossless.
        case .webp: (0...100, 25)
        case .prores, .dnxhr, .ffv1, .gif, .png, .tiff, .exr, .raw: nil
        }
    }

    /// Whether its constant rate factors are whole numbers.
    package var hasWholeQualities: Bool { self == .av1 || self == .vp9 }

    /// Whether a bit rate can be asked for. MJPEG's encoder has no rate control worth the name, and its frames are
    /// cheap to render again; WebP's has none.
    package var takesBitRate: Bool { qualities != nil && self != .mjpeg && self != .webp }

    /// The least and the largest size that its encoder here takes, in pixels.
    package var sides: (least: PixelSize, most: PixelSize) {
        let most = PixelSize(width: VideoSettings.largestSide, height: VideoSettings.largestSide)
        return switch self {
        case .hevc: (PixelSize(width: 16, height: 16), most)
        case .av1: (PixelSize(width: 64, height: 64), PixelSize(width: 16384, height: 8704))
        case .dnxhr: (PixelSize(width: 256, height: 120), most)
        case .mpeg2: (PixelSize(width: 16, height: 16), PixelSize(width: 16383, height: 16383))
        case .webp: (PixelSize(width: 1, height: 1), PixelSize(width: 16383, height: 16383))
        case .h264, .vp9, .prores, .ffv1, .mjpeg, .gif, .png, .tiff, .exr, .raw:
            (PixelSize(width: 1, height: 1), most)
        }
    }

    /// The frame rates, in frames a second, that its headers can name; nil for any.
    package var rates: [Rational]? {
        guard self == .mpeg2 else { return nil }
        return [
            Rational(24000, 1001), Rational(24), Rational(25), Rational(30000, 1001), Rational(30), Rational(50),
            Rational(60000, 1001), Rational(60),
        ]
    }
}
