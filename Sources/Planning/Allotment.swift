import Diagnostics
package import Foundation
import JSONText
import MediaTime
import Outputs

/// The bits of a film of two passes, shared out among its chunks. Every chunk begins with the same rate factor, so that
/// the quality is as even as if one encoder had seen the whole film, and has as many bits as its first pass foresees at
/// that factor. The shares together are at most the bits of the bit rate.
///
/// An allotment follows from the plan and the analyses alone. The coordinator writes it once, beside the plan; the
/// file's SHA-256 travels in the leases of the second pass.
package struct Allotment: Hashable, Codable, Sendable {
    package var planHash: String
    /// The rate factor with which every chunk's search begins.
    package var rateFactor: Double
    /// The chunks' shares, in the order of the chunks.
    package var shares: [ChunkShare]

    package static let fileName = "allotment.json"
    package static let mostBytes = 1 << 28
    /// The rate factors that both x264 and x265 take; 0 would be lossless in x264.
    static let factors = 1.0...51.0
    /// The steps of the search in one unit of the rate factor; one step changes the film by a fifth of a percent.
    private static let steps = 64

    init(planHash: String, rateFactor: Double, shares: [ChunkShare]) {
        self.planHash = planHash
        self.rateFactor = rateFactor
        self.shares = shares
    }

    /// The allotment for a plan of two passes, from an analysis of each chunk in order. Throws `.internalFault` for
    /// another plan or another number of analyses.
    package init(plan: RenderPlan, planHash: String, analyses: [ChunkAnalysis]) throws {
        guard let video = plan.output.video, let factors = video.analysisFactors, let bitRate = video.bitRate,
            analyses.count == plan.chunks.count, !analyses.isEmpty
        else {
            throw SplitreelError(
                .internalFault, operation: "allotting bits", subject: "the plan",
                reason: "\(analyses.count) analyses for \(plan.chunks.count) chunks")
        }
        let curves = analyses.map { RateCurve(zip(factors, $0.bits).map { RatePoint(factor: $0, bits: $1) }) }
        let last = plan.frameCount - 1
        let seconds = (plan.timing.time(ofFrame: last) + plan.timing.duration(ofFrame: last)).double
        let wanted = Double(bitRate) * seconds
        // The smallest factor that does not take too many bits.
        var (low, high) = (Int(Self.factors.lowerBound) * Self.steps, Int(Self.factors.upperBound) * Self.steps)
        while low < high {
            let middle = (low + high) / 2
            let factor = Double(middle) / Double(Self.steps)
            if curves.reduce(0, { $0 + $1.bits(at: factor) }) > wanted { low = middle + 1 } else { high = middle }
        }
        let factor = Double(low) / Double(Self.steps)
        let foreseen = curves.reduce(0) { $0 + $1.bits(at: factor) }
        // At the last factor the curves may still foresee too many bits, which the encoder then does not take.
        let scale = foreseen.isFinite && foreseen > wanted ? wanted / foreseen : 1
        let total = foreseen * scale
        // The bits that a limit leaves beyond the shares go to the chunks by their slacks, which are 1.4 % of all
        // together.
        let spare = video.mostBits.map { Double($0) - total }
        let shares = zip(zip(curves, analyses), plan.chunks).map { part, chunk in
            let bits = part.0.bits(at: factor) * scale
            let even = wanted * Double(chunk.frameCount) / Double(plan.frameCount)
            let slack = 0.01 * bits + 0.004 * even
            return ChunkShare(
                bits: Self.held(bits), slack: Self.held(slack),
                measured: zip(factors, part.1.bits).map { RatePoint(factor: $0, bits: $1) },
                most: spare.map { spare in
                    let ofSpare = spare < 0 ? bits / total : slack / (0.01 * total + 0.004 * wanted)
                    let most = bits + spare * ofSpare
                    return most.isFinite ? Self.held(max(0, most)) : 0
                })
        }
        self.init(planHash: planHash, rateFactor: factor, shares: shares)
    }

    /// A number of bits within `ChunkAnalysis.mostBits`: curves of two odd points may rise beyond every number.
    private static func held(_ bits: Double) -> Int { Int(min(bits, Double(ChunkAnalysis.mostBits))) }

    /// The allotment's one byte form: JSON with sorted keys.
    package func bytes() throws -> Data { try canonicalJSON(self) }

    /// Whether the factor and all bits lie in ranges that arithmetic can hold.
    package var isPossible: Bool {
        Self.factors.contains(rateFactor)
            && shares.allSatisfy { share in
                [share.bits, share.slack, share.most ?? 0].allSatisfy((0...ChunkAnalysis.mostBits).contains)
                    && (2...VideoSettings.mostAnalysisFactors).contains(share.measured.count)
                    && share.measured.allSatisfy {
                        Self.factors.contains($0.factor) && (1...ChunkAnalysis.mostBits).contains($0.bits)
                    }
            }
    }

    /// The search by which a chunk finds its share; nil where there is no such chunk.
    package func search(ofChunk index: Int) -> RateSearch? {
        shares.indices.contains(index) ? RateSearch(shares[index], from: rateFactor) : nil
    }
}

