import Diagnostics

/// Decides the sound's settings; see `resolve`.
struct AudioResolver {
    var request: OutputRequest
    var container: Container

    static let sampleRates = 8_000...192_000
    static let channelCounts = [1, 2, 6, 8]
    /// The sampling frequencies that an AAC stream can name (ISO/IEC 14496-3, table 1.18), from 8 kHz.
    static let aacRates = [
        8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
    ]
    static let opusRate = 48_000
    /// Bits per second for each channel; 5.1 and 7.1 share more between theirs.
    static let aacBitRatePerChannel = [1: 96_000, 2: 96_000, 6: 64_000, 8: 64_000]
    static let opusBitRatePerChannel = 64_000

    /// nil where the composition has no audio track or the person wants none. Options are checked all the same.
    func resolve(hasAudio: Bool) throws -> AudioSettings? {
        guard let codec = try codec() else { return nil }
        let rate = try sampleRate(codec)
        let channels = request.channels ?? 2
        guard Self.channelCounts.contains(channels) else {
            throw impossible(
                "--channels \(channels)", "that count has no standard layout here",
                hint: "say " + alternatives(Self.channelCounts.map(String.init)))
        }
        let bitRate = try bitRate(codec, rate: rate, channels: channels)
        guard hasAudio else { return nil }
        return AudioSettings(codec: codec, bitRate: bitRate, sampleRate: rate, channels: channels)
    }

    private func codec() throws -> AudioCodec? {
        let name = (request.audioCodec ?? defaultCodec.rawValue).lowercased()
        if name == "none" { return nil }
        guard let codec = AudioCodec(rawValue: name) else {
            throw unknownCodec(
                request.audioCodec ?? name, option: "--audio-codec",
                known: AudioCodec.allCases.map(\.rawValue) + ["none"])
        }
        guard container.holds(codec) else {
            throw mismatch(
                codec.rawValue, container, fits: container.audioCodecs.map(\.rawValue), path: request.path)
        }
        return codec
    }

    /// Beside ProRes the sound is kept whole, too.
    private var defaultCodec: AudioCodec {
        if container == .mkv { return .flac }
        return container == .mov && request.videoCodec?.lowercased() == VideoCodec.prores.rawValue ? .pcm : .aac
    }

    private func sampleRate(_ codec: AudioCodec) throws -> Int {
        let rate = request.sampleRate ?? 48_000
        let subject = "--sample-rate \(rate)"
        guard Self.sampleRates.contains(rate) else {
            throw impossible(subject, "it goes from 8000 to 192000 Hz", hint: "48000 is the default")
        }
        if codec == .opus && rate != Self.opusRate {
            throw impossible(subject, "Opus is always 48000 Hz", hint: "leave the option out")
        }
        if codec == .aac && !Self.aacRates.contains(rate) {
            throw impossible(
                subject, "AAC has no such rate", hint: "say " + alternatives(Self.aacRates.map(String.init)))
        }
        return rate
    }

    private func bitRate(_ codec: AudioCodec, rate: Int, channels: Int) throws -> Int? {
        let range: ClosedRange<Int>
        let fallback: Int
        switch codec {
        case .pcm, .flac:
            guard request.audioBitRate == nil else {
                throw impossible("--audio-bitrate", "\(codec.rawValue) keeps every bit", hint: "leave the option out")
            }
            return nil
        case .aac:
            // A frame of 1024 samples holds at most 6144 bits for each channel.
            range = 8_000...(6 * rate * channels)
            let usual = (Self.aacBitRatePerChannel[channels] ?? 64_000) * channels
            fallback = min(usual, range.upperBound)
        case .opus:
            range = 6_000...(256_000 * channels)
            fallback = Self.opusBitRatePerChannel * channels
        }
        guard let asked = request.audioBitRate else { return fallback }
        guard range.contains(asked) else {
            throw impossible(
                "--audio-bitrate \(asked)",
                "\(codec.rawValue) at \(rate) Hz with \(channels) channel(s) takes \(range.lowerBound) to "
                    + "\(range.upperBound) bit/s",
                hint: "\(fallback) is the default")
        }
        return asked
    }
}
