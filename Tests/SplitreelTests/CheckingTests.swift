import Foundation
import Splitreel
import TestTools
import Testing

/// What a program is told of a project that it made, before it is rendered.
@Suite("Checking a project", .timeLimit(.minutes(3))) struct CheckingTests {
    private static func time(_ seconds: Int64) -> MediaTime { MediaTime(value: seconds, timescale: 1) }

    private static func range(_ start: Int64, _ duration: Int64) -> TimeRange {
        TimeRange(start: time(start), duration: time(duration))
    }

    /// Red for 4 s, as two instructions.
    private static func project() -> Project {
        var colour = AssetKeys()
        colour.kind = .color
        colour.color = Colour(red: 1, green: 0, blue: 0)
        var project = Project()
        project.assets["red"] = Asset(colour)
        let id = project.composition.addTrack(.video)
        var segment = TrackSegment()
        segment.asset = "red"
        segment.target = range(0, 4)
        project.composition.tracks[0].segments = [segment]
        var layer = Layer()
        layer.track = id
        var video = VideoComposition()
        video.renderSize = PixelSize(width: 64, height: 32)
        video.frameDuration = MediaTime(value: 1, timescale: 25)
        video.instructions = [range(0, 2), range(2, 2)].map { range in
            var instruction = Instruction()
            instruction.range = range
            instruction.layers = [layer]
            return instruction
        }
        project.video = video
        return project
    }

    @Test func aGoodProjectHasNoProblem() async {
        #expect(await Self.project().problems().isEmpty)
        #expect(await Self.project().isValid())
    }

    @Test func aProblemHasCodePlaceAndAdvice() async throws {
        var project = Self.project()
        project.video?.instructions?[1].layers?[0].track = 7
        let problem = try #require(await project.problems().first)
        #expect(problem.severity == .error && problem.code == .layerTrackUnknown)
        #expect(problem.path == "video.instructions[1].layers[0].track" && problem.line == nil)
        #expect(!problem.message.isEmpty && !problem.hint.isEmpty)
        #expect(await !project.isValid())
        // Only what lies in the range counts.
        #expect(await project.isValid(in: Self.range(0, 2)))
        #expect(await !project.isValid(in: Self.range(1, 2)))
    }

    @Test func mediaThatAreMissingAreTold() async throws {
        var project = Self.project()
        project.assets["red"] = Asset(url: "/nowhere/film.mp4")
        let problem = try #require(await project.problems().first { $0.severity == .error })
        #expect(problem.path == "assets.red" && problem.message.contains("/nowhere/film.mp4"))
        let error = await #expect(throws: SplitreelError.self) { try await project.plan() }
        #expect(error?.code == .mediaNotFound)
    }

    @Test func aPlanTellsItsChunks() async throws {
        var output = OutputEntry()
        output.url = "film.mkv"
        let plan = try await Self.project().plan(for: output)
        #expect(plan.frameCount == 100 && plan.size == PixelSize(width: 64, height: 32))
        #expect(plan.sampleRate == 0 && plan.sampleCount == 0 && plan.range == Self.range(0, 4))
        #expect(plan.chunks.first?.frames.lowerBound == 0 && plan.chunks.last?.frames.upperBound == 100)
        for (chunk, next) in zip(plan.chunks, plan.chunks.dropFirst()) {
            #expect(chunk.frames.upperBound == next.frames.lowerBound && chunk.range.end == next.range.start)
        }
        #expect(plan.chunks.allSatisfy { $0.kind == .still && !$0.reason.isEmpty })
        #expect(try await Self.project().plan(for: output).hash == plan.hash)
    }

    @Test func codeOfASessionIsKnownWhereItIsGiven() async throws {
        var project = Self.project()
        project.video?.effects = [RegisteredChoice(id: "test.checked")]
        var code = OwnCode()
        code.register(effect: "test.checked") { _, output, _ in
            output.withRows8 { _, row in row.update(repeating: 255) }
        }
        #expect(await project.problems(code: code).isEmpty)
        #expect(try await project.plan(code: code).frameCount == 100)
        let problem = try #require(await project.problems().first)
        #expect(problem.code == .effectUnknown && problem.path == "video.effects[0].id")
        await #expect(throws: SplitreelError.self) { try await project.plan() }
    }

    @Test func sourcesInMemoryAreRead() async throws {
        let fixture = try ReadingFixture()
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture.folder.file("v.mkv"))))
        var project = Self.project()
        do {
            let asset = MediaAsset(data: bytes, name: "film.mkv")
            let name = try await project.add(asset, named: "film")
            project.composition.tracks[0].segments[0].asset = name
            project.composition.tracks[0].segments[0].source = Self.range(0, 1)
            project.composition.tracks[0].segments[0].target = Self.range(0, 1)
            project.video = nil
            project.assets["red"] = nil
            #expect(await project.isValid())
            #expect(try await project.plan().frameCount > 0)
            withExtendedLifetime(asset) {}
        }
        // A thread of the library may hold the source for a moment longer.
        var found: Problem?
        let deadline = ContinuousClock.now + .seconds(10)
        while found == nil, ContinuousClock.now < deadline {
            found = await project.problems().first { $0.severity == .error }
        }
        #expect(found?.path == "assets.film")
    }

    @Test func aNumberThatIsNotFiniteIsToldAndNeverWritten() async throws {
        let folder = try TestFolder("not-finite")
        var project = Self.project()
        project.video?.instructions?[1].layers?[0].opacity = [.constant(.nan)]
        let place = "video.instructions[1].layers[0].opacity[0].value"
        let found = try #require(await project.problems().first)
        #expect(found.path == place && found.message == "expected a finite number")
        let error = #expect(throws: SplitreelError.self) { try project.write(to: folder.file("film.json")) }
        #expect(error?.subject.description == place && error?.reason.description == "expected a finite number")
        #expect(try folder.names().isEmpty)
        try Self.project().write(to: folder.file("film.json"))
        #expect(try Project(contentsOf: folder.file("film.json")) == Self.project())
    }
}