/// A measured encoding: its rate factor, and the bits that it took.
package struct RatePoint: Hashable, Codable, Sendable {
    package var factor: Double
    package var bits: Int

    package init(factor: Double, bits: Int) { (self.factor, self.bits) = (factor, bits) }
}

package struct ChunkShare: Hashable, Codable, Sendable {
    package var bits: Int
    /// Bits beside the share that do not matter: a hundredth of it and some thousandths of an even share, so that a
    /// film of such chunks is off by at most 1.4 %.
    package var slack: Int
    /// The points that the chunk's first pass measured.
    package var measured: [RatePoint]
    /// The bits that the chunk may not exceed if any factor can help it; nil where the file has no limit.
    package var most: Int?

    package init(bits: Int, slack: Int, measured: [RatePoint], most: Int? = nil) {
        self.bits = bits
        self.slack = slack
        self.measured = measured
        self.most = most
    }
}

/// The bits of a chunk by its rate factor: between two measured factors, and beyond them, halved in equal steps.
struct RateCurve {
    private let points: [(factor: Double, log: Double)]

    /// The curve through at least two points with different factors.
    init(_ points: [RatePoint]) {
        self.points = points.sorted { $0.factor < $1.factor }.map { ($0.factor, log2(Double(max(1, $0.bits)))) }
    }

    func bits(at factor: Double) -> Double {
        guard points.count > 1 else { return points.first.map { exp2($0.log) } ?? 0 }
        let after = points.firstIndex { $0.factor >= factor } ?? points.count - 1
        let (left, right) = (points[max(1, after) - 1], points[max(1, after)])
        let share = (factor - left.factor) / (right.factor - left.factor)
        return exp2(left.log + share * (right.log - left.log))
    }
}

