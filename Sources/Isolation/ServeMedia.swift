import Confinement
import Diagnostics
import Foundation
import Glibc
import Libav
import MediaReading
import MediaWriting
import Overlays
import Preparation
import SplitreelFiles
import Stitching
import Threads
import Transport

/// Makes this process one that reads media for its parent: answers requests on standard input until the parent closes
/// it, dies or ends this process. Returns the exit status. Limits and confines itself before it opens anything of
/// somebody else's; it is called before a second thread is started.
package func serveMedia(_ arguments: MediaChildArguments) -> Int32 {
    for number in [SIGINT, SIGPIPE] { signal(number, SIG_IGN) }
    limit(RLIMIT_CORE, to: 0)
    limit(RLIMIT_DATA, to: UInt(max(64 << 20, arguments.memoryBytes)))
    preferToDie()
    let server = MediaServer(refusal: confine(arguments))
    do {
        // The parent's end closes with the parent, also while a file keeps the other thread busy or stuck.
        _ = try DedicatedThread(name: "parent", stackBytes: 64 << 10) {
            var line = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
            while poll(&line, 1, -1) <= 0 {}
            _exit(0)
        }
        try DedicatedThread(name: "media", stackBytes: 16 << 20) { server.serve() }.join()
    } catch {
        return 1
    }
    return 0
}

/// Confines this process; answers the error where that cannot be.
private func confine(_ arguments: MediaChildArguments) -> SplitreelError? {
    guard var sandbox = arguments.sandbox else { return nil }
    if arguments.readsFonts { sandbox.readable += fontPlaces() }
    do {
        try sandbox.enter()
        return nil
    } catch {
        return error as? SplitreelError
            ?? SplitreelError(
                .internalFault, operation: "entering the sandbox", subject: "this process",
                reason: String(describing: error))
    }
}

/// The server's work, on one thread.
private final class MediaServer: Sendable {
    /// The answer to everything, where this process could not be confined.
    private let refusal: SplitreelError?

    init(refusal: SplitreelError?) { self.refusal = refusal }

    func serve() {
        var line = MessageLine(descriptor: STDIN_FILENO, takesDescriptors: true)
        var stitcher: FilmStitcher?
        let elsewhere = HandedSources()
        SourceDoors.use(elsewhere)
        while let message = try? line.receive(limit: MediaChild.mostRequestBytes),
            let order = try? JSONDecoder().decode(MediaOrder.self, from: message)
        {
            limitProcessorTime(order.processorSeconds)
            let handed = order.handed(line.takeDescriptors())
            HandedFiles.take(handed.files)
            elsewhere.take(handed.lines)
            let reply: MediaReply
            do {
                if let refusal { throw refusal }
                reply = try answer(order.request, &stitcher)
            } catch let error as SplitreelError {
                reply = .failed(error)
            } catch {
                reply = .failed(
                    SplitreelError(
                        order.request.failure, operation: "reading media", subject: order.request.subject,
                        reason: String(describing: error)))
            }
            HandedFiles.take([:])
            elsewhere.take([])
            guard let answer = try? JSONEncoder().encode(MediaAnswer(reply: reply, peakBytes: peakBytes())),
                (try? line.send(answer)) != nil
            else { return }
            // A film that grows uses the same pages again at once.
            if stitcher == nil { LibavMemory.giveBackFreedPages() }
        }
    }

    private func answer(_ request: MediaRequest, _ stitcher: inout FilmStitcher?) throws -> MediaReply {
        switch request {
        case .probe(let path): return .facts(try probe(path: path))
        case .times(let path, let track, let showsFields):
            return .times(try frameTimes(path: path, track: track, showsFields: showsFields))
        case .coded(let path, let track): return .coded(try codedTrack(path: path, track: track))
        case .sound(let path, let run): return .sound(try .reading(run, of: path))
        case .text(let path, let track): return .text(try readTimedText(path: path, track: track))
        case .samples(let path, let track): return .samples(try readSamples(path: path, track: track))
        case .edges(let path): return .edges(try InProcessProber().edges(of: path))
        case .data(let path, let kind): return .facts(try InProcessProber().dataFacts(of: path, kind: kind))
        case .fonts(let texts, let assets): return .fonts(try InProcessProber().fonts(of: texts, assets: assets))
        case .index(let path, let file): try writeIndex(of: path, to: file)
        case .verify(let path, let record, let output, let frameDuration):
            try verifyBytes(path: path, record: record, output: output, frameDuration: frameDuration)
        case .parameterSets(let settings, let frameDuration, let rate):
            return .parameterSets(try parameterSets(of: settings, frameDuration: frameDuration, rate: rate))
        case .inspect(let film, let plan): try requireFilm(path: film, plan: plan)
        case .beginFilm(let plan, let path):
            stitcher = try FilmStitcher(plan: plan, path: path)
        case .setSound(let path, let record): try open(stitcher).setAudio(path: path, record: record)
        case .appendChunk(let path, let record, let chunk, _):
            try open(stitcher).append(path: path, record: record, chunk: chunk)
        case .appendCopied(let source, let chunk): try open(stitcher).appendCopied(source, chunk: chunk)
        case .finishFilm:
            try open(stitcher).finish()
            stitcher = nil
        case .abandonFilm:
            stitcher?.abandon()
            stitcher = nil
        }
        return .done
    }

    private func open(_ stitcher: FilmStitcher?) throws -> FilmStitcher {
        guard let stitcher else {
            throw SplitreelError(
                .internalFault, operation: "stitching", subject: "the film", reason: "it has not been begun")
        }
        return stitcher
    }
}

private func limit(_ resource: __rlimit_resource, to value: UInt) {
    var limits = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    _ = setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
}

/// Limits the processor time in seconds from now on; the time used for earlier files does not count.
private func limitProcessorTime(_ seconds: Int) {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    var limits = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limits)
    limits.rlim_cur = min(rlim_t(used + max(1, seconds) + 1), limits.rlim_max)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limits)
}

/// Makes this process the one to go where the whole machine runs out of memory.
private func preferToDie() {
    try? Data("1000".utf8).write(to: URL(fileURLWithPath: "/proc/self/oom_score_adj"))
}

private func peakBytes() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss) << 10
}
