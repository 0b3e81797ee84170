import Authoring
import Diagnostics
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import TestTools
import Testing

/// Edits against their table in the composition model, and random sequences of them against functions of time.
@Suite("Edits of compositions") struct EditingTests {
    /// 10 s of picture at 25 fps, 8 s of sound.
    static let film: AssetFacts = {
        var video = VideoFacts(codedSize: PixelSize(width: 64, height: 36), pixelFormat: "yuv420p")
        video.nominalFrameRate = MediaTime(value: 25, timescale: 1)
        return AssetFacts(
            kind: .media, path: "/a.mp4", duration: MediaTime(value: 10, timescale: 1),
            tracks: [
                TrackFacts(
                    id: 1, type: .video, codec: "h264", duration: MediaTime(value: 10, timescale: 1), video: video),
                TrackFacts(id: 2, type: .audio, codec: "aac", duration: MediaTime(value: 8, timescale: 1)),
            ])
    }()

    static func range(_ start: Rational, _ duration: Rational) -> TimeRange {
        TimeRange(start: start.plainTime, duration: duration.plainTime)
    }

    /// `a@1+2 _+3` plays a from 1 s for 2 s, then nothing for 3 s; `/4` after it: over 4 s.
    static func text(_ track: Track) -> String {
        track.segments.map { segment in
            let length = segment.target.ends.map { ($0.end - $0.start).shortSeconds } ?? "?"
            guard let source = segment.source?.ends else { return "\(segment.asset ?? "_")+\(length)" }
            let played = (source.end - source.start).shortSeconds
            let over = played == length ? "" : "/\(length)"
            return "\(segment.asset ?? "_")@\(source.start.shortSeconds)+\(played)\(over)"
        }.joined(separator: " ")
    }

    static func track(_ build: (inout Track) throws -> Void) rethrows -> Track {
        var track = Track()
        track.id = 1
        try build(&track)
        return track
    }

    /// 4 s of a from 1 s, then 2 s of b from 0.
    static func twoClips() throws -> Track {
        try track {
            try $0.insert("a", range(1, 4), of: film)
            try $0.insert("b", range(0, 2), of: film)
        }
    }

    @Test func insertingMovesLaterContentOut() throws {
        var track = try Self.twoClips()
        try track.insert("c", Self.range(5, 1), of: Self.film, at: 2)
        #expect(Self.text(track) == "a@1+2 c@5+1 a@3+2 b@0+2")
        try track.insert("d", Self.range(0, 1), of: Self.film, at: 0)
        #expect(Self.text(track) == "d@0+1 a@1+2 c@5+1 a@3+2 b@0+2")
        #expect(track.length == 8)
        #expect(track.segments.map { $0.target.ends?.start } == [0, 1, 3, 4, 6])
    }

    @Test func insertingBeyondTheEndLeavesAHole() throws {
        var track = try Self.twoClips()
        try track.insert("c", Self.range(0, 1), of: Self.film, at: 9)
        #expect(Self.text(track) == "a@1+4 b@0+2 _+3 c@0+1")
    }

    @Test func emptyAtTheEndIsNoEdit() throws {
        var track = try Self.twoClips()
        #expect(try !track.insertEmpty(at: 6, lasting: 1) && !track.insertEmpty(at: 7, lasting: 1))
        #expect(Self.text(track) == "a@1+4 b@0+2")
        #expect(try track.insertEmpty(at: Rational(1, 2), lasting: 1))
        #expect(Self.text(track) == "a@1+0.5 _+1 a@1.5+3.5 b@0+2")
    }

    @Test func removingTrimsAndPullsIn() throws {
        var track = try Self.twoClips()
        try track.remove(Self.range(3, 2))
        #expect(Self.text(track) == "a@1+3 b@1+1")
        try track.remove(Self.range(0, 9))
        #expect(track.segments.isEmpty)
    }

    @Test func scalingGivesEachSegmentItsRate() throws {
        var track = try Self.twoClips()
        try track.scale(Self.range(3, 2), to: 6)
        #expect(Self.text(track) == "a@1+3 a@4+1/3 b@0+1/3 b@1+1")
        try track.scale(Self.range(0, 3), to: 1)
        #expect(Self.text(track) == "a@1+3/1 a@4+1/3 b@0+1/3 b@1+1")
        // Scaled once more, a part of it keeps the product of both rates.
        try track.remove(Self.range(1, 1))
        #expect(Self.text(track) == "a@1+3/1 a@4.333+0.667/2 b@0+1/3 b@1+1")
    }

