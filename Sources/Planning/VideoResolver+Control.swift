import Diagnostics
import MediaTime
import Outputs
import Pictures
import SplitreelProject

/// Limits of the rate, profiles, levels, tunes and key frames.
extension VideoResolver {
    private static let buffers = 10_000...2_000_000_000

    func control(_ settings: inout VideoSettings) throws {
        settings.rateLimit = try rateLimit(settings.codec)
        if settings.isLossless && settings.rateLimit != nil {
            throw impossible(
                "\(.maximumBitRate)", "\(.crf, 0) is lossless h264, which takes what it takes",
                hint: "say \(.crf, 1) or more, or leave out the limit (presets may have one)")
        }
        settings.isConstantRate = try isConstantRate(settings)
        settings.analysisFactors = try analysisFactors(settings)
        settings.profile = try profile(settings)
        settings.level = try level(settings)
        try holdToLevel(&settings)
        settings.tune = try tune(settings.codec)
        if let interval = request.picture.keyFrameInterval {
            guard (1...100_000).contains(interval), !settings.codec.isIntraOnly || interval == 1 else {
                throw impossible(
                    "\(.keyFrameInterval, interval)",
                    settings.codec.isIntraOnly
                        ? "every frame of \(settings.codec.rawValue) is a key frame"
                        : "it goes from 1 to 100000 frames",
                    hint: .leaveOut)
            }
            settings.keyFrameInterval = interval
        }
        if request.picture.keyFramesAtCuts == true && !settings.codec.placesKeyFrames {
            throw impossible(
                "\(.keyFramesAtCuts)", "the AV1 encoder here takes no key frames where it is told to",
                hint: "\(.leaveOut), or say a \(.keyFrameInterval)")
        }
    }

    private func isConstantRate(_ settings: VideoSettings) throws -> Bool? {
        guard request.picture.constantBitRate == true else { return nil }
        let option: Phrase = "\(.constantBitRate)"
        guard settings.codec.limitedRate != nil else {
            throw impossible(
                option, "only h264, hevc and mpeg2 have filler here; this is \(settings.codec.rawValue)",
                hint: "\(container.adviceFor(.h264, not: settings.codec)), or \(.leaveOut)")
        }
        guard let rate = settings.bitRate else {
            throw impossible(
                option, "it is about a bit rate, and none is given",
                hint: "say \(.videoBitRate, value: .short([6_000_000])), too")
        }
        if let limit = settings.rateLimit?.rate, limit != rate {
            throw impossible(
                option, "the bit rate is \(rate), and \(.maximumBitRate, limit)",
                hint: "leave out \(.maximumBitRate): the two are one (presets may have one)")
        }
        if request.delivery.fileLengthLimit != nil || (request.picture.passes ?? 1) > 1 {
            throw impossible(
                option, "the rate is the same all the time, whatever a length or a measurement says",
                hint: "leave out \(.fileLengthLimit) and \(.twoPass)")
        }
        return true
    }

    private func analysisFactors(_ settings: VideoSettings) throws -> [Double]? {
        guard let passes = request.picture.passes, passes != 1 else { return nil }
        guard passes == 2 else {
            throw impossible("\(.twoPass, passes)", "a film has one or two passes", hint: "say 2, or leave it out")
        }
        guard settings.codec.sharesBits else {
            throw impossible(
                "\(.twoPass)", "only h264 and hevc have two passes; this is \(settings.codec.rawValue)",
                hint: "\(container.adviceFor(.h264, not: settings.codec)), or \(.leaveOut)")
        }
        guard settings.bitRate != nil else {
            throw impossible(
                "\(.twoPass)", "it shares out the bits of a bit rate, and none is given",
                hint: "say \(.videoBitRate, value: .short([6_000_000])), or \(.leaveOut): a quality needs one pass")
        }
        return settings.analysisFactors(frameSeconds: Rational(facts.frameDuration).double)
    }

    private func rateLimit(_ codec: PictureCodec) throws -> RateLimit? {
        // Other codecs that are to be constant are refused by `isConstantRate`.
        let isConstant = request.picture.constantBitRate == true && codec.limitedRate != nil
        let constant = isConstant ? request.picture.bitRate : nil
        guard let rate = request.picture.maximumBitRate ?? constant else {
            guard request.picture.bufferSize == nil else {
                throw impossible(
                    "\(.bufferSize)", "it is a buffer for a limited rate",
                    hint: "say \(.maximumBitRate), too, or leave it out")
            }
            return nil
        }
        guard let held = codec.limitedRate else {
            throw impossible(
                "\(.maximumBitRate)", "only h264, hevc and mpeg2 are held to one here; this is \(codec.rawValue)",
                hint: .leaveOut)
        }
        guard !held.mayRunDry || request.picture.bitRate != nil else {
            throw impossible(
                "\(.maximumBitRate)", "mpeg2 holds an average rate to it, and no quality",
                hint: "say \(.videoBitRate), too, or leave it out")
        }
        guard Self.bitRateRange.contains(rate) else {
            throw impossible(
                "\(.maximumBitRate, rate)", "it goes from 10 kb/s to 1 Gb/s",
                hint: "say \(.short([8_000_000])) for 8 Mb/s")
        }
        if let average = request.picture.bitRate, average > rate {
            throw impossible(
                "\(.videoBitRate, average)", "it is above \(.maximumBitRate, rate)",
                hint: "make the maximum the higher one")
        }
        // A chunk's part of the buffer is a quarter of it or more, and encoders take one of a frame's bits at least.
        let frames = Rational(rate) * Rational(facts.frameDuration)
        let usual = min(max(2 * rate, (frames * Rational(8)).ceil()), Self.buffers.upperBound)
        let buffer = request.picture.bufferSize ?? usual
        // Less than a fifth of a second does not even hold a key frame.
        let least = max(rate / 5, (frames * Rational(9, 2)).ceil())
        guard Self.buffers.contains(buffer), buffer >= least else {
            let who = least == rate / 5 ? "a fifth of a second's" : "four and a half frames'"
            throw impossible(
                "\(.bufferSize, buffer)", "it is from \(who) bits, \(least), to 2 Gb",
                hint: "say \(usual), which is the default here")
        }
        return RateLimit(rate: rate, buffer: buffer)
    }

