import Authoring
import Diagnostics
import MediaFacts
import MediaTime
import SplitreelProject
import Testing

/// Edits of all tracks at once, by tables of what each of them plays and when.
@Suite("Edits of several tracks") struct EditableTracksTests {
    private static let film = EditingTests.film

    private static func range(_ start: Rational, _ end: Rational) -> TimeRange {
        EditingTests.range(start, end - start)
    }

    /// Two clips of picture, sound that ends earlier, a clip after a hole, and a track of nothing.
    private static func fourTracks() throws -> Composition {
        var composition = Composition()
        for type in [MediaType.video, .audio, .video, .audio] { composition.addTrack(type) }
        try composition.edit(1) {
            try $0.insert("a", range(1, 5), of: film)
            try $0.insert("b", range(0, 2), of: film)
        }
        try composition.edit(2) { try $0.insert("a", range(0, 4), of: film) }
        try composition.edit(3) { try $0.insert("c", range(2, 5), of: film, at: 5) }
        return composition
    }

    /// `a 1...5 at 0...4` for each segment that shows something, and that each begins where the one before it ends.
    private static func table(
        _ composition: Composition, source: SourceLocation = #_sourceLocation
    ) -> [[String]] {
        func seconds(_ range: TimeRange) -> String {
            "\(Rational(range.start).shortSeconds)...\(Rational(range.end).shortSeconds)"
        }
        return composition.tracks.map { track in
            var end = Rational(0)
            for segment in track.segments {
                #expect(Rational(segment.target.start) == end, "track \(track.id)", sourceLocation: source)
                end = Rational(segment.target.end)
            }
            return track.segments.compactMap { segment in
                guard let asset = segment.asset, let played = segment.source else { return nil }
                return "\(asset) \(seconds(played)) at \(seconds(segment.target))"
            }
        }
    }

