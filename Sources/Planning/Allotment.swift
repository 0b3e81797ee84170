import Diagnostics
package import Foundation
import MediaTime
import Outputs

/// How the bits of a film of two passes are shared out: every chunk has the same rate factor, so that the quality is as
/// even as if one encoder had seen the whole film, and so many bits as its first pass foresees at it. All of them
/// together are the bit rate's.
///
/// It follows from the plan and the analyses alone. Written once by the coordinator, beside the plan; its SHA-256
/// travels in the leases of the second pass.
package struct Allotment: Hashable, Codable, Sendable {
    package var planHash: String
    /// What every chunk begins with.
    package var rateFactor: Double
    /// By chunk.
    package var shares: [ChunkShare]

    package static let fileName = "allotment.json"
    package static let mostBytes = 1 << 28
    /// Both encoders take them; 0 would be lossless in x264.
    static let factors = 1.0...51.0
    /// So many steps of the factor are in one; one changes the film by a fifth of a percent.
    private static let steps = 64

    init(planHash: String, rateFactor: Double, shares: [ChunkShare]) {
        (self.planHash, self.rateFactor, self.shares) = (planHash, rateFactor, shares)
    }

    /// Of a plan of two passes, with an analysis for each chunk in order.
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
        // The smallest factor that does not take too many.
        var (low, high) = (Int(Self.factors.lowerBound) * Self.steps, Int(Self.factors.upperBound) * Self.steps)
        while low < high {
            let middle = (low + high) / 2
            let factor = Double(middle) / Double(Self.steps)
            if curves.reduce(0, { $0 + $1.bits(at: factor) }) > wanted { low = middle + 1 } else { high = middle }
        }
        let factor = Double(low) / Double(Self.steps)
        let foreseen = curves.reduce(0) { $0 + $1.bits(at: factor) }
        // What was measured may foresee too many at the last factor still, which the encoder then does not take.
        let scale = foreseen.isFinite && foreseen > wanted ? wanted / foreseen : 1
        let total = foreseen * scale
        // What a limit leaves beyond the shares is theirs as their slack is, which is 1.4 % of all together.
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

    /// Curves of two odd points may rise beyond every number of bits that there is.
    private static func held(_ bits: Double) -> Int { Int(min(bits, Double(ChunkAnalysis.mostBits))) }

    /// The one byte form.
    package func bytes() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Numbers that can be reckoned with.
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

    /// How a chunk looks for its share; nil where there is no such chunk.
    package func search(ofChunk index: Int) -> RateSearch? {
        shares.indices.contains(index) ? RateSearch(shares[index], from: rateFactor) : nil
    }
}

/// A measured encoding.
package struct RatePoint: Hashable, Codable, Sendable {
    package var factor: Double
    package var bits: Int

    package init(factor: Double, bits: Int) { (self.factor, self.bits) = (factor, bits) }
}

package struct ChunkShare: Hashable, Codable, Sendable {
    package var bits: Int
    /// Bits beside it that do not matter: a hundredth of its own and some thousandths of an even share, so that a film
    /// of such chunks is off by at most 1.4 %.
    package var slack: Int
    /// By its first pass.
    package var measured: [RatePoint]
    /// What it may not exceed if any factor can help it; nil where the file has no limit.
    package var most: Int?

    package init(bits: Int, slack: Int, measured: [RatePoint], most: Int? = nil) {
        (self.bits, self.slack, self.measured, self.most) = (bits, slack, measured, most)
    }
}

/// Bits of a chunk by its rate factor: between two measured ones, and beyond them, halved in equal steps.
struct RateCurve {
    private let points: [(factor: Double, log: Double)]

    /// Of two points at least, with different factors.
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

/// Finds the rate factor that gives a chunk its share of bits, from what its encodings really took: a value, the same
/// on every machine.
package struct RateSearch: Hashable, Sendable {
    private let share: ChunkShare
    private var points: [RatePoint]
    private var tries = 0
    /// The next encoding's; nil once the best one is good enough, or nothing better is to be expected.
    package private(set) var factor: Double?
    /// The number of the best encoding so far, from 0.
    package private(set) var best: Int?
    private var bestDistance = Int.max
    /// The best encoding has more bits than the chunk may have.
    private var isOver = false

    /// Each encoding costs as much as the chunk itself: more than so few have only chunks that are far off.
    private static let fewTries = 5
    private static let manyTries = 11
    /// How many there are at most, whatever the bits are.
    package static let mostTriesInAll = 24
    /// So many steps of the factor are in one.
    private static let fineness = 1024.0
    /// Where none of them was small enough: then so much quality is given up at once, each time twice as much up to the
    /// last step, and up to the last factor.
    private var step = 0.25
    private var stepsTaken = 0
    private static let lastStep = 6.0

    package init(_ share: ChunkShare, from factor: Double) {
        (self.share, self.factor) = (share, factor)
        points = share.measured.sorted { $0.factor < $1.factor }
    }

    /// What the encoding at `factor` took.
    package mutating func take(bits: Int) {
        guard let tried = factor else { return }
        let distance = abs(bits - share.bits)
        let exceeds = bits > share.most ?? .max
        if best == nil || (exceeds ? 1 : 0, distance) < (isOver ? 1 : 0, bestDistance) {
            (best, bestDistance, isOver) = (tries, distance, exceeds)
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

    /// A film of such chunks would miss its rate by a fiftieth.
    private var isOff: Bool { 10 * bestDistance > 14 * share.slack }

    /// The best one has more or fewer bits than can be overlooked: no limit keeps it from its share, nor has it fewer
    /// since there is no better quality.
    package var isFar: Bool {
        let isAtBest = points.first.map { $0.factor <= Allotment.factors.lowerBound && $0.bits <= share.bits } ?? false
        return share.most == nil && isOff && !isAtBest
    }

    /// nil at the last one.
    private mutating func coarser(than tried: Double) -> Double? {
        let last = Allotment.factors.upperBound
        guard tried < last else { return nil }
        defer { (step, stepsTaken) = (min(Self.lastStep, 2 * step), stepsTaken + 1) }
        return min(last, tried + step)
    }

    /// Between the two measured factors next to the last one that have the share between them; beyond the outermost
    /// where none have.
    private func nextFactor(after tried: Double) -> Double? {
        let pairs = zip(points, points.dropFirst()).filter { left, right in
            (left.bits >= share.bits) != (right.bits >= share.bits)
        }
        let nearest = pairs.min { distance($0, tried) < distance($1, tried) }
        guard let (left, right) = nearest ?? outermost, left.bits != right.bits else { return nil }
        func logarithm(_ bits: Int) -> Double { log2(Double(max(1, bits))) }
        let (a, b) = (logarithm(left.bits), logarithm(right.bits))
        // Of two great numbers next to each other it is the same.
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

    /// The two ends on the side where fewer or more bits are to be had.
    private var outermost: (RatePoint, RatePoint)? {
        guard points.count > 1 else { return nil }
        let isTooLarge = points.allSatisfy { $0.bits > share.bits }
        return isTooLarge ? (points[points.count - 2], points[points.count - 1]) : (points[0], points[1])
    }
}
