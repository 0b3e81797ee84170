import MediaTime
import Pictures

extension Asset {
    /// Whether it is another composition.
    package var isNested: Bool { kind == .composition || (kind == nil && project != nil) }
}

/// What stands in front of the names of a nested composition's assets wherever they are known beside those of others.
func nestedPrefix(_ name: String) -> String { name + "/" }

extension Project {
    /// All assets, those of nested compositions too, sorted: the name that their facts have, and their place in the
    /// file.
    package var allAssets: [(name: String, place: String, asset: Asset)] {
        assets.sorted { $0.key < $1.key }.flatMap { name, asset in
            let place = "assets.\(name)"
            let inner = asset.project?.allAssets ?? []
            return [(name, place, asset)]
                + inner.map { (nestedPrefix(name) + $0.name, "\(place).project.\($0.place)", $0.asset) }
        }
    }

    /// The nested compositions that enabled tracks play, layers of the animation show or effects look at, sorted.
    var playedNested: [String] {
        let all = Set(assets.filter(\.value.isNested).keys)
        guard !all.isEmpty else { return [] }
        return Set(renderedTracks.flatMap(\.track.segments).compactMap(\.asset)).union(animatedAssets)
            .union(effectAssets).intersection(all).sorted()
    }

    /// The assets that layers of its animation show.
    var animatedAssets: Set<String> { Set((video?.animation?.assets ?? []).map(\.name)) }

    /// Adds what is known of nested compositions to the facts of all files, see `allAssets`; those of which a file is
    /// not known are left out.
    package func addNestedFacts(to facts: inout [String: AssetFacts]) {
        var room = FrameTimes.mostFrames
        addNestedFacts(to: &facts, room: &room)
    }

    /// - Parameter room: how many frames the lists of all nested compositions may still have, see `ownFrameTimes`.
    private func addNestedFacts(to facts: inout [String: AssetFacts], room: inout Int) {
        for (name, asset) in assets where asset.isNested {
            guard let project = asset.project else { continue }
            var inner = facts.inside(name)
            project.addNestedFacts(to: &inner, room: &room)
            for (key, value) in inner { facts[nestedPrefix(name) + key] = value }
            if (try? SourceLookup(project: project, facts: inner).checkComplete()) != nil {
                facts[name] = project.factsAsAsset(inner, room: &room)
            }
        }
    }

    /// What is known of this project where another one shows it: it is a film of its canvas's size in its own rate,
    /// with its sound as the other track. One of nothing but stills and generators has neither rate nor colour.
    private func factsAsAsset(_ facts: [String: AssetFacts], room: inout Int) -> AssetFacts {
        let lookup = SourceLookup(project: self, facts: facts)
        let duration = exactDuration.mediaTime
        var tracks: [TrackFacts] = []
        if hasPicture {
            var video = VideoFacts(
                codedSize: lookup.canvasSize.scaled(by: video?.renderScale ?? 1), pixelFormat: "",
                colour: lookup.hasColourOfItsOwn ? lookup.colour : nil,
                nominalFrameRate: lookup.hasRateOfItsOwn
                    ? lookup.frameDuration.exact.flatMap { $0 > .zero ? (Rational(1) / $0).mediaTime : nil } : nil)
            video.hdrMetadata = lookup.filmLight.metadata
            var track = TrackFacts(id: 1, type: .video, codec: "", duration: duration, video: video)
            track.video?.frameTimes = ownFrameTimes(facts, room: &room)
            tracks.append(track)
        }
        if renderedTracks.contains(where: { $0.track.type == .audio && !$0.track.segments.isEmpty }) {
            tracks.append(TrackFacts(id: tracks.count + 1, type: .audio, codec: "", duration: duration))
        }
        return AssetFacts(kind: .composition, path: "", duration: duration, tracks: tracks)
    }

    /// When its frames begin where a track of its own decides that; nil where they are even, and where nothing can be
    /// said: the composition is not valid, or there is no room for the list, and then for none that follows.
    private func ownFrameTimes(_ facts: [String: AssetFacts], room: inout Int) -> FrameTimes? {
        guard video?.frameTimingTrack != nil, room > 0, let timeline = try? Timeline(project: self, assets: facts),
            let times = (try? timeline.frameTimes(from: .zero, to: timeline.duration, assets: facts)) ?? nil
        else { return nil }
        room = times.count <= room ? room - times.count : 0
        return room > 0 ? times : nil
    }

    /// The assets that enabled video tracks show, sorted.
    var shownAssets: [String] {
        Set(renderedTracks.filter { $0.track.type == .video }.flatMap(\.track.segments).compactMap(\.asset)).sorted()
    }

    /// Whether it has instructions, or tracks from which some are made.
    var hasPicture: Bool {
        !(video?.instructions ?? []).isEmpty
            || renderedTracks.contains { $0.track.type == .video && !$0.track.segments.isEmpty }
    }
}

extension [String: AssetFacts] {
    /// Of a nested composition's assets, by their names there.
    func inside(_ name: String) -> [String: AssetFacts] {
        let prefix = nestedPrefix(name)
        return reduce(into: [:]) { inner, entry in
            if entry.key.hasPrefix(prefix) { inner[String(entry.key.dropFirst(prefix.count))] = entry.value }
        }
    }
}

extension Timeline {
    /// The picture at a time for a composition that shows this one in a track: sampled and held on its own frames,
    /// which `times` may say, of its own size. O(layers · log n).
    func picture(heldAt time: Rational, _ times: FrameTimes?, for track: Int) -> PictureNode {
        var group = recipe(at: frameTime(heldAt: time, times)).resolved { source in
            var source = source
            // Any number will do that tells readers apart; neighbouring tracks' are far from each other.
            source.track = (track &* 0x9E37_79B9_7F4A_7C1 &+ source.track &+ 1) | 1 << 62
            return source
        }
        group.showsMatteAlone = true
        group.colour = writtenColour
        return .group(group)
    }

    private func frameTime(heldAt time: Rational, _ times: FrameTimes?) -> Rational {
        if let times { return times.time(ofFrame: max(0, times.frame(at: time))) }
        let grid = FrameGrid(frameDuration: frameDuration)
        let last = max(0, grid.frameCount(duration: duration) - 1)
        return grid.time(ofFrame: min(max(0, grid.frame(at: time)), last))
    }
}
