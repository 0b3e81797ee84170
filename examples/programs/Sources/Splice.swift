import Splitreel

/// CLIP…, SONG, FILM: clips one after the other, their own sound at 0.2 and music under all of it at 0.8.
func splice(_ files: [String]) async throws {
    var project = Project()
    for file in files.dropLast(2) { try await project.insert(of: MediaAsset(file)) }
    let own = project.composition.tracks(of: .audio)

    let song = MediaAsset(files[files.count - 2])
    let length = min(project.duration, try await song.load(.duration))
    let music = project.composition.addTrack(.audio)
    try await project.insert(TimeRange(start: .zero, duration: length), of: song, into: music)

    let inputs = own.map { AudioInput(track: $0.id, volume: [.constant(0.2)]) }
    project.audio = AudioMix(inputs: inputs + [AudioInput(track: music, volume: [.constant(0.8)])])
    try await ExportSession(project).export(to: files[files.count - 1])
}
