import Splitreel

/// CLIP, FILM: one instruction, with a red background around the clip at half its size.
func background(_ files: [String]) async throws {
    var project = Project()
    try await project.insert(of: MediaAsset(files[0]))
    let half = Transform.parts(TransformParts(scale: NumberPair(0.5), anchor: .middle))
    let layers = project.composition.tracks(of: .video).map { Layer(track: $0.id, transform: [.constant(half)]) }
    let all = TimeRange(start: .zero, duration: project.duration)
    let red = Colour(red: 1, green: 0, blue: 0)
    project.video = VideoComposition(instructions: [Instruction(all, background: red, layers: layers)])
    try await ExportSession(project).export(to: files[1])
}
