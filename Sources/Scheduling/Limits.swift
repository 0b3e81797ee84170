/// Every time limit, count, size and switch of the farm in one value; the defaults are those that the documents state.
package struct Limits: Sendable, Hashable {
    // Liveness
    /// A slot sends a heartbeat this often.
    package var heartbeat: Duration = .seconds(1)
    /// A slot from which nothing came for so long is lost.
    package var dead: Duration = .seconds(5)
    /// A lease that nothing renewed for so long goes back.
    package var lease: Duration = .seconds(5)
    /// After a restart of the coordinator a lease waits so long for its slot to come back.
    package var orphan: Duration = .seconds(10)
    /// The brain is told the time this often.
    package var tick: Duration = .milliseconds(250)
    /// A gap between ticks longer than this means that the coordinator itself stood still: nobody is blamed for it.
    package var stall: Duration = .seconds(2)

    // Progress
    /// No new frame for max(`progressFloor`, `progressFactor` × the median frame time) means stuck.
    package var progressFloor: Duration = .seconds(30)
    package var progressFactor = 10
    /// Start-up, up to the first frame, is exempt from the rule above but not endless.
    package var startLimit: Duration = .seconds(600)

    // Retries
    package var transientTries = 4
    package var transientDelay: Duration = .seconds(2)
    package var transientDelayCap: Duration = .seconds(60)
    /// Distinct workers that fail a chunk before it fails its job.
    package var suspectWorkers = 3
    /// Failures of one worker in one job after which it gets nothing more of that job.
    package var workerFailures = 3
    package var workerForgiveness: Duration = .seconds(3600)
    package var resourceDelay: Duration = .seconds(5)
    /// A job that only meets full disks or full memory for so long, without one chunk done, fails.
    package var resourcePatience: Duration = .seconds(600)
    /// A chunk that no living worker may take because of its failures waits so long for another worker.
    package var otherWorkerWait: Duration = .seconds(10)
    package var lossesAtOneFrame = 5
    package var lossFrameSlack = 2
    package var losses = 20

    // Work of the coordinator's own threads: a mount that hangs must not hold a job, or others, for ever
    /// From one source of a job to the next, and so much more as the next one may take for its size.
    package var planning: Duration = .seconds(600)
    package var verifying: Duration = .seconds(300)
    /// From the last chunk to the checked film, without waiting for a place: this, and so much for each frame. For each
    /// output, as the next one is.
    package var finishing: Duration = .seconds(600)
    package var finishingPerFrame: Duration = .milliseconds(20)
    package var publishing: Duration = .seconds(300)
    /// A job whose folder is not gone by then has ended all the same; the folder goes when it can.
    package var cleaning: Duration = .seconds(5)
    /// Looking at an output's place when a job is submitted.
    package var intake: Duration = .seconds(10)

    // Assets: each worker looks at a job's files before its first lease of it
    package var checksAssets = true
    /// No answer for so long counts as "cannot".
    package var assetCheck: Duration = .seconds(60)
    /// A worker that cannot is asked again after this, sooner where no other can.
    package var assetRecheck: Duration = .seconds(60)
    package var assetRecheckAlone: Duration = .seconds(5)

    // Endings
    /// A next start takes jobs up again that have not ended; where there is none, what was made of them is removed.
    package var keepsJobs = true
    /// A slot that was told to drop a lease and did not within this time is given up.
    package var cancelWait: Duration = .seconds(10)
    /// A failed job waits so long for its slots to let go before its folder is removed.
    package var failWait: Duration = .seconds(1)

    // Sizes
    package var slots = 4096
    package var unfinishedJobs = 1000
    /// As many as the chunks that planning makes at most, and the sound.
    package var tasksOfJob = 200_001
    /// Ended jobs that stay in memory for queries; the store keeps them all.
    package var endedJobs = 200
    package var watchers = 256
    /// Events of peers that may wait for one turn, or for a store that fails; more are dropped and counted.
    package var waitingEvents = 20_000
    /// Questions of clients that may wait for one turn, or for the store's reader; more are refused.
    package var waitingQuestions = 1024
    /// Jobs in one page of the list of jobs.
    package var jobsInPage = 500
    /// Sentences that say why a job waits.
    package var remarks = 8
    /// Chunks in one page of a job's chunks.
    package var chunksInPage = 2000
    /// A job of so many chunks has all of them in every report; a longer one those that are going on or have failed.
    package var chunksInUpdate = 250
    /// Watchers hear of changes at most this often, and of the end at once.
    package var reportInterval: Duration = .milliseconds(200)
    package var controlMessageBytes = 1 << 20
    package var textBytes = 4096

    package init() {}

    /// For the farm inside `render`: all workers are of this machine, so waiting for better ones is short.
    package static var embedded: Limits {
        var limits = Limits()
        limits.otherWorkerWait = .seconds(1)
        // Same machine, same user, the same files that were planned with a moment ago.
        limits.checksAssets = false
        limits.keepsJobs = false
        // Somebody looks on who can make room, and nothing that this job does later makes any.
        limits.resourceDelay = .seconds(1)
        limits.resourcePatience = .seconds(1)
        return limits
    }
}
