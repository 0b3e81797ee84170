extension ErrorCode {
    /// The errors of keys and roles.
    static let keyEntries: [Entry] = [
        Entry(
            code: .keyRefused, title: "key not known", retry: .permanent, exit: .coordinatorUnreachable,
            explanation: """
                The coordinator has keys, and does not let this one in: it was never added there, it was revoked, or \
                its time is over. `splitreel keys list` shows the keys beside the coordinator; `splitreel keys add` \
                makes a new token.
                """),
        Entry(
            code: .roleRefused, title: "role does not allow it", retry: .permanent, exit: .coordinatorUnreachable,
            explanation: """
                The coordinator knows the key, and its role does not allow this. A worker renders. submit has jobs of \
                its own, observe sees states and changes nothing, admin does everything.
                """),
        Entry(
            code: .tokenNeeded, title: "keys at one end only", retry: .permanent, exit: .coordinatorUnreachable,
            explanation: """
                One end speaks with keys and the other without. Where the farm has keys, name a token (--token or \
                SPLITREEL_TOKEN): beside the coordinator `splitreel keys add` makes one. Where the farm has none, \
                leave the token out.
                """),
        Entry(
            code: .keyFileUnusable, title: "token or key file unusable", retry: .permanent, exit: .usage,
            explanation: """
                A file of keys is missing, damaged, or may be read by others. A token and the farm's own keys must \
                have mode 0600: `chmod 600 FILE`.
                """),
        Entry(
            code: .keysNeeded, title: "a farm without keys", retry: .permanent, exit: .usage,
            explanation: """
                A coordinator that other machines can reach needs keys. `splitreel keys init` makes the farm's own, \
                `splitreel keys add` one for each worker and person. On a network that you trust, --insecure goes \
                without.
                """),
    ]

    /// The errors of jobs, workers and the coordinator.
    static let farmEntries: [Entry] = [
        Entry(
            code: .storeFailed, title: "job store failed", retry: .transient, exit: .failed,
            explanation: """
                The SQLite file in the data folder cannot be opened, read or written. Check the folder's rights and \
                the room on its disk.
                """),
        Entry(
            code: .uploadsFull, title: "no room for uploads", retry: .permanent, exit: .coordinatorUnreachable,
            explanation: """
                The coordinator's store of uploaded media and of films that wait has no room for what is to come. \
                `splitreel store stat` tells what it holds, `splitreel store prune` removes what no job needs.
                """),
        Entry(
            code: .retriesExhausted, title: "chunk failed too often", retry: .permanent, exit: .failed,
            explanation: """
                Every allowed attempt at a chunk failed; the last failure stands beside this number. Mend its cause, \
                then `splitreel retry ID` goes on with the job.
                """),
        Entry(
            code: .chunkLostTooOften, title: "chunk kills its workers", retry: .permanent, exit: .failed,
            explanation: """
                Workers died on the same chunk again and again: its media may crash the decoder. Encode these media \
                anew, or leave them out.
                """),
        Entry(
            code: .cancelled, title: "cancelled", retry: .permanent, exit: .cancelled,
            explanation: "Someone asked for it. Nothing is left behind."),
        Entry(
            code: .noProgress, title: "no progress", retry: .suspectWorker, exit: .failed,
            explanation: "A worker lived but made no frame within the limit; it was killed and the chunk retried."),
        Entry(
            code: .noSuchJob, title: "no such job", retry: .permanent, exit: .failed,
            explanation: "The coordinator knows no job of that id. `splitreel jobs` lists them."),
        Entry(
            code: .noWorkers, title: "no workers", retry: .permanent, exit: .failed,
            explanation: "No worker process could be kept alive. `splitreel doctor` looks at what a worker needs."),
        Entry(
            code: .internalFault, title: "internal fault", retry: .suspectWorker, exit: .failed,
            explanation: "A fault in splitreel itself. Please report it with the text beside this number."),
        Entry(
            code: .tookTooLong, title: "took too long", retry: .resource, exit: .failed,
            explanation: """
                A step of the job (planning, checking, stitching, publishing or cleaning) did not end within its time \
                limit, or a process that reads media stood still for ten minutes. As a rule a disk or a network mount \
                hangs. No worker is blamed for it. Once it answers again, `splitreel retry ID` goes on with the job.
                """),
        Entry(
            code: .workerDiffers, title: "worker differs", retry: .suspectWorker, exit: .failed,
            explanation: """
                The worker's libav or encoder versions are not those that the plan was made with, so its segments \
                could look different or not fit. Install the same packages on all machines.
                """),
        Entry(
            code: .outOfMemory, title: "out of memory", retry: .resource, exit: .failed,
            explanation: """
                The system killed a worker's process for want of memory, though it was at work alone. `splitreel \
                doctor` tells how much there is and what limits it, `splitreel plan` how much a worker takes.
                """),
        Entry(
            code: .systemLimit, title: "a limit of the system is reached", retry: .resource, exit: .failed,
            explanation: """
                The system gives no process, or no descriptors for one or for its sockets: too many files are open, \
                too many processes run, or there is no memory. Raise the limit that stands beside this number, or run \
                fewer workers.
                """),
        Entry(
            code: .noSuchFilm, title: "no film waits", retry: .permanent, exit: .failed,
            explanation: """
                The coordinator keeps no film of that job for a download. It keeps films for seven days, and only \
                those whose folder it does not see.
                """),
        Entry(
            code: .auditDisagrees, title: "workers disagree", retry: .permanent, exit: .failed,
            explanation: """
                The coordinator audits (--audit), and workers of different keys made different segments of one chunk. \
                No two of three agreed, or there was no third key to decide. The same chunk gives the same bytes on \
                every machine: one of the workers lies, or a machine is broken.
                """),
    ]
}
