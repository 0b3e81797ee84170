import Diagnostics
import Files
import Foundation
import Isolation
import Planning
import Threads
import Transport

/// One film's stitching: everything runs in order on one thread of its own.
// Unchecked: `stitcher` and `hasFailed` are touched only by the closures of the one-thread `pool`, which run in order.
final class FilmAssembly: @unchecked Sendable {
    private let mediaWork: any MediaWork
    private let plan: RenderPlan
    private let planHash: String
    private let film: String
    /// Called when the film is begun, which may have to wait for its turn.
    private let began: @Sendable () -> Void
    /// Ends what is being done, also where it hangs.
    let stop = WorkStop()
    private let pool: ThreadPool
    private var stitcher: (any FilmStitching)?
    private var hasFailed = false

    init(
        mediaWork: any MediaWork, plan: RenderPlan, planHash: String, film: String,
        began: @escaping @Sendable () -> Void
    ) {
        (self.mediaWork, self.plan, self.planHash, self.film, self.began) = (mediaWork, plan, planHash, film, began)
        pool = ThreadPool(name: "stitch", size: 1, capacity: .max)
    }

    /// The next part in order, with the record that was verified; chunk nil is the sound. `failed` is called at most
    /// once in the assembly's life.
    func append(
        segment path: String, record: SegmentRecord, chunk: Int?, failed: @escaping @Sendable (any Error) -> Void
    ) {
        perform(failed) { assembly in
            let stitcher = try assembly.stitcher ?? assembly.begin()
            assembly.stitcher = stitcher
            if let chunk {
                try stitcher.append(path: path, record: record, chunk: chunk)
            } else {
                try stitcher.setAudio(path: path, record: record)
            }
        }
    }

    /// Completes and checks the film; `done` gets its identity.
    func finish(
        done: @escaping @Sendable (_ film: String) -> Void, failed: @escaping @Sendable (any Error) -> Void
    ) {
        perform(failed) { assembly in
            try assembly.stitcher?.finish()
            assembly.stitcher = nil
            try assembly.mediaWork.check(film: assembly.film, plan: assembly.plan, stop: assembly.stop)
            try synchronize(assembly.film)
            guard let identity = fileIdentity(assembly.film) else {
                throw SplitreelError(
                    .muxFailed, operation: "finishing", subject: assembly.film, reason: "the film is not there")
            }
            done(identity)
        }
    }

    /// Runs `body` after everything that was asked before.
    func publish(
        _ body: @escaping @Sendable () throws -> Void, failed: @escaping @Sendable (any Error) -> Void
    ) {
        perform(failed) { _ in try body() }
    }

    /// Lets go of the film, then calls `done`, whatever happened before. What is under way is ended.
    func abandon(done: @escaping @Sendable () -> Void) {
        stop.stop()
        let work: @Sendable () -> Void = { [self] in
            stitcher?.abandon()
            stitcher = nil
            hasFailed = true
            done()
        }
        do { try pool.run(work) } catch { done() }
    }

    /// A film that an earlier life of the coordinator had begun is begun again.
    private func begin() throws -> any FilmStitching {
        try mediaWork.stitcher(plan: plan, planHash: planHash, path: film, stop: stop) {
            began()
            unlink(film)
        }
    }

    private func perform(
        _ failed: @escaping @Sendable (any Error) -> Void, _ body: @escaping @Sendable (FilmAssembly) throws -> Void
    ) {
        do {
            try pool.run { [self] in
                guard !hasFailed else { return }
                do {
                    try body(self)
                } catch {
                    hasFailed = true
                    failed(error)
                }
            }
        } catch {
            failed(error)
        }
    }
}
