/// The farm's way to treat a failure of one attempt: one table, decided by the code alone.
package enum RetryClass: String, Sendable, CaseIterable {
    /// The attempt is made again after a growing delay, at most 4 times in all.
    case transient
    /// The attempt is made on another worker; it fails after 3 distinct workers.
    case suspectWorker
    /// The attempt is made on another worker, since the coordinator could do it itself: the whole worker is at fault,
    /// its mounts, rights or roots. Where no other worker is left the job fails with this very error.
    case suspectAccess
    /// The attempt is made again later without counting (disk, memory).
    case resource
    /// The attempt is not made again: the job fails at once.
    case permanent
}

/// The exit statuses that scripts rely on.
package enum ExitStatus: Int32, Sendable {
    case done = 0
    case failed = 1
    case usage = 2
    case invalidComposition = 3
    case mediaUnreadable = 4
    case outputUnusable = 5
    case coordinatorUnreachable = 6
    case cancelled = 7
    case verificationFailed = 8
}

extension ErrorCode {
    /// A row of the table of codes.
    package struct Entry: Sendable {
        package let code: ErrorCode
        package let title: String
        package let retry: RetryClass
        package let exit: ExitStatus
        /// The text that `splitreel error NUMBER` prints: what happened and what to do, in two or three sentences.
        package let explanation: String
        /// Whether the code is only a warning: the render goes on.
        package var isWarning = false
    }

    /// The words for what happened, such as `cannot open media`; for a code of another release `unknown error`.
    public var title: String { entry?.title ?? "unknown error" }
    /// The explanation in two or three sentences: what happened and what to do; empty for a code of another release.
    public var explanation: String { entry?.explanation ?? "" }
    /// Whether the code is only a warning: the render goes on.
    public var isWarning: Bool { entry?.isWarning ?? false }
    package var retry: RetryClass { entry?.retry ?? .suspectWorker }
    package var exit: ExitStatus { entry?.exit ?? .failed }
    package var entry: Entry? { Self.index[number] }

    private static let index = Dictionary(uniqueKeysWithValues: table.map { ($0.code.number, $0) })
}

extension ErrorCode {
    package static let table: [Entry] =
        protocolEntries + keyEntries + mediaEntries + mediaWarnings + storageEntries + outputEntries + farmEntries
        + compositionEntries + compositionProblems

    private static let protocolEntries: [Entry] = [
        Entry(
            code: .versionMismatch, title: "versions differ", retry: .permanent, exit: .coordinatorUnreachable,
            explanation: """
                The two ends speak different major versions of the farm's protocol, or their renderers differ. \
                Install the same splitreel on both machines; the other workers go on.
                """),
        Entry(
            code: .malformedMessage, title: "message not understood", retry: .transient, exit: .failed,
            explanation: "A message could not be parsed. Something that is not splitreel may use the port."),
        Entry(
            code: .planMismatch, title: "plan differs", retry: .suspectWorker, exit: .failed,
            explanation: """
                The plan that the worker read is not the plan that the coordinator froze (their hashes differ). \
                Check that both see the same shared folder.
                """),
        Entry(
            code: .coordinatorUnreachable, title: "coordinator not reachable", retry: .transient,
            exit: .coordinatorUnreachable,
            explanation: """
                Nothing answered at the endpoint within the time limit. Is `splitreel coordinator` running, and is \
                the endpoint (--connect, SPLITREEL_CONNECT or a config file's `connect`) right?
                """),
        Entry(
            code: .refused, title: "refused", retry: .suspectAccess, exit: .coordinatorUnreachable,
            explanation: """
                The other end answered, and declined: a coordinator a request, or a worker media outside of its \
                roots. Its reason stands beside this number.
                """),
        Entry(
            code: .transportFailed, title: "network operation failed", retry: .transient,
            exit: .coordinatorUnreachable,
            explanation: """
                A ZeroMQ call failed: an address in use, not permitted or not valid. Choose another address, or end \
                the program that has it.
                """),
    ]

