package import MediaFacts
package import MediaTime
package import Outputs
import Pictures
package import SplitreelTimeline

/// Finds the output frame near another at which a source's key frame first shows, so that a chunk that starts there
/// decodes nothing in vain. Of several sources the one with the most pixels counts.
package struct KeyFrameFinder {
    let timeline: Timeline
    let assets: [String: AssetFacts]
    let timing: FrameTiming
    /// The composition time of output frame 0.
    let start: Rational

    package init(timeline: Timeline, assets: [String: AssetFacts], timing: FrameTiming, start: Rational) {
        self.timeline = timeline
        self.assets = assets
        self.timing = timing
        self.start = start
    }

    func nearest(to frame: Int, reach: Int) -> Int? { nearest(to: frame, within: (frame - reach)...(frame + reach)) }

    /// The output frame nearest to `frame` among `frames` at which a source's key frame first shows; nil where there is
    /// none.
    package func nearest(to frame: Int, within frames: ClosedRange<Int>) -> Int? {
        guard let shown = heaviestSource(at: frame), let keys = keys(of: shown),
            let next = time(at: frame + 1, like: shown)
        else { return nil }
        let step = next - shown.time
        guard step > .zero else { return nil }
        let after = firstKey(in: keys, after: shown.time)
        let length = timing.duration(ofFrame: frame)
        var best: Int?
        for index in [after - 1, after] where keys.indices.contains(index) {
            let ahead = (Rational(keys[index]) - shown.time) / step * length
            let candidate = timing.firstFrame(atOrAfter: timing.time(ofFrame: frame) + ahead)
            guard frames.contains(candidate),
                shows(Rational(keys[index]), firstAt: candidate, like: shown)
            else { continue }
            if let known = best, abs(known - frame) <= abs(candidate - frame) { continue }
            best = candidate
        }
        return best
    }

    private func time(_ frame: Int) -> Rational { start + timing.time(ofFrame: frame) }

    private func heaviestSource(at frame: Int) -> SourceFrame? {
        var best: (source: SourceFrame, pixels: Int)?
        for source in timeline.recipe(at: time(frame)).needs {
            guard let video = assets[source.asset]?.track(source.assetTrack)?.video, !video.keyFrames.isEmpty else {
                continue
            }
            let pixels = video.codedSize.width * video.codedSize.height
            if pixels > best?.pixels ?? 0 { best = (source, pixels) }
        }
        return best?.source
    }

    private func keys(of source: SourceFrame) -> [MediaTime]? {
        assets[source.asset]?.track(source.assetTrack)?.video?.keyFrames
    }

    private func time(at frame: Int, like source: SourceFrame) -> Rational? {
        timeline.recipe(at: time(frame)).needs.first {
            $0.track == source.track && $0.asset == source.asset && $0.assetTrack == source.assetTrack
        }?.time
    }

    /// Whether the frame shows the key frame and the frame before it does not.
    private func shows(_ key: Rational, firstAt frame: Int, like source: SourceFrame) -> Bool {
        guard let here = time(at: frame, like: source), here >= key else { return false }
        guard let before = time(at: frame - 1, like: source) else { return true }
        return before < key
    }

    private func firstKey(in keys: [MediaTime], after time: Rational) -> Int {
        keys.partitionPoint { Rational($0) <= time }
    }
}
