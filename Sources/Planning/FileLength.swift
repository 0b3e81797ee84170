package import Diagnostics
package import MediaTime
package import Outputs
import Pictures
import SplitreelProject

/// The length of a film's file: the limit that it is held to, and an estimate.
extension OutputSettings {
    /// The bits of all sound in so many seconds: by its bit rates, or by its samples' bits where it has none.
    private func soundBits(_ seconds: Double) -> Double {
        sounds.reduce(0) { $0 + $1.settings.bits(seconds) }
    }

    /// Limits the picture's rate so that the whole file stays below the limit, whatever is in it. `chunks` are the
    /// chunks' lengths in seconds, in order.
    mutating func limit(toBytes limit: Int, duration: Rational, chunks: [Rational], frames: Int, samples: Int) throws {
        mostBytes = limit
        audio?.holdToRate()
        for index in (furtherAudio ?? []).indices { furtherAudio?[index].settings.holdToRate() }
        let seconds = duration.double
        let taken = overhead(frameCount: frames, sampleCount: samples) * 8 + mostSoundBits(seconds)
        let left = Double(limit) * 8 - taken
        guard let video else {
            // The bytes of sound without a bit rate are known when it is there: the finished file is held to the limit.
            let least = hasSoundRate ? taken : isSoundKnown ? soundBits(seconds) : leastBits(samples)
            guard Double(limit) * 8 >= least else { throw tooSmall(limit, least: least / 8, softerSound, isSure: true) }
            return
        }
        guard video.codec.sharesBits else {
            throw impossible(
                "\(.fileLengthLimit, limit)",
                "only h264 and hevc are held to a length; this is \(video.codec.rawValue)",
                hint: "\(container.adviceFor(.h264, not: video.codec)), or leave the limit out")
        }
        guard !video.isLossless else {
            throw impossible(
                "\(.fileLengthLimit, limit)", "\(.crf, 0) is lossless h264, which takes what it takes",
                hint: "say \(.crf, 1) or more, or leave the limit out")
        }
        let range = VideoResolver.bitRateRange
        let rate: Int
        if video.isTwoPass {
            rate = whole(left * Self.usedByTwoPasses / seconds)
            self.video?.mostBits = max(1, whole(left))
        } else {
            rate = self.rate(ofBits: left * Self.usedByOnePass, chunks)
        }
        guard rate >= range.lowerBound else {
            let least =
                video.isTwoPass
                ? Double(range.lowerBound) * seconds / Self.usedByTwoPasses
                : RateBudget.mostBits(limitOfRate(range.lowerBound), chunks) / Self.usedByOnePass
            throw tooSmall(limit, least: (taken + least) / 8, "render less, or \(softerSound)")
        }
        let asked = video.bitRate
        let most = min(rate, video.rateLimit?.rate ?? .max, range.upperBound, video.levelLimit?.rate ?? .max)
        // Two passes have their share of the bits, and need no other limit.
        let ofRate = limitOfRate(most)
        if !video.isTwoPass { self.video?.rateLimit = ofRate }
        if let asked { self.video?.bitRate = min(asked, most) }
        if video.isTwoPass {
            let factors = self.video?.analysisFactors(frameSeconds: seconds / Double(max(1, frames)))
            self.video?.analysisFactors = factors
        }
    }

    /// The shares of the picture's bits that are planned with: chunks of two passes are off by 1.4 % together, and
    /// encoders keep to a buffer to some hundredths.
    private static let usedByTwoPasses = 0.985
    private static let usedByOnePass = 0.98