    @Test func sourcesEndWithTheAssetAndAFrame() throws {
        var track = Track()
        #expect(throws: SplitreelError.self) { try track.insert("a", Self.range(9, Rational(27, 25)), of: Self.film) }
        try track.insert("a", Self.range(9, Rational(26, 25)), of: Self.film)
        try track.insert("a", Self.range(9, 20), of: Self.film, clamps: true)
        #expect(track.segments.map(\.clampToSource) == [nil, true])
        var sound = Track()
        sound.type = .audio
        // Longer than its track, as long as the asset: silent at its end.
        try sound.insert("a", Self.range(0, 10), of: Self.film)
        #expect(throws: SplitreelError.self) { try sound.insert("a", Self.range(0, 1), of: Self.film, track: 1) }
        #expect(throws: SplitreelError.self) { try sound.insert("a", Self.range(0, 1), of: Self.film, track: 3) }
        #expect(sound.segments.count == 1)
    }

    @Test func theNearestSegmentAnswers() throws {
        let track = try Self.twoClips()
        let found = [-1, 0, Rational(39, 10), 4, 6, 100].map { track.segmentIndex(at: $0) }
        #expect(found == [0, 0, 0, 1, 1, 1])
        #expect(Track().segmentIndex(at: 0) == nil)
    }

    @Test func idsNameOneTrackForEver() {
        var composition = Composition()
        #expect(composition.addTrack(.video, preferredID: 7) == 7)
        #expect(composition.addTrack(.video, preferredID: 7) == 8)
        #expect(composition.addTrack(.audio) == 9)
        #expect(composition.removeTrack(9) && !composition.removeTrack(9))
        #expect(composition.addTrack(.audio, preferredID: 9) == 10)
        #expect(composition.addTrack(.audio, preferredID: 0) == 11)
        #expect(composition.tracks.map(\.id) == [7, 8, 10, 11])
    }

