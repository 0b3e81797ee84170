import Diagnostics
import Foundation
import Isolation
package import Outputs
package import Planning
import SplitreelFiles
import Stitching
package import Threads
import Transport

/// The stitching of a job's films, one for each output: everything runs in order on one thread of its own.
// Unchecked: `stitchers` and `hasFailed` are touched only by the closures of the one-thread `pool`, which run in order.
package final class FilmAssembly: @unchecked Sendable {
    private let mediaWork: any MediaWork
    /// The plan as each output has it.
    private let views: [RenderPlan]
    /// The paths where the films grow.
    private let films: [String]
    /// The paths where the films belong, for messages.
    private let paths: [String]
    /// A call when a film is begun, which may have to wait for its turn.
    private let began: @Sendable () -> Void
    /// The stop that ends the work under way, also where it hangs.
    package let stop = WorkStop()
    private let pool: ThreadPool
    private var stitchers: [Int: any FilmStitching] = [:]
    private var hasFailed = false

    package init(
        mediaWork: any MediaWork, views: [RenderPlan], films: [String], paths: [String],
        began: @escaping @Sendable () -> Void
    ) {
        self.mediaWork = mediaWork
        self.views = views
        self.films = films
        self.paths = paths
        self.began = began
        pool = ThreadPool(name: "stitch", size: 1, capacity: .max)
    }

    /// Appends the next part in order to the outputs' films, with the records that were verified; chunk nil is the
    /// sound. Of all parts' `failed` one is called at most, until the films are dropped.
    package func append(
        path: String, parts: [SegmentPart], chunk: Int?, records: @escaping @Sendable () throws -> [SegmentRecord],
        done: @escaping @Sendable () -> Void, failed: @escaping @Sendable (any Error) -> Void
    ) {
        perform(failed) { assembly in
            for (number, (part, record)) in zip(parts, try records()).enumerated() {
                let stitcher =
                    try assembly.stitchers[part.output] ?? assembly.begin(part.output, parentFolder(of: path))
                assembly.stitchers[part.output] = stitcher
                let file = SegmentSet.path(path, file: number)
                if let chunk {
                    try stitcher.append(path: file, record: record, chunk: chunk)
                } else {
                    try stitcher.setAudio(path: file, record: record)
                }
            }
            done()
        }
    }

    /// Appends the next chunk in order, which is copied from a source, to the film of the first output: a job that
    /// copies has one alone. `folder` is the one with the segments; `allow` throws where the source may not be read.
    package func appendCopied(
        _ source: CopiedSource, chunk: Int, folder: String, allow: @escaping @Sendable () throws -> Void = {},
        done: @escaping @Sendable () -> Void, failed: @escaping @Sendable (any Error) -> Void
    ) {
        perform(failed) { assembly in
            try allow()
            let stitcher = try assembly.stitchers[0] ?? assembly.begin(0, folder)
            assembly.stitchers[0] = stitcher
            try stitcher.appendCopied(source, chunk: chunk)
            done()
        }
    }

    /// Lets go of the films and removes what there is of them, after everything that was asked before; the parts that
    /// come after this begin them anew.
    func drop() {
        // Where no thread can be had, the parts that come have none either, and say so.
        _ = try? pool.run { [self] in
            letGo()
            for film in films { try? FileManager.default.removeItem(atPath: film) }
            hasFailed = stop.isStopped
        }
    }

    private func letGo() {
        for stitcher in stitchers.values { stitcher.abandon() }
        stitchers = [:]
    }

    /// Completes and checks all films; `done` gets their identities, see `FilmPublication`. `allow` is called first,
    /// with the paths where they grow, and throws where they may not be kept; `send` last, for those that go far.
    package func finish(
        allow: @escaping @Sendable (_ films: [String]) throws -> Void,
        send: @escaping @Sendable (_ films: [String]) throws -> Void = { _ in },
        done: @escaping @Sendable (_ film: String) -> Void, failed: @escaping @Sendable (any Error) -> Void
    ) {
        perform(failed) { assembly in
            try allow(assembly.films)
            var identities: [String] = []
            for output in assembly.films.indices where assembly.views[output].output.stream == nil {
                try assembly.stitchers[output]?.finish()
                assembly.stitchers[output] = nil
                try assembly.check(output)
            }
            for (output, film) in assembly.films.enumerated() {
                if let document = assembly.views[output].output.stream {
                    try write(document, views: assembly.views, films: assembly.films, to: film)
                }
                try synchronize(film)
                guard let identity = fileIdentity(film) else {
                    throw SplitreelError(
                        .muxFailed, operation: "finishing", subject: film, reason: "the film is not there")
                }
                identities.append(identity)
            }
            try send(assembly.films)
            done(FilmPublication.joined(identities))
        }
    }

    /// Checks an output's film. A fault is told of the film's own name: the place where it grows is gone when anybody
    /// looks.
    private func check(_ output: Int) throws {
        do {
            try mediaWork.check(film: films[output], plan: views[output], stop: stop)
        } catch var error as SplitreelError
            where error.subject == Phrase(films[output]) && paths.indices.contains(output)
        {
            error.subject = Phrase(paths[output])
            throw error
        }
    }

    /// Runs `body` after everything that was asked before. After a failure it may be asked for again.
    package func publish(
        _ body: @escaping @Sendable () throws -> Void, failed: @escaping @Sendable (any Error) -> Void
    ) {
        perform(failed, isRepeatable: true) { _ in try body() }
    }

    /// Lets go of the films, then calls `done`, whatever happened before. Work that is under way is ended.
    package func abandon(done: @escaping @Sendable () -> Void) {
        stop.stop()
        let work: @Sendable () -> Void = { [self] in
            letGo()
            hasFailed = true
            done()
        }
        do { try pool.run(work) } catch { done() }
    }

    /// Begins an output's film of segments in a folder; one that an earlier life of the coordinator had
    /// begun is begun again.
    private func begin(_ output: Int, _ segments: String) throws -> any FilmStitching {
        let (began, film) = (began, films[output])
        return try mediaWork.stitcher(
            plan: views[output], path: film, segments: segments, isBeside: !stitchers.isEmpty,
            stop: stop
        ) {
            began()
            unlink(film)
        }
    }

    private func perform(
        _ failed: @escaping @Sendable (any Error) -> Void, isRepeatable: Bool = false,
        _ body: @escaping @Sendable (FilmAssembly) throws -> Void
    ) {
        do {
            try pool.run { [self] in
                guard !hasFailed else { return }
                do {
                    try body(self)
                } catch {
                    hasFailed = !isRepeatable
                    failed(error)
                }
            }
        } catch {
            failed(error)
        }
    }
}
