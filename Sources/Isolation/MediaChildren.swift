import Confinement
import Diagnostics
import Drawings
import Glibc
package import SplitreelFiles
import SplitreelProject
import Synchronization
package import Threads

/// Processes of this same program that read media for it: a crash, a hang or a burst of one of them is an error about
/// one file. Safe from any thread; every call blocks, for a dedicated thread.
///
/// A process serves one file after the other, which it is handed open, and is replaced when it comes to a bad end or
/// has grown. Requests that need paths have processes of their own, see `MediaRequest.ownSandbox`. There are places
/// for a few files at a time, given in the order in which they were asked for, and separate ones for sources, segments
/// and films: none of them waits for another kind.
package final class MediaChildren: Sendable {
    private let executable: String
    private let arguments: [String]
    let limits: MediaLimits
    private let isConfined: Bool
    /// The way to sources that are no files of this machine, which the processes do not have; nil for none.
    let door: (any SourceDoor)?
    private let idle = Mutex<[MediaChild]>([])
    private let probing: Places
    private let verifying: Places
    let stitching: Places

    /// The program must hand these arguments, and those that come after them, to `serveMedia`. Processes that are not
    /// confined may do all that this one may.
    package init(
        executable: String = "/proc/self/exe", arguments: [String] = [MediaChildren.word],
        limits: MediaLimits = MediaLimits(), isConfined: Bool = true, door: (any SourceDoor)? = nil
    ) {
        self.door = door
        self.isConfined = isConfined
        self.executable = executable
        self.arguments = arguments
        self.limits = limits
        probing = Places(limits.probing)
        verifying = Places(limits.verifying)
        stitching = Places(limits.stitching)
    }

    /// The first word after the program's name with which a reader of media is started.
    package static let word = "media"

    /// Asks a process. Throws the error that it answers with; `.mediaOverLimits` where it was ended for what it took,
    /// and the request's own error where it crashed; `.tookTooLong` where it stood still, as over a disk that hangs;
    /// `.cancelled` once `stop` says so.
    @discardableResult
    package func ask(_ request: MediaRequest, stop: WorkStop? = nil) throws -> MediaReply {
        // Over a disk that hangs this may take for ever, and must keep no place meanwhile.
        var opened: OpenedFiles? = try OpenedFiles(for: request, door: door)
        let seconds = seconds(for: request)
        let places = request.isOfSource ? probing : verifying
        try places.take(stop, request.subject)
        defer { places.free() }
        var kills = 0
        while true {
            let child = try borrow(for: request)
            do {
                // A process that has ended may have written to its files, so another one is handed them anew.
                let files = try opened ?? OpenedFiles(for: request, door: door)
                opened = nil
                let reply = try ask(child, request, files, seconds: seconds, stop)
                giveBack(child)
                return reply
            } catch MediaChild.Failure.ended where child.isUsed {
                // An earlier file's remains in the process may have ended it: a new one is asked before this file is
                // blamed.
                continue
            } catch let failure as MediaChild.Failure {
                kills += 1
                if isFromOutside(failure), kills < Self.mostKills { continue }
                throw error(failure, request)
            } catch {
                // The process has answered as it should.
                giveBack(child)
                throw error
            }
        }
    }

    /// The most times in a row that a killed process is replaced; then it is not by chance.
    static let mostKills = 3

    /// Whether somebody killed the process, or the system did for want of memory, without the file's doing.
    func isFromOutside(_ failure: MediaChild.Failure) -> Bool {
        guard case .ended(let ending) = failure else { return false }
        return ending.signal == SIGKILL && ending.peakBytes <= mostUnblamed
    }

    /// The most bytes that a process holds which has not come near its limit.
    private var mostUnblamed: Int { limits.memoryBytes / 10 * 7 }

    /// Asks a process that was borrowed, see `seconds(for:)`. Throws `MediaChild.Failure`, or the error that it answers
    /// with. `isPaused` says that the process has to wait for somebody else.
    func ask(
        _ child: MediaChild, _ request: MediaRequest, _ files: OpenedFiles, seconds: Double, _ stop: WorkStop?,
        isPaused: (() -> Bool)? = nil
    ) throws -> MediaReply {
        defer { withExtendedLifetime(files) {} }
        let order = MediaOrder(
            request: request, processorSeconds: Int(seconds.rounded(.up)), files: files.names,
            remote: files.remoteNames)
        let answer: MediaAnswer
        do {
            let exchanged: () throws -> MediaAnswer = {
                try child.exchange(
                    order, with: files.descriptors, standing: max(self.limits.standing, seconds),
                    answerBytes: self.limits.answerBytes, stop: stop, isPaused: isPaused)
            }
            answer = try stop.map { try $0.during({ child.kill() }, exchanged) } ?? exchanged()
        }
        if case .probe(let path) = request { child.noteRead(path) }
        if answer.peakBytes > limits.keptBytes { child.isSpent.store(true, ordering: .relaxed) }
        if case .failed(let error) = answer.reply { throw request.withHint(error) }
        return answer.reply
    }

    /// Opens what a request reads that lies elsewhere, before its time is counted: all of it may have to be read once.
    /// `going` is called meanwhile, and ends that by throwing.
    func open(_ request: MediaRequest, going: @escaping @Sendable () throws -> Void) throws {
        guard let door else { return }
        for (name, _) in request.files where name.isRemoteName { _ = try door.source(named: name, going: going) }
    }

    /// Starts a process that works under these rules and is never used again for another request or film.
    func start(_ sandbox: Sandbox, readsFonts: Bool = false) throws -> MediaChild {
        let child = try newChild(sandbox, readsFonts: readsFonts)
        child.isSpent.store(true, ordering: .relaxed)
        return child
    }

    private func newChild(_ sandbox: Sandbox, readsFonts: Bool = false) throws -> MediaChild {
        MediaChild.reapLingering()
        return try MediaChild(
            executable: executable, arguments: arguments,
            own: MediaChildArguments(
                memoryBytes: limits.memoryBytes, sandbox: isConfined ? sandbox : nil, readsFonts: readsFonts))
    }

    /// Borrows a process: one that has read the same source already, if there is one, which has its index at hand; or
    /// a new one for a request that needs its own.
    private func borrow(for request: MediaRequest) throws -> MediaChild {
        if let rules = request.ownSandbox { return try start(rules, readsFonts: request.isOfFonts) }
        let known = idle.withLock { idle -> MediaChild? in
            let path: String? =
                switch request {
                case .index(let path, _), .times(let path, _, _), .coded(let path, _), .text(let path, _),
                    .sound(let path, _), .samples(let path, _):
                    path
                default: nil
                }
            guard let path, let place = idle.lastIndex(where: { $0.hasRead(path) }) else { return idle.popLast() }
            return idle.remove(at: place)
        }
        return try known ?? newChild(Sandbox())
    }

    private func giveBack(_ child: MediaChild) {
        guard !child.isSpent.load(ordering: .relaxed) else { return }
        let isKept = idle.withLock { idle in
            guard idle.count < limits.idle else { return false }
            idle.append(child)
            return true
        }
        if !isKept { child.end() }
    }

    /// Ends the idle processes but one, where no source is to be read for a while: each takes some 20 MB.
    package func letGoOfSpare() {
        let spare = idle.withLock { idle -> [MediaChild] in
            let spare = Array(idle.dropLast())
            idle.removeFirst(spare.count)
            return spare
        }
        for child in spare { child.end() }
    }

    /// The number of processes that wait for the next file.
    package var idleCount: Int { idle.withLock { $0.count } }

    /// The error about the file for which there was no answer.
    func error(_ failure: MediaChild.Failure, _ request: MediaRequest) -> SplitreelError {
        func over(_ reason: String) -> SplitreelError {
            let code: ErrorCode = request.isOfSource ? .mediaOverLimits : request.failure
            return SplitreelError(
                code, operation: "reading media", subject: request.subject, reason: reason,
                hint: "a file that takes so much is damaged or made to harm; convert it, or leave it out")
        }
        switch failure {
        case .stopped:
            return SplitreelError(
                .cancelled, operation: "reading media", subject: request.subject,
                reason: "the work is not wanted any more")
        case .tooLate(let seconds):
            return SplitreelError(
                .tookTooLong, operation: "reading media", subject: request.subject,
                reason: "the process that reads it stood still for \(Int(seconds)) s",
                hint: "is a disk or a network mount hanging?")
        case .tooLong: return over("what is to be said of it is too long")
        case .ended(let ending):
            if ending.signal == SIGXCPU { return over("reading it takes too much processor time") }
            if ending.peakBytes > mostUnblamed {
                return over("reading it takes more than \(limits.memoryBytes >> 20) MiB of memory")
            }
            if ending.signal == SIGKILL {
                // A check that the system ended says nothing of the segment.
                return SplitreelError(
                    request.failure == .segmentInvalid ? .outOfMemory : request.failure,
                    operation: "reading media", subject: request.subject,
                    reason: "the process that read it was killed \(Self.mostKills) times",
                    hint: "the machine may be short of memory: see its system log")
            }
            if ending.signal == SIGSYS {
                return SplitreelError(
                    request.failure, operation: "reading media", subject: request.subject,
                    reason: "the process that read it was ended by the sandbox: it made a call that no reader makes",
                    hint: "the file is made to harm; nothing but its job is affected")
            }
            return SplitreelError(
                request.failure, operation: "reading media", subject: request.subject, reason: ending.words,
                hint: "the file is damaged or made to harm; nothing but its job is affected")
        }
    }

    /// The seconds of processor time that a request may take, and of standing still where that is more: more for a
    /// large file, and for many texts. Much of a finished film, too, may still be on its way to the disk.
    package func seconds(for request: MediaRequest) -> Double {
        var facts = stat()
        let subject = request.subject
        var bytes = stat(subject, &facts) == 0 ? Int64(facts.st_size) : 0
        if subject.isRemoteName { bytes = Int64(door?.byteCount(ofOpened: subject) ?? 0) }
        switch request {
        case .finishFilm(_, let laterBytes): bytes += laterBytes
        case .appendChunk(_, _, _, let furtherBytes): bytes += furtherBytes
        // A millisecond for each text, and one for each 64 bytes of them.
        case .fonts(let texts, _): bytes += texts.reduce(0) { $0 + 4000 + 64 * Int64($1.string.utf8.count) }
        default: break
        }
        return limits.time(forBytes: bytes)
    }
}
