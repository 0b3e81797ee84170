import Diagnostics
package import MediaTime
import Pictures

/// How long a film's file may become, and how long it will be.
extension OutputSettings {
    /// Bytes beside the packets: headers, and what the index has for each of them.
    private func overhead(_ frames: Int, _ samples: Int) -> Double {
        let tags = tags?.items.values.reduce(0) { $0 + 2 * $1.utf8.count + 256 } ?? 0
        return 16_384 + Double(tags) + Double(frames) * 40 + Double(samples / 512) * 36
    }

    /// Of all sound: what its bit rate says, or its samples' bits where it has none.
    private func soundBits(_ seconds: Double) -> Double {
        guard let audio else { return 0 }
        let usual = audio.codec == .vorbis ? 100_000 * audio.channels : audio.sampleRate * audio.channels * 24
        return Double(audio.bitRate ?? usual) * seconds
    }

    /// Limits the picture's rate so that the whole file stays below the limit, whatever is in it.
    mutating func limit(toBytes limit: Int, duration: Rational, frameCount: Int, sampleCount: Int) throws {
        mostBytes = limit
        let seconds = duration.double
        let taken = overhead(frameCount, sampleCount) * 8 + soundBits(seconds) * 1.02
        let left = Double(limit) * 8 - taken
        guard let video else {
            guard left >= 0 else { throw tooSmall(limit, least: taken / 8, "lower --audio-bitrate") }
            return
        }
        guard video.codec == .h264 || video.codec == .hevc else {
            throw impossible(
                "--file-length-limit \(limit)",
                "only h264 and hevc are held to a length; this is \(video.codec.rawValue)",
                hint: "say --video-codec h264, or leave the limit out")
        }
        // A buffer of a second may be spent beyond the rate; see RateBudget.
        let rate = left / (seconds + 1)
        let least = Double(VideoResolver.bitRateRange.lowerBound)
        guard rate >= least else {
            throw tooSmall(limit, least: (taken + least * (seconds + 1)) / 8, "render less, or lower --audio-bitrate")
        }
        let most = min(whole(rate), video.rateLimit?.rate ?? .max, VideoResolver.bitRateRange.upperBound)
        self.video?.rateLimit = RateLimit(rate: most, buffer: min(most, video.rateLimit?.buffer ?? .max))
        if let asked = video.bitRate { self.video?.bitRate = min(asked, most) }
        if video.isTwoPass {
            let frameSeconds = seconds / Double(max(1, frameCount))
            let factors = self.video?.analysisFactors(frameSeconds: frameSeconds)
            self.video?.analysisFactors = factors
        }
    }

    private func tooSmall(_ limit: Int, least: Double, _ advice: String) -> SplitreelError {
        impossible(
            "--file-length-limit \(limit)", "this film needs \(whole(least.rounded(.up))) bytes at least", hint: advice)
    }

    /// A guess of the file's bytes, from bit rates or, where a quality rules, from what pictures usually take; films of
    /// much noise take several times as much.
    package func estimatedBytes(duration: Rational, frameCount: Int, sampleCount: Int) -> Int {
        let seconds = duration.double
        var bits = overhead(frameCount, sampleCount) * 8
        if let audio {
            bits += audio.codec.isLossless && audio.codec != .pcm ? soundBits(seconds) * 0.6 : soundBits(seconds)
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

/// Without its fraction; what is beyond an Int's range is the nearest in it.
private func whole(_ number: Double) -> Int { Int(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : 0) }

extension VideoSettings {
    /// Of films of people and places in 1080p; six steps of a rate factor halve it.
    fileprivate var usualBitsPerPixel: Double {
        func halved(every step: Double, from quality: Double, _ bits: Double) -> Double {
            // Linear between whole halvings: exact on every machine.
            let steps = ((crf ?? quality) - quality) / step
            let whole = steps.rounded(.down)
            var factor = 1.0
            for _ in 0..<Int(min(20, abs(whole))) { factor *= whole > 0 ? 0.5 : 2 }
            return bits * factor * (1 - (steps - whole) / 2)
        }
        switch codec {
        case .h264: return halved(every: 6, from: 20, 0.11)
        case .hevc: return halved(every: 6, from: 24, 0.06)
        case .av1: return halved(every: 9, from: 32, 0.05)
        case .vp9: return halved(every: 9, from: 31, 0.06)
        case .mjpeg: return 4.5 / (crf ?? 3)
        case .mpeg2: return 1.5 / (crf ?? 3)
        case .gif: return 3
        case .webp: return crf == 0 ? 8 : 0.5 + (100 - (crf ?? 25)) / 100
        case .png, .tiff: return Double(format.bitDepth > 8 ? 30 : 12)
        case .exr: return preset == "half" ? 36 : 72
        case .ffv1: return Double(format.bitDepth) * (format.chromaShift.x == 0 ? 1.5 : 0.75)
        // Apple's and Avid's tables: Mb/s of 1080p at 29.97.
        case .prores:
            let rates = ["proxy": 45.0, "lt": 102, "standard": 147, "hq": 220, "4444": 330, "4444xq": 500]
            return (rates[preset] ?? 220) * 1_000_000 / (1920 * 1080 * 29.97)
        case .dnxhr:
            let rates = ["lb": 45.0, "sq": 145, "hq": 220, "hqx": 220, "444": 440]
            return (rates[preset] ?? 220) * 1_000_000 / (1920 * 1080 * 29.97)
        }
    }
}
