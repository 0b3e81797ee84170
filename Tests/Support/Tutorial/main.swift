import Splitreel

serveFarmIfAsked()
let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "work": try await serve(words[1], slots: 1)
case "farm": try await join(Array(words.dropFirst(2)), to: "far.mp4", on: .connect(words[1]))
default: try await join(words, to: "here.mp4", on: .local())
}

func join(_ clips: [String], to film: String, on farm: ExportSession.Farm) async throws {
    var project = Project()
    let start = TimeRange(start: .zero, duration: .seconds(2))
    for clip in clips { try await project.insert(start, of: MediaAsset(clip)) }
    project.video = VideoComposition(
        renderSize: PixelSize(width: 320, height: 180), frameDuration: MediaTime(value: 1, timescale: 25),
        fit: .contain)
    for problem in await project.problems() { print("\(problem.path): \(problem.message)") }
    let session = ExportSession(project)
    session.farm = farm
    session.overwrites = true
    let progress = session.progress
    let shown = Task { for await step in progress { print("\(step.framesDone) of \(step.frames) frames") } }
    let made = try await session.export(to: film)
    await shown.value
    print("\(made.path): \(made.frameCount) frames")
}
