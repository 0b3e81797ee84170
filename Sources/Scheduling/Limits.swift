/// Every time limit, count, size and switch of the farm in one value; the defaults are those that the documents state.
package struct Limits: Sendable, Hashable {
    // Liveness
    /// The time from one heartbeat of a slot to the next.
    package var heartbeat: Duration = .seconds(1)
    /// The silence after which a slot is lost.
    package var dead: Duration = .seconds(5)
    /// The time for which a slot that was lost so may come back before its process is ended, so that another takes its
    /// place; nil where its process is another machine's, or another parent's.
    package var comingBack: Duration?
    /// The time after which a lease that nothing renewed goes back.
    package var lease: Duration = .seconds(5)
    /// The time that a lease waits for its slot to come back after a restart of the coordinator.
    package var orphan: Duration = .seconds(10)
    /// The time that a lease holds, whatever becomes of its slot, when its segment is complete and on its way here. It
    /// begins anew as long as bytes come, at `sendingRate` bytes a second on the whole.
    package var sending: Duration = .seconds(900)
    package var sendingRate: Int64 = 32 << 10
    /// The time from one tick of the brain to the next.
    package var tick: Duration = .milliseconds(250)
    /// The gap between ticks above which the coordinator itself stood still: nobody is blamed for it.
    package var stall: Duration = .seconds(2)

    // Progress
    /// The time without a new frame that means stuck: max(`progressFloor`, `progressFactor` × the median frame time).
    package var progressFloor: Duration = .seconds(30)
    package var progressFactor = 10
    /// The time for which a slot's process may stand still, without processor time or bytes: a disk hangs, not it.
    package var standing: Duration = .seconds(600)
    /// The time that start-up may take up to the first frame: it is exempt from the rule above but not endless.
    package var startLimit: Duration = .seconds(600)

    // Retries
    package var transientTries = 4
    package var transientDelay: Duration = .seconds(2)
    package var transientDelayCap: Duration = .seconds(60)
    /// The distinct workers that fail a chunk before it fails its job.
    package var suspectWorkers = 3
    /// The failures of one worker in one job after which it gets nothing more of that job.
    package var workerFailures = 3
    /// The workers of one key that are blocked in one job before the key is, where they are most of its workers there.
    package var blockedWorkersOfKey = 3
    /// The time after which a failure counts no more, and after which a blocked key gets chunks again.
    package var workerForgiveness: Duration = .seconds(3600)
    package var resourceDelay: Duration = .seconds(5)
    /// The time of waiting after which a job fails that only meets full disks or full memory, without one chunk done.
    package var resourcePatience: Duration = .seconds(600)
    /// The time that a chunk waits for another worker which no living worker may take because of its failures.
    package var otherWorkerWait: Duration = .seconds(10)
    package var lossesAtOneFrame = 5
    package var lossFrameSlack = 2
    package var losses = 20

    // Work of the coordinator's own threads: a mount that hangs must not hold a job, or others, for ever
    /// The time that planning may take from one source of a job to the next, and so much more as the next one may take
    /// for its size.
    package var planning: Duration = .seconds(600)
    package var verifying: Duration = .seconds(300)
    /// The time from the last chunk to the checked film, without waiting for a place: this, and `finishingPerFrame` for
    /// each frame. It counts for each output, as `publishing` does.
    package var finishing: Duration = .seconds(600)
    package var finishingPerFrame: Duration = .milliseconds(20)
    package var publishing: Duration = .seconds(300)
    /// The time after which a job whose folder is not gone has ended all the same; the folder goes when it can.
    package var cleaning: Duration = .seconds(5)
    /// The time for looking at an output's place when a job is submitted.
    package var intake: Duration = .seconds(10)

    // Assets: each worker looks at a job's files before its first lease of it
    package var checksAssets = true
    /// The time without an answer after which a worker counts as one that cannot.
    package var assetCheck: Duration = .seconds(60)
    /// The time after which a worker that cannot is asked again; `assetRecheckAlone` where no other can.
    package var assetRecheck: Duration = .seconds(60)
    package var assetRecheckAlone: Duration = .seconds(5)

    /// Whether files are served to peers that do not see them, and segments taken from them.
    package var servesData = true

    // Endings
    /// Whether a next start takes jobs up again that have not ended; where there is none, what was made of them is
    /// removed.
    package var keepsJobs = true
    /// The time after which a slot is given up that was told to drop a lease and did not.
    package var cancelWait: Duration = .seconds(10)
    /// The time that a failed job waits for its slots to let go before its folder is removed.
    package var failWait: Duration = .seconds(1)
    /// The time for which the work of a failed job is kept for a retry; zero: not at all.
    package var keptFor: Duration = .seconds(7 * 86_400)
    /// The most bytes of such work, and the most jobs; the oldest goes first.
    package var keptBytes = 64 << 30
    package var keptJobs = 200
    /// The time for putting the folder of a failed job in order, after which the job has ended all the same.
    package var keeping: Duration = .seconds(60)

    // Sizes
    package var slots = 4096
    package var unfinishedJobs = 1000
    /// The tasks of a job: as many as the chunks that planning makes at most, and the sound.
    package var tasksOfJob = 200_001
    /// The ended jobs that stay in memory for queries; the store keeps them all.
    package var endedJobs = 200
    package var watchers = 256
    /// The events of peers that may wait for one turn, or for a store that fails; more are dropped and counted.
    package var waitingEvents = 20_000
    /// The most bytes of the messages that those events came in.
    package var waitingEventBytes = 64 << 20
    /// The questions of clients that may wait for one turn, or for the store's reader; more are refused.
    package var waitingQuestions = 1024
    /// The jobs in one page of the list of jobs.
    package var jobsInPage = 500
    /// The events in one page of a job's events.
    package var eventsInPage = 500
    /// The sentences at most that say why a job waits.
    package var remarks = 8
    /// The processes at most that the report of a worker has.
    package var processesOfWorker = 64
    /// The chunks in one page of a job's chunks.
    package var chunksInPage = 2000
    /// The chunks up to which a job has all of them in every report; a longer one has those that are going on or have
    /// failed.
    package var chunksInUpdate = 250
    /// The time between two reports of changes to a watcher at least; of the end it hears at once.
    package var reportInterval: Duration = .milliseconds(200)
    package var controlMessageBytes = 1 << 20
    package var textBytes = 4096

    package init() {}

    /// The limits of the farm inside `render`: all workers are of this machine, so waiting for better ones is short.
    package static var embedded: Limits {
        var limits = Limits()
        limits.otherWorkerWait = .seconds(1)
        // They have the same machine, the same user, and the files that were planned with a moment ago.
        limits.checksAssets = false
        limits.servesData = false
        limits.keepsJobs = false
        limits.comingBack = .seconds(15)
        // Somebody looks on who can make room, and nothing that this job does later makes any.
        limits.resourceDelay = .seconds(1)
        limits.resourcePatience = .seconds(1)
        return limits
    }
}
