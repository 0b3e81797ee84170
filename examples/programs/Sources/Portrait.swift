import Splitreel

/// CLIP…, FILM.mov: each clip is turned upright by its preferred transform, on a canvas as large as the largest. The
/// film can be played while it is downloaded.
func portrait(_ files: [String]) async throws {
    var project = Project()
    var canvas = PixelSize(width: 0, height: 0)
    var instructions: [Instruction] = []
    for file in files.dropLast() {
        let clip = MediaAsset(file)
        let (size, transform) = try await clip.load(.naturalSize, .preferredTransform)
        guard let size, let transform else { throw Fault("\(file) has no picture") }
        let isPortrait = transform.a == 0 && transform.d == 0 && abs(transform.b) == 1 && abs(transform.c) == 1
        print("\(file) is \(isPortrait ? "portrait" : "landscape")")
        let (width, height) = isPortrait ? (size.height, size.width) : (size.width, size.height)
        canvas = PixelSize(width: max(canvas.width, Int(width)), height: max(canvas.height, Int(height)))

        let start = project.duration
        let track = project.composition.addTrack(.video)
        try await project.insert(of: clip, into: track, at: start)
        let layer = Layer(track: track, transform: [.constant(.matrix(transform))])
        instructions.append(Instruction(TimeRange(start: start, end: project.duration), layers: [layer]))
    }
    project.video = VideoComposition(
        renderSize: canvas, frameDuration: MediaTime(1, 30), instructions: instructions)

    let session = ExportSession(project)
    session.preset = "HighestQuality"
    session.output.optimizeForNetwork = true
    let export = Task { try await session.export(to: files[files.count - 1]) }
    _ = await export.result
    switch session.status {
    case .completed(let film): print("completed: \(film.frameCount) frames")
    case .failed(let error): throw error
    case .cancelled: print("cancelled")
    case .ready, .exporting: break
    }
}
