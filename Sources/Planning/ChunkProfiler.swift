import MediaFacts
import MediaTime
import Pictures
import SplitreelTimeline

/// Looks at a few frames of a chunk to tell its kind and its expected cost.
struct ChunkProfiler {
    var timeline: Timeline
    var assets: [String: AssetFacts]
    var time: (_ frame: Int) -> Rational
    /// First frames of the instructions, sorted.
    var boundaries: [Int]

    /// Most frames of one chunk that are looked at.
    static let mostProbes = 16
    /// The cost of a frame at least: a chunk without a cost would not count in progress.
    static let leastCost = 0.001
    static let unitPixels = 1280.0 * 720.0

    func profile(_ frames: Range<Int>) -> (kind: Chunk.Kind, cost: Double) {
        var kind = Chunk.Kind.still
        var total = 0.0
        let probes = probes(in: frames)
        for probe in probes {
            let recipe = timeline.recipe(at: time(probe)).flattened
            total += cost(of: recipe)
            let hasMedia = recipe.needs.contains { isMoving($0) }
            if recipe.layers.count > 1 && hasMedia {
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

    private func isMoving(_ source: SourceFrame) -> Bool { assets[source.asset]?.kind.isMoving == true }

    /// The cost of one frame. 1 is one frame of one 1280×720 source shown at 1280×720: half for decoding, half for
    /// composing and encoding.
    private func cost(of recipe: PictureGroup) -> Double {
        let pixels = PictureNode.group(recipe).cost { source in
            guard isMoving(source), let size = assets[source.asset]?.track(source.assetTrack)?.video?.codedSize
            else { return 0 }
            // A mean is a picture more to write.
            return Double(size.width) * Double(size.height) * (source.blending == nil ? 1 : 2)
        }
        return Self.decodingCost(pixels: pixels)
    }

    /// The cost of decoding a picture, and of as much other work as `pixels` is of.
    static func decodingCost(pixels: Double) -> Double { 0.5 * pixels / unitPixels }
}