/// Finds the rate factor that gives a chunk its share of bits, from the bits that its encodings really took. The search
/// is a value: it goes alike on every machine.
package struct RateSearch: Hashable, Codable, Sendable {
    private let share: ChunkShare
    private var points: [RatePoint]
    private var tries = 0
    /// The next encoding's rate factor; nil once the best one is good enough, or nothing better is to be expected.
    package private(set) var factor: Double?
    /// The number of the best encoding so far, from 0; nil before the first.
    package private(set) var best: Int?
    private var bestDistance = Int.max
    /// Whether the best encoding has more bits than the chunk may have.
    private var isOver = false

    /// The encodings of a usual chunk at most. Each costs as much as the chunk itself: only chunks that are far off
    /// have more.
    private static let fewTries = 5
    private static let manyTries = 11
    /// The encodings of a chunk at most, whatever their bits are.
    package static let mostTriesInAll = 24
    /// The steps in one unit of the rate factor to which tried factors are rounded.
    private static let fineness = 1024.0
    /// The quality that is given up at once, as a difference of rate factors, where no encoding was small enough. It
    /// doubles each time up to `lastStep`; factors go up to the last one that encoders take.
    private var step = 0.25
    private var stepsTaken = 0
    private static let lastStep = 6.0

    package init(_ share: ChunkShare, from factor: Double) {
        (self.share, self.factor) = (share, factor)
        points = share.measured.sorted { $0.factor < $1.factor }
    }

    /// Takes the bits of the encoding at `factor` into account, and chooses the next factor.
    package mutating func take(bits: Int) {
        guard let tried = factor else { return }
        let distance = abs(bits - share.bits)
        let exceeds = bits > share.most ?? .max
        if best == nil || (exceeds ? 1 : 0, distance) < (isOver ? 1 : 0, bestDistance) {
            best = tries
            bestDistance = distance
            isOver = exceeds
        }
        tries += 1
        points.removeAll { $0.factor == tried }
        points.insert(
            RatePoint(factor: tried, bits: bits), at: points.firstIndex { $0.factor > tried } ?? points.count)
        if !exceeds && distance <= share.slack {
            factor = nil
        } else if isOver {
            factor = (tries < Self.fewTries ? nextFactor(after: tried) : nil) ?? coarser(than: tried)
        } else {
            let most = stepsTaken + (isOff ? Self.manyTries : Self.fewTries)
            factor = tries < most ? nextFactor(after: tried) : nil
        }
    }

    /// Whether the best encoding is so far off that a film of such chunks would miss its rate by a fiftieth.
    private var isOff: Bool { 10 * bestDistance > 14 * share.slack }

    /// Whether the best encoding has more or fewer bits than can be overlooked, though no limit keeps it from its share
    /// and a better quality could be had.
    package var isFar: Bool {
        let isAtBest = points.first.map { $0.factor <= Allotment.factors.lowerBound && $0.bits <= share.bits } ?? false
        return share.most == nil && isOff && !isAtBest
    }

    /// The factor that lies a step above the tried one, and doubles the step; nil at the last factor.
    private mutating func coarser(than tried: Double) -> Double? {
        let last = Allotment.factors.upperBound
        guard tried < last else { return nil }
        defer { (step, stepsTaken) = (min(Self.lastStep, 2 * step), stepsTaken + 1) }
        return min(last, tried + step)
    }

    /// The next factor to try: between the two measured factors next to the last one that have the share between them,
    /// or beyond the outermost where none have. nil where no new factor is found.
    private func nextFactor(after tried: Double) -> Double? {
        let pairs = zip(points, points.dropFirst()).filter { left, right in
            (left.bits >= share.bits) != (right.bits >= share.bits)
        }
        let nearest = pairs.min { distance($0, tried) < distance($1, tried) }
        guard let (left, right) = nearest ?? outermost, left.bits != right.bits else { return nil }
        func logarithm(_ bits: Int) -> Double { log2(Double(max(1, bits))) }
        let (a, b) = (logarithm(left.bits), logarithm(right.bits))
        // The logarithms of two great numbers next to each other are the same.
        guard a != b else { return nil }
        var part = (logarithm(share.bits) - a) / (b - a)
        // Where bits fall over a cliff, straight lines would come near it from one side for ever.
        if nearest != nil, tries > 1, !(0.2...0.8).contains(part) { part = 0.5 }
        func between(_ part: Double) -> Double? {
            let next = left.factor + part * (right.factor - left.factor)
            let bounded = min(max(next, Allotment.factors.lowerBound), Allotment.factors.upperBound)
            let rounded = (bounded * Self.fineness).rounded() / Self.fineness
            return points.contains { $0.factor == rounded } ? nil : rounded
        }
        return between(part) ?? (nearest == nil ? nil : between(0.5))
    }

    private func distance(_ pair: (RatePoint, RatePoint), _ factor: Double) -> Double {
        abs((pair.0.factor + pair.1.factor) / 2 - factor)
    }

    /// The two outermost points on the side where fewer or more bits are to be had; nil where there is one point or
    /// none.
    private var outermost: (RatePoint, RatePoint)? {
        guard points.count > 1 else { return nil }
        let isTooLarge = points.allSatisfy { $0.bits > share.bits }
        return isTooLarge ? (points[points.count - 2], points[points.count - 1]) : (points[0], points[1])
    }
}
