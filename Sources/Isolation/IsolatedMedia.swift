import Confinement
import Diagnostics
package import Drawings
import Glibc
package import MediaFacts
package import MediaTime
package import Outputs
package import Planning
import Preparation
import SplitreelFiles
package import SplitreelProject
import Stitching
import Synchronization
package import Threads

/// A prober that reads in a process of its own.
package final class IsolatedProber: AssetProber {
    private let children: MediaChildren
    private let stop: WorkStop?
    private let began: @Sendable (_ allowing: Duration) -> Void
    /// The times that the files that are being read may take, in seconds.
    private let running = Mutex<[Double]>([])

    /// `began` is called before each file that is about to be read, with the time that it may take.
    package init(
        _ children: MediaChildren, stop: WorkStop? = nil,
        began: @escaping @Sendable (_ allowing: Duration) -> Void = { _ in }
    ) {
        self.children = children
        self.stop = stop
        self.began = began
    }

    package func facts(of path: String) throws -> AssetFacts {
        try timed(path) {
            guard case .facts(let facts) = try children.ask(.probe(path: path), stop: stop) else {
                throw strangeAnswer(path)
            }
            return facts
        }
    }

    package func frameTimes(of path: String, track: Int, showsFields: Bool) throws -> FrameTimes {
        try timed(path) {
            let request = MediaRequest.times(path: path, track: track, showsFields: showsFields)
            guard case .times(let times) = try children.ask(request, stop: stop) else { throw strangeAnswer(path) }
            return times
        }
    }

    package func codedTrack(of path: String, track: Int) throws -> CodedTrack {
        try timed(path) {
            guard case .coded(let coded) = try children.ask(.coded(path: path, track: track), stop: stop) else {
                throw strangeAnswer(path)
            }
            return coded
        }
    }

    package func find(_ run: SoundRun, in path: String) throws -> SoundFinding {
        try timed(path) {
            guard case .sound(let finding) = try children.ask(.sound(path: path, run: run), stop: stop) else {
                throw strangeAnswer(path)
            }
            return finding
        }
    }

    package func timedText(of path: String, track: Int) throws -> TimedText {
        try timed(path) {
            guard case .text(let text) = try children.ask(.text(path: path, track: track), stop: stop) else {
                throw strangeAnswer(path)
            }
            return text
        }
    }

    package func samples(of path: String, track: Int) throws -> [TimedSample] {
        try timed(path) {
            guard case .samples(let samples) = try children.ask(.samples(path: path, track: track), stop: stop) else {
                throw strangeAnswer(path)
            }
            return samples
        }
    }

    package func edges(of path: String) throws -> FileEdges {
        try timed(path) {
            guard case .edges(let edges) = try children.ask(.edges(path: path), stop: stop) else {
                throw strangeAnswer(path)
            }
            return edges
        }
    }

    package func dataFacts(of path: String, kind: Asset.Kind) throws -> AssetFacts {
        try timed(path) {
            guard case .facts(let facts) = try children.ask(.data(path: path, kind: kind), stop: stop) else {
                throw strangeAnswer(path)
            }
            return facts
        }
    }

    /// Writes the file's index to another one; as a rule by the process that has probed it, which has it at hand.
    package func writeIndex(of path: String, to file: String) throws {
        do {
            try timed(path) { _ = try children.ask(.index(path: path, file: file), stop: stop) }
        } catch {
            // It was made before the process was asked.
            unlink(file)
            throw error
        }
    }

    package func fonts(of texts: [FontText], assets: [String: String]) throws -> FoundFonts {
        let request = MediaRequest.fonts(texts: texts, assets: assets)
        return try timed(request) {
            guard case .fonts(let found) = try children.ask(request, stop: stop) else {
                throw strangeAnswer(request.subject)
            }
            return found
        }
    }

    package func checkWanted() throws { try stop?.check("the composition") }

    /// Runs `body` with its time told. Several files are read at a time: the one that may take longest has its time.
    private func timed<R>(_ path: String, _ body: () throws -> R) throws -> R {
        try timed(.probe(path: path), body)
    }

    private func timed<R>(_ request: MediaRequest, _ body: () throws -> R) throws -> R {
        try children.open(request) { [self] in
            try stop?.check(request.subject)
            began(.seconds(children.limits.standing))
        }
        let seconds = children.seconds(for: request)
        let longest = running.withLock { running in
            running.append(seconds)
            return running.max() ?? seconds
        }
        began(.seconds(longest))
        defer { running.withLock { if let place = $0.firstIndex(of: seconds) { $0.remove(at: place) } } }
        return try body()
    }
}

