import Splitreel
import TestTools
import Testing

/// Films that builders lay out, and compositions that stand for assets, by the frames of what is made of them.
@Suite("Building films", .timeLimit(.minutes(3))) struct BuildingTests {
    private let films: NumberedFilms

    init() throws { films = try NumberedFilms() }

    /// Lumas of frame 0 to 39 of one film, of a dissolve of ten frames, and of what follows of the other one.
    ///
    /// - Parameter first: the number of the second film's frame with which the dissolve begins.
    private static func dissolved(into first: Int, last: Int) -> [Double] {
        let both = (0..<10).map { step in
            let share = Double(step) / 10
            return Double(40 + step) * (1 - share) + Double(first + step) * share
        }
        return ((0..<40).map(Double.init) + both + (first + 10..<last).map(Double.init)).map { 20 + 2 * $0 }
    }

    /// Two films on two tracks, of which the second begins ten frames before the first one ends.
    private func overlapping() async throws -> Project {
        var project = Project()
        for (asset, start) in [(try films.film(), 0), (try films.film("b.mkv", from: 50), 40)] {
            let track = project.composition.addTrack(.video)
            try await project.insert(of: asset, into: track, at: time(start))
        }
        return project
    }

    // MARK: - Instructions

    @Test func automaticInstructionsDissolveOverlaps() async throws {
        var project = try await overlapping()
        let instructions = try await InstructionBuilder().instructions(for: project)
        #expect(instructions.map(\.range) == [frames(0..<40), frames(40..<50), frames(50..<90)])
        #expect(instructions.map { $0.layers?.map(\.track) } == [[1], [1, 2], [2]])
        #expect(instructions[1].layers?[0].opacity == [.ramp(frames(40..<50), from: 1, to: 0)])
        project.video = VideoComposition(instructions: instructions)
        let film = try await films.film(of: project)
        #expect(film.hasLumas(Self.dissolved(into: 50, last: 100)), "\(film.lumas)")
        #expect(Array(film.frames.prefix(40)) == numbers(0..<40))
        #expect(Array(film.frames.suffix(40)) == numbers(60..<100))
    }

    /// Without dissolves the first track lies over the others.
    @Test func automaticInstructionsCanLayTracksOverEachOther() async throws {
        var project = try await overlapping()
        project.video = VideoComposition(
            instructions: try await InstructionBuilder(dissolvesOverlaps: false).instructions(for: project))
        #expect(try await films.film(of: project).frames == numbers(0..<50, 60..<100))
    }

    /// What the prototype has, each instruction has: here the colour beside a picture in a square.
    @Test func prototypeInstructionIsInAllOthers() async throws {
        var project = try await overlapping()
        project.video = VideoComposition(renderSize: PixelSize(width: 64, height: 64))
        var builder = InstructionBuilder(fit: .contain)
        builder.prototype.background = Colour(red: 0.4, green: 0.4, blue: 0.4)
        builder.prototype.postProcessing = false
        let instructions = try await builder.instructions(for: project)
        #expect(instructions.count == 3 && instructions.allSatisfy { $0.postProcessing == false })
        project.video?.instructions = instructions
        let film = try await films.film(of: project)
        let pictures = try films.witness.luma(film.path)
        let expected = Self.dissolved(into: 50, last: 100)
        try #require(pictures.count == expected.count)
        for (picture, inner) in zip(pictures, expected) {
            for row in [0, 12, 51, 63] { #expect(abs(Double(picture[64 * row + 32]) - Found.luma(ofGrey: 102)) <= 1) }
            for row in [16, 32, 47] { #expect(abs(Double(picture[64 * row + 32]) - inner) <= 1) }
        }
    }

    // MARK: - A whole film

    /// What the builder lays out can be exported, looked at and read: the same frames each time.
    @Test func filmOfClipsIsExportedAndShown() async throws {
        let assets = [try films.film(), try films.film("b.mkv", from: 50)]
        let (first, second) = (try await assets[0].load(.facts), try await assets[1].load(.facts))
        let clips = [
            try Clip(assets[0].name, facts: first),
            try Clip(assets[1].name, facts: second, range: frames(10..<35)),
        ]
        var options = FilmOptions()
        options.dissolve = time(10)
        let builder = try FilmBuilder(clips: clips, options: options)
        #expect(builder.duration == time(65) && builder.size == PixelSize(width: 64, height: 36))
        let project = try builder.project()
        let film = try await films.film(of: project)
        let expected = Self.dissolved(into: 60, last: 85)
        #expect(film.hasLumas(expected), "\(film.lumas)")
        #expect(Array(film.sounds.prefix(40)) == numbers(0..<40))
        #expect(Array(film.sounds.suffix(15)) == numbers(70..<85))
        let greys = try await NumberedFilms.greys(of: MediaAsset(project), at: [0, 20, 44, 60])
        for (grey, frame) in zip(greys, [0, 20, 44, 60]) {
            #expect(abs(Found.luma(ofGrey: grey) - expected[frame]) <= 1.5, "\(frame)")
        }
        let reader = try await NumberedFilms.reader(of: MediaAsset(project))
        #expect(reader.frameCount == 65 && reader.sampleCount == 65 * Found.samplesOfAFrame)
    }

    // MARK: - A composition is an asset

    /// Made in memory: it is inserted as any other asset, loaded, looked at and exported.
    @Test func compositionsAreAssetsOfOthers() async throws {
        var inner = Project()
        try await inner.insert(of: films.film())
        try inner.composition.remove(frames(10..<30))
        let asset = MediaAsset(inner, name: "inner")
        #expect(try await asset.load(.duration) == time(30))
        #expect(try await asset.load(.tracks).map(\.type) == [.video, .audio])
        let greys = try await NumberedFilms.greys(of: asset, at: [9, 10])
        for (grey, number) in zip(greys, [9.0, 30]) { #expect(abs(Found.luma(ofGrey: grey) - 20 - 2 * number) <= 1) }
        var outer = Project()
        try await outer.insert(of: asset)
        try await outer.insert(frames(5..<15), of: asset, at: time(20))
        try await films.expect(outer, shows: numbers(0..<10, 30..<40, 5..<10, 30..<35, 40..<50))
    }
}
