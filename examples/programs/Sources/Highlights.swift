import Splitreel

/// A, B, SONG, FILM: the first five seconds of two clips, and a third file's sound for as long as the composition.
func highlights(_ files: [String]) async throws {
    var project = Project()
    let video = project.composition.addTrack(.video)
    for file in files[0..<2] {
        let clip = MediaAsset(file)
        let length = min(.seconds(5), try await clip.load(.duration))
        try await project.insert(TimeRange(start: .zero, duration: length), of: clip, into: video)
    }
    let audio = project.composition.addTrack(.audio)
    try await project.insert(TimeRange(start: .zero, duration: project.duration), of: MediaAsset(files[2]), into: audio)
    try await ExportSession(project).export(to: files[3])
}
