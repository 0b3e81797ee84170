import Confinement
import Diagnostics
import Foundation
import Glibc
import Overlays
import Planning
package import Rendering
import SourceBlocks
import SplitreelFiles
import Synchronization
import Threads

/// Makes this process the media half of a slot: renders what the other half orders over standard input, until that
/// closes it or dies. Confines itself before it opens anything of a job; to be called before a second thread is
/// started. `forLargePictures` is called first where the plan's pictures are larger than those of 1080p.
package func serveMediaHalf(forLargePictures: () -> Void = {}) -> Never {
    nameThisProcess(ProcessTitle.text)
    // Whoever signals all processes of a service drains the slot: its other half decides when this one ends.
    for number in [SIGTERM, SIGINT, SIGPIPE] { signal(number, SIG_IGN) }
    if let descriptors = receiveDescriptors(from: STDIN_FILENO) {
        serveHalf(
            on: STDIN_FILENO, blocks: descriptors.first, prepare: { try $0.enter() },
            begin: { if $0.hasLargePictures { forLargePictures() } }
        ) { opener in
            rendering(with: SegmentRenderer(opener: opener))
        }
    }
    // What is still rendered is not wanted any more.
    _exit(0)
}

/// Renders in this process what the other half of a slot orders over a line, until it closes that; for tests. Takes
/// over the connected sockets. Blocks.
package func serveMediaHalf(
    on descriptor: Int32, blocks: Int32? = nil,
    render: @escaping @Sendable (_ opener: (any SourceOpener)?) -> RenderFunction
) {
    serveHalf(on: descriptor, blocks: blocks, prepare: { _ in }, begin: { _ in }, render)
}

/// The function that renders with a renderer.
package func rendering(with renderer: SegmentRenderer) -> RenderFunction {
    { plan, hash, task, key, path, progress, cancellation in
        try renderer.render(
            plan: plan, planHash: hash, task: task, key: key, segmentPath: path, progress: progress,
            cancellation: cancellation)
    }
}

private func serveHalf(
    on descriptor: Int32, blocks: Int32?, prepare: (HalfSession) throws -> Void, begin: (RenderPlan) -> Void,
    _ render: (_ opener: (any SourceOpener)?) -> RenderFunction
) {
    let line = HalfLine(descriptor: descriptor)
    guard let first = line.receive(HalfOrder.self, mostBytes: RenderPlan.mostBytes),
        case .begin(let session) = first.words
    else { return }
    let desk = HalfDesk(
        line,
        Result {
            try prepare(session)
            let plan = try RenderPlan.decode(first.bytes)
            begin(plan)
            return try HalfWork(session, plan, blocks, render)
        })
    while let order = line.receive(HalfOrder.self) {
        switch order.words {
        case .begin: return
        case .render(let task): desk.start(task)
        case .cancel(let number): desk.cancel(number)
        }
    }
    desk.cancel()
}

extension HalfSession {
    /// Confines this process by the session's rules.
    fileprivate func enter() throws {
        if leavesDisk { DiskDuty.leaveToOthers() }
        guard let rules, let scratch = rules.writable.first else { return }
        // Fontconfig's rules for scripts go through a file for a moment.
        unsafe setenv("TMPDIR", scratch, 1)
        let fonts = rules.readsFonts ? fontPlaces() : []
        try Sandbox(readable: rules.readable + fonts, writable: rules.writable).enter()
    }
}

/// A plan that was made ready for its tasks.
private struct HalfWork: Sendable {
    let plan: RenderPlan
    let planHash: String
    let count: TransferCount
    let render: RenderFunction

    init(
        _ session: HalfSession, _ plan: RenderPlan, _ blocks: Int32?,
        _ render: (_ opener: (any SourceOpener)?) -> RenderFunction
    ) throws {
        self.plan = plan
        planHash = session.planHash
        let count = TransferCount()
        self.count = count
        let opener = try session.opening.map { opening in
            FarSources(
                sight: SourceSight(maps: try PathMaps(opening.maps), opensPaths: opening.opensPaths),
                roots: try Roots(opening.roots),
                side: blocks.map { LineSide(line: BlockLine(descriptor: $0), plan: plan) }, count: count,
                folder: opening.folder)
        }
        self.render = render(opener)
    }
}

/// The tasks of this half, one at a time, each on a thread of its own.
private final class HalfDesk: Sendable {
    private let line: HalfLine
    private let work: Result<HalfWork, any Error>
    private let current = Mutex<(number: Int, cancellation: Cancellation)?>(nil)

    private static let stackBytes = 16 << 20
    /// The least time between two words on how far a task is.
    private static let pause = Duration.milliseconds(50)

    init(_ line: HalfLine, _ work: Result<HalfWork, any Error>) {
        self.line = line
        self.work = work
    }

    func start(_ task: HalfTask) {
        let cancellation = Cancellation()
        current.withLock { $0 = (task.number, cancellation) }
        do {
            _ = try DedicatedThread(name: "render", stackBytes: Self.stackBytes) { [self] in
                // Whoever waits for a word that cannot be said is told by the end of the line.
                if !line.send(report(task, cancellation)) { line.shut() }
            }
        } catch {
            _ = line.send(HalfReport.failed(number: task.number, error: Self.known(error, task)))
        }
    }

    /// Cancels the task of that number, or whichever there is.
    func cancel(_ number: Int? = nil) {
        let task = current.withLock { $0 }
        if let task, number == nil || task.number == number { task.cancellation.cancel() }
    }

    private func report(_ task: HalfTask, _ cancellation: Cancellation) -> HalfReport {
        do {
            let work = try self.work.get()
            let records = try work.render(
                work.plan, work.planHash, task.task, task.key, task.path, progress(of: task), cancellation)
            let parts = work.count.take()
            return .made(
                number: task.number, records: records,
                needed: HalfBytes(pictures: parts[.block]?.needed ?? 0, sound: parts[.extent]?.needed ?? 0))
        } catch {
            return .failed(number: task.number, error: Self.known(error, task))
        }
    }

    /// Tells how far a task is, now and then.
    private func progress(of task: HalfTask) -> @Sendable (_ done: Int, _ total: Int) -> Void {
        let told = LastWord()
        return { [line] done, total in
            guard told.isDue(after: Self.pause) || done >= total else { return }
            _ = line.send(HalfReport.progress(number: task.number, done: done, total: total))
        }
    }

    private static func known(_ error: any Error, _ task: HalfTask) -> SplitreelError {
        error as? SplitreelError
            ?? SplitreelError(
                .internalFault, operation: "rendering", subject: task.path, reason: String(describing: error))
    }
}

/// The time of the last word on something.
private final class LastWord: Sendable {
    private let time = Mutex<ContinuousClock.Instant?>(nil)

    /// Whether a word is due, which is taken for said then.
    func isDue(after pause: Duration) -> Bool {
        let now = ContinuousClock.now
        return time.withLock { time in
            if let last = time, now - last < pause { return false }
            time = now
            return true
        }
    }
}
