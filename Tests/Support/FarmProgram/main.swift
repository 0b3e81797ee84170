import Splitreel

// A program without a command line that renders on farms of its own: FarmProgram GOOD.json BAD.json LONG.json FOLDER.
// Two farms live side by side and make three films at once; of these one fails, and one is cancelled as soon as a part
// of it is rendered. Then a third farm makes the first film again. Each end is one line on standard output.
serveFarmIfAsked()
if CommandLine.arguments.dropFirst().first == "memory" {
    await exportFromMemory(Array(CommandLine.arguments.dropFirst(2)))
}

let arguments = CommandLine.arguments
guard arguments.count == 5 else { fatalError("four arguments") }
let folder = arguments[4]

func end(of job: RenderJob) async -> String {
    do {
        return "made " + (try await job.finish()).joined(separator: " ")
    } catch let error as SplitreelError {
        return "failed \(error.code.number)"
    } catch {
        return error is CancellationError ? "cancelled" : "another error: \(error)"
    }
}

do {
    let one = try await RenderFarm(workers: 1)
    let two = try await RenderFarm(workers: 1)
    let good = try await one.submit(arguments[1], to: folder + "/good.mkv")
    let bad = try await two.submit(arguments[2], to: folder + "/bad.mkv")
    let long = try await two.submit(arguments[3], to: folder + "/long.mkv")
    async let isCancelled = cancelOnceRendering(long)
    var progress: [RenderProgress] = []
    for try await step in good.progress() { progress.append(step) }
    let rises = zip(progress, progress.dropFirst()).allSatisfy { $0.fraction <= $1.fraction }
    let last = progress.last.map { "\($0.framesDone) of \($0.frames) isDone \($0.isDone)" } ?? "none"
    print("progress rises \(rises), ends with \(last)")
    print("good \(await end(of: good))")
    print("bad \(await end(of: bad))")
    print("long \(await isCancelled) \(await end(of: long))")
    await one.close()
    await two.close()
    try await render(arguments[1], to: folder + "/again.mkv")
    do {
        try await render(folder + "/nowhere.json", to: folder + "/none.mkv")
    } catch let error as SplitreelError {
        print("nowhere failed \(error.code.number)")
    }
} catch {
    print("error: \(error)")
}

/// Cancels the job when its first frames are rendered; answers whether it came so far.
func cancelOnceRendering(_ job: RenderJob) async -> Bool {
    var hasBegun = false
    do {
        for try await step in job.progress() where step.framesDone > 0 && !hasBegun {
            hasBegun = true
            job.cancel()
        }
    } catch {
        return hasBegun
    }
    return false
}

// This stands in docs/guide/library.md.
func render(_ composition: String, to film: String) async throws {
    try await withRenderFarm(workers: 2) { farm in
        let job = try await farm.submit(composition, to: film)
        for try await progress in job.progress() { print("\(progress.framesDone) of \(progress.frames) frames") }
        print(try await job.finish())
    }
}