/// One film that grows in a process of its own, from the first part to `finish` or `abandon`; one call at a time. The
/// process reads and writes in the film's folder, reads in the one of its segments, and ends with the film.
package final class IsolatedStitcher {
    private let children: MediaChildren
    private let plan: RenderPlan
    private let path: String
    private let sandbox: Sandbox
    private let stop: WorkStop
    /// Whether it has one of the places for films, which it gives back.
    private let hasPlace: Bool
    private var child: MediaChild?
    /// The bytes of the sound, and of what is encoded at the end.
    private var laterBytes: Int64 = 0
    /// The requests that made the film so far, for a process that takes the place of one that was killed.
    private var parts: [MediaRequest] = []

    /// Waits for a place, then calls `began`. The segments lie in the folder `segments`; nil: in the film's own. A film
    /// beside one that has a place, of the same job, has none of its own: jobs that wait for one another's second
    /// places would wait for ever.
    package init(
        _ children: MediaChildren, plan: RenderPlan, path: String, segments: String? = nil, isBeside: Bool = false,
        stop: WorkStop, began: () -> Void = {}
    ) throws {
        hasPlace = !isBeside
        self.children = children
        self.plan = plan
        self.path = path
        self.stop = stop
        sandbox = Sandbox(readable: segments.map { [$0] } ?? [], writable: [parentFolder(of: path)])
        if hasPlace { try children.stitching.take(stop, path) }
        began()
        do {
            child = try children.start(sandbox)
        } catch {
            if hasPlace { children.stitching.free() }
            throw error
        }
        do {
            try ask(.beginFilm(plan: plan.outline, path: path))
        } catch {
            letGo()
            throw error
        }
    }

    deinit { letGo() }

    package func setAudio(path: String, record: SegmentRecord) throws {
        try verifyRecord(path: path, record: record, plan: plan, task: nil, reference: nil)
        try ask(.setSound(path: path, record: record))
        laterBytes += record.byteCount
    }

    package func append(path: String, record: SegmentRecord, chunk: Int) throws {
        try verifyRecord(path: path, record: record, plan: plan, task: chunk, reference: nil)
        try ask(
            .appendChunk(path: path, record: record, chunk: chunk, furtherBytes: furtherBytes(frames: record.count)))
        // Decoded once more, at a few million pixels a second.
        if plan.output.video?.codec.isMadeAtEnd == true { laterBytes += 8 * record.byteCount }
    }

    /// Appends a chunk that is copied from its source, which is opened here.
    package func appendCopied(_ source: CopiedSource, chunk: Int) throws {
        let request = MediaRequest.appendCopied(source, chunk: chunk)
        let stop = stop
        try children.open(request) { try stop.check(source.path) }
        try ask(request)
    }

    /// The cost in bytes of decoding so many frames where the film is not made of the packets as they are: some 100 MB
    /// of samples take as long as reading 4 MB.
    private func furtherBytes(frames: Int) -> Int64 {
        guard let video = plan.output.video, video.codec != video.codec.ofSegments else { return 0 }
        return Int64(min(Double(frames) * Double(video.mostFrameBytes) / 25, 1e15))
    }

    package func finish() throws {
        try ask(.finishFilm(path: path, laterBytes: laterBytes))
        letGo()
    }

    package func abandon() {
        guard child != nil else { return }
        if !stop.isStopped { try? ask(.abandonFilm) }
        letGo()
    }

    private func ask(_ request: MediaRequest) throws {
        var kills = 0
        var isReplaced = false
        while true {
            guard let child else { throw strangeAnswer(path) }
            do {
                let film = path
                let isFull = plan.output.isPassedOn == true ? { PassedOnFilm.isFull(film) } : nil
                for part in isReplaced ? parts : [] { try ask(child, part, isPaused: isFull) }
                try ask(child, request, isPaused: isFull)
                return parts.append(request)
            } catch let failure as MediaChild.Failure {
                isReplaced = true
                kills += 1
                guard children.isFromOutside(failure), kills < MediaChildren.mostKills, replaceChild() else {
                    letGo()
                    throw children.error(failure, request)
                }
            }
        }
    }

    private func ask(_ child: MediaChild, _ request: MediaRequest, isPaused: (() -> Bool)?) throws {
        _ = try children.ask(
            child, request, try OpenedFiles(for: request, door: children.door), seconds: children.seconds(for: request),
            stop,
            isPaused: isPaused)
    }

    /// Starts another process, which begins the film again; false where there is none.
    private func replaceChild() -> Bool {
        guard let next = try? children.start(sandbox) else { return false }
        child?.end()
        unlink(path)
        child = next
        return true
    }

    private func letGo() {
        guard let child else { return }
        self.child = nil
        child.end()
        if hasPlace { children.stitching.free() }
    }
}

private func strangeAnswer(_ path: String) -> SplitreelError {
    SplitreelError(
        .internalFault, operation: "reading media", subject: path, reason: "its process has nothing to say")
}
