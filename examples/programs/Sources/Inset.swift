import Splitreel
import Synchronization

/// A, B, FILM: as long as the first clip, which is alone in the first half, by an instruction that passes its track
/// through; then a compositor of the program's own, which shows the second one in a corner.
func inset(_ files: [String]) async throws {
    var project = Project()
    let tracks = [project.composition.addTrack(.video), project.composition.addTrack(.video)]
    for (file, track) in zip(files, tracks) { try await project.insert(of: MediaAsset(file), into: track) }
    let end = project.composition[id: tracks[0]]?.duration ?? .zero
    if end < project.duration { try project.composition.remove(TimeRange(start: end, end: project.duration)) }
    let half = end / 2
    let shown = InsetInstruction(main: tracks[0], small: tracks[1], share: 0.25)
    project.video = VideoComposition(
        fit: .cover, compositor: RegisteredChoice(id: "example.inset"),
        instructions: [
            Instruction(TimeRange(start: .zero, end: half), passthroughTrack: tracks[0]),
            Instruction(
                TimeRange(start: half, end: end), layers: tracks.map { Layer(track: $0, fit: .cover) },
                params: ["tracks": try JSONValue(encoding: tracks), "inset": try JSONValue(encoding: shown)]),
        ])
    try await ExportSession(project).export(to: files[2])
}

/// What an instruction says to the compositor.
struct InsetInstruction: Codable {
    var main, small: Int
    /// The share of the picture's sides that the small one has.
    var share: Double
}

/// Shows one track in the top left corner of another one, a margin away from the edges.
final class InsetCompositor: VideoCompositing {
    static let description = Description(
        "example.inset", "A small picture in a large one.",
        parameters: [.requiredTracks("tracks", "The two tracks."), .value("inset", "An InsetInstruction.")],
        containsTweening: false)
    private let margin = Mutex(0)

    func renderContextChanged(_ context: RenderContext) { margin.withLock { $0 = context.width / 16 } }

    func compose(_ request: CompositionRequest) async throws -> VideoFrame {
        let inset = try request.parameters.decode("inset", as: InsetInstruction.self)
        guard let main = request.sourceFrame(track: inset.main) else { throw Fault("the main track shows nothing") }
        guard let small = request.sourceFrame(track: inset.small) else { return main }
        let output = request.context.makeFrame()
        main.withRows8 { y, row in output.withRow8(y) { _ = $0.update(fromContentsOf: row) } }
        let (margin, step) = (margin.withLock { $0 }, Int(1 / inset.share))
        for y in 0..<small.height / step {
            small.withRow8(y * step) { row in
                output.withRow8(margin + y) { target in
                    for x in 0..<small.width / step {
                        for part in 0..<4 { target[4 * (margin + x) + part] = row[4 * x * step + part] }
                    }
                }
            }
        }
        return output
    }
}
