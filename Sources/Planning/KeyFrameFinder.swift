import Composition
import MediaTime

/// Finds the output frame near another at which a source's key frame first shows, so that a chunk that starts there
/// decodes nothing in vain. Of several layers the one with the most pixels counts.
struct KeyFrameFinder {
    var timeline: Timeline
    var assets: [String: AssetFacts]
    var grid: FrameGrid
    /// Composition time of output frame 0.
    var start: Rational

    func nearest(to frame: Int, reach: Int) -> Int? {
        guard let layer = heaviestLayer(at: frame), let keys = keys(of: layer),
            let next = source(at: frame + 1, like: layer)
        else { return nil }
        let step = next - layer.sourceTime
        guard step > .zero else { return nil }
        let after = firstKey(in: keys, after: layer.sourceTime)
        var best: Int?
        for index in [after - 1, after] where keys.indices.contains(index) {
            let ahead = ((Rational(keys[index]) - layer.sourceTime) / step).ceil()
            // `ahead` may be as large as an Int gets.
            guard ahead.magnitude <= reach.magnitude else { continue }
            let candidate = frame + ahead
            guard shows(Rational(keys[index]), firstAt: candidate, like: layer) else { continue }
            if let known = best, abs(known - frame) <= abs(ahead) { continue }
            best = candidate
        }
        return best
    }

    private func time(_ frame: Int) -> Rational { start + grid.time(ofFrame: frame) }

    private func heaviestLayer(at frame: Int) -> LayerRecipe? {
        var best: (layer: LayerRecipe, pixels: Int)?
        for layer in timeline.recipe(at: time(frame)).layers {
            guard let video = assets[layer.asset]?.track(layer.assetTrack)?.video, !video.keyFrames.isEmpty else {
                continue
            }
            let pixels = video.codedSize.width * video.codedSize.height
            if pixels > best?.pixels ?? 0 { best = (layer, pixels) }
        }
        return best?.layer
    }

    private func keys(of layer: LayerRecipe) -> [MediaTime]? {
        assets[layer.asset]?.track(layer.assetTrack)?.video?.keyFrames
    }

    private func source(at frame: Int, like layer: LayerRecipe) -> Rational? {
        timeline.recipe(at: time(frame)).layers.first {
            $0.track == layer.track && $0.asset == layer.asset && $0.assetTrack == layer.assetTrack
        }?.sourceTime
    }

    /// Whether the frame shows the key frame and the frame before it does not.
    private func shows(_ key: Rational, firstAt frame: Int, like layer: LayerRecipe) -> Bool {
        guard let here = source(at: frame, like: layer), here >= key else { return false }
        guard let before = source(at: frame - 1, like: layer) else { return true }
        return before < key
    }

    private func firstKey(in keys: [MediaTime], after time: Rational) -> Int {
        keys.partitionPoint { Rational($0) <= time }
    }
}
