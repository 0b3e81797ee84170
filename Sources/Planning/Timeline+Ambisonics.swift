import Diagnostics
package import MediaFacts
import Outputs
import SplitreelProject
package import SplitreelTimeline

extension Timeline {
    /// The layout of the one sound field that all the timeline's sounds are; nil where a sound is another, and without
    /// sound.
    package func soundField(_ assets: [String: AssetFacts]) -> ChannelLayout? {
        let layouts = soundLayouts(assets)
        guard let layout = layouts.first.flatMap({ $0.flatMap(ChannelLayout.init(rawValue:)) }), layout.isField else {
            return nil
        }
        return layouts.count == 1 ? layout : nil
    }

    /// The names of the layouts of the timeline's sounds; nil in it stands for a generated sound.
    private func soundLayouts(_ assets: [String: AssetFacts]) -> Set<String?> {
        var layouts: Set<String?> = []
        for segment in audio.flatMap(\.segments) {
            if let inner = nested[segment.asset] {
                layouts.formUnion(inner.soundLayouts(assets))
            } else if segment.generated != nil {
                layouts.insert(nil)
            } else if let own = assets[segment.asset]?.track(segment.assetTrack)?.audio {
                layouts.insert(own.layout)
            }
        }
        return layouts
    }

    /// Throws where one of a film's sounds would mix sound fields with others; see below.
    func refuseMixedFields(_ sounds: [SoundProgram], assets: [String: AssetFacts]) throws {
        for sound in sounds {
            let heard = hearing(sound.tracks)
            try heard.refuseMixedFields(
                sound.settings.channelLayout, assets: assets, common: heard.soundField(assets))
        }
    }

    /// An ambisonic film has ambisonic sound of its own order alone, and other films none: one is no mix of the other.
    /// Throws the first thing that would mix them, `.settingsImpossible`.
    ///
    /// - Parameters:
    ///   - layout: the layout of the film's sound that hears all of this timeline's tracks.
    ///   - common: the sound field that all of the film's sounds are.
    private func refuseMixedFields(
        _ layout: ChannelLayout, assets: [String: AssetFacts], common: ChannelLayout?
    ) throws {
        let isField = layout.isField
        if isField, loudness != nil {
            throw refused("audio.loudness", "the loudness of an ambisonic sound is not measured", "leave it out")
        }
        for track in audio {
            let place = "track \(track.track)"
            if isField, !track.pans.spans.isEmpty || !track.balances.spans.isEmpty || track.loudness != nil {
                throw refused(
                    place, "ambisonic sound has no left and right, and no loudness of its own",
                    "leave out `pan`, `balance` and `loudness`")
            }
            for segment in track.segments {
                if let inner = nested[segment.asset] {
                    try inner.refuseMixedFields(layout, assets: assets, common: common)
                } else if segment.generated != nil {
                    guard isField else { continue }
                    throw refused(
                        place, "a generator has no place in an ambisonic sound",
                        "make it a file that says \(layout.rawValue)")
                } else if let own = assets[segment.asset]?.track(segment.assetTrack)?.audio {
                    try refuse(own, place + ", " + segment.asset, in: layout, common)
                }
            }
        }
    }

    private func refuse(
        _ own: AudioFacts, _ place: String, in layout: ChannelLayout, _ common: ChannelLayout?
    ) throws {
        let isOwnField = own.layout.hasPrefix("ambisonic")
        guard own.layout != layout.rawValue, isOwnField || layout.isField else { return }
        let name = own.layout
        var hint: Phrase = "encode it into ambisonics beforehand, or give the film a layout of loudspeakers"
        if isOwnField {
            let isKnown = ChannelLayout(rawValue: name) != nil
            hint =
                isKnown
                ? (common != nil
                    ? "say \(.channelLayout) '\(name)', or decode it beforehand"
                    : "not all sounds are such a field: decode it beforehand")
                : "bring it to \(alternatives(ChannelLayout.fields.map(\.rawValue))), or decode it, beforehand"
        }
        throw refused(
            place,
            layout.isField
                ? "its sound is \(name), and the film's is \(layout.rawValue)"
                : "its sound is \(name): a sound field, and not channels of loudspeakers",
            hint)
    }

    private func refused(_ place: String, _ reason: Phrase, _ hint: Phrase) -> SplitreelError {
        impossible(place, reason, hint: hint)
    }
}
