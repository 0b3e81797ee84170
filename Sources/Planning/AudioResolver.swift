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

    /// The settings of all sound tracks that are asked for; none where the composition has no audio track or the person
    /// wants none.
    func resolveAll(hasAudio: Bool) throws -> [AudioSettings] {
        var usual = self
        // A bit rate that no sound track takes is not asked of the usual codec.
        if request.soundTracks?.allSatisfy({ $0.codec != nil }) == true { usual.request.sound.bitRate = nil }
        let own = try usual.resolve(hasAudio: hasAudio)
        guard let tracks = request.soundTracks else { return [own].compactMap { $0 } }
        guard (1...OutputEntry.mostSoundTracks).contains(tracks.count) else {
            throw impossible(
                request.path, "an output has 1 to \(OutputEntry.mostSoundTracks) sound tracks, not \(tracks.count)")
        }
        guard tracks.count == 1 || container.kind == .film else {
            let holders = Container.allCases.filter { $0.kind == .film }.map { "." + $0.rawValue }
            throw impossible(
                "\(request.path), audioTracks", "\(container.rawValue) holds one sound track, not \(tracks.count)",
                hint: "name the film \(alternatives(holders)), or give each sound track an output of its own")
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
                error.subject = error.subject.ofSoundTrack(index + 1)
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
        let channels = layout?.channels ?? request.sound.channels ?? 2
        let counts = codec.channelCounts
        guard layout != nil || counts.contains(channels) else {
            throw impossible(
                "\(.channels, channels)", "that count has no standard layout in \(codec.rawValue) here",
                hint: "say \(alternatives(counts.map(String.init)))\(layoutAdvice(codec, channels: channels))")
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
    private func layoutAdvice(_ codec: SoundCodec, channels: Int) -> Phrase {
        let fitting = codec.layouts(container).filter { $0.channels == channels && !$0.isField }.map(\.rawValue)
        return fitting.isEmpty ? "" : ", or \(.channelLayout, alternatives(fitting))"
    }

    /// The channel layout that is asked for; nil where none is.
    private func layout(_ codec: SoundCodec) throws -> ChannelLayout? {
        guard let name = request.sound.channelLayout else { return nil }
        let subject: Phrase = "\(.channelLayout, name.prefix(60))"
        guard let layout = ChannelLayout(rawValue: name.lowercased()) else {
            let all = ChannelLayout.allCases.map(\.rawValue)
            let near = nearestName(to: name.lowercased(), among: all).map { "did you mean ‘\($0)’? " } ?? ""
            throw impossible(
                subject, "no channel layout has that name", hint: "\(near)There are \(all.joined(separator: ", "))")
        }
        if let count = request.sound.channels, count != layout.channels {
            throw impossible(
                "\(.channels, count)", "the layout \(layout.rawValue) has \(layout.channels)",
                hint: "leave one of the two out")
        }
        let known = codec.layouts(container)
        guard known.contains(layout) else {
            let others = alternatives(known.filter { !$0.isField }.map(\.rawValue))
            let holders: Phrase = "opus (mkv, webm, ogg, mp4) says what it is; pcm in wav or mkv holds it without names"
            throw impossible(
                subject, "\(codec.rawValue) in \(container.rawValue) cannot say that its channels lie so",
                hint: layout.isField ? holders : "say \(others); wav has all of them")
        }
        return layout
    }

    private func codec() throws -> SoundCodec? {
        if !container.holdsSound && request.sound.codec == nil { return nil }
        let name = (request.sound.codec ?? defaultCodec.rawValue).lowercased()
        if name == "none" { return nil }
        guard let codec = SoundCodec(rawValue: name) else {
            throw unknownCodec(
                .audioCodec, request.sound.codec ?? name, known: SoundCodec.all.map(\.rawValue) + ["none"])
        }
        guard container.holds(codec) else {
            throw mismatch(
                .audioCodec, codec.rawValue, container, fits: container.audioCodecs.map(\.rawValue),
                path: request.path)
        }
        return codec
    }

    /// The codec of sound for which none is asked. Beside pictures for editing the sound is kept whole, too.
    private var defaultCodec: SoundCodec {
        let picture = request.picture.codec.flatMap { PictureCodec(rawValue: $0.lowercased()) }
        return container == .mov && picture?.isForEditing == true ? .pcm : container.audioCodecs.first ?? .aac
    }

    private func sampleRate(_ codec: SoundCodec) throws -> Int {
        let rate = request.sound.sampleRate ?? 48_000
        let subject: Phrase = "\(.sampleRate, rate)"
        guard Self.sampleRates.contains(rate) else {
            throw impossible(subject, "it goes from 8000 to 192000 Hz", hint: "48000 is the default")
        }
        if let only = codec.onlySampleRate, rate != only {
            throw impossible(subject, "\(codec.displayName) is always \(only) Hz", hint: .leaveOut)
        }
        if container == .mxf && rate != 48_000 {
            throw impossible(subject, "sound in mxf is always 48000 Hz", hint: .leaveOut)
        }
        if let known = codec.sampleRates, !known.contains(rate) {
            throw impossible(
                subject, "\(codec.displayName) has no such rate", hint: "say \(alternatives(known.map(String.init)))")
        }
        if let least = codec.leastSampleRates[container], rate < least {
            throw impossible(
                subject, "\(codec.displayName) in \(container.rawValue) has at least \(least) Hz",
                hint: "say \(.audioCodec) aac, or name the film .mov or .mkv")
        }
        if let most = codec.mostExactSampleRate, rate > most, rate % 10 != 0 {
            throw impossible(
                subject, "\(codec.displayName) tells rates above \(most) Hz in tens",
                hint: "say \(rate / 10 * 10), or 96000")
        }
        return rate
    }

    private func bitRate(_ codec: SoundCodec, rate: Int, channels: Int) throws -> Int? {
        let shape = SoundShape(sampleRate: rate, channels: channels)
        let usual = codec.usualBitRate(shape)
        guard let asked = request.sound.bitRate else { return usual }
        let subject: Phrase = "\(.audioBitRate, asked)"
        switch codec.bitRates {
        case .none:
            throw impossible("\(.audioBitRate)", "\(codec.rawValue) keeps every bit", hint: .leaveOut)
        case .range(let takes):
            let range = takes(shape)
            guard !range.contains(asked) else { break }
            throw impossible(
                subject,
                """
                \(codec.rawValue) at \(rate) Hz with \(channels) channel(s) takes \(range.lowerBound) to \
                \(range.upperBound) bit/s
                """,
                hint: "\(usual ?? range.lowerBound) is the default")
        case .list(let takes):
            let known = takes(shape)
            guard !known.contains(asked) else { break }
            throw impossible(
                subject, "\(codec.rawValue) at \(rate) Hz has no such rate", hint: "say \(.short(known))")
        case .orQuality(let takes, let rates, let mostChannels):
            let range = takes(shape)
            guard !rates.contains(rate) || channels > mostChannels || !range.contains(asked) else { break }
            throw impossible(
                subject,
                """
                \(codec.rawValue) takes \(range.lowerBound) to \(range.upperBound) bit/s, at \
                \(alternatives(rates.map(String.init))) Hz, mono or stereo
                """,
                hint: "\(.leaveOut): its sound then has an even quality")
        }
        return asked
    }
}

extension OutputRequest {
    /// The request for one of its sound tracks. `usual` is the codec of those that name none.
    fileprivate func ofSound(_ track: SoundRequest, usual: SoundCodec?) -> OutputRequest {
        var (own, all) = (self, sound)
        own.soundTracks = nil
        // A bit rate is meant for one codec.
        if let codec = track.codec, codec.lowercased() != usual?.rawValue { all.bitRate = nil }
        own.sound = track.taking(all)
        return own
    }
}