    @Test func whatIsThereToBeginWith() throws {
        let composition = try Self.fourTracks()
        #expect(
            Self.table(composition) == [
                ["a 1...5 at 0...4", "b 0...2 at 4...6"], ["a 0...4 at 0...4"], ["c 2...5 at 5...8"], [],
            ])
        #expect(composition.length == 8)
    }

    /// What a track shows at the place is cut; a track that has ended by then stays as it is.
    @Test func emptyTimeMovesAllTracksOut() throws {
        var composition = try Self.fourTracks()
        #expect(try composition.insertEmpty(at: 3, lasting: Rational(3, 2)))
        #expect(
            Self.table(composition) == [
                ["a 1...4 at 0...3", "a 4...5 at 4.5...5.5", "b 0...2 at 5.5...7.5"],
                ["a 0...3 at 0...3", "a 3...4 at 4.5...5.5"], ["c 2...5 at 6.5...9.5"], [],
            ])
        #expect(composition.length == Rational(19, 2))
        #expect(composition.tracks.map(\.length) == [Rational(15, 2), Rational(11, 2), Rational(19, 2), 0])
        // At a cut nothing is cut.
        var atCut = try Self.fourTracks()
        #expect(try atCut.insertEmpty(at: 4, lasting: 1))
        #expect(
            Self.table(atCut) == [
                ["a 1...5 at 0...4", "b 0...2 at 5...7"], ["a 0...4 at 0...4"], ["c 2...5 at 6...9"], [],
            ])
        var late = try Self.fourTracks()
        #expect(try late.insertEmpty(at: 7, lasting: 1))
        #expect(
            Self.table(late) == [
                ["a 1...5 at 0...4", "b 0...2 at 4...6"], ["a 0...4 at 0...4"],
                ["c 2...4 at 5...7", "c 4...5 at 8...9"], [],
            ])
        let before = late
        #expect(try !late.insertEmpty(at: 9, lasting: 1) && !late.insertEmpty(at: 30, lasting: 1))
        #expect(late == before)
    }

    @Test func removingPullsAllTracksIn() throws {
        var composition = try Self.fourTracks()
        try composition.remove(Self.range(Rational(7, 2), Rational(11, 2)))
        #expect(
            Self.table(composition) == [
                ["a 1...4.5 at 0...3.5", "b 1.5...2 at 3.5...4"], ["a 0...3.5 at 0...3.5"], ["c 2.5...5 at 3.5...6"],
                [],
            ])
        #expect(composition.length == 6)
        // Beyond the ends of two of them.
        try composition.remove(Self.range(Rational(15, 4), 5))
        #expect(
            Self.table(composition) == [
                ["a 1...4.5 at 0...3.5", "b 1.5...1.75 at 3.5...3.75"], ["a 0...3.5 at 0...3.5"],
                ["c 2.5...2.75 at 3.5...3.75", "c 4...5 at 3.75...4.75"], [],
            ])
        try composition.remove(Self.range(10, 20))
        #expect(composition.length == Rational(19, 4))
        try composition.remove(Self.range(0, 5))
        #expect(composition.tracks.map(\.id) == [1, 2, 3, 4])
        #expect(composition.tracks.allSatisfy { $0.segments.isEmpty })
    }

    /// Four seconds become two, then six: each segment in them at another rate, holes too; what was together stays so.
    @Test func scalingChangesAllTracks() throws {
        var faster = try Self.fourTracks()
        try faster.scale(Self.range(2, 6), to: 2)
        #expect(
            Self.table(faster) == [
                ["a 1...3 at 0...2", "a 3...5 at 2...3", "b 0...2 at 3...4"], ["a 0...2 at 0...2", "a 2...4 at 2...3"],
                ["c 2...3 at 3.5...4", "c 3...5 at 4...6"], [],
            ])
        #expect(faster.length == 6)
        var slower = try Self.fourTracks()
        try slower.scale(Self.range(2, 6), to: 6)
        #expect(
            Self.table(slower) == [
                ["a 1...3 at 0...2", "a 3...5 at 2...5", "b 0...2 at 5...8"], ["a 0...2 at 0...2", "a 2...4 at 2...5"],
                ["c 2...3 at 6.5...8", "c 3...5 at 8...10"], [],
            ])
        // Once more, over a part that has two rates by now: 4 s of composition become 2 s.
        try slower.scale(Self.range(1, 5), to: 2)
        #expect(
            Self.table(slower) == [
                ["a 1...2 at 0...1", "a 2...3 at 1...1.5", "a 3...5 at 1.5...3", "b 0...2 at 3...6"],
                ["a 0...1 at 0...1", "a 1...2 at 1...1.5", "a 2...4 at 1.5...3"],
                ["c 2...3 at 4.5...6", "c 3...5 at 6...8"], [],
            ])
        // Where only one of them still plays.
        try slower.scale(Self.range(7, 9), to: 4)
        #expect(slower.tracks.map(\.length) == [6, 3, 9, 0])
    }

    /// The first track's edit would do, the second one's times become too fine: neither is changed.
    @Test func allTracksOrNone() throws {
        var composition = try Self.fourTracks()
        try composition.edit(2) { try $0.scale(EditingTests.range(1, Rational(123_457, 44_100)), to: 2) }
        let before = composition
        let fine = EditingTests.range(Rational(1, 2), Rational(100_003, 48_000))
        var first = try #require(composition[id: 1])
        try first.scale(fine, to: 1)
        #expect(first != composition[id: 1])
        #expect(throws: SplitreelError.self) { try composition.scale(fine, to: 1) }
        #expect(throws: SplitreelError.self) { try composition.insertEmpty(at: -1, lasting: 1) }
        #expect(throws: SplitreelError.self) { try composition.insertEmpty(at: 1, lasting: 0) }
        #expect(throws: SplitreelError.self) { try composition.remove(Self.range(2, 2)) }
        #expect(composition == before)
    }

    /// The first that there is of the source track's type, whatever it plays already; then what is inserted fits.
    @Test func aCompatibleTrackIsOneOfTheSameType() throws {
        let (picture, sound) = (Self.film.tracks[0], Self.film.tracks[1])
        let text = TrackFacts(id: 3, type: .subtitle, codec: "mov_text")
        #expect(Composition().track(compatibleWith: picture) == nil)
        var composition = try Self.fourTracks()
        #expect(composition.track(compatibleWith: picture)?.id == 1)
        #expect(composition.track(compatibleWith: sound)?.id == 2)
        #expect(composition.track(compatibleWith: text) == nil)
        composition.removeTrack(1)
        #expect(composition.track(compatibleWith: picture)?.id == 3)
        let found = try #require(composition.track(compatibleWith: sound)?.id)
        try composition.edit(found) { try $0.insert("d", Self.range(0, 1), of: Self.film, track: sound.id) }
        #expect(composition[id: found]?.length == 5)
        #expect(throws: SplitreelError.self) {
            try composition.edit(found) { try $0.insert("d", Self.range(0, 1), of: Self.film, track: picture.id) }
        }
        composition.removeTrack(3)
        #expect(composition.track(compatibleWith: picture) == nil)
        composition.addTrack(.subtitle)
        #expect(composition.track(compatibleWith: text)?.id == 5)
    }
}
