import Diagnostics
package import Foundation
import JSONText
package import Outputs
import Pictures

/// The result of a chunk's first pass: how many bits its picture takes at each of the plan's analysis factors.
///
/// The analysis's bytes are the segment of its task; which chunk they are of is in its record, as the content key.
package struct ChunkAnalysis: Hashable, Codable, Sendable {
    /// The bits of the chunk's picture, in the order of `VideoSettings.analysisFactors`; each at least 1.
    package var bits: [Int]

    package static let mostBytes = 1 << 16
    /// The most bits that a chunk can have.
    static let mostBits = 1 << 50

    package init(bits: [Int]) { self.bits = bits }

    /// The analysis's one byte form: JSON with sorted keys.
    package func bytes() throws -> Data { try canonicalJSON(self) }

    /// Reads bytes that another machine wrote. Throws `.segmentInvalid` where they are no analysis of a chunk of the
    /// plan.
    package static func read(_ bytes: Data, path: String, plan: RenderPlan) throws -> Self {
        func invalid(_ reason: String) -> SplitreelError {
            SplitreelError(.segmentInvalid, operation: "reading a chunk's analysis", subject: path, reason: reason)
        }
        guard bytes.count <= mostBytes, let analysis = try? JSONDecoder().decode(Self.self, from: bytes) else {
            throw invalid("it cannot be read as one")
        }
        let factors = plan.output.video?.analysisFactors ?? []
        guard analysis.bits.count == factors.count, analysis.bits.allSatisfy((1...mostBits).contains) else {
            throw invalid("its numbers make no sense")
        }
        guard falls(analysis.bits) else {
            throw invalid("its bits rise with the rate factor, \(analysis.bits), and no encoder's do")
        }
        return analysis
    }

    /// Whether the bits fall as the factors rise. Encoders come near that where the picture is of a few bytes anyway,
    /// or where a limit of the rate decides: half as many bits more, and 16 kB, are let pass.
    private static func falls(_ bits: [Int]) -> Bool {
        var least = mostBits
        for number in bits {
            guard number <= least + least / 2 + 131_072 else { return false }
            least = min(least, number)
        }
        return true
    }
}

/// The part of a film that one task of a plan makes.
package enum PlanPart: Hashable, Sendable {
    case chunk(Int)
    case audio
    /// A part of a long sound, mixed and not encoded.
    case soundPart(Int)
    /// The first pass of a chunk.
    case analysis(Int)
}

extension RenderPlan {
    /// The part that a task makes; nil where the plan has no such task. Tasks are the chunks in film order, the sound
    /// if there is any, the parts that a long one is mixed in, and the chunks' analyses in a film of two passes.
    package func part(ofTask task: Int) -> PlanPart? {
        if chunks.indices.contains(task) { return .chunk(task) }
        if task == chunks.count, sampleCount > 0 { return .audio }
        let soundPart = task - chunks.count - 1
        if sampleCount > 0, (0..<soundPartCount).contains(soundPart) { return .soundPart(soundPart) }
        let chunk = task - chunks.count - (sampleCount > 0 ? 1 + soundPartCount : 0)
        return output.video?.isTwoPass == true && chunks.indices.contains(chunk) ? .analysis(chunk) : nil
    }
}

extension VideoSettings {
    package static let mostAnalysisFactors = 16

    /// Whether the film has two passes.
    package var isTwoPass: Bool { analysisFactors != nil }

    /// The same picture at a constant quality, with which each pass of a film of two passes encodes.
    package func constant(_ factor: Double) -> VideoSettings {
        var settings = self
        settings.crf = factor
        settings.bitRate = nil
        settings.analysisFactors = nil
        settings.mostBits = nil
        return settings
    }

    /// The rate factors at which chunks are measured, six apart, about the one that usual pictures would have at the
    /// bit rate; empty without a bit rate. For h264 and hevc.
    func analysisFactors(frameSeconds: Double) -> [Double] {
        let pixels = Double(size.width * size.height)
        guard let bitRate, pixels > 0, let quality = codec.qualities?.fallback,
            case .halving(let bits, _) = codec.usualBits
        else { return [] }
        let asked = Double(bitRate) * frameSeconds / pixels
        // Bits per pixel; six steps halve them.
        var (factor, usual) = (quality, bits)
        while usual > asked, factor < 38 { (factor, usual) = (factor + 6, usual / 2) }
        while usual * 2 <= asked, factor > 8 { (factor, usual) = (factor - 6, usual * 2) }
        // The highest of them is one that encoders take.
        factor = min(factor, Allotment.factors.upperBound - 12)
        return [-6, 0, 6, 12].map { max(Allotment.factors.lowerBound, factor + $0) }
    }
}
