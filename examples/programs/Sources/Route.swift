import Foundation
import Splitreel

/// CLIP, ROUTE.jsonl, FILM: places of a ride come to a compositor beside the frames. It draws a white line where the
/// ride is on its way from west (-180°) to east (180°). Lines of the file are such as
/// `{"start": 0.5, "latitude": 52.5, "longitude": 13.4}`.
func route(_ files: [String]) async throws {
    var project = Project()
    try await project.insert(of: MediaAsset(files[0]))
    project.assets["route"] = .timedMetadata(files[1])
    let all = TimeRange(start: .zero, duration: project.duration)
    let track = project.composition.addTrack(.metadata)
    try project.composition.edit(track) { $0.segments = [TrackSegment("route", target: all)] }
    project.video = VideoComposition(
        compositor: RegisteredChoice(id: "example.route"), sampleDataTracks: [track],
        instructions: [
            Instruction(all, layers: project.composition.tracks(of: .video).map { Layer(track: $0.id, fit: .cover) })
        ])

    let session = ExportSession(project)
    session.code.register(compositor: Description("example.route", "Shows a place.", containsTweening: false)) {
        request in
        let output = request.context.makeFrame()
        guard let film = request.sourceTrackIDs.first.flatMap({ request.sourceFrame(track: $0) }) else { return output }
        film.withRows8 { y, row in output.withRow8(y) { _ = $0.update(fromContentsOf: row) } }
        guard let track = request.metadataTrackIDs.first, let sample = request.metadata(track: track),
            let place = try? JSONDecoder().decode(Place.self, from: Data(sample.bytes))
        else { return output }
        let middle = Int((place.longitude + 180) / 360 * Double(output.width))
        let columns = max(0, middle - 2)..<min(output.width, middle + 2)
        output.withRows8 { _, row in
            for x in columns { for part in 0..<4 { row[4 * x + part] = 255 } }
        }
        return output
    }
    try await session.export(to: files[2])
}

private struct Place: Decodable {
    var latitude: Double
    var longitude: Double
}
