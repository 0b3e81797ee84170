/// A track of a film whose frames decide when an output's frames begin.
package struct TimingSource: Sendable, Hashable {
    /// The name that the asset's facts have.
    package var asset: String
    /// Position of the track in the file, from 1.
    package var track: Int
}

extension Project {
    /// What its timing track plays, and those of the nested compositions that it plays; each once.
    package func timingSources(_ facts: [String: AssetFacts]) -> [TimingSource] {
        var found: [TimingSource] = []
        let timing = renderedTracks.first { $0.track.id == video?.frameTimingTrack }?.track
        for segment in timing?.segments ?? [] {
            guard let name = segment.asset, let known = facts[name], let track = known.videoTrack(of: segment) else {
                continue
            }
            let source = TimingSource(asset: name, track: track.id)
            let isMoving =
                switch kind(of: name, facts: facts) {
                case .media, .animatedImage, .imageSequence: true
                case .livePhoto: segment.source != nil
                default: false
                }
            if isMoving, !found.contains(source) { found.append(source) }
        }
        for name in playedNested {
            let inner = assets[name]?.project?.timingSources(facts.inside(name)) ?? []
            found += inner.map { TimingSource(asset: nestedPrefix(name) + $0.asset, track: $0.track) }
        }
        return found
    }
}
