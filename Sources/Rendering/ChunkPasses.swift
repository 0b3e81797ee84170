import Diagnostics
import MediaReading
import Planning
import SplitreelFiles

/// The two passes of a chunk: each encodes it at constant qualities, which are what makes a film even.
struct ChunkPasses {
    let chunk: Chunk
    /// The chunk's start on the film's clock, in seconds from 0.
    let seconds: Double
    /// The rate factors of the first pass, at each of which the chunk is encoded once.
    let factors: [Double]
    let draft: SegmentDraft
    /// Makes the whole chunk at each of the rate factors, into a file each.
    let encode: (_ factors: [Double], _ paths: [String], _ progress: @escaping Progress) throws -> [SegmentFacts]
    let progress: Progress

    typealias Progress = @Sendable (_ done: Int, _ total: Int) -> Void

    /// Measures the chunk, and leaves its analysis in the draft.
    func analyse() throws -> SegmentFacts {
        let facts = try encode(factors, factors.indices.map(draft.trialPath), progress)
        let analysis = ChunkAnalysis(bits: facts.map { max(1, $0.mediaByteCount * 8) })
        draft.discard()
        let bytes = try analysis.bytes()
        try writeFile(bytes, to: draft.temporaryPath)
        return .analysis(of: chunk, fileHash: RenderPlan.hash(ofBytes: bytes), byteCount: bytes.count)
    }

    /// Encodes the chunk until it takes its share of bits, or as nearly as it will. The best one is left in the draft.
    func encode(_ wanted: RateSearch) throws -> SegmentFacts {
        var search = wanted
        var best: SegmentFacts?
        var tries = 0
        while let factor = search.factor {
            let number = tries
            let facts = try encode([factor], [draft.trialPath(0)]) { [progress] done, total in
                progress(Self.progress(ofTry: number, done, total), total)
            }
            search.take(bits: facts[0].mediaByteCount * 8)
            if search.best == tries {
                try renameFile(draft.trialPath(0), to: draft.temporaryPath)
                best = facts[0]
            }
            tries += 1
        }
        guard var best else {
            throw SplitreelError(
                .internalFault, operation: "rendering", subject: "chunk \(chunk.index)",
                reason: "its share has no factor")
        }
        if search.isFar {
            best.notices.add(
                Notice(
                    .rateMissed, subject: "the picture",
                    reason: "no quality was found at which a chunk takes its share of the bits", firstSeconds: seconds,
                    hint: "say another bit rate, or longer chunks"
                ))
        }
        return best
    }

    /// The progress in frames after `done` frames of a try. Mostly one try does: it counts half. The others share the
    /// rest, so that each is seen to go on.
    private static func progress(ofTry number: Int, _ done: Int, _ total: Int) -> Int {
        guard number > 0 else { return done / 2 }
        return min(total, total / 2 + (total * (number - 1) + done) / (2 * RateSearch.mostTriesInAll))
    }
}
