import Composition
import MediaTime

/// Looks at a few frames of a chunk to tell its kind and its expected cost.
struct ChunkProfiler {
    var timeline: Timeline
    var assets: [String: AssetFacts]
    var time: (_ frame: Int) -> Rational
    /// First frames of the instructions, sorted.
    var boundaries: [Int]

    /// Most frames of one chunk that are looked at.
    static let mostProbes = 16
    /// Of a frame, however small: a chunk without a cost would not count in progress.
    static let leastCost = 0.001
    static let unitPixels = 1280.0 * 720.0

    func profile(_ frames: Range<Int>) -> (kind: Chunk.Kind, cost: Double) {
        var kind = Chunk.Kind.still
        var total = 0.0
        let probes = probes(in: frames)
        for probe in probes {
            let layers = timeline.recipe(at: time(probe)).layers
            total += cost(of: layers)
            let hasMedia = layers.contains { isMoving($0) }
            if layers.count > 1 && hasMedia {
                kind = .composite
            } else if hasMedia && kind == .still {
                kind = .source
            }
        }
        let perFrame = max(Self.leastCost, probes.isEmpty ? 0 : total / Double(probes.count))
        return (kind, (perFrame * Double(frames.count) * 1000).rounded() / 1000)
    }

    private func probes(in frames: Range<Int>) -> [Int] {
        var probes: Set<Int> = [frames.lowerBound, frames.lowerBound + frames.count / 2, frames.upperBound - 1]
        var index = firstBoundary(after: frames.lowerBound)
        while index < boundaries.count, boundaries[index] < frames.upperBound, probes.count < Self.mostProbes {
            probes.insert(boundaries[index])
            index += 1
        }
        return probes.sorted()
    }

    private func firstBoundary(after frame: Int) -> Int {
        boundaries.partitionPoint { $0 <= frame }
    }

    private func isMoving(_ layer: LayerRecipe) -> Bool { assets[layer.asset]?.kind == .media }

    /// 1 is one frame of one 1280×720 source shown at 1280×720: half for decoding, half for composing and encoding.
    private func cost(of layers: [LayerRecipe]) -> Double {
        let canvas = Double(timeline.renderSize.width) * Double(timeline.renderSize.height) / Self.unitPixels
        var cost = 0.5 * canvas + 0.25 * canvas * Double(max(0, layers.count - 1))
        for layer in layers where isMoving(layer) {
            guard let size = assets[layer.asset]?.track(layer.assetTrack)?.video?.codedSize else { continue }
            cost += 0.5 * Double(size.width) * Double(size.height) / Self.unitPixels
        }
        return cost
    }
}
