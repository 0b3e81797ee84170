package import MediaFacts
package import SplitreelProject

/// A track of a film that is read whole: its frames decide when an output's frames begin, or its text is used.
package struct TimingSource: Sendable, Hashable {
    /// The name that the asset's facts have.
    package var asset: String
    /// The track's id in the file, from 1.
    package var track: Int
}

extension Project {
    /// The tracks of films that its timing track plays, and those of the nested compositions that it plays; each once.
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
            let inner = assets[name]?.nested?.timingSources(facts.inside(name)) ?? []
            found += inner.map { TimingSource(asset: nestedPrefix(name) + $0.asset, track: $0.track) }
        }
        return found
    }
}

extension Project {
    /// The tracks of films whose text or data is used, and those of nested compositions; each once.
    package func textSources(_ facts: [String: AssetFacts]) -> [TimingSource] {
        var found: [TimingSource] = []
        func add(_ name: String, _ track: TrackFacts?) {
            guard let track else { return }
            let source = TimingSource(asset: name, track: track.id)
            if !found.contains(source) { found.append(source) }
        }
        for settings in video?.subtitles ?? [] where settings.enabled != false {
            add(settings.asset, facts[settings.asset]?.textTrack(settings.track))
        }
        for track in composition.tracks where track.isEnabled && (track.type.isOfText || track.type == .metadata) {
            for segment in track.segments {
                guard let name = segment.asset else { continue }
                let played = facts[name]?.dataTrack(segment.track, for: track.type)
                // Other data are for compositors and texts alone.
                let isWanted = played?.isText == true || video?.sampleDataTracks?.contains(track.id) == true
                if isWanted { add(name, played) }
            }
        }
        for (name, asset) in assets.sorted(by: { $0.key < $1.key }) where asset.isNested {
            let inner = asset.nested?.textSources(facts.inside(name)) ?? []
            found += inner.map { TimingSource(asset: nestedPrefix(name) + $0.asset, track: $0.track) }
        }
        return found
    }
}
