import Dispatch
import Glibc
import Splitreel

// A program without a command line that exports films, and works for a farm:
//
//     FarmProgram three GOOD.json BAD.json LONG.json FOLDER [threads]
//     FarmProgram connect ENDPOINT TOKEN CUT.json FILM LONG.json
//     FarmProgram serve ENDPOINT TOKEN
//     FarmProgram memory MEDIA FOLDER [ENDPOINT]
//     FarmProgram leaks MEDIA FOLDER ROUNDS threads
//
// `three` makes three films at once: one is good, one fails, and one is cancelled as soon as a part of it is rendered.
// `connect` has a farm make a film and begin another one, which is cancelled. `serve` is a worker until SIGTERM. Each
// end is one line on standard output. With `threads` the program does not begin with its one line.
register(effect: Negative(), description: Negative.description)
let arguments = CommandLine.arguments
if arguments.last != "threads" {
    serveFarmIfAsked()
}

switch (arguments.dropFirst().first, arguments.count) {
case ("three", 6...7): await three(arguments[2], arguments[3], arguments[4], in: arguments[5])
case ("connect", 7): await connect(arguments[2], arguments[3], arguments[4], arguments[5], arguments[6])
case ("serve", 4): await work(for: arguments[2], arguments[3])
case ("leaks", 6): await tellLeaks(Array(arguments.dropFirst(2)))
case ("memory", 4...): await exportFromMemory(Array(arguments.dropFirst(2)))
default: fatalError("see the source for the arguments")
}

func three(_ good: String, _ bad: String, _ long: String, in folder: String) async {
    let sessions = [good, bad, long].map { ExportSession(MediaAsset($0)) }
    for session in sessions { session.farm = .local(workers: 1) }
    let rising = sessions[0].progress
    let steps = Task {
        var steps: [ExportSession.Progress] = []
        for await step in rising { steps.append(step) }
        return steps
    }
    async let first = end(of: sessions[0], to: folder + "/good.mkv")
    async let second = end(of: sessions[1], to: folder + "/bad.mkv")
    async let third = cancelled(sessions[2], to: folder + "/long.mkv")
    let ends = await [first, second, third]
    let progress = await steps.value
    let rises = zip(progress, progress.dropFirst()).allSatisfy { $0.fraction <= $1.fraction }
    let last = progress.last.map { "\($0.framesDone) of \($0.frames), \($0.fraction), \($0.state)" } ?? "none"
    print("progress rises \(rises), ends with \(last)")
    for (name, end) in zip(["good", "bad", "long"], ends) { print(name, end) }
    print("once more", await end(of: sessions[0], to: folder + "/more.mkv").prefix(6))
    do {
        try await export(good, to: folder + "/again.mkv")
    } catch {
        print("again \(error)")
    }
    print("nowhere", await end(of: ExportSession(MediaAsset(folder + "/nowhere.json")), to: folder + "/none.mkv"))
}

func connect(_ endpoint: String, _ token: String, _ cut: String, _ film: String, _ long: String) async {
    let sessions = [cut, long].map { ExportSession(MediaAsset($0)) }
    for session in sessions { session.farm = .connect(endpoint, token: token) }
    print("film", await end(of: sessions[0], to: film))
    print("long", await cancelled(sessions[1], to: film + ".long.mkv"))
}

func work(for endpoint: String, _ token: String) async {
    signal(SIGTERM, SIG_IGN)
    let working = Task { try await serve(endpoint, token: token, slots: 1, name: "own") }
    let source = DispatchSource.makeSignalSource(signal: SIGTERM)
    source.setEventHandler { working.cancel() }
    source.activate()
    do {
        try await working.value
        print("left")
    } catch {
        print("error: \(error)")
    }
    source.cancel()
}

/// Exports, and tells the end in words.
func end(of session: ExportSession, to path: String) async -> String {
    do {
        let film = try await session.export(to: path)
        let facts = "\(film.frameCount) frames, \(film.duration.seconds) s, \(film.warnings.count) warnings"
        return "made \(film.path), \(facts)"
    } catch let error as SplitreelError {
        return "failed \(error.code.number)"
    } catch {
        return error is CancellationError && session.status == .cancelled ? "cancelled" : "another error: \(error)"
    }
}

/// Exports, and cancels that once the first frames are rendered.
func cancelled(_ session: ExportSession, to path: String) async -> String {
    let progress = session.progress
    let exporting = Task { await end(of: session, to: path) }
    for await step in progress where step.framesDone > 0 { exporting.cancel() }
    return await exporting.value
}

// This stands in docs/guide/library.md.
func export(_ composition: String, to film: String) async throws {
    let session = ExportSession(MediaAsset(composition))
    let progress = session.progress
    let shown = Task { for await step in progress { print("\(step.framesDone) of \(step.frames) frames") } }
    let made = try await session.export(to: film)
    await shown.value
    print(made.paths)
}