    @Test func wholeAssetsBringTheirTracks() throws {
        var composition = Composition()
        try composition.insert("a", Self.range(0, 4), of: Self.film)
        #expect(composition.tracks.map(\.type) == [.video, .audio])
        composition.addTrack(.video)
        try composition.edit(3) { try $0.insert("over", Self.range(0, 10), of: Self.film) }
        try composition.insert("b", Self.range(0, 2), of: Self.film, at: 1)
        #expect(
            composition.tracks.map(Self.text) == [
                "a@0+1 b@0+2 a@1+3", "a@0+1 b@0+2 a@1+3", "over@0+1 _+2 over@1+9",
            ])
        // Its sound is over by then, so only the picture comes; the sound's track has a hole of its length.
        try composition.insert("c", Self.range(9, 1), of: Self.film, at: 1)
        #expect(
            composition.tracks.map(Self.text) == [
                "a@0+1 c@9+1 b@0+2 a@1+3", "a@0+1 _+1 b@0+2 a@1+3", "over@0+1 _+1 _+2 over@1+9",
            ])
        try composition.scale(Self.range(0, 2), to: 1)
        #expect(composition.length == 12)
        try composition.remove(Self.range(0, 20))
        #expect(composition.tracks.count == 3 && composition.length == 0)
    }

    @Test func whatFailsChangesNothing() throws {
        var composition = Composition()
        try composition.insert("a", Self.range(0, 4), of: Self.film)
        let before = composition
        #expect(throws: SplitreelError.self) { try composition.insert("a", Self.range(0, 11), of: Self.film, at: 2) }
        #expect(throws: SplitreelError.self) { try composition.remove(Self.range(-1, 2)) }
        #expect(throws: SplitreelError.self) { try composition.scale(Self.range(0, 1), to: 0) }
        #expect(throws: SplitreelError.self) { try composition.edit(5) { _ in } }
        #expect(composition == before)
    }

    /// Times that no time value holds exactly would leave gaps of a part of a nanosecond.
    @Test func timesTooFineAreRefused() throws {
        var track = try Self.twoClips()
        try track.insert("c", Self.range(0, 4), of: Self.film)
        try track.scale(Self.range(1, Rational(123_457, 44_100)), to: 2)
        let before = track
        #expect(throws: SplitreelError.self) {
            try track.scale(Self.range(Rational(1, 2), Rational(100_003, 48_000)), to: 1)
        }
        #expect(track == before)
    }

    @Test func whatATrackCannotPlayIsRefused() throws {
        let still = AssetFacts(kind: .image, path: "/a.png")
        var (picture, sound) = (Track(), Track())
        sound.type = .audio
        try picture.insert("p", Self.range(0, 3), of: still)
        #expect(picture.segments.first?.source == nil && picture.length == 3)
        #expect(throws: SplitreelError.self) { try sound.insert("p", Self.range(0, 3), of: still) }
        var composition = Composition()
        try composition.insert("a", Self.range(0, 4), of: Self.film)
        let before = composition
        #expect(throws: SplitreelError.self) { try composition.insert("b", Self.range(100, 1), of: Self.film, at: 1) }
        #expect(composition == before)
        // A frame beyond the asset's end, for its sound too.
        try composition.insert("b", Self.range(0, Rational(251, 25)), of: Self.film)
        #expect(composition.tracks.map(\.segments.count) == [2, 2])
    }

    @Test func idsStayWhatAFileMayHave() {
        var composition = Composition()
        #expect(composition.addTrack(.video, preferredID: .max) == 1)
        #expect(composition.addTrack(.video, preferredID: Int(Int32.max)) == Int(Int32.max))
        #expect(composition.addTrack(.video) == 2)
    }

    /// A track as a function of time: the asset that it plays, and the asset's time. Each edit makes another function
    /// of it.
    struct Model {
        var duration: Rational = .zero
        var at: (Rational) -> (asset: String, time: Rational)? = { _ in nil }

        mutating func insert(_ asset: String, _ start: Rational, _ length: Rational, at place: Rational) {
            let old = at
            at = { $0 < place ? old($0) : $0 < place + length ? (asset, start + $0 - place) : old($0 - length) }
            duration = max(duration, place) + length
        }
        mutating func insertEmpty(_ length: Rational, at place: Rational) {
            guard place < duration else { return }
            let old = at
            at = { $0 < place ? old($0) : $0 < place + length ? nil : old($0 - length) }
            duration += length
        }
        mutating func remove(_ start: Rational, _ end: Rational) {
            let (old, length) = (at, end - start)
            at = { $0 < start ? old($0) : old($0 + length) }
            duration -= max(.zero, min(end, duration) - min(start, duration))
        }
        mutating func scale(_ start: Rational, _ end: Rational, _ length: Rational) {
            let (old, factor, last) = (at, length / (end - start), duration)
            at = {
                let mapped = start + ($0 - start) / factor
                if $0 < start { return old($0) }
                return mapped < end ? old(mapped) : old($0 - length + end - start)
            }
            if start < last { duration += (min(end, last) - start) * (factor - 1) }
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>) func randomEditsAreFunctionsOfTime(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        func time(_ limit: Int) -> Rational { Rational(random.next(in: 0..<limit * 4), 4) }
        func length() -> Rational { Rational(1 + random.next(in: 0..<12), 4) }
        var (track, model) = (Track(), Model())
        for step in 0..<12 {
            let (place, first, second) = (time(12), length(), length())
            switch random.next(in: 0..<5) {
            case 0, 1:
                try track.insert("\(step)", Self.range(second, first), of: Self.film, at: place)
                model.insert("\(step)", second, first, at: place)
            case 2:
                try track.insertEmpty(at: place, lasting: first)
                model.insertEmpty(first, at: place)
            case 3:
                try track.remove(Self.range(place, first))
                model.remove(place, place + first)
            default:
                try track.scale(Self.range(place, first), to: second)
                model.scale(place, place + first, second)
            }
            #expect(track.length == model.duration, "step \(step)")
            for _ in 0..<20 {
                let moment = Rational(random.next(in: 0..<1600), 32)
                #expect(Self.played(track, at: moment) == model.at(moment).map { "\($0.asset) \($0.time)" })
            }
        }
    }

    private static func played(_ track: Track, at time: Rational) -> String? {
        for segment in track.segments {
            guard let target = segment.target.ends, target.start <= time, time < target.end else { continue }
            guard let asset = segment.asset, let source = segment.source?.ends else { return nil }
            let rate = (source.end - source.start) / (target.end - target.start)
            return "\(asset) \(source.start + (time - target.start) * rate)"
        }
        return nil
    }
}

extension TimeRange {
    /// Start and end in exact seconds; nil where the range is not numeric.
    fileprivate var ends: (start: Rational, end: Rational)? {
        isNumeric ? (Rational(start), Rational(end)) : nil
    }
}
