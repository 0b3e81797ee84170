import Diagnostics
import MediaFacts
import Outputs
import SplitreelProject

/// Decides the sound's settings; see `resolve`.
package struct AudioResolver {
    var request: OutputRequest
    var container: Container

    package static let sampleRates = 8_000...192_000
    static let channelCounts = [1, 2, 6, 8]
    /// The sampling frequencies that an AAC stream can name (ISO/IEC 14496-3, table 1.18), from 8 kHz.
    static let aacRates = [
        8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
    ]
    static let opusRate = 48_000
    static let mp3Rates = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
    /// AAC's usual bit rate in bits a second for each channel, by the number of channels; those of 5.1 and 7.1 share
    /// more.
    static let aacBitRatePerChannel = [1: 96_000, 2: 96_000, 6: 64_000, 8: 64_000]
    static let opusBitRatePerChannel = 64_000

    /// The numbers of channels whose standard layouts the codec has; ALAC's 7.1 is another layout.
    static func channelCounts(of codec: AudioCodec) -> [Int] {
        switch codec {
        case .mp3: [1, 2]
        case .alac: [1, 2, 6]
        case .aac, .flac, .pcm, .opus, .vorbis: channelCounts
        }
    }

    /// The bit rates in bits a second that a frame of MP3 can name at that sample rate (ISO/IEC 11172-3 and 13818-3).
    static func mp3BitRates(_ rate: Int) -> [Int] {
        let kilobits =
            switch rate {
            case 32_000...: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
            case 16_000...: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
            default: [8, 16, 24, 32, 40, 48, 56, 64]
            }
        return kilobits.map { $0 * 1000 }
    }

    /// The bit rate in bits a second that is nearest to `bitRate` of those that the codec takes for such sound.
    static func bitRate(near bitRate: Int, _ codec: String?, rate: Int, channels: Int) -> Int {
        switch codec {
        case AudioCodec.aac.rawValue: min(bitRate, 6 * rate * channels)
        case AudioCodec.opus.rawValue: min(bitRate, 256_000 * channels)
        case AudioCodec.mp3.rawValue: mp3BitRates(rate).min { abs($0 - bitRate) < abs($1 - bitRate) } ?? bitRate
        default: bitRate
        }
    }

    /// The settings of all sound tracks that are asked for; none where the composition has no audio track or the person
    /// wants none.
    func resolveAll(hasAudio: Bool) throws -> [AudioSettings] {
        var usual = self
        // A bit rate that no sound track takes is not asked of the usual codec.
        if request.audioTracks?.allSatisfy({ $0.codec != nil }) == true { usual.request.audioBitRate = nil }
        let own = try usual.resolve(hasAudio: hasAudio)
        guard let tracks = request.audioTracks else { return [own].compactMap { $0 } }
        guard (1...OutputEntry.mostSoundTracks).contains(tracks.count) else {
            throw impossible(
                request.path, "an output has 1 to \(OutputEntry.mostSoundTracks) sound tracks, not \(tracks.count)")
        }
        guard tracks.count == 1 || container.holdsSeveralSounds else {
            let holders = Container.allCases.filter(\.holdsSeveralSounds).map { "." + $0.rawValue }
            throw impossible(
                "\(request.path), audioTracks", "\(container.rawValue) holds one sound track, not \(tracks.count)",
                hint: "name the film " + alternatives(holders) + ", or give each sound track an output of its own")
        }
        let codec = try codec()
        return try tracks.enumerated().compactMap { index, track in
            var resolver = self
            resolver.request = request.ofSound(track, usual: codec)
            do {
                let settings = try resolver.resolve(hasAudio: hasAudio)
                guard settings != nil || own == nil else {
                    throw impossible("audioTracks[\(index)].codec", "a sound track has sound", hint: "leave it out")
                }
                guard settings?.sampleRate == own?.sampleRate else {
                    throw impossible(
                        "audioTracks[\(index)].sampleRate", "all sound tracks of an output have one sample rate",
                        hint: "say it in audioSettings")
                }
                return own == nil ? nil : settings
            } catch var error as SplitreelError {
                error.subject = "sound track \(index + 1): " + error.subject
                throw error
            }
        }
    }

    /// The settings of one sound track; nil where the composition has no audio track or the person wants none. Options
    /// are checked all the same.
    func resolve(hasAudio: Bool) throws -> AudioSettings? {
        guard let codec = try codec() else { return nil }
        let rate = try sampleRate(codec)
        let layout = try layout(codec)
        let channels = layout?.channels ?? request.channels ?? 2
        let counts = Self.channelCounts(of: codec)
        guard layout != nil || counts.contains(channels) else {
            throw impossible(
                "--channels \(channels)", "that count has no standard layout in \(codec.rawValue) here",
                hint: "say " + alternatives(counts.map(String.init)) + layoutAdvice(codec, channels: channels))
        }
        let bitRate = try bitRate(codec, rate: rate, channels: channels)
        guard hasAudio else { return nil }
        var settings = AudioSettings(codec: codec, bitRate: bitRate, sampleRate: rate, channels: channels)
        // A usual layout goes without saying.
        let isUsual = Self.channelCounts.contains(channels) && layout == .usual(channels: channels)
        settings.layout = isUsual ? nil : layout
        return settings
    }

    /// The end of a hint that names the layouts of so many channels that the film can tell; empty where there are none.
    private func layoutAdvice(_ codec: AudioCodec, channels: Int) -> String {
        let fitting = codec.layouts(in: container).filter { $0.channels == channels && !$0.isField }.map(\.rawValue)
        return fitting.isEmpty ? "" : ", or --channel-layout \(alternatives(fitting))"
    }

    /// The channel layout that is asked for; nil where none is.
    private func layout(_ codec: AudioCodec) throws -> ChannelLayout? {
        guard let name = request.channelLayout else { return nil }
        let subject = "--channel-layout \(name.prefix(60))"
        guard let layout = ChannelLayout(rawValue: name.lowercased()) else {
            let all = ChannelLayout.allCases.map(\.rawValue)
            let near = nearestName(to: name.lowercased(), among: all).map { "did you mean ‘\($0)’? " } ?? ""
            throw impossible(
                subject, "no channel layout has that name", hint: near + "There are " + all.joined(separator: ", "))
        }
        if let count = request.channels, count != layout.channels {
            throw impossible(
                "--channels \(count)", "the layout \(layout.rawValue) has \(layout.channels)",
                hint: "leave one of the two out")
        }
        let known = codec.layouts(in: container)
        guard known.contains(layout) else {
            let others = "say " + alternatives(known.filter { !$0.isField }.map(\.rawValue)) + "; wav has all of them"
            let holders = "opus (mkv, webm, ogg, mp4) says what it is; pcm in wav or mkv holds it without names"
            throw impossible(
                subject, "\(codec.rawValue) in \(container.rawValue) cannot say that its channels lie so",
                hint: layout.isField ? holders : others)
        }
        return layout
    }

    private func codec() throws -> AudioCodec? {
        if !container.holdsSound && request.audioCodec == nil { return nil }
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

    /// The codec of sound for which none is asked. Beside pictures for editing the sound is kept whole, too.
    private var defaultCodec: AudioCodec {
        let picture = request.videoCodec.flatMap { VideoCodec(rawValue: $0.lowercased()) }
        let isForEditing = picture == .prores || picture == .dnxhr
        return container == .mov && isForEditing ? .pcm : container.audioCodecs.first ?? .aac
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
        if container == .mxf && rate != 48_000 {
            throw impossible(subject, "sound in mxf is always 48000 Hz", hint: "leave the option out")
        }
        if codec == .mp3 && !Self.mp3Rates.contains(rate) {
            throw impossible(
                subject, "MP3 has no such rate", hint: "say " + alternatives(Self.mp3Rates.map(String.init)))
        }
        if codec == .mp3 && container == .mp4 && rate < 16_000 {
            throw impossible(
                subject, "MP3 in mp4 has at least 16000 Hz",
                hint: "say --audio-codec aac, or name the film .mov or .mkv")
        }
        if codec == .flac && rate > 65_535 && rate % 10 != 0 {
            throw impossible(
                subject, "FLAC tells rates above 65535 Hz in tens", hint: "say \(rate / 10 * 10), or 96000")
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
        case .pcm, .flac, .alac:
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
        case .mp3: return try mp3BitRate(rate: rate, channels: channels)
        case .vorbis: return try vorbisBitRate(rate: rate, channels: channels)
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

    private func mp3BitRate(rate: Int, channels: Int) throws -> Int {
        let known = Self.mp3BitRates(rate)
        let usual = (rate >= 32_000 ? 96_000 : rate >= 16_000 ? 64_000 : 32_000) * channels
        guard let asked = request.audioBitRate else { return usual }
        guard known.contains(asked) else {
            throw impossible(
                "--audio-bitrate \(asked)", "mp3 at \(rate) Hz has no such rate",
                hint: "say " + alternatives(known.map { "\($0 / 1000)k" }))
        }
        return asked
    }

    /// Vorbis's bit rate in bits a second; nil for a constant quality, which is what it is best at. Its encoder knows
    /// bit rates for the usual sampling rates.
    private func vorbisBitRate(rate: Int, channels: Int) throws -> Int? {
        guard let asked = request.audioBitRate else { return nil }
        let range = 32_000 * channels...240_000 * channels
        guard rate == 44_100 || rate == 48_000, channels <= 2, range.contains(asked) else {
            throw impossible(
                "--audio-bitrate \(asked)",
                "vorbis takes \(range.lowerBound) to \(range.upperBound) bit/s, at 44100 or 48000 Hz, mono or stereo",
                hint: "leave the option out: its sound then has an even quality")
        }
        return asked
    }
}

extension OutputRequest {
    /// The request for one of its sound tracks. `usual` is the codec of those that name none.
    fileprivate func ofSound(_ track: SoundTrackRequest, usual: AudioCodec?) -> OutputRequest {
        var own = self
        own.audioTracks = nil
        own.audioCodec = track.codec ?? audioCodec
        // A bit rate is meant for one codec.
        if let codec = track.codec, codec.lowercased() != usual?.rawValue { own.audioBitRate = nil }
        own.audioBitRate = track.bitRate ?? own.audioBitRate
        own.sampleRate = track.sampleRate ?? sampleRate
        if track.channels != nil || track.channelLayout != nil {
            (own.channels, own.channelLayout) = (track.channels, track.channelLayout)
        }
        return own
    }
}

extension AudioCodec {
    /// The layouts that a film tells of its sound, so that every channel is played where it belongs.
    func layouts(in container: Container) -> [ChannelLayout] {
        let usual: [ChannelLayout] = [.mono, .stereo, .fiveOne, .sevenOne]
        switch self {
        case .flac: return container == .ogg ? usual : ChannelLayout.standard
        case .pcm:
            if container == .mov { return ChannelLayout.standard }
            // These are written without names of channels.
            return container == .wav || container == .waveform
                ? ChannelLayout.allCases : container == .mkv ? usual + ChannelLayout.fields : usual
        case .aac: return [.mono, .stereo, .three, .four, .five, .fiveOne, .sevenOne]
        case .alac: return [.mono, .stereo, .three, .four, .five, .fiveOne, .sixOneBack, .sevenOneWide]
        // libavcodec exchanges channels of Opus in 5.0 and in 6.1.
        case .opus: return [.mono, .stereo, .three, .quad, .fiveOne, .sevenOne] + ChannelLayout.fields
        case .vorbis: return [.mono, .stereo, .three, .quad, .five, .fiveOne, .sixOne, .sevenOne]
        case .mp3: return [.mono, .stereo]
        }
    }
}
