import Splitreel
import TestTools
import Testing

/// Edits of a composition, by the frames and the samples of the films that follow: each knows its place.
@Suite("Editing a composition", .timeLimit(.minutes(3))) struct EditingTests {
    private let films: NumberedFilms

    init() throws { films = try NumberedFilms() }

    /// A project that plays all of a film: frames 0 to 49.
    private func project() async throws -> Project {
        var project = Project()
        try await project.insert(of: films.film())
        return project
    }

    private func other() throws -> MediaAsset { try films.film("b.mkv", from: 50) }

    // MARK: - An empty composition, and tracks

    @Test func emptyCompositionIsMadeAndFilled() async throws {
        var project = Project()
        #expect(project.composition.tracks.isEmpty && project.composition.duration == .zero)
        #expect(project.duration == .zero)
        let empty = project
        let error = try await #require(throws: SplitreelError.self) { try await films.film(of: empty) }
        #expect(error.code == .nothingToRender)
        try await project.insert(of: films.film())
        #expect(project.duration == .seconds(2))
        try await films.expect(project, shows: numbers(0..<50))
    }

    /// A film with one key frame alone, whose other frames refer to earlier and later ones.
    @Test func assetWithPreciseTimingIsCutToTheFrame() async throws {
        let asset = try films.pictures(
            "long.mp4", coding: ["-c:v", "libx264", "-qp", "1", "-bf", "3", "-g", "999", "-x264-params", "b-adapt=0"])
        let types = try films.witness.frames(asset.name, stream: "v:0").map { $0["pict_type"] as? String }
        #expect(types.count { $0 == "I" } == 1 && types.contains("B"))
        var precise = Asset.media(asset.name)
        precise.preciseTiming = true
        let segments = [
            TrackSegment("long", source: frames(30..<45), at: .zero),
            TrackSegment("long", source: frames(3..<12), at: time(15)),
        ]
        let project = Project(
            assets: ["long": precise], composition: Composition(tracks: [Track(id: 1, .video, segments: segments)]))
        #expect(project.assets["long"]?.preciseTiming == true)
        #expect(try await films.film(of: project).frames == numbers(30..<45, 3..<12))
    }

    @Test func addedTracksHaveTheWantedOrNewIDs() {
        var composition = Composition()
        let wanted: [(type: MediaType, id: Int?)] = [
            (.video, 7), (.audio, 7), (.subtitle, nil), (.text, 3), (.metadata, -1),
        ]
        var ids: [Int] = []
        for (type, id) in wanted { ids.append(composition.addTrack(type, preferredID: id)) }
        #expect(ids == [7, 8, 9, 3, 10] && composition.tracks.map(\.id) == ids)
        #expect(composition.tracks.map(\.type) == [.video, .audio, .subtitle, .text, .metadata])
        #expect(composition[id: 3]?.type == .text && composition[id: 4] == nil)
    }

    @Test func addedSubtitleAndTextTracksComeOut() async throws {
        let cues = "1\n00:00:00,400 --> 00:00:00,800\nHallo\n\n2\n00:00:01,200 --> 00:00:01,600\nWelt\n"
        var project = try await project()
        project.assets["de"] = .subtitles(try films.folder.write(cues, to: "de.srt"))
        for (type, language, start) in [(MediaType.subtitle, "de", 0), (.text, "en", 25)] {
            let id = project.composition.addTrack(type)
            try project.composition.edit(id) { track in
                track.language = language
                track.segments = start > 0 ? [.empty(frames(0..<start))] : []
                track.segments.append(TrackSegment("de", source: frames(0..<25), at: time(start)))
            }
        }
        let film = try await films.film(of: project)
        #expect(film.frames == numbers(0..<50))
        let texts = try films.witness.streams(film.path).filter { $0["codec_type"] as? String == "subtitle" }
        #expect(texts.map { ($0["tags"] as? [String: Any])?["language"] as? String } == ["deu", "eng"])
        for (stream, start) in [("s:0", "0.400000"), ("s:1", "1.400000")] {
            let packets = try films.witness.packets(film.path, stream: stream)
            #expect(packets.map { $0["pts_time"] as? String } == [start])
        }
    }

    /// The track beneath is seen then; its id is not given again.
    @Test func removedTracksShowWhatIsBeneath() async throws {
        var project = try await project()
        let lower = project.composition.addTrack(.video)
        try await project.insert(of: other(), into: lower)
        try await films.expect(project, shows: numbers(0..<50))
        let ids = project.composition.tracks.map(\.id)
        let (first, again) = (project.composition.removeTrack(ids[0]), project.composition.removeTrack(ids[0]))
        #expect(first && !again)
        try await films.expect(project, shows: numbers(50..<100), sounds: numbers(0..<50))
        project.composition.removeTrack(ids[1])
        let film = try await films.film(of: project)
        #expect(film.frames == numbers(50..<100))
        #expect(try films.witness.streams(film.path).map { $0["codec_type"] as? String } == ["video"])
        let added = project.composition.addTrack(.video, preferredID: ids[0])
        #expect(!ids.contains(added))
    }

    @Test func compatibleTracksAreThoseOfTheSameType() async throws {
        let other = try other()
        let facts = try await other.load(.tracks)
        #expect(facts.map(\.type) == [.video, .audio])
        #expect(facts.allSatisfy { Composition().track(compatibleWith: $0) == nil })
        var project = try await project()
        for track in facts {
            let found = try #require(project.composition.track(compatibleWith: track))
            #expect(found.type == track.type)
            try await project.insert(frames(0..<25), of: other, track: track.id, into: found.id)
        }
        try await films.expect(project, shows: numbers(0..<50, 50..<75))
    }

    // MARK: - Inserting

    /// The pictures alone move out: the sound stays where it is.
    @Test func insertedRangesOfATrackMoveThatTrackOut() async throws {
        var project = try await project()
        let picture = try #require(project.composition.tracks(of: .video).first).id
        let other = try other()
        try await project.insert(frames(25..<35), of: other, into: picture, at: time(10))
        try await films.expect(
            project, shows: numbers(0..<10, 75..<85, 10..<50), sounds: numbers(0..<50) + nothing(10))
        // Without a time it goes to the end.
        try await project.insert(frames(0..<5), of: other, into: picture)
        try await films.expect(
            project, shows: numbers(0..<10, 75..<85, 10..<50, 50..<55), sounds: numbers(0..<50) + nothing(15))
    }

    @Test func insertedAssetsBringPicturesAndSound() async throws {
        var project = try await project()
        let other = try other()
        try await project.insert(of: other, at: .seconds(1))
        try await films.expect(project, shows: numbers(0..<25, 50..<100, 25..<50))
        try await project.insert(frames(10..<20), of: other)
        #expect(project.composition.tracks.map(\.type) == [.video, .audio])
        try await films.expect(project, shows: numbers(0..<25, 50..<100, 25..<50, 60..<70))
    }

    /// Black and silence for ten frames.
    @Test func insertedEmptyRangesMoveAllTracksOut() async throws {
        var project = try await project()
        let moved = try project.composition.insertEmpty(frames(10..<20))
        #expect(moved)
        try await films.expect(project, shows: numbers(0..<10) + nothing(10) + numbers(10..<50))
        // Nothing would move: a composition does not end with nothing.
        let before = project
        let atEnd = try project.composition.insertEmpty(frames(60..<70))
        #expect(!atEnd && project == before)
    }

    // MARK: - Removing and scaling

    @Test func removedRangesPullAllTracksIn() async throws {
        var project = try await project()
        try project.composition.remove(frames(10..<30))
        try await films.expect(project, shows: numbers(0..<10, 30..<50))
        // Across that cut.
        try project.composition.remove(frames(5..<15))
        try await films.expect(project, shows: numbers(0..<5, 35..<50))
        try project.composition.remove(frames(0..<20))
        #expect(project.duration == .zero && project.composition.tracks.count == 2)
    }

    /// The pictures are those of the times that the scale gives; the sound is as it was before and behind.
    @Test(arguments: [(20, 40), (20, 10), (20, 30)]) func scaledRangesLastAsLongAsSaid(from: Int, to: Int) async throws
    {
        var project = try await project()
        try project.composition.scale(frames(10..<10 + from), to: time(to))
        #expect(project.duration == time(50 + to - from))
        let film = try await films.film(of: project)
        let scaled: [Int?] = (0..<to).map { 10 + $0 * from / to }
        #expect(film.frames == numbers(0..<10) + scaled + numbers(10 + from..<50))
        #expect(Array(film.sounds.prefix(10)) == numbers(0..<10))
        // Where two segments join, a few milliseconds of both are faded against a click.
        #expect(Array(film.sounds.dropFirst(10 + to + 1)) == numbers(10 + from + 1..<50))
        // It plays at another speed in between: neither silence nor the samples as they are.
        #expect(film.sounds.dropFirst(10).prefix(to).allSatisfy { $0 == -1 })
    }
}
