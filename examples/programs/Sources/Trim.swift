import Splitreel

/// CLIP, FILM.mp4, and `cancel` perhaps: second 1 to second 4 by the preset for slow lines, with a title and its
/// progress. With `cancel` it is cancelled as soon as it has begun.
func trim(_ files: [String]) async throws {
    let session = ExportSession(MediaAsset(files[0]))
    let compatible = try await session.compatiblePresets()
    guard compatible.contains(where: { $0.name == "LowQuality" && $0.fileTypes.contains(.mp4) }) else {
        throw Fault("\(files[0]) cannot be exported by LowQuality")
    }
    session.preset = "LowQuality"
    session.fileType = .mp4
    session.timeRange = TimeRange(start: .seconds(1), end: .seconds(4))
    session.metadata = ["title": "Three seconds"]

    let progress = session.progress
    let export = Task { try await session.export(to: files[1]) }
    for await step in progress {
        print("\(step.state) \(Int(step.fraction * 100)) %")
        if files.count > 2, step.state != .ready { export.cancel() }
    }
    do {
        let film = try await export.value
        print("made \(film.frameCount) frames, \(film.duration.seconds) s")
    } catch is CancellationError {
        print("nothing is made")
    }
}
