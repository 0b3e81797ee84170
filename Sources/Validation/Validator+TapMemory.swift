import Diagnostics
import JSONText
import MediaFacts
import MediaTime
import SplitreelProject

/// The seconds that all taps of a project may remember of impulses and, below, of delays: for stereo at 48 kHz one of
/// an impulse takes some 13 MB, and one of a delay 0.4 MB.
private let mostImpulse = 60.0
private let mostDelay = 600.0

extension Validator {
    /// Checks the memory of the taps of the tracks that are heard, of the mix, and of nested compositions that play in
    /// them: it is all held at one time. Too much of nested ones is told where the outermost shows them.
    mutating func checkMemoryOfTaps() {
        var sum = TapSeconds()
        let tracks = project.heardTracks.count
        for (path, tap) in project.heardTaps {
            let own = TapSeconds(of: tap, facts, tracks: tracks)
            add(
                own, to: &sum, "\(path).params.\(tap.choice.acting?.soundName ?? "")",
                "\(path).params.\(tap.choice.acting?.delayName ?? "")",
                hint: "take shorter ones, or one tap on the mix in place of one on each track")
        }
        guard !isNested else { return }
        for (index, nested) in project.nestedTapSeconds(facts) {
            let place = "composition.tracks[\(index)]"
            add(nested, to: &sum, place, place, hint: "render some of the nested compositions beforehand")
        }
    }

    private mutating func add(
        _ own: TapSeconds, to sum: inout TapSeconds, _ impulsePath: String, _ delayPath: String, hint: String
    ) {
        let before = sum
        sum = TapSeconds(impulses: before.impulses + own.impulses, delays: before.delays + own.delays)
        func message(_ what: String, _ seconds: Double, _ most: Double) -> String {
            let whole = Int(min(seconds.rounded(.up), 1e9))
            return "all \(what) together last \(whole) s, longer than the limit of \(Int(most)) s"
        }
        if before.impulses <= mostImpulse, sum.impulses > mostImpulse {
            error(.valueNotAllowed, impulsePath, message("impulses", sum.impulses, mostImpulse), hint: hint)
        }
        if before.delays <= mostDelay, sum.delays > mostDelay {
            error(.valueNotAllowed, delayPath, message("delays", sum.delays, mostDelay), hint: hint)
        }
    }
}

/// The memory of taps, in seconds of sound.
private struct TapSeconds {
    var impulses = 0.0
    var delays = 0.0

    init(impulses: Double = 0, delays: Double = 0) { (self.impulses, self.delays) = (impulses, delays) }

    /// The seconds of one tap; 0 for a file that nothing is known of.
    ///
    /// - Parameter tracks: the tracks that are heard: each keeps its sound for as long as any tap looks ahead.
    init(of tap: AudioTap, _ facts: [String: AssetFacts]?, tracks: Int) {
        guard let description = tap.choice.acting,
            description.soundName != nil || description.delayName != nil
        else { return }
        var problems: [Problem] = []
        let parameters = EffectParameters(tap.params, of: description, "", problems: &problems)
        if let name = description.delayName, case .numbers(let time)? = parameters.fixed[name] {
            delays = (time.first ?? 0) * (description.id == "duck" ? Double(max(1, tracks)) : 1)
        }
        impulses = parameters.sounds.values.reduce(0) { sum, name in
            let known = facts?[name]
            let length = known?.firstTrack(of: .audio)?.duration.exact ?? known?.duration.exact ?? .zero
            return sum + max(0, length.double)
        }
    }
}

extension Project {
    fileprivate var heardTracks: Set<Int> { Set(renderedTracks.map(\.track.id)).subtracting(silencedTracks) }

    /// The taps of heard tracks and of the mix, with their places.
    fileprivate var heardTaps: [(path: String, tap: AudioTap)] {
        let heard = heardTracks
        var taps: [(path: String, tap: AudioTap)] = []
        for (index, input) in (audio?.inputs ?? []).enumerated() where heard.contains(input.track) {
            taps += input.allTaps.prefix(mostTaps).map { ("audio.inputs[\(index)]\($0.place)", $0.tap) }
        }
        return taps + (audio?.taps ?? []).prefix(mostTaps).enumerated().map { ("audio.taps[\($0)]", $1) }
    }

    /// The memory of the taps of nested compositions, by the place of the track that plays them. A track plays one at a
    /// time: the one with most counts.
    fileprivate func nestedTapSeconds(_ facts: [String: AssetFacts]?) -> [(index: Int, seconds: TapSeconds)] {
        let heard = heardTracks
        var known: [String: TapSeconds] = [:]
        return renderedTracks.filter { $0.track.type == .audio && heard.contains($0.track.id) }.map { index, track in
            var most = TapSeconds()
            for name in Set(track.segments.compactMap(\.asset)) {
                guard let inner = assets[name]?.keys.project else { continue }
                let own = known[name] ?? inner.tapSeconds(facts?.inside(name))
                known[name] = own
                most.impulses = max(most.impulses, own.impulses)
                most.delays = max(most.delays, own.delays)
            }
            return (index, most)
        }
    }

    private func tapSeconds(_ facts: [String: AssetFacts]?) -> TapSeconds {
        let tracks = heardTracks.count
        let all =
            heardTaps.map { TapSeconds(of: $0.tap, facts, tracks: tracks) } + nestedTapSeconds(facts).map(\.seconds)
        return TapSeconds(
            impulses: all.reduce(0) { $0 + $1.impulses }, delays: all.reduce(0) { $0 + $1.delays })
    }
}

extension EffectDescription {
    /// The name of the parameter that says for how long sound is held back; nil for none.
    fileprivate var delayName: String? { ["delay": "time", "duck": "lookahead"][id] }

    /// The name of the parameter that names an asset with sound; nil for none.
    fileprivate var soundName: String? {
        parameters.first { if case .sound = $0.kind { true } else { false } }?.name
    }
}