    private func profile(_ settings: VideoSettings) throws -> String? {
        guard let asked = request.picture.profile else { return nil }
        let (known, name) = (settings.codec.profiles(settings), asked.lowercased())
        guard known.contains(name) else {
            let ownName = settings.codec.presets.formats != nil
            let formats = settings.codec.formats.filter { format in
                var other = settings
                other.format = format
                return other.codec.profiles(other).contains(name)
            }
            let change: Phrase = formats.isEmpty ? "" : ", or \(.pixelFormat, alternatives(formats.map(\.rawValue)))"
            throw impossible(
                "\(.profile, asked)",
                "\(settings.codec.rawValue) in \(settings.format.rawValue) has no such profile here",
                hint: known.isEmpty
                    ? (ownName ? "say it with \(.encoderPreset)" : .leaveOut)
                    : "say \(alternatives(known))\(change)")
        }
        if settings.codec.profilesBetweenFrames.contains(name),
            request.picture.keyFrameInterval ?? settings.keyFrameInterval == 1
        {
            throw impossible(
                "\(.profile, asked)", "hevc whose frames are all key frames is of other profiles, for intra pictures",
                hint: "\(.leaveOut), or say \(.keyFrameInterval, 2) or more")
        }
        return name
    }

    private func level(_ settings: VideoSettings) throws -> Int? {
        guard let asked = request.picture.level else { return nil }
        // See `holdToLevel` for the limit.
        var settings = settings
        (settings.rateLimit, settings.bitRate) = (nil, nil)
        guard let levels = settings.codec.levels else {
            throw impossible(
                "\(.level, asked)", "levels are h264's and hevc's; this is \(settings.codec.rawValue)",
                hint: .leaveOut)
        }
        let known = levels.numbers
        let least = levels.lowest(settings, facts.frameDuration)
        let fitting = known.filter { $0 >= least }.map(Self.name)
        guard let number = known.first(where: { asked == Self.name($0) || asked == Self.name($0) + ".0" }) else {
            throw impossible("\(.level, asked)", "there is no such level", hint: "say \(alternatives(fitting))")
        }
        guard number >= least else {
            throw impossible(
                "\(.level, asked)",
                "\(settings.size.width)×\(settings.size.height) at this rate needs level \(Self.name(least))",
                hint: "say \(Self.name(least)), or a smaller \(.size) or \(.frameRate)")
        }
        return number
    }

    /// Refuses a rate or a buffer that decoders of the level that was asked for need not take; a buffer that nobody
    /// asked for becomes as small as theirs.
    private func holdToLevel(_ settings: inout VideoSettings) throws {
        guard let most = settings.levelLimit, let level = settings.level else { return }
        // hevc's encoder would lower an average without a word, too; h264's would pass the level.
        if let rate = settings.bitRate, rate > most.rate {
            throw impossible(
                "\(.videoBitRate, rate)", "level \(Self.name(level)) takes \(most.rate) bits a second",
                hint: "say a higher \(.level), or leave that out")
        }
        guard let limit = settings.rateLimit else { return }
        guard limit.rate <= most.rate else {
            throw impossible(
                "\(.maximumBitRate, limit.rate)", "level \(Self.name(level)) takes \(most.rate) bits a second",
                hint: "say a higher \(.level), or leave that out")
        }
        guard request.picture.bufferSize == nil || limit.buffer <= most.buffer else {
            throw impossible(
                "\(.bufferSize, limit.buffer)", "level \(Self.name(level)) has a buffer of \(most.buffer) bits",
                hint: "say a higher \(.level), or leave one of the two out")
        }
        settings.rateLimit?.buffer = min(limit.buffer, most.buffer)
    }

    private static func name(_ number: Int) -> String {
        number % 10 == 0 ? "\(number / 10)" : "\(number / 10).\(number % 10)"
    }

    private func tune(_ codec: PictureCodec) throws -> String? {
        guard let asked = request.picture.tune?.lowercased() else { return nil }
        let known = codec.tunes
        guard known.contains(asked) else {
            throw impossible(
                "\(.tune, asked)", "\(codec.rawValue) has no such tune",
                hint: known.isEmpty ? .leaveOut : "say \(alternatives(known))")
        }
        return asked
    }
}
