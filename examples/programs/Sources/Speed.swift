import Splitreel

/// CLIP, FILM: of a clip of two seconds the first one is played in half a second, half a second of nothing follows, and
/// of the rest the middle quarter of a second is taken out.
func speed(_ files: [String]) async throws {
    func time(_ hundredths: Int) -> MediaTime { MediaTime(hundredths, 100) }
    var project = Project()
    try await project.insert(TimeRange(start: .zero, duration: time(200)), of: MediaAsset(files[0]))
    try project.composition.scale(TimeRange(start: .zero, duration: time(100)), to: time(50))
    try project.composition.insertEmpty(TimeRange(start: time(50), duration: time(50)))
    try project.composition.remove(TimeRange(start: time(150), duration: time(25)))
    print("\(project.duration.seconds) s")
    try await ExportSession(project).export(to: files[1])
}
