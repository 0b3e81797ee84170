package import MediaFacts
import MediaTime
import SplitreelProject
import SplitreelTimeline

extension Project {
    /// Adds the facts of nested compositions to the facts of all files, see `allAssets`; compositions of which a file
    /// is not known are left out.
    package func addNestedFacts(to facts: inout [String: AssetFacts]) {
        var room = FrameTimes.mostFrames
        addNestedFacts(to: &facts, room: &room)
    }

    /// - Parameter room: the frames that the lists of all nested compositions may still have, see `ownFrameTimes`.
    private func addNestedFacts(to facts: inout [String: AssetFacts], room: inout Int) {
        for (name, asset) in assets {
            guard let project = asset.nested else { continue }
            var inner = facts.inside(name)
            project.addNestedFacts(to: &inner, room: &room)
            for (key, value) in inner { facts[nestedPrefix(name) + key] = value }
            if (try? SourceLookup(project: project, facts: inner).checkComplete()) != nil {
                facts[name] = project.factsAsAsset(inner, room: &room)
            }
        }
    }

    /// The facts of this project where another one shows it: it is a film of its canvas's size in its own rate, with
    /// its sound as the other track. A project of nothing but stills and generators has neither rate nor colour.
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

    /// The times of its frames where a track of its own decides them; nil where they are even, and where nothing can be
    /// said: the composition is not valid, or there is no room for the list, and then for none that follows.
    private func ownFrameTimes(_ facts: [String: AssetFacts], room: inout Int) -> FrameTimes? {
        guard video?.frameTimingTrack != nil, room > 0, let timeline = try? Timeline(project: self, assets: facts),
            let times = (try? timeline.frameTimes(from: .zero, to: timeline.duration, assets: facts)) ?? nil
        else { return nil }
        room = times.count <= room ? room - times.count : 0
        return room > 0 ? times : nil
    }
}