    private static let mediaEntries: [Entry] = [
        Entry(
            code: .mediaCannotOpen, title: "cannot open media", retry: .suspectAccess, exit: .mediaUnreadable,
            explanation: """
                The file exists but cannot be read: its permissions forbid it, or libavformat finds it damaged, \
                encrypted, empty, or not media. `splitreel probe FILE` shows what can be read.
                """),
        Entry(
            code: .mediaNotFound, title: "media not found", retry: .suspectAccess, exit: .mediaUnreadable,
            explanation: """
                There is no such file. URLs in a composition are relative to the \
                composition's own folder. A worker says so too where it does not see the coordinator's files; then \
                another one renders the chunk.
                """),
        Entry(
            code: .mediaHasNoSuchTrack, title: "no such track in media", retry: .permanent, exit: .mediaUnreadable,
            explanation: "The segment names a track that the file lacks. `splitreel probe FILE` lists its tracks."),
        Entry(
            code: .decodeFailed, title: "cannot decode media", retry: .permanent, exit: .mediaUnreadable,
            explanation: """
                The decoder gave up on the file's data, or this build of libavcodec lacks the decoder. `ffmpeg -i FILE \
                OUT.mp4` makes another film of what it can read.
                """),
        Entry(
            code: .frameMissing, title: "frame missing in media", retry: .permanent, exit: .mediaUnreadable,
            explanation: """
                A frame that the file's index promises did not come out of the decoder: damaged data. `ffmpeg -i FILE \
                OUT.mp4` makes a whole film of what is left.
                """),
        Entry(
            code: .mediaUnsupported, title: "media not supported", retry: .permanent, exit: .mediaUnreadable,
            explanation: """
                The file is readable, but of a kind that splitreel does not handle. It reads films and sound in the \
                usual containers (mp4, mov, mkv, webm, avi, mpg, ts, mxf, ogg, wav, flac, mp3). It reads pictures too \
                (png, jpg, tiff, webp, gif, heif, avif, exr), subtitles (srt, vtt, ass) and tables of colours (cube). \
                `ffmpeg -i FILE OUT.mp4` makes a film of most others.
                """),
        Entry(
            code: .mediaChanged, title: "media changed since planning", retry: .suspectAccess, exit: .mediaUnreadable,
            explanation: """
                The file's size or content differs from when the render was planned, or a worker sees another file \
                under the same path. Render again.
                """),
        Entry(
            code: .mediaOverLimits, title: "media over the limits", retry: .permanent, exit: .mediaUnreadable,
            explanation: """
                Reading the file's facts took more time or memory than a file may cost, or its pictures are larger \
                than any that are read: 16384×8192 pixels, and 65535 a side. Sound has 64 channels and 768 kHz at \
                most, a table of colours 64 MiB. `ffmpeg -i FILE -vf scale=8192:-2 OUT.mp4` makes a smaller film.
                """),
        Entry(
            code: .mediaNotDelivered, title: "media not delivered", retry: .transient, exit: .mediaUnreadable,
            explanation: """
                A worker reads a file that it does not see from the coordinator, and its bytes did not come in time: \
                the link or the coordinator was away. The chunk is tried again. A worker that sees the file, by the \
                plan's path or by a mapped one, does not depend on the link.
                """),
    ]

    private static let mediaWarnings: [Entry] = [
        warning(
            .sourceDamaged, "damaged media",
            """
            Part of a source could not be decoded as it stands. What is shown there depends on the file alone, never \
            on how the film was split. Look at the film there, and put a whole copy of the source in its place where \
            it matters.
            """),
        warning(
            .framesSubstituted, "frames substituted",
            """
            A source gave no picture for some of its frames; the last good one is held instead. Look at the film \
            there, and put a whole copy of the source in its place where it matters.
            """),
        warning(
            .soundClipped, "sound clipped",
            """
            The mix went above full scale and was cut off there. Lower the tracks' volumes by at least the peak's \
            excess.
            """),
        warning(
            .loudnessMissed, "loudness missed",
            """
            Sound that is to have a certain loudness is made louder only as far as its true peak allows, and what is \
            silent stays so. Lower the `target`, allow a higher `truePeak`, or take the peaks down by a tap: \
            "taps": [{"id": "limiter"}] beside the `loudness`. A lossy coder changes both, less at a higher `bitRate`.
            """),
        warning(
            .loudnessMeasured, "loudness",
            """
            What sound that is to have a certain loudness had by EBU R 128 as it was mixed, and what it has in the \
            film. It is told with a render's outcome, and is nothing to worry about.
            """),
        warning(
            .rateMissed, "bit rate missed",
            """
            A chunk of a film of two passes takes more or fewer bits than its share, since no quality that was \
            tried takes that: of noise one step of it may halve the bits. The film is complete. Say another bit rate, \
            or leave out `passes`.
            """),
        warning(
            .memoryShort, "little memory",
            """
            By the plan's estimate not even one worker fits into the memory that there is. It was rendered one chunk \
            at a time all the same. `splitreel doctor` tells what limits the memory, `splitreel plan` what a worker \
            takes.
            """),
        warning(
            .sourceRemark, "media remark",
            "Something about a source that a person should know; the film was rendered all the same."),
    ]

    /// An entry for a warning; `exit` holds where a person asked for warnings to be errors.
    static func warning(
        _ code: ErrorCode, _ title: String, _ explanation: String, exit: ExitStatus = .done
    ) -> Entry {
        Entry(code: code, title: title, retry: .permanent, exit: exit, explanation: explanation, isWarning: true)
    }

