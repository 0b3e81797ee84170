import Diagnostics
import MediaTime
import Outputs
import Pictures
import SplitreelProject
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
    private func isToneMapped(_ codec: PictureCodec) -> Bool {
        if request.stills.times != nil, [.png, .jpg, .tiff].contains(container) {
            return facts.colour.transfer.isHDR || !facts.colour.primaries.isOrdinary
        }
        guard facts.colour.transfer.isHDR, codec == .h264, let name = request.delivery.preset else { return false }
        return (try? ExportPreset.named(name))?.request.picture.codec == PictureCodec.h264.rawValue
    }

    private func resolve(_ codec: PictureCodec) throws -> VideoSettings {
        let format = try format(for: codec)
        try checkSize(codec, format)
        try checkPlaceForAlpha(codec, format)
        let rate = try rateControl(codec)
        var settings = VideoSettings(
            codec: codec, size: facts.size, format: format, colour: try colour(codec, format), crf: rate.crf,
            bitRate: rate.bitRate, preset: try preset(codec, format), keyFrameInterval: keyFrameInterval(codec))
        if container.kind != .images {
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

    private func codec() throws -> PictureCodec {
        let name = request.picture.codec ?? defaultCodec.rawValue
        guard let codec = PictureCodec(rawValue: name.lowercased()) else {
            throw unknownCodec(.videoCodec, name, known: PictureCodec.all.map(\.rawValue))
        }
        guard container.holds(codec) else {
            throw mismatch(
                .videoCodec, codec.rawValue, container, fits: container.videoCodecs.map(\.rawValue),
                path: request.path)
        }
        return codec
    }

    private var defaultCodec: PictureCodec {
        let usual = container.videoCodecs.first ?? .h264
        return usual == .h264 && facts.colour.transfer.isHDR ? .hevc : usual
    }

    private func format(for codec: PictureCodec) throws -> WorkingFormat {
        guard let name = request.picture.pixelFormat else {
            let taken = codec.formats(ofPreset: request.picture.encoderPreset?.lowercased() ?? codec.presets.fallback)
            let isDeep = facts.colour.transfer.isHDR
            return taken.first { ($0.bitDepth > 8) == isDeep } ?? taken.first ?? .yuv420p
        }
        let lowered = name.lowercased()
        guard let format = WorkingFormat(rawValue: lowered) ?? WorkingFormat(rawValue: lowered + "le"),
            codec.formats.contains(format)
        else {
            throw impossible(
                "\(.pixelFormat, name)", "\(codec.rawValue) does not take that pixel format here",
                hint: "say \(alternatives(codec.formats.map(\.rawValue)))")
        }
        return format
    }

    /// Throws where alpha has no place: Y4M has none, and Matroska alone has one for alpha beside the pictures.
    private func checkPlaceForAlpha(_ codec: PictureCodec, _ format: WorkingFormat) throws {
        guard format.hasAlpha, container.rawFrames == .y4m || codec.isAlphaBeside && !container.isMatroska else {
            return
        }
        let other = container.rawFrames == .y4m ? "nut" : "webm or mkv"
        throw impossible(
            "\(.pixelFormat, format.rawValue)", "\(codec.rawValue) in \(container.rawValue) has no alpha",
            hint: "say \(other), or \(.pixelFormat, format.withoutAlpha.rawValue)")
    }

    /// The film's colour, with the matrix of the codec where it has one of its own.
    private func colour(_ codec: PictureCodec, _ format: WorkingFormat) throws -> ColourTriple {
        var colour = facts.colour
        if colour.transfer.isHDR, !codec.highDynamicRange.has(format) {
            throw impossible(
                "\(codec.rawValue) in HDR", "\(format.rawValue) has 8 bits, and PQ and HLG need 10",
                hint: codec.presets.ofHighDynamicRange.map { "say \(.encoderPreset, $0)" }
                    ?? "say \(.videoCodec) hevc or prores")
        }
        if let matrix = codec.matrix { colour.matrix = matrix }
        return colour
    }

    private func checkSize(_ codec: PictureCodec, _ format: WorkingFormat) throws {
        let size = facts.size
        let subject: Phrase = "\(fact: "picture of \(size.width)×\(size.height)", of: .size)"
        guard size.width > 0, size.height > 0, max(size.width, size.height) <= VideoSettings.largestSide else {
            throw impossible(
                subject, "each side must be 1 to \(VideoSettings.largestSide) pixels", hint: "change \(sizeKey)")
        }
        let shift = format.chromaShift
        if (shift.x == 1 && size.width % 2 != 0) || (shift.y == 1 && size.height % 2 != 0) {
            let (width, height) = (size.width + size.width % 2, size.height + size.height % 2)
            let advice = oddSizeAdvice(codec, format)
            throw impossible(
                subject, "\(format.rawValue) shares colour between two pixels and needs even sizes",
                hint: request.canvas.size == nil
                    ? "make renderSize \(width)×\(height), or say \(advice)"
                    : "say \(.size, value: .size(width, height)), or \(advice)")
        }
        let (least, most) = (codec.leastSize, codec.mostSize)
        if size.width < least.width || size.height < least.height {
            throw impossible(
                subject, "the \(codec.rawValue) encoder needs at least \(least.width)×\(least.height) pixels",
                hint: "\(container.adviceFor(.h264, not: codec)), or enlarge \(sizeKey)")
        }
        if size.width > most.width || size.height > most.height {
            throw impossible(
                subject, "the \(codec.rawValue) encoder takes at most \(most.width)×\(most.height) pixels",
                hint: "\(container.adviceFor(.hevc, not: codec)), or say a smaller \(.size)")
        }
        if let most = codec.mostPixels, size.width * size.height > most {
            throw impossible(
                subject, "a WebP here has \(most) pixels at most",
                hint: "\(container.adviceFor(.hevc, not: codec)), or say a smaller \(.size)")
        }
        try checkRate(codec)
    }

    /// The key of the composition or the setting that says the size, for hints.
    private var sizeKey: Phrase { request.canvas.size == nil ? "renderSize" : "\(.size)" }

    private func checkRate(_ codec: PictureCodec) throws {
        let rate = Rational(1) / Rational(facts.frameDuration)
        let shown = rate.denominator == 1 ? "\(rate.numerator)" : "\(rate)"
        let subject: Phrase = "\(fact: "\(shown) frames a second", of: .frameRate)"
        if let format = container.movingImages {
            let most = Rational(format.mostRate)
            guard rate <= most else {
                throw impossible(
                    subject, "\(container.rawValue) has no frames so short",
                    hint: "say \(.frameRate, value: .rates(["\(most)"])) \(.orSlower)")
            }
            let longest = format.ticks.most
            guard Rational(facts.frameDuration) <= longest else {
                throw impossible(
                    subject, "\(container.rawValue) has no frames so long",
                    hint: "say \(.frameRate, value: .rates(["1/\(longest.floor())"])) or more")
            }
            return
        }
        let known = container == .mxf ? PictureCodec.mpeg2.rates : codec.rates
        guard let known, !known.contains(rate) else { return }
        let who = container == .mxf ? "mxf" : codec.rawValue
        throw impossible(
            subject, "\(who) has no such rate",
            hint: "say \(.frameRate, value: Self.usualRates)")
    }

    private static let usualRates = SettingValue.rates(
        ["24000/1001", "24", "25", "30000/1001", "30", "50", "60000/1001", "60"])

    private func oddSizeAdvice(_ codec: PictureCodec, _ format: WorkingFormat) -> Phrase {
        if let preset = codec.presets.ofWholeColour { return "\(.encoderPreset, preset)" }
        if !codec.formats.contains(.yuv444p), !codec.formats.contains(.yuv444p10) {
            let other = container.videoCodecs.first { $0.formats.contains(.yuv444p) } ?? .h264
            return "\(.videoCodec, other) \(.pixelFormat, WorkingFormat.yuv444p.rawValue)"
        }
        let whole: WorkingFormat = format.bitDepth > 8 ? .yuv444p10 : .yuv444p
        return "\(.pixelFormat, whole.rawValue)"
    }

    private func rateControl(_ codec: PictureCodec) throws -> (crf: Double?, bitRate: Int?) {
        guard let qualities = codec.qualities else {
            if request.picture.crf != nil || request.picture.bitRate != nil {
                throw impossible(
                    request.picture.crf != nil ? "\(.crf)" : "\(.videoBitRate)",
                    "\(codec.rawValue) has no rate control: its quality is fixed", hint: .leaveOut)
            }
            return (nil, nil)
        }
        let (range, fallback) = (qualities.range, qualities.fallback)
        if let crf = request.picture.crf {
            guard request.picture.bitRate == nil else {
                throw SplitreelError(
                    .usage, operation: "choosing the output settings", subject: "\(.crf) and \(.videoBitRate)",
                    reason: "only one of the two can rule", hint: "leave one out")
            }
            let whole = qualities.areWhole ? ", in whole numbers" : ""
            guard range.contains(crf), !qualities.areWhole || crf == crf.rounded() else {
                throw impossible(
                    "\(.crf, crf)",
                    "it goes from \(Int(range.lowerBound)) (best) to \(Int(range.upperBound))\(whole)",
                    hint: "\(Int(fallback)) is the default of \(codec.rawValue)")
            }
            return (crf, nil)
        }
        if let bitRate = request.picture.bitRate {
            guard codec.takesBitRate else {
                throw impossible(
                    "\(.videoBitRate)", "\(codec.rawValue) has a quality only",
                    hint: "say \(.crf, Int(range.lowerBound)) (best) to \(Int(range.upperBound))")
            }
            guard Self.bitRateRange.contains(bitRate) else {
                throw impossible(
                    "\(.videoBitRate, bitRate)", "it goes from 10 kb/s to 1 Gb/s",
                    hint: "say \(.short([5_000_000])) for 5 Mb/s")
            }
            return (nil, bitRate)
        }
        return (fallback, nil)
    }

    private func preset(_ codec: PictureCodec, _ format: WorkingFormat) throws -> String {
        let usual = codec.presets.fallback
        let known = codec.presets.known.filter { codec.formats(ofPreset: $0).contains(format) }
        guard let asked = request.picture.encoderPreset?.lowercased() else {
            return known.contains(usual) ? usual : known.first ?? usual
        }
        guard known.contains(asked) else {
            try refuseFormat(format, of: codec, asked)
            throw impossible(
                "\(.encoderPreset, asked)", "\(codec.rawValue) in \(format.rawValue) has no such preset",
                hint: known.isEmpty ? .leaveOut : "say \(alternatives(known))")
        }
        return asked
    }

    /// Throws in the export preset's words where that one names the encoder's preset.
    private func refuseFormat(_ format: WorkingFormat, of codec: PictureCodec, _ preset: String) throws {
        guard let name = request.delivery.preset, let export = try? ExportPreset.named(name),
            export.request.picture.encoderPreset == preset
        else { return }
        let taken = codec.formats(ofPreset: preset).map(\.rawValue)
        throw impossible(
            "\(.preset, export.name)", "it takes no \(.pixelFormat, format.rawValue)",
            hint: "say \(alternatives(taken)), or leave the pixel format out")
    }

    /// The frames from one key frame to the next: the largest whole number in two seconds, or in the codec's share of
    /// them, at least one, and 1 for intra codecs.
    private func keyFrameInterval(_ codec: PictureCodec) -> Int {
        guard !codec.isIntraOnly else { return 1 }
        return max(1, Planning.keyFrameInterval(ofPace: facts.frameDuration) / codec.keyFrameShare)
    }
}

/// The number of frames that two seconds hold, at least one.
func keyFrameInterval(ofPace frameDuration: MediaTime) -> Int {
    max(1, (Rational(2) / Rational(frameDuration)).floor())
}
