import MediaFacts
import MediaTime
import Pictures
import SplitreelTimeline

/// The work that a slot does in vain where it begins with a chunk and has not rendered the one before it: from each
/// source's last key frame to the frame before the chunk its pictures are decoded, and shown nowhere.
struct LeadIn {
    let timeline: Timeline
    let assets: [String: AssetFacts]
    /// The composition time of a frame.
    let time: (_ frame: Int) -> Rational

    /// The share of pictures that others refer to, about: the rest is not decoded on the way.
    static let decodedShare = 0.5

    /// The work in the unit of `Chunk.cost`, about; 0 where decoding begins at the frame anyhow.
    func cost(of frame: Int) -> Double {
        guard frame > 0 else { return 0 }
        let before = timeline.recipe(at: time(frame - 1)).flattened.needs
        var cost = 0.0
        for source in timeline.recipe(at: time(frame)).flattened.needs {
            guard let video = assets[source.asset]?.track(source.assetTrack)?.video,
                let rate = video.nominalFrameRate,
                // A source that begins here, or jumps back, costs every slot as much.
                let last = before.first(where: { $0.isOfTrack(of: source) })?.time, last <= source.time,
                case let later = video.keyFrames.partitionPoint(where: { Rational($0) <= source.time }), later > 0
            else { continue }
            let key = Rational(video.keyFrames[later - 1])
            guard key <= last else { continue }
            let frames = (last - key).double * Rational(rate).double
            let pixels = Double(video.codedSize.width) * Double(video.codedSize.height)
            cost += Self.decodedShare * frames * ChunkProfiler.decodingCost(pixels: pixels)
        }
        return (cost * 1000).rounded() / 1000
    }
}

extension SourceFrame {
    fileprivate func isOfTrack(of other: SourceFrame) -> Bool {
        track == other.track && asset == other.asset && assetTrack == other.assetTrack
    }
}
