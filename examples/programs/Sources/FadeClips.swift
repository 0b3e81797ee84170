import Splitreel

/// A, B, FILM: the first clip fades to black over its range; the second one has an instruction of its own.
func fadeClips(_ files: [String]) async throws {
    var project = Project()
    let first = project.composition.addTrack(.video)
    let second = project.composition.addTrack(.video)
    try await project.insert(of: MediaAsset(files[0]), into: first)
    let cut = project.duration
    try await project.insert(of: MediaAsset(files[1]), into: second, at: cut)
    let before = TimeRange(start: .zero, end: cut)
    let after = TimeRange(start: cut, end: project.duration)
    project.video = VideoComposition(instructions: [
        Instruction(before, layers: [Layer(track: first, opacity: [.ramp(before, from: 1, to: 0)])]),
        Instruction(after, layers: [Layer(track: second)]),
    ])
    try await ExportSession(project).export(to: files[2])
}