    private static let outputEntries: [Entry] = [
        Entry(
            code: .encoderUnavailable, title: "encoder not available", retry: .suspectWorker, exit: .usage,
            explanation: "No such codec, or this libavcodec lacks its encoder. `splitreel doctor` lists them."),
        Entry(
            code: .compositorFailed, title: "compositor failed", retry: .suspectWorker, exit: .failed,
            explanation: """
                A compositor of the program's own (`video.compositor`) answered a frame with an error, or with a \
                picture of another size. Its name, the frame's time and its own words stand beside this number.
                """),
        Entry(
            code: .effectFailed, title: "effect failed", retry: .suspectWorker, exit: .failed,
            explanation: """
                An effect or a transition of the program's own answered a frame with an error. Its name, its place in \
                the composition, the frame's time and its own words stand beside this number.
                """),
        Entry(
            code: .tapFailed, title: "tap failed", retry: .suspectWorker, exit: .failed,
            explanation: """
                A tap of the program's own (`taps` of `audio`) answered samples with an error, or declared a latency \
                or a memory that cannot be. Its name, the samples' time and its own words stand beside this number.
                """),
        Entry(
            code: .segmentsMissing, title: "segments missing", retry: .permanent, exit: .failed,
            explanation: """
                A task of a plan folder needs what other tasks make: the film all chunks and the sound, a long sound \
                its parts, a chunk of two passes all analyses. `splitreel render-chunk` makes each of those that are \
                named.
                """),
        Entry(
            code: .encodeFailed, title: "cannot encode", retry: .suspectWorker, exit: .failed,
            explanation: """
                The encoder refused its settings or a frame. Leave out settings of the encoder one by one to find the \
                one at fault.
                """),
        Entry(
            code: .codecContainerMismatch, title: "codec does not fit the container", retry: .permanent, exit: .usage,
            explanation: "That codec cannot be stored in that container. mkv takes FFV1 and FLAC, mov ProRes and PCM."),
        Entry(
            code: .outputExists, title: "output exists", retry: .permanent, exit: .outputUnusable,
            explanation: "The output file is already there. Name another, or say --overwrite."),
        Entry(
            code: .outputNotWritable, title: "output cannot be written", retry: .suspectAccess, exit: .outputUnusable,
            explanation: """
                The output's folder is missing, read-only or not yours. Name another, or say --parents to have it \
                made.
                """),
        Entry(
            code: .diskFull, title: "disk full", retry: .resource, exit: .outputUnusable,
            explanation: """
                The disk that holds the output has no room left. A render needs about twice the size of the film while \
                it runs. Make room, or name an output on another disk.
                """),
        Entry(
            code: .muxFailed, title: "cannot write the film", retry: .permanent, exit: .failed,
            explanation: """
                The muxer refused a packet or the file's header. Another container, such as mkv, may take it.
                """),
        Entry(
            code: .segmentInvalid, title: "segment not valid", retry: .suspectWorker, exit: .failed,
            explanation: "A worker delivered a segment that fails its checks; it is rendered again elsewhere."),
        Entry(
            code: .verificationFailed, title: "verification failed", retry: .permanent, exit: .verificationFailed,
            explanation: "The file is not what the plan asked for. The failed checks are listed."),
        Entry(
            code: .settingsImpossible, title: "settings cannot be", retry: .permanent, exit: .usage,
            explanation: """
                The codec cannot take that size, pixel format or rate. Choose another of them, or another codec.
                """),
        Entry(
            code: .copyImpossible, title: "frames cannot be copied", retry: .permanent, exit: .invalidComposition,
            explanation: """
                With `--passthrough require` all frames of a film are frames of its sources, whose packets are copied, \
                but for those at cuts. The error names the first others, and why they are rendered. Say \
                `--passthrough auto` to have them rendered, or `splitreel plan` to see all of them.
                """),
        Entry(
            code: .outputInUse, title: "output is being made already", retry: .permanent, exit: .outputUnusable,
            explanation: "Another unfinished render writes the same file. Wait for it, cancel it, or name another."),
    ]

    private static let compositionEntries: [Entry] = [
        Entry(
            code: .compositionUnreadable, title: "composition cannot be read", retry: .permanent,
            exit: .invalidComposition,
            explanation: """
                The composition file is missing, unreadable, not JSON, or not of format splitreel/1. The error says \
                which, and where.
                """),
        Entry(
            code: .compositionInvalid, title: "composition not valid", retry: .permanent, exit: .invalidComposition,
            explanation: "`splitreel validate COMP.json` lists every problem with its place and what to do."),
        Entry(
            code: .usage, title: "option or argument not usable", retry: .permanent, exit: .usage,
            explanation: "The command line is not understood. Every command explains itself with --help."),
        Entry(
            code: .settingsInvalid, title: "settings not valid", retry: .permanent, exit: .usage,
            explanation: """
                The file named with --config (or ~/.config/splitreel/config.yaml), or a variable SPLITREEL_…, cannot \
                be read or holds something that no setting takes. The place stands beside this number.
                """),
    ]
}
