import Isolation
import Outputs
import Planning
import Scheduling
import Threads

/// What the coordinator's hands know of a job that has not ended; the brain knows its states.
struct OpenJob {
    /// The size of its composition until it is planned; nil after a restart, when only the store has the text.
    var unplannedBytes: Int?
    /// One for each output.
    var requests: [OutputRequest]
    var prepared: PreparedJob?
    var assembly: FilmAssembly?
    /// By output, of the first picture segment that passed: all others must have the same parameter sets.
    var references: [Int: SegmentRecord] = [:]
    /// By task, of the segment sets that passed and are not in the films yet: what was verified is what is stitched.
    var records: [Int: [SegmentRecord]] = [:]
    /// Of a film of two passes: what its analyses found, by chunk, and the hash of what was made of them.
    var analyses: [Int: ChunkAnalysis] = [:]
    var allotmentHash: String?
    /// Verifying that is under way or waits for its turn.
    var verifying: [Holding: WorkStop] = [:]
    /// Identity of the finished films, while they are being published.
    var film: String?
    var isPlanning = false
    /// The outputs are ours while these live.
    var claims: [OutputClaim] = []
    let permit = PlanningPermit()

    init(unplannedBytes: Int? = nil, requests: [OutputRequest]) {
        (self.unplannedBytes, self.requests) = (unplannedBytes, requests)
    }
}
