package import Diagnostics
package import Outputs
package import Planning
package import Threads

/// The blocking work on media that a coordinator needs. Every call runs on a dedicated thread, several at once.
package protocol MediaWork: Sendable {
    /// Reads, probes, validates, resolves and plans: one plan for all of a job's outputs. Nothing is written. `access`
    /// is asked before a file is opened, and its `stop` ends the work.
    func plan(composition: String, requests: [OutputRequest], access: MediaAccess) throws -> PlannedFilm

    /// Writes the indexes of the plan's sources into a folder, for those who will read them. An index that cannot be
    /// written is left out: whoever misses it reads the source through.
    func writeIndexes(of plan: RenderPlan, in folder: String, access: MediaAccess)

    /// The SHA-256 of the parameter sets that an encoder of the plan's settings makes, as the records of segments tell
    /// it; nil where nobody can say. The plan is as below.
    func parameterSets(of plan: RenderPlan, stop: WorkStop) -> String?

    /// Throws `.segmentInvalid` where the file is not what the record and the plan promise. `task` is the chunk's
    /// index, nil for the sound; `reference` another picture segment's record of the same film. Here and below the plan
    /// is as the segment's own output has it, see `RenderPlan.view(ofOutput:)`.
    func verify(
        segment path: String, record: SegmentRecord, plan: RenderPlan, task: Int?, reference: SegmentRecord?,
        stop: WorkStop) throws

    /// Begins the film in a new file at `path`, of segments in the folder `segments`, having called `began` when it had
    /// a place to do so. `isBeside` tells that a film of the same job has a place, and that this one needs none. The
    /// stitcher is used by one thread at a time.
    func stitcher(
        plan: RenderPlan, path: String, segments: String, isBeside: Bool, stop: WorkStop, began: () -> Void
    ) throws -> any FilmStitching

    /// Throws `.verificationFailed` where the finished film is not what the plan asks for.
    func check(film path: String, plan: RenderPlan, stop: WorkStop) throws
}

package struct PlannedFilm: Sendable {
    package var plan: RenderPlan
    /// The content keys of the plan's tasks, and the files that these read.
    package var contents: TaskContents
    /// The notices that a person should know.
    package var notices: NoticeList
    /// The memory that a slot takes for a chunk at its peak, in bytes, about; 0 where it is not known.
    package var slotBytes: Int

    package init(plan: RenderPlan, contents: TaskContents, notices: NoticeList = NoticeList(), slotBytes: Int = 0) {
        self.plan = plan
        self.contents = contents
        self.notices = notices
        self.slotBytes = slotBytes
    }
}

/// A film that grows: the sound first, where there is any, then the chunks in order, those with a segment and those
/// that are copied, then `finish`.
package protocol FilmStitching {
    func setAudio(path: String, record: SegmentRecord) throws
    func append(path: String, record: SegmentRecord, chunk: Int) throws
    /// Appends a chunk that is copied. Throws `.mediaChanged` where its packets are not those of the plan.
    func appendCopied(_ source: CopiedSource, chunk: Int) throws
    /// Completes the file.
    func finish() throws
    /// Lets go of the file; harmless after `finish`.
    func abandon()
}
