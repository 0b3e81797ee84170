import Splitreel

/// CLIP, FILM: a square film, whose instructions all have the prototype's background behind the clip.
func prototype(_ files: [String]) async throws {
    let clip = MediaAsset(files[0])
    guard let size = try await clip.load(.naturalSize) else { throw Fault("\(clip.name) has no picture") }
    let side = Int(max(size.width, size.height))
    var project = Project()
    try await project.insert(of: clip)
    project.video = VideoComposition(renderSize: PixelSize(width: side, height: side))
    var builder = InstructionBuilder(fit: .contain)
    builder.prototype.background = Colour(red: 0, green: 0.5, blue: 0)
    let instructions = try await builder.instructions(for: project)
    project.video?.instructions = instructions
    try await ExportSession(project).export(to: files[1])
}
