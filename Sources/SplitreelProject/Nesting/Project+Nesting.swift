package import MediaFacts
import MediaTime
import Pictures

/// The text in front of the names of a nested composition's assets wherever they are known beside those of others.
package func nestedPrefix(_ name: String) -> String { name + "/" }

extension Project {
    /// All assets, those of nested compositions too, sorted, with the name that their facts have and their place in the
    /// file.
    package var allAssets: [(name: String, place: String, asset: Asset)] {
        assets.sorted { $0.key < $1.key }.flatMap { name, asset in
            let place = "assets.\(name)"
            let inner = asset.keys.project?.allAssets ?? []
            return [(name, place, asset)]
                + inner.map { (nestedPrefix(name) + $0.name, "\(place).project.\($0.place)", $0.asset) }
        }
    }

    /// The nested compositions that enabled tracks play, layers of the animation show or effects look at, sorted.
    package var playedNested: [String] {
        let all = Set(assets.filter(\.value.isNested).keys)
        guard !all.isEmpty else { return [] }
        return Set(renderedTracks.flatMap(\.track.segments).compactMap(\.asset)).union(animatedAssets)
            .union(effectAssets).intersection(all).sorted()
    }

    /// The assets that layers of its animation show.
    package var animatedAssets: Set<String> { Set((video?.animation?.assets ?? []).map(\.name)) }

    /// The assets that enabled video tracks show, sorted.
    package var shownAssets: [String] {
        Set(renderedTracks.filter { $0.track.type == .video }.flatMap(\.track.segments).compactMap(\.asset)).sorted()
    }

    /// Whether the project has instructions, or tracks from which some are made.
    package var hasPicture: Bool {
        !(video?.instructions ?? []).isEmpty
            || renderedTracks.contains { $0.track.type == .video && !$0.track.segments.isEmpty }
    }
}

extension [String: AssetFacts] {
    /// The facts of a nested composition's assets, by their names there.
    package func inside(_ name: String) -> [String: AssetFacts] {
        let prefix = nestedPrefix(name)
        return reduce(into: [:]) { inner, entry in
            if entry.key.hasPrefix(prefix) { inner[String(entry.key.dropFirst(prefix.count))] = entry.value }
        }
    }
}
