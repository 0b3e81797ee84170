import Diagnostics
import LocalFarm
import Planning
import Preparation
import SplitreelFiles
import Threads

/// Makes this process a worker, or a reader of media, of a `RenderFarm` where such a farm started it, and never returns
/// then; does nothing in any other process. To be called at the start of `main`, after everything has been registered:
///
///     register(effect: Negative(), description: Description("example.negative", "Negative colours"))
///     serveFarmIfAsked()
///
/// A farm starts its processes as this same program, with `worker --slot-of …` or `media --memory …` as arguments.
public func serveFarmIfAsked() { FarmChild.serve() }

/// A farm in this process, whose workers are processes of this same program: what `splitreel render` renders on,
/// without its command line. Prints nothing and ends nothing. Safe from any task; several may live side by side.
///
/// `close` is to be called at the end. A process that ends without it takes its workers along; the next farm clears
/// away what it left.
public final class RenderFarm: Sendable {
    private let farm: LocalFarm

    /// Starts the farm. It costs some milliseconds; workers come up while the first film is planned.
    ///
    /// - Parameter workers: the chunks that are rendered at a time, each by a process; the machine's cores where it is
    ///   nil, at most one for each GiB of memory, and at a time only as many as fit into it.
    /// - Throws: `SplitreelError`, also where `main` has not called `serveFarmIfAsked()`.
    public init(workers: Int? = nil) async throws {
        if let workers, !(1...256).contains(workers) {
            throw SplitreelError(
                .usage, operation: "starting a local farm", subject: "\(workers) workers",
                reason: "a farm has 1 to 256")
        }
        do {
            farm = try await LocalFarm(workers: workers)
        } catch {
            throw SplitreelError.wrapping(error)
        }
    }

    /// Begins to render a composition to one output, and answers once the job is stored: planning and rendering follow.
    ///
    /// - Parameters:
    ///   - path: the composition's file; its URLs start from its folder.
    ///   - output: the path of the film, sound or pictures; its ending says which.
    ///   - overwriting: whether an output that is there is replaced, in one step at the end.
    /// - Throws: `SplitreelError` for a composition that cannot be read, or an output that cannot be.
    public func submit(_ path: String, to output: String, overwriting: Bool = false) async throws -> RenderJob {
        do {
            let (project, requests) = try await onThread("reading") {
                Result {
                    let file = try CompositionFile(path: path)
                    var request = OutputRequest(path: try absolutePath(output))
                    request.overwrite = overwriting
                    request.compositionPath = file.path
                    let requests = try request.streamed(of: file.project)
                    try file.locating {
                        for request in requests { try refuseImpossible(file.project, request: request) }
                    }
                    return (file.project, requests)
                }
            }.get()
            return RenderJob(try await farm.submit(project, requests))
        } catch {
            throw SplitreelError.wrapping(error)
        }
    }

    /// Ends the workers. Films that are not finished are lost, and leave nothing behind.
    public func close() async { await farm.close() }
}

/// Starts a farm for `body` and ends it afterwards, also where `body` throws: see `RenderFarm`.
public func withRenderFarm<Value: Sendable>(
    workers: Int? = nil, _ body: (RenderFarm) async throws -> Value
) async throws -> Value {
    let farm = try await RenderFarm(workers: workers)
    do {
        let value = try await body(farm)
        await farm.close()
        return value
    } catch {
        await farm.close()
        throw error
    }
}
