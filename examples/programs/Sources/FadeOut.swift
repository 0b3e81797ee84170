import Splitreel

/// CLIP, FILM: the sound fades out over the whole of the composition.
func fadeOut(_ files: [String]) async throws {
    var project = Project()
    try await project.insert(of: MediaAsset(files[0]))
    let all = TimeRange(start: .zero, duration: project.duration)
    let inputs = project.composition.tracks(of: .audio).map {
        AudioInput(track: $0.id, volume: [.ramp(all, from: 1, to: 0)])
    }
    project.audio = AudioMix(inputs: inputs)
    try await ExportSession(project).export(to: files[1])
}
