import Diagnostics
import MediaTime
import Outputs
import Pictures
import SplitreelTimeline

/// Decides the picture's settings; see `resolve`.
package struct VideoResolver {
    var request: OutputRequest
    var facts: OutputFacts
    var container: Container

    static let bitRateRange = 10_000...1_000_000_000

    func resolve() throws -> VideoSettings {
        let codec = try codec()
        guard isToneMapped(codec) else { return try resolve(codec) }
        var own = self
        (own.facts.colour, own.facts.light) = (.bt709, .none)
        var settings = try own.resolve(codec)
        guard !settings.format.hasAlpha else { return try resolve(codec) }
        settings.composedIn = CanvasPixels(colour: facts.colour, format: settings.format.deep)
        return settings
    }

    /// Whether the picture is brought to SDR: stills in files whose viewers take them for SDR, as `frame` makes them,
    /// and films by a preset of H.264, which players have in SDR alone.
    private func isToneMapped(_ codec: VideoCodec) -> Bool {
        if request.stillTimes != nil, [.png, .jpg, .tiff].contains(container) {
            return facts.colour.transfer.isHDR || !facts.colour.primaries.isOrdinary
        }
        guard facts.colour.transfer.isHDR, codec == .h264, let name = request.exportPreset else { return false }
        return (try? ExportPreset.named(name))?.request.videoCodec == VideoCodec.h264.rawValue
    }

    private func resolve(_ codec: VideoCodec) throws -> VideoSettings {
        let format = try format(for: codec)
        try checkSize(codec, format)
        try checkPlaceForAlpha(codec, format)
        let rate = try rateControl(codec)
        var settings = VideoSettings(
            codec: codec, size: facts.size, format: format, colour: try colour(codec, format), crf: rate.crf,
            bitRate: rate.bitRate, preset: try preset(codec, format), keyFrameInterval: keyFrameInterval(codec))
        if !container.isOfImages {
            settings.hdrMetadata = facts.light.metadata
            settings.measuresLight = facts.light.isMeasured ? true : nil
            if !container.holdsLight {
                settings.hdrMetadata?.light = nil
                settings.measuresLight = nil
            }
            if settings.hdrMetadata?.mastering == nil, settings.hdrMetadata?.light == nil { settings.hdrMetadata = nil }
        }
        settings.pixelAspect = request.outputPixelAspect
        try control(&settings)
        return settings
    }

    private func codec() throws -> VideoCodec {
        let name = request.videoCodec ?? defaultCodec.rawValue
        guard let codec = VideoCodec(rawValue: name.lowercased()) else {
            throw unknownCodec(name, option: "--video-codec", known: VideoCodec.allCases.map(\.rawValue))
        }
        guard container.holds(codec) else {
            throw mismatch(
                codec.rawValue, container, fits: container.videoCodecs.map(\.rawValue), path: request.path)
        }
        return codec
    }

    private var defaultCodec: VideoCodec {
        let usual = container.videoCodecs.first ?? .h264
        return usual == .h264 && facts.colour.transfer.isHDR ? .hevc : usual
    }

    private func format(for codec: VideoCodec) throws -> WorkingFormat {
        guard let name = request.pixelFormat else {
            let taken = codec.formats(ofPreset: request.preset?.lowercased() ?? codec.presets.fallback)
            let isDeep = facts.colour.transfer.isHDR
            return taken.first { ($0.bitDepth > 8) == isDeep } ?? taken.first ?? .yuv420p
        }
        let lowered = name.lowercased()
        guard let format = WorkingFormat(rawValue: lowered) ?? WorkingFormat(rawValue: lowered + "le"),
            codec.formats.contains(format)
        else {
            throw impossible(
                "--pixel-format \(name)", "\(codec.rawValue) does not take that pixel format here",
                hint: "say " + alternatives(codec.formats.map(\.rawValue)))
        }
        return format
    }

    /// Throws where alpha has no place: Y4M has none; VP9's stands beside its pictures, which Matroska alone has a
    /// place for.
    private func checkPlaceForAlpha(_ codec: VideoCodec, _ format: WorkingFormat) throws {
        guard format.hasAlpha, container == .y4m || codec == .vp9 && !container.isMatroska else { return }
        throw impossible(
            "--pixel-format \(format.rawValue)", "\(codec.rawValue) in \(container.rawValue) has no alpha",
            hint: "say \(container == .y4m ? "nut" : "webm or mkv"), or --pixel-format \(format.withoutAlpha.rawValue)")
    }

    /// The film's colour. JPEG's pictures are of Rec. 601's matrix, whatever else a container says: readers go by that.
    private func colour(_ codec: VideoCodec, _ format: WorkingFormat) throws -> ColourTriple {
        var colour = facts.colour
        let isOfEight = [.mjpeg, .mpeg2, .dnxhr, .gif, .webp].contains(codec)
        if colour.transfer.isHDR && (format.bitDepth < 10 || codec == .webp) && isOfEight {
            throw impossible(
                "\(codec.rawValue) in HDR", "\(format.rawValue) has 8 bits, and PQ and HLG need 10",
                hint: codec == .dnxhr ? "say --encoder-preset hqx" : "say --video-codec hevc or prores")
        }
        if codec == .mjpeg { colour.matrix = .bt601 }
        return colour
    }

    private func checkSize(_ codec: VideoCodec, _ format: WorkingFormat) throws {
        let size = facts.size
        let subject = "picture of \(size.width)×\(size.height)"
        guard size.width > 0, size.height > 0, max(size.width, size.height) <= VideoSettings.largestSide else {
            throw impossible(
                subject, "each side must be 1 to \(VideoSettings.largestSide) pixels", hint: "change \(sizeKey)")
        }
        let shift = format.chromaShift
        if (shift.x == 1 && size.width % 2 != 0) || (shift.y == 1 && size.height % 2 != 0) {
            let (width, height) = (size.width + size.width % 2, size.height + size.height % 2)
            let even = request.size == nil ? "make renderSize \(width)×\(height)" : "say --size \(width)x\(height)"
            throw impossible(
                subject, "\(format.rawValue) shares colour between two pixels and needs even sizes",
                hint: "\(even), or \(request.size == nil ? "say " : "")\(oddSizeAdvice(codec, format))")
        }
        let (least, most) = codec.sides
        if size.width < least.width || size.height < least.height {
            throw impossible(
                subject, "the \(codec.rawValue) encoder needs at least \(least.width)×\(least.height) pixels",
                hint: container.adviceFor(.h264, not: codec) + ", or enlarge \(sizeKey)")
        }
        if size.width > most.width || size.height > most.height {
            throw impossible(
                subject, "the \(codec.rawValue) encoder takes at most \(most.width)×\(most.height) pixels",
                hint: container.adviceFor(.hevc, not: codec) + ", or say a smaller --size")
        }
        if codec == .webp, size.width * size.height > Self.mostPixelsOfWebP {
            throw impossible(
                subject, "a WebP here has \(Self.mostPixelsOfWebP) pixels at most",
                hint: container.adviceFor(.hevc, not: codec) + ", or say a smaller --size")
        }
        try checkRate(codec)
    }

    /// The pixels of a WebP at most: more are not read again, and films are verified.
    private static let mostPixelsOfWebP = 1 << 25

    /// The key or the option that says the size, for hints.
    private var sizeKey: String { request.size == nil ? "renderSize" : "--size" }

    private func checkRate(_ codec: VideoCodec) throws {
        let rate = Rational(1) / Rational(facts.frameDuration)
        let shown = rate.denominator == 1 ? "\(rate.numerator)" : "\(rate)"
        if container.isOfMovingImages {
            // Players show shorter delays for a tenth of a second.
            let most = Rational(container == .gif ? 50 : 90)
            guard rate <= most else {
                throw impossible(
                    "\(shown) frames a second", "\(container.rawValue) has no frames so short",
                    hint: "say --fps \(most) or less")
            }
            let longest = container.ticksOfMovingImages.most
            guard Rational(facts.frameDuration) <= longest else {
                throw impossible(
                    "\(shown) frames a second", "\(container.rawValue) has no frames so long",
                    hint: "say --fps 1/\(longest.floor()) or more")
            }
            return
        }
        let known = container == .mxf ? VideoCodec.mpeg2.rates : codec.rates
        guard let known, !known.contains(rate) else { return }
        let who = container == .mxf ? "mxf" : codec.rawValue
        throw impossible(
            "\(shown) frames a second", "\(who) has no such rate",
            hint: "say --fps 24000/1001, 24, 25, 30000/1001, 30, 50, 60000/1001 or 60")
    }

    private func oddSizeAdvice(_ codec: VideoCodec, _ format: WorkingFormat) -> String {
        switch codec {
        case .prores: return "--encoder-preset 4444"
        case .dnxhr: return "--encoder-preset 444"
        case .av1 where !container.holds(.h264): return "--video-codec vp9 --pixel-format yuv444p"
        case .av1, .mpeg2: return "--video-codec h264 --pixel-format yuv444p"
        default: break
        }
        return
            "--pixel-format \(format.bitDepth > 8 ? WorkingFormat.yuv444p10.rawValue : WorkingFormat.yuv444p.rawValue)"
    }

    private func rateControl(_ codec: VideoCodec) throws -> (crf: Double?, bitRate: Int?) {
        guard let (range, fallback) = codec.qualities else {
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
            guard range.contains(crf), !codec.hasWholeQualities || crf == crf.rounded() else {
                throw impossible(
                    "--crf \(crf)",
                    "it goes from \(Int(range.lowerBound)) (best) to \(Int(range.upperBound))"
                        + (codec.hasWholeQualities ? ", in whole numbers" : ""),
                    hint: "\(Int(fallback)) is the default of \(codec.rawValue)")
            }
            return (crf, nil)
        }
        if let bitRate = request.videoBitRate {
            guard codec.takesBitRate else {
                throw impossible(
                    "--video-bitrate", "\(codec.rawValue) has a quality only",
                    hint: "say --crf \(Int(range.lowerBound)) (best) to \(Int(range.upperBound))")
            }
            guard Self.bitRateRange.contains(bitRate) else {
                throw impossible(
                    "--video-bitrate \(bitRate)", "it goes from 10 kb/s to 1 Gb/s", hint: "say 5M for 5 Mb/s")
            }
            return (nil, bitRate)
        }
        return (fallback, nil)
    }

    private func preset(_ codec: VideoCodec, _ format: WorkingFormat) throws -> String {
        let (all, usual) = codec.presets
        let known = all.filter { codec.formats(ofPreset: $0).contains(format) }
        guard let asked = request.preset?.lowercased() else {
            return known.contains(usual) ? usual : known.first ?? usual
        }
        guard known.contains(asked) else {
            try refuseFormat(format, of: codec, asked)
            throw impossible(
                "--encoder-preset \(asked)", "\(codec.rawValue) in \(format.rawValue) has no such preset",
                hint: known.isEmpty ? "leave the option out" : "say " + alternatives(known))
        }
        return asked
    }

    /// Throws in the export preset's words where that one names the encoder's preset.
    private func refuseFormat(_ format: WorkingFormat, of codec: VideoCodec, _ preset: String) throws {
        guard let name = request.exportPreset, let export = try? ExportPreset.named(name),
            export.request.preset == preset
        else { return }
        let taken = codec.formats(ofPreset: preset).map(\.rawValue)
        throw impossible(
            "--preset \(export.name)", "it takes no --pixel-format \(format.rawValue)",
            hint: "say \(alternatives(taken)), or leave the pixel format out")
    }

    /// The frames from one key frame to the next: the largest whole number in two seconds, at least one, and 1 for
    /// intra codecs. Readers of MPEG-2 want a key frame every half second.
    private func keyFrameInterval(_ codec: VideoCodec) -> Int {
        guard !codec.isIntraOnly else { return 1 }
        let interval = Planning.keyFrameInterval(ofPace: facts.frameDuration)
        return codec == .mpeg2 ? max(1, interval / 4) : interval
    }
}

/// The number of frames that two seconds hold, at least one.
func keyFrameInterval(ofPace frameDuration: MediaTime) -> Int {
    max(1, (Rational(2) / Rational(frameDuration)).floor())
}
