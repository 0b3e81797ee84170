import Splitreel
import Synchronization
import TestTools
import Testing

/// Effects and compositors of a program's own, by the frames of their films.
@Suite("Code in the picture", .timeLimit(.minutes(3))) struct OwnPictureTests {
    private let films: NumberedFilms

    init() throws { films = try NumberedFilms() }

    /// Two seconds of a grey of 204.
    private static func grey(_ instructions: [Instruction]? = nil) -> Project {
        let track = Track(id: 1, .video, segments: [TrackSegment("grey", target: frames(0..<50))])
        return Project(
            assets: ["grey": .colour(Colour(red: 0.8, green: 0.8, blue: 0.8))],
            composition: Composition(tracks: [track]),
            video: VideoComposition(
                renderSize: PixelSize(width: 64, height: 36), frameDuration: MediaTime(1, 25),
                instructions: instructions))
    }

    /// Two numbered films over each other, each in a track of its own: frames 0 to 49 and 50 to 99.
    private func pair() async throws -> Project {
        var project = Project()
        for (name, first) in [("a.mkv", 0), ("b.mkv", 50)] {
            let track = project.composition.addTrack(.video)
            try await project.insert(of: films.film(name, from: first), into: track)
        }
        return project
    }

    private static func fill(_ frame: VideoFrame, _ level: Int) {
        frame.withRows8 { _, row in for x in row.indices { row[x] = x % 4 == 3 ? 255 : UInt8(level) } }
    }

    private static func frame(_ time: MediaTime?) -> Int { time.map { Int(($0.seconds * 25).rounded()) } ?? -1 }

    // MARK: - Effects

    /// Half of the source and two steps more with each frame, after a wait.
    @Test func filterIsCalledWithTheTimeOfEachFrame() async throws {
        var project = Self.grey()
        project.video?.effects = [RegisteredChoice(id: "test.rises")]
        var code = OwnCode()
        code.register(effect: Description("test.rises", "Rises with time.", usesTime: true)) {
            source, output, request in
            await Task.yield()
            let half = source.withRow8(0) { Int($0[0]) } / 2
            Self.fill(output, half + 2 * Self.frame(request.time))
        }
        let film = try await films.film(of: project, code: code)
        #expect(film.hasLumas((0..<50).map { Found.luma(ofGrey: 102 + 2 * $0) }), "\(film.lumas)")
    }

    private struct Burnt: Error, CustomStringConvertible { var description: String { "the lamp is burnt" } }

    /// It finishes with an error in place of a picture: the film fails with its words and its time, and leaves nothing.
    @Test func filterThatFailsFailsTheFilm() async throws {
        var project = Self.grey()
        project.video?.effects = [RegisteredChoice(id: "test.burns")]
        var code = OwnCode()
        code.register(effect: Description("test.burns", "Fails at 0.4 s.", usesTime: true)) { _, output, request in
            if Self.frame(request.time) == 10 { throw Burnt() }
            Self.fill(output, 100)
        }
        let (made, own) = (project, code)
        let error = try await #require(throws: SplitreelError.self) { try await films.film(of: made, code: own) }
        #expect("\(error)".contains("the lamp is burnt") && "\(error)".contains("at 0.4 s"), "\(error)")
        #expect(try films.folder.names().isEmpty)
    }

    // MARK: - What a compositor needs

    /// Of a picture that stands still it is asked once, or once for each chunk; one that tweens for each frame.
    @Test(arguments: [false, true]) func containsTweeningSaysHowOftenItIsCalled(tweens: Bool) async throws {
        let calls = Calls()
        var code = OwnCode()
        let description = Description("test.stands", "A grey of 150.", containsTweening: tweens)
        code.register(compositor: description) { request in
            calls.add(Self.frame(request.time))
            let frame = request.context.makeFrame()
            Self.fill(frame, 150)
            return frame
        }
        var project = Self.grey([
            Instruction(frames(0..<20), layers: [Layer(track: 1)]),
            Instruction(frames(20..<50), layers: [Layer(track: 1)]),
        ])
        project.video?.compositor = RegisteredChoice(id: "test.stands")
        let film = try await films.film(of: project, code: code)
        #expect(film.hasLumas([Double](repeating: Found.luma(ofGrey: 150), count: 50)), "\(film.lumas)")
        #expect(tweens ? Set(calls.frames) == Set(0..<50) : (2...10).contains(calls.frames.count), "\(calls.frames)")
    }

    /// A track that is passed through is seen as it is, sample by sample, and the compositor is not asked.
    @Test func passthroughTrackSkipsTheCompositor() async throws {
        let calls = Calls()
        var code = OwnCode()
        code.register(compositor: "test.covers") { request in
            calls.add(Self.frame(request.time))
            let frame = request.context.makeFrame()
            Self.fill(frame, 200)
            return frame
        }
        var project = try await pair()
        project.video = VideoComposition(
            compositor: RegisteredChoice(id: "test.covers"),
            instructions: [
                Instruction(frames(0..<30), passthroughTrack: 2),
                Instruction(frames(30..<50), layers: [Layer(track: 1), Layer(track: 2)]),
            ])
        let film = try await films.film(of: project, code: code)
        #expect(Array(film.frames.prefix(30)) == numbers(50..<80))
        let rest = film.lumas.dropFirst(30)
        #expect(rest.count == 20 && rest.allSatisfy { abs(Double($0) - Found.luma(ofGrey: 200)) <= 1 })
        #expect(Set(calls.frames) == Set(30..<50))
    }

    /// It gets the tracks that its instruction requires, all of them where nothing is said, and shows the first.
    @Test func requiredTracksAreTheOnesThatACompositorGets() async throws {
        let got = Mutex<[Int: [Int]]>([:])
        var code = OwnCode()
        let description = Description(
            "test.requires", "Shows a track.", parameters: [.requiredTracks("tracks", "What it needs.")])
        let isRight = Mutex(true)
        code.register(compositor: description) { request in
            let ids = request.sourceTrackIDs
            got.withLock { $0[Self.frame(request.time)] = ids }
            let hasThem = [1, 2].allSatisfy { (request.sourceFrame(track: $0) != nil) == ids.contains($0) }
            isRight.withLock { $0 = $0 && hasThem }
            return ids.first.flatMap { request.sourceFrame(track: $0) } ?? request.context.makeFrame()
        }
        var project = try await pair()
        let layers = [Layer(track: 1), Layer(track: 2)]
        project.video = VideoComposition(
            compositor: RegisteredChoice(id: "test.requires"),
            instructions: [
                Instruction(frames(0..<25), layers: layers, params: ["tracks": [2]]),
                Instruction(frames(25..<50), layers: layers),
            ])
        let film = try await films.film(of: project, code: code)
        let shown = Array(50..<75) + Array(25..<50)
        #expect(film.hasLumas(shown.map { Double(20 + 2 * $0) }), "\(film.lumas)")
        let tracks = got.withLock { $0 }
        #expect((0..<50).allSatisfy { tracks[$0] == ($0 < 25 ? [2] : [1, 2]) }, "\(tracks)")
        #expect(isRight.withLock { $0 })
    }

    // MARK: - What an instruction says

    private struct Bars: Codable, Equatable {
        struct Edge: Codable, Equatable { var level: Int }

        var levels: [Int]
        var edge: Edge?
    }

    /// Each instruction has a value of a type of the program's own, which the file holds too.
    @Test func instructionsCarryTypesOfTheProgram() async throws {
        var code = OwnCode()
        let description = Description("test.bars", "Bars.", parameters: [.value("bars", "A Bars.")])
        code.register(compositor: description) { request in
            let bars = try request.parameters.decode("bars", as: Bars.self)
            let frame = request.context.makeFrame()
            frame.withRows8 { y, row in
                for x in 0..<row.count / 4 {
                    let inner = bars.levels[x * bars.levels.count / (row.count / 4)]
                    let level = UInt8(y == 0 ? bars.edge?.level ?? inner : inner)
                    for part in 0..<4 { row[4 * x + part] = part == 3 ? 255 : level }
                }
            }
            return frame
        }
        let values = [Bars(levels: [40, 200]), Bars(levels: [250, 10, 90, 170], edge: Bars.Edge(level: 0))]
        var project = Self.grey(
            try zip(values, [frames(0..<20), frames(20..<50)]).map { value, range in
                Instruction(range, layers: [Layer(track: 1)], params: ["bars": try JSONValue(encoding: value)])
            })
        project.video?.compositor = RegisteredChoice(id: "test.bars")
        project = try Project(project.data())
        let film = try await films.film(of: project, code: code)
        let pictures = try films.witness.luma(film.path)
        try #require(pictures.count == 50)
        for (number, picture) in pictures.enumerated() {
            let bars = values[number < 20 ? 0 : 1]
            for (bar, level) in bars.levels.enumerated() {
                let x = 64 * bar / bars.levels.count + 4
                for (y, expected) in [(0, bars.edge?.level ?? level), (20, level)] {
                    let found = Double(picture[64 * y + x])
                    #expect(abs(found - Found.luma(ofGrey: expected)) <= 1, "frame \(number), bar \(bar), row \(y)")
                }
            }
        }
    }
}

/// The frames of which a compositor was asked, in any order.
private final class Calls: Sendable {
    private let list = Mutex<[Int]>([])
    var frames: [Int] { list.withLock { $0 } }
    func add(_ frame: Int) { list.withLock { $0.append(frame) } }
}
