import Splitreel
import TestTools
import Testing

/// What a program asks for in one line while it builds a film.
@Suite("Films that programs build", .timeLimit(.minutes(2))) struct BuiltInstructionsTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("built") }

    /// A film of one second with a tone.
    private func clip(_ name: String, _ size: String) throws -> MediaAsset {
        let path = folder.file(name)
        try Witness(in: folder).ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=\(size):r=25:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v", "libx264",
            "-preset", "ultrafast", "-pix_fmt", "yuv420p", path,
        ])
        return MediaAsset(path)
    }

    /// One value stands wherever a value of its type may: among arguments, in a loop, in a condition.
    @Test func oneValueIsLoadedInPlace() async throws {
        let clip = try clip("a.mkv", "96x54")
        #expect(min(.seconds(5), try await clip.load(.duration)) < MediaTime(11, 10))
        var types: [MediaType] = []
        for track in try await clip.load(.tracks) { types.append(track.type) }
        #expect(types == [.video, .audio])
        guard let size = try await clip.load(.naturalSize) else { throw ToolFailure("the clip has no size") }
        #expect(size.width == 96 && size.height == 54)
    }

    @Test func factsOfInstructionsAreLoaded() async throws {
        let clips = [try clip("a.mkv", "96x54"), try clip("b.mkv", "54x96")]
        var project = Project()
        let tracks = clips.map { _ in project.composition.addTrack(.video) }
        let sound = project.composition.addTrack(.audio)
        #expect(project.composition.tracks(of: .video).map(\.id) == tracks)
        #expect(project.composition.tracks(of: .audio).map(\.id) == [sound])
        #expect(project.composition.tracks(of: .metadata).isEmpty)
        try await project.insert(of: clips[0], into: tracks[0])
        try await project.insert(of: clips[1], into: tracks[1], at: project.duration - MediaTime(1, 2))
        project.video = VideoComposition(
            renderSize: PixelSize(width: 96, height: 96),
            instructions: [Instruction(TimeRange(start: .seconds(1), duration: .seconds(7)))])

        var builder = InstructionBuilder(fit: .contain)
        builder.prototype.background = .white
        let found = try await builder.instructions(for: project)
        var facts: [String: AssetFacts] = [:]
        for clip in clips { facts[try await project.add(clip)] = try await clip.load(.facts) }
        #expect(found == builder.instructions(for: project, facts: facts))
        #expect(found.map { $0.layers?.count } == [1, 2, 1])
        #expect(found.allSatisfy { $0.background == .white })
    }

    @Test func aRowIsOneOfAllRows() {
        let size = PixelSize(width: 7, height: 5)
        let input = Writer("none.mkv").addPictures(size: size, frameDuration: MediaTime(1, 25))
        let (bytes, floats) = (input.makeFrame(), input.makeFrame(.rgbaFloat))
        for y in 0..<5 {
            bytes.withRow8(y) { row in for place in row.indices { row[place] = UInt8(28 * y + place) } }
            floats.withRowFloat(y) { row in for place in row.indices { row[place] = Float(28 * y + place) } }
        }
        bytes.withRows8 { y, row in #expect(Array(row) == (0..<28).map { UInt8(28 * y + $0) }) }
        floats.withRowsFloat { y, row in #expect(Array(row) == (0..<28).map { Float(28 * y + $0) }) }
        #expect(bytes.withRow8(3) { $0[1] } == 85)
    }
}
