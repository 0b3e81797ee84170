import Isolation
import Planning
import Scheduling
import Threads

/// What the coordinator's hands know of a job that has not ended; the brain knows its states.
struct OpenJob {
    /// The size of its composition until it is planned; nil after a restart, when only the store has the text.
    var unplannedBytes: Int?
    var request: OutputRequest
    var prepared: PreparedJob?
    var assembly: FilmAssembly?
    /// The first picture segment that passed: all others must have the same parameter sets.
    var reference: SegmentRecord?
    /// By task, of the segments that passed and are not in the film yet: what was verified is what is stitched.
    var records: [Int: SegmentRecord] = [:]
    /// Verifying that is under way or waits for its turn.
    var verifying: [Holding: WorkStop] = [:]
    /// Identity of the finished film, while it is being published.
    var film: String?
    var isPlanning = false
    /// The output is ours while this lives.
    var claim: OutputClaim?
    let permit = PlanningPermit()

    init(unplannedBytes: Int? = nil, request: OutputRequest) {
        (self.unplannedBytes, self.request) = (unplannedBytes, request)
    }

    var filmPath: String? {
        prepared.map { "\($0.folder.path)/film.\($0.plan.output.container.rawValue)" }
    }
}
