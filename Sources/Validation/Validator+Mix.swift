import Diagnostics
import JSONText
import MediaFacts
import MediaTime
import SplitreelProject

/// Warnings of a mix that clips, or that nobody hears, as far as its volumes tell.
extension Validator {
    mutating func checkLoudness() {
        let silent = project.silencedTracks
        let sounding = project.renderedTracks.map(\.track).filter { track in
            track.type == .audio && track.segments.contains { !$0.isEmpty }
        }
        if let first = sounding.first, sounding.allSatisfy({ silent.contains($0.id) }) {
            let input = inputs[first.id].map { "audio.inputs[\($0.index)]" + ($0.input.mute == true ? ".mute" : "") }
            warn(.mixIsSilent, input ?? "audio.inputs", "nothing is heard: `mute` and `solo` leave no track")
        }
        for (index, track) in project.renderedTracks where track.type == .audio && !silent.contains(track.id) {
            guard let first = track.segments.first(where: { !$0.isEmpty })?.target.exact?.start else { continue }
            var factors = [Factor(track.preferredVolume ?? 1, "composition.tracks[\(index)].preferredVolume")]
            factors.append(loudestKey(of: track.id, from: first))
            factors.append(loudestSegment(track, "composition.tracks[\(index)]"))
            let gain = factors.reduce(1) { $0 * $1.volume }
            if gain == 0, let silent = factors.first(where: { $0.volume == 0 }) {
                warn(.mixIsSilent, silent.path, "track \(track.id) is never heard: its volume is always 0")
            } else if gain > 1, gain.isFinite, let loudest = factors.max(by: { $0.volume < $1.volume }) {
                let times = JSONValue((gain * 100).rounded() / 100).canonicalBytes()
                warn(
                    .mixMayClip, loudest.path,
                    "track \(track.id) is lifted to \(String(decoding: times, as: UTF8.self)) times its level: what is "
                        + "above full scale is cut off", hint: "1 is the level of the source")
            }
        }
    }

    private struct Factor {
        var volume: Double
        var path: String

        init(_ volume: Double, _ path: String) { (self.volume, self.path) = (volume, path) }
    }

    /// The highest value of a track's volume keys from the first sound on; 1 counts where no key stands before it.
    private func loudestKey(of track: Int, from first: Rational) -> Factor {
        guard let (index, input) = inputs[track], let keys = input.volume, !keys.isEmpty else { return Factor(1, "") }
        let path = "audio.inputs[\(index)].volume"
        let begins = keys[0].at?.exact ?? keys[0].range?.exact?.start ?? .zero
        var loudest = begins > first ? Factor(1, path) : Factor(0, path)
        for (number, key) in keys.enumerated() {
            // A number that is no volume has its own error.
            let written = [key.value, key.from, key.to].compactMap { $0 }
            if written.contains(where: { !($0 >= 0) }) { return Factor(1, path) }
            let value = (written + overshoot(of: key)).max() ?? 0
            if value > loudest.volume { loudest = Factor(value, "\(path)[\(number)]") }
        }
        return loudest
    }

    /// The volumes on the way of an eased ramp, which may lie beyond both of its ends.
    private func overshoot(of key: Key<Double>) -> [Double] {
        guard let easing = key.easing, let from = key.from, let to = key.to else { return [] }
        return (1..<100).map { from + (to - from) * easing.share(at: Double($0) / 100) }
    }

    private func loudestSegment(_ track: Track, _ path: String) -> Factor {
        var loudest: Factor?
        for (index, segment) in track.segments.enumerated() where !segment.isEmpty {
            let volume = segment.volume ?? 1
            if volume > loudest?.volume ?? -1 { loudest = Factor(volume, "\(path).segments[\(index)].volume") }
        }
        return loudest ?? Factor(1, path)
    }
}
