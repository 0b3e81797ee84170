import Splitreel

/// A, B, SONG, FILM: one track of pictures and one of sound. Two clips come one after the other, the song lies under
/// both.
func join(_ files: [String]) async throws {
    var project = Project()
    let video = project.composition.addTrack(.video)
    let audio = project.composition.addTrack(.audio)
    try await project.insert(of: MediaAsset(files[0]), into: video)
    try await project.insert(of: MediaAsset(files[1]), into: video)
    let song = MediaAsset(files[2])
    let length = min(project.duration, try await song.load(.duration))
    try await project.insert(TimeRange(start: .zero, duration: length), of: song, into: audio)
    try await ExportSession(project).export(to: files[3])
}
