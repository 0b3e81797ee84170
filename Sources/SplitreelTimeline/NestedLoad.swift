package import MediaFacts
import Pictures
package import SplitreelProject

/// The numbers of pictures and sounds that one frame and one moment of sound need at most, nested compositions
/// included.
package struct NestedLoad {
    package var pictures = 0.0
    package var sounds = 0.0
    /// The pixels of the largest canvases in one another, without the outermost.
    package var pixels = 0.0

    package init(_ project: Project, facts: [String: AssetFacts]?) {
        let inner = project.assets.compactMapValues { asset in asset.keys.project }.map { name, project in
            let own = facts?.inside(name)
            var load = NestedLoad(project, facts: own)
            let size = SourceLookup(project: project, facts: own ?? [:]).canvasSize
                .scaled(by: min(max(project.video?.renderScale ?? 1, 0), 1000))
            load.pixels += Double(size.width) * Double(size.height)
            return (name, load)
        }
        let loads = Dictionary(uniqueKeysWithValues: inner)
        var byTrack: [Int: Double] = [:]
        // The pictures of an animation: the composed frame, each layer's picture, border and group, and what it shows.
        var animated = 0.0
        if let tree = project.video?.animation {
            let shown = tree.assets.compactMap { loads[$0.name] }
            animated = 3 * Double(tree.layers.count) + shown.reduce(0) { $0 + $1.pictures }
            pixels = shown.reduce(pixels) { max($0, $1.pixels) }
            if let track = tree.track { (byTrack[track], animated) = (animated, 0) }
        }
        for (_, track) in project.renderedTracks {
            let shown = Set(track.segments.compactMap(\.asset)).map { loads[$0] }
            for case let load? in shown { pixels = max(pixels, load.pixels) }
            if track.type == .video {
                byTrack[track.id] = shown.map { 1 + ($0?.pictures ?? 0) }.max() ?? 0
            } else {
                sounds += shown.map { max(1, $0?.sounds ?? 1) }.max() ?? 0
            }
        }
        for case let load? in project.effectAssets.map({ loads[$0] }) { pixels = max(pixels, load.pixels) }
        func after(_ effects: [RegisteredChoice]?, _ input: Double) -> Double {
            (effects ?? []).reduce(input) { $1.pictures(of: $0, loads, byTrack) }
        }
        if let written = project.video?.instructions, !written.isEmpty {
            pictures =
                written.map { instruction in
                    let drawn =
                        instruction.passthroughTrack.map { byTrack[$0] ?? 0 }
                        ?? (instruction.layers ?? []).reduce(0) { $0 + after($1.effects, byTrack[$1.track] ?? 0) }
                    return after(instruction.wholeEffects, after(project.video?.compositor.map { [$0] }, drawn))
                }.max() ?? 0
        } else {
            pictures = byTrack.values.reduce(0, +)
            for (_, track) in project.renderedTracks where track.type == .video {
                pictures += track.segments.compactMap { $0.transition.map { after([$0.choice], 0) } }.max() ?? 0
            }
        }
        pictures = after(project.video?.effects, pictures)
        if let tree = project.video?.animation, tree.track == nil {
            // Each layer that shows the film makes it once more.
            let names = Set(tree.videoLayers ?? [])
            pictures *= Double(max(1, tree.layers.count { $0.layer.id.map(names.contains) ?? false }))
        }
        pictures += animated
    }
}

extension RegisteredChoice {
    /// The number of pictures that one frame of what it is on becomes: it may look at those around it, and at others.
    fileprivate func pictures(of input: Double, _ loads: [String: NestedLoad], _ byTrack: [Int: Double]) -> Double {
        guard let acting else { return input }
        let named = named
        let others =
            named.assets.values.reduce(0) { $0 + 1 + (loads[$1]?.pictures ?? 0) }
            + named.tracks.values.reduce(0) { $0 + (byTrack[$1] ?? 0) }
        return input * Double(1 + acting.framesBehind + acting.framesAhead) + others
    }
}
