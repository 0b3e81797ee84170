import Diagnostics
import MediaTime

/// What all taps of a project may remember, in seconds: for stereo at 48 kHz one of an impulse takes some 13 MB, and
/// one of a delay 0.4 MB.
private let mostImpulse = 60.0
private let mostDelay = 600.0

extension Validator {
    /// Of the tracks that are heard, and of the mix: it is all held at one time.
    mutating func checkMemoryOfTaps() {
        let heard = Set(project.renderedTracks.map(\.track.id)).subtracting(project.silencedTracks)
        var taps: [(path: String, tap: AudioTap)] = []
        for (index, input) in (project.audio?.inputs ?? []).enumerated() where heard.contains(input.track) {
            taps += input.allTaps.prefix(mostTaps).map { ("audio.inputs[\(index)]\($0.place)", $0.tap) }
        }
        taps += (project.audio?.taps ?? []).prefix(mostTaps).enumerated().map { ("audio.taps[\($0)]", $1) }
        var (impulses, delays) = (0.0, 0.0)
        for (path, tap) in taps {
            let (impulse, delay) = memory(of: tap)
            if impulses <= mostImpulse, impulses + impulse > mostImpulse {
                error(
                    .valueNotAllowed, "\(path).params.\(tap.choice.acting?.soundName ?? "")",
                    "all impulses together last longer than the limit of \(Int(mostImpulse)) s",
                    hint: "take shorter ones, or one tap on the mix in place of one on each track")
            }
            if delays <= mostDelay, delays + delay > mostDelay {
                error(
                    .valueNotAllowed, path + ".params.time",
                    "all delays together last longer than the limit of \(Int(mostDelay)) s",
                    hint: "take shorter ones, or one tap on the mix in place of one on each track")
            }
            (impulses, delays) = (impulses + impulse, delays + delay)
        }
    }

    /// In seconds; 0 of a file that nothing is known of.
    private func memory(of tap: AudioTap) -> (impulse: Double, delay: Double) {
        guard let description = tap.choice.acting, description.soundName != nil || description.id == "delay" else {
            return (0, 0)
        }
        var problems: [Problem] = []
        let parameters = EffectParameters(tap.params, of: description, "", problems: &problems)
        var delay = 0.0
        if description.id == "delay", case .numbers(let time)? = parameters.fixed["time"] { delay = time.first ?? 0 }
        let impulse = parameters.sounds.values.reduce(0) { sum, name in
            let known = facts?[name]
            let length = known?.firstTrack(of: .audio)?.duration.exact ?? known?.duration.exact ?? .zero
            return sum + max(0, length.double)
        }
        return (impulse, delay)
    }
}

extension EffectDescription {
    /// The parameter that names an asset with sound.
    fileprivate var soundName: String? {
        parameters.first { if case .sound = $0.kind { true } else { false } }?.name
    }
}
