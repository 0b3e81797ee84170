import Composition
import Diagnostics
import MediaTime
import Pictures

/// Decides the picture's settings; see `resolve`.
struct VideoResolver {
    var request: OutputRequest
    var facts: OutputFacts
    var container: Container

    static let encoderPresets = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
    ]
    static let proresProfiles = ["proxy", "lt", "standard", "hq", "4444"]
    static let crfRange = 0.0...51.0
    static let bitRateRange = 10_000...1_000_000_000
    /// x265 refuses smaller pictures; H.264, ProRes and FFV1 take any.
    static let smallestHEVC = 16
    static let largestSide = 16384

    func resolve() throws -> VideoSettings {
        let codec = try codec()
        let format = try format(for: codec)
        try checkSize(codec, format)
        let rate = try rateControl(codec)
        var settings = VideoSettings(
            codec: codec, size: facts.size, format: format, colour: facts.colour, crf: rate.crf, bitRate: rate.bitRate,
            preset: try preset(codec, format), keyFrameInterval: keyFrameInterval(codec))
        settings.hdrMetadata = facts.light.metadata
        settings.measuresLight = facts.light.isMeasured ? true : nil
        settings.pixelAspect = request.outputPixelAspect
        return settings
    }

    private func codec() throws -> VideoCodec {
        let name = request.videoCodec ?? (facts.colour.transfer.isHDR ? VideoCodec.hevc : .h264).rawValue
        guard let codec = VideoCodec(rawValue: name.lowercased()) else {
            throw unknownCodec(name, option: "--video-codec", known: VideoCodec.allCases.map(\.rawValue))
        }
        guard container.holds(codec) else {
            throw mismatch(
                codec.rawValue, container, fits: container.videoCodecs.map(\.rawValue), path: request.path)
        }
        return codec
    }

    private func formats(of codec: VideoCodec) -> [WorkingFormat] {
        switch codec {
        case .h264, .hevc, .ffv1: WorkingFormat.allCases.filter { !$0.hasAlpha }
        case .prores: [.yuv422p10, .yuv444p10, .yuva444p10]
        }
    }

    private func format(for codec: VideoCodec) throws -> WorkingFormat {
        guard let name = request.pixelFormat else {
            if codec == .prores { return request.preset == "4444" ? .yuv444p10 : .yuv422p10 }
            return facts.colour.transfer.isHDR ? .yuv420p10 : .yuv420p
        }
        let lowered = name.lowercased()
        let taken = formats(of: codec)
        guard let format = WorkingFormat(rawValue: lowered) ?? WorkingFormat(rawValue: lowered + "le"),
            taken.contains(format)
        else {
            throw impossible(
                "--pixel-format \(name)", "\(codec.rawValue) does not take that pixel format here",
                hint: "say " + alternatives(taken.map(\.rawValue)))
        }
        return format
    }

    private func checkSize(_ codec: VideoCodec, _ format: WorkingFormat) throws {
        let size = facts.size
        let subject = "picture of \(size.width)×\(size.height)"
        guard size.width > 0, size.height > 0, max(size.width, size.height) <= Self.largestSide else {
            throw impossible(subject, "each side must be 1 to \(Self.largestSide) pixels", hint: "change renderSize")
        }
        let shift = format.chromaShift
        if (shift.x == 1 && size.width % 2 != 0) || (shift.y == 1 && size.height % 2 != 0) {
            let even = "\(size.width + size.width % 2)×\(size.height + size.height % 2)"
            throw impossible(
                subject, "\(format.rawValue) shares colour between two pixels and needs even sizes",
                hint: "make renderSize \(even), or say \(oddSizeAdvice(codec, format))")
        }
        if codec == .hevc && min(size.width, size.height) < Self.smallestHEVC {
            throw impossible(
                subject, "the HEVC encoder needs at least \(Self.smallestHEVC) pixels a side",
                hint: "say --video-codec h264, or enlarge renderSize")
        }
        if codec == .ffv1 { try checkSlices(format, subject) }
    }

    private func checkSlices(_ format: WorkingFormat, _ subject: String) throws {
        guard format.slicesOfFFV1(facts.size) == nil else { return }
        let width = 1 << (format.chromaShift.x + 1)
        throw impossible(
            subject, "the FFV1 encoder cannot cut so narrow and high a picture into slices",
            hint: "make it \(width) pixels wide or more, or say --video-codec h264")
    }

    private func oddSizeAdvice(_ codec: VideoCodec, _ format: WorkingFormat) -> String {
        if codec == .prores { return "--encoder-preset 4444" }
        return
            "--pixel-format \(format.bitDepth > 8 ? WorkingFormat.yuv444p10.rawValue : WorkingFormat.yuv444p.rawValue)"
    }

    private func rateControl(_ codec: VideoCodec) throws -> (crf: Double?, bitRate: Int?) {
        guard codec == .h264 || codec == .hevc else {
            if request.crf != nil || request.videoBitRate != nil {
                throw impossible(
                    request.crf != nil ? "--crf" : "--video-bitrate",
                    "\(codec.rawValue) has no rate control: its quality is fixed", hint: "leave the option out")
            }
            return (nil, nil)
        }
        if let crf = request.crf {
            guard request.videoBitRate == nil else {
                throw SplitreelError(
                    .usage, operation: "choosing the output settings", subject: "--crf and --video-bitrate",
                    reason: "only one of the two can rule", hint: "leave one out")
            }
            guard Self.crfRange.contains(crf) else {
                throw impossible(
                    "--crf \(crf)", "it goes from 0 (best) to 51",
                    hint: "\(Int(Self.defaultCRF(codec))) is the default of \(codec.rawValue)")
            }
            return (crf, nil)
        }
        if let bitRate = request.videoBitRate {
            guard Self.bitRateRange.contains(bitRate) else {
                throw impossible(
                    "--video-bitrate \(bitRate)", "it goes from 10 kb/s to 1 Gb/s", hint: "say 5M for 5 Mb/s")
            }
            return (nil, bitRate)
        }
        return (Self.defaultCRF(codec), nil)
    }

    private static func defaultCRF(_ codec: VideoCodec) -> Double { codec == .h264 ? 20 : 24 }

    private func preset(_ codec: VideoCodec, _ format: WorkingFormat) throws -> String {
        let known: [String]
        let fallback: String
        switch codec {
        case .h264, .hevc: (known, fallback) = (Self.encoderPresets, "medium")
        case .prores where format == .yuv422p10: (known, fallback) = (Self.proresProfiles.filter { $0 != "4444" }, "hq")
        case .prores: (known, fallback) = (["4444"], "4444")
        case .ffv1: (known, fallback) = ([], "")
        }
        guard let asked = request.preset else { return fallback }
        guard known.contains(asked) else {
            throw impossible(
                "--encoder-preset \(asked)", "\(codec.rawValue) in \(format.rawValue) has no such preset",
                hint: known.isEmpty ? "leave the option out" : "say " + alternatives(known))
        }
        return asked
    }

    /// The largest whole number of frames in two seconds, at least one; intra codecs have a key frame each.
    private func keyFrameInterval(_ codec: VideoCodec) -> Int {
        guard codec == .h264 || codec == .hevc else { return 1 }
        return Planning.keyFrameInterval(ofPace: facts.frameDuration)
    }
}

/// As many frames as two seconds hold, at least one.
func keyFrameInterval(ofPace frameDuration: MediaTime) -> Int {
    max(1, (Rational(2) / Rational(frameDuration)).floor())
}
