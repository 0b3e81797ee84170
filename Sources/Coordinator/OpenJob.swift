import Isolation
import Outputs
import Planning
import Scheduling
import Threads

/// The coordinator's handle on a job that has not ended; the brain knows its states.
struct OpenJob {
    /// The size of its composition in bytes until it is planned; nil after a restart, when only the store has the text.
    var unplannedBytes: Int?
    /// The requests, one for each output.
    var requests: [OutputRequest]
    var prepared: PreparedJob?
    var assembly: FilmAssembly?
    /// Its share in the cache; nil where there is no cache, and of a job of an earlier life.
    var caching: JobCaching?
    /// The record of the first picture segment of each output that passed: all others must have the same parameter
    /// sets.
    var references: [Int: SegmentRecord] = [:]
    /// The tasks whose segments passed though their parameter sets are not those of the plan's own settings: as long as
    /// all are like that, nothing speaks against them.
    var strangers: Set<Int> = []
    /// The records by task of the segment sets that passed and were not handed to the stitcher yet: the verified bytes
    /// are stitched.
    var records: [Int: [SegmentRecord]] = [:]
    /// The analyses of a film of two passes, by chunk, and below them the hash of the allotment that was made of them.
    var analyses: [Int: ChunkAnalysis] = [:]
    var allotmentHash: String?
    /// The files of its plan; nil until a peer asks for one.
    var planFiles: PlanFiles?
    /// Whether the maps of its sources were begun before a peer asked for them.
    var hasMapsAhead = false
    /// The attempts whose segments were found whole here after their slots were gone.
    var standing: Set<Holding> = []
    /// The stops of verifying that is under way or waits for its turn.
    var verifying: [Holding: WorkStop] = [:]
    /// The identity of the finished films, while they are being published.
    var film: String?
    var isPlanning = false
    /// The claims on the outputs, which are ours while these live.
    var claims: [OutputClaim] = []
    let permit = PlanningPermit()

    init(unplannedBytes: Int? = nil, requests: [OutputRequest]) {
        (self.unplannedBytes, self.requests) = (unplannedBytes, requests)
    }
}
