import Splitreel

/// CLIP…, FILM: each track of a clip goes into a track of the composition that fits it, and into a new one where none
/// does.
func match(_ files: [String]) async throws {
    var project = Project()
    for file in files.dropLast() {
        let asset = MediaAsset(file)
        let start = project.duration
        for track in try await asset.load(.tracks) where track.type == .video || track.type == .audio {
            let known = project.composition.track(compatibleWith: track)
            let id = known?.id ?? project.composition.addTrack(track.type)
            print("\(track.type) \(known == nil ? "needs" : "fits") track \(id)")
            try await project.insert(of: asset, track: track.id, into: id, at: start)
        }
    }
    try await ExportSession(project).export(to: files[files.count - 1])
}