    /// The highest bit rate, in bits a second, whose chunks take no more than so many bits together.
    private func rate(ofBits bits: Double, _ chunks: [Rational]) -> Int {
        let seconds = chunks.reduce(0) { $0 + $1.double }
        var (low, high) = (0, min(VideoResolver.bitRateRange.upperBound, whole(2 * max(0, bits) / max(seconds, 1e-5))))
        while low < high {
            let middle = (low + high + 1) / 2
            let most = RateBudget.mostBits(limitOfRate(middle), chunks)
            if most <= bits { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// The limit of a rate in bits a second, with a buffer of a second, or a smaller one that was asked for or is the
    /// level's.
    private func limitOfRate(_ rate: Int) -> RateLimit {
        RateLimit(
            rate: rate, buffer: min(rate, video?.rateLimit?.buffer ?? .max, video?.levelLimit?.buffer ?? .max))
    }

    /// The bits of all sound in so many seconds at most. Encoders' bit rates are averages, and their delay is a part of
    /// a second more.
    func mostSoundBits(_ seconds: Double) -> Double {
        sounds.reduce(0) { sum, sound in
            sum + sound.settings.bits(seconds + sound.settings.codec.mostDelaySeconds) * 1.015
        }
    }

    /// The bits of silence without loss: frames of 4,608 samples at most, with their headers, behind a header of the
    /// file's.
    private func leastBits(_ samples: Int) -> Double {
        let frames = samples / 4608 + 1
        return Double(8 * (42 + 10 * frames))
    }

    /// The error for a limit that is too small. `least` is in bytes; beside a picture it holds what the sound may take
    /// where it has no bit rate.
    private func tooSmall(_ limit: Int, least: Double, _ advice: Phrase, isSure: Bool = false) -> SplitreelError {
        let bytes = whole(least.rounded(.up))
        let reason: Phrase =
            isSure || isSoundKnown
            ? "this film needs \(bytes) bytes at least"
            : "this film needs up to \(bytes) bytes: what its sound takes is known when it is there"
        return impossible("\(.fileLengthLimit, limit)", reason, hint: advice)
    }

    /// Whether every sound has a bit rate, which says how long it becomes.
    private var hasSoundRate: Bool { sounds.allSatisfy { $0.settings.bitRate != nil } }
    /// Whether the length of the sound is known before the sound is there.
    private var isSoundKnown: Bool {
        sounds.allSatisfy { $0.settings.bitRate != nil || $0.settings.codec.isUncompressed }
    }

    /// The advice by which the sound gets smaller.
    package var softerSound: Phrase {
        guard let audio else { return "raise the limit" }
        guard audio.bitRate == nil else { return "lower \(.audioBitRate)" }
        let fewer: Phrase = "fewer \(.channels) or a lower \(.sampleRate)"
        guard audio.codec.isLossless else { return "say \(fewer)" }
        guard container.audioCodecs.allSatisfy(\.isLossless) else { return "name a lossy \(.audioCodec), \(fewer)" }
        return "name the output .m4a or .mp3, whose sound is lossy, or say \(fewer)"
    }

    /// A guess of the file's bytes, from bit rates or, where a quality rules, from what pictures usually take; films of
    /// much noise take several times as much.
    package func estimatedBytes(duration: Rational, frameCount: Int, sampleCount: Int) -> Int {
        let seconds = duration.double
        var bits = overhead(frameCount: frameCount, sampleCount: sampleCount) * 8
        for audio in sounds.map(\.settings) {
            bits += audio.bits(seconds) * audio.codec.usualShare
        }
        if let video {
            let pixels = Double(video.size.width * video.size.height) * Double(frameCount)
            var own = video.bitRate.map { Double($0) * seconds } ?? video.usualBitsPerPixel * pixels
            if let limit = video.rateLimit { own = min(own, Double(limit.rate) * seconds) }
            bits += own
        }
        return min(mostBytes ?? .max, whole(bits / 8))
    }
}

/// Remarks on rates that were asked for and that the limit of the file's length lowers.
package func lengthRemarks(
    _ asked: OutputRequest, _ output: OutputSettings, frameDuration: MediaTime
) throws -> [Phrase] {
    guard let limit = asked.delivery.fileLengthLimit, let video = output.video else { return [] }
    let request = try asked.withPreset()
    let found = video.bitRate ?? video.rateLimit?.rate
    guard let found else { return [] }
    let advice: Phrase = "; a smaller \(.size) or a lower \(.audioBitRate) makes the best of it"
    guard let rate = request.picture.bitRate ?? request.picture.maximumBitRate else {
        let pixels = Double(video.size.width * video.size.height) / Rational(frameDuration).double
        let usual = whole(video.usualBitsPerPixel * pixels)
        // A sixth is what one sees.
        guard found < usual / 6 else { return [] }
        return [
            """
            the limit of \(limit) bytes leaves the picture \(found / 1000) kb/s, and pictures of this size and rate \
            take about \(usual / 1000) kb/s\(advice)
            """
        ]
    }
    guard found < rate else { return [] }
    return [
        """
        the limit of \(limit) bytes leaves the picture \(found / 1000) kb/s of the \(rate / 1000) kb/s that were \
        asked for\(advice)
        """
    ]
}

/// A number without its fraction; above an Int's range it is the greatest Int, and below it, or no number, it is 0.
private func whole(_ number: Double) -> Int { Int(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : 0) }

extension AudioSettings {
    fileprivate mutating func holdToRate() {
        if codec.rateHolding != nil, bitRate != nil { isHeldToRate = true }
    }

    /// The bits of so many seconds of the sound.
    fileprivate func bits(_ seconds: Double) -> Double {
        Double(bitRate ?? channels * (codec.usualChannelBits ?? sampleRate * 24)) * seconds
    }
}

extension VideoSettings {
    /// The usual bits of a pixel in films of people and places in 1080p.
    fileprivate var usualBitsPerPixel: Double {
        switch codec.usualBits {
        case .of(let bits): bits(self)
        case .halving(let bits, let step): halved(bits, every: step)
        }
    }

    /// The bits at a quality of which so many steps halve those at the default one.
    private func halved(_ bits: Double, every step: Double) -> Double {
        // Linear between whole halvings: exact on every machine.
        let quality = codec.qualities?.fallback ?? 0
        let steps = ((crf ?? quality) - quality) / step
        let whole = steps.rounded(.down)
        var factor = 1.0
        for _ in 0..<Int(min(20, abs(whole))) { factor *= whole > 0 ? 0.5 : 2 }
        return bits * factor * (1 - (steps - whole) / 2)
    }
}
