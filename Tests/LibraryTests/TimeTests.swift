import Foundation
import Splitreel
import Testing

/// Times and ranges that a program counts with, by the frames that they cut.
@Suite("Counting in times", .timeLimit(.minutes(3))) struct TimeTests {
    private let films: NumberedFilms

    init() throws { films = try NumberedFilms() }

    /// Frames of 1001/30000 s: a sum of many is as exact as a product, so each cut is before its frame.
    @Test func arithmeticIsExactToTheFrame() async throws {
        let asset = try films.pictures("n.mp4", rate: "30000/1001", coding: ["-c:v", "libx264", "-qp", "0"])
        let frame = MediaTime(value: 1001, timescale: 30_000)
        var sum = MediaTime.zero
        for _ in 0..<7 { sum += frame }
        #expect(sum == 7 * frame && sum == frame * 21 / 3 && sum - 3 * frame == 4 * frame && !sum.hasBeenRounded)
        #expect(sum < 8 * frame && max(sum, frame) == sum && min(-sum, .zero).absolute == sum)
        // A scale that has no frames of that length: the time is rounded, and says so.
        let rounded = sum.convertScale(600, method: .towardNegativeInfinity)
        #expect(rounded == MediaTime(140, 600) && rounded.hasBeenRounded && rounded < sum)
        #expect(sum.seconds == 7007.0 / 30_000)
        var project = Project()
        for start in [30 * frame, sum - 4 * frame, sum.multiplied(by: 40, dividedBy: 7)] {
            try await project.insert(TimeRange(start: start, end: start + sum), of: asset)
        }
        #expect(project.duration == 21 * frame)
        #expect(try await films.film(of: project).frames == numbers(30..<37, 3..<10, 40..<47))
    }

    private static let times: [(time: MediaTime, words: String, shown: String, flags: Int64)] = [
        (MediaTime(value: 1001, timescale: 30_000), "1001/30000", "1001/30000", 1),
        (MediaTime(value: 25, timescale: 10), "25/10", "2.5s", 1),
        (MediaTime(value: .max, timescale: 7), "9223372036854775807/7", "9223372036854775807/7", 1),
        (MediaTime(value: -5, timescale: 1000, epoch: 3), "-5/1000", "-0.005s", 1),
        (MediaTime(value: 1, timescale: 7).convertScale(600), "86/600", "86/600", 3),
        (.positiveInfinity, "+inf", "+inf", 5), (.negativeInfinity, "-inf", "-inf", 9),
        (.indefinite, "indefinite", "indefinite", 17), (.invalid, "invalid", "invalid", 0),
    ]

    /// Core Media's keys and flags.
    @Test(arguments: times) func dictionariesAndDescriptionsTellATime(
        time: MediaTime, words: String, shown: String, flags: Int64
    ) throws {
        let dictionary = time.dictionary
        #expect(Set(dictionary.keys) == ["value", "timescale", "epoch", "flags"] && dictionary["flags"] == flags)
        if time.isNumeric {
            #expect(dictionary["value"] == time.value && dictionary["timescale"] == Int64(time.timescale))
            #expect(dictionary["epoch"] == time.epoch)
        }
        let again = MediaTime(dictionary: dictionary)
        #expect(again.value == time.value && again.timescale == time.timescale && again.flags == time.flags)
        #expect(again.epoch == time.epoch)
        #expect("\(time)" == words && time.text == shown)
        let read = try #require(MediaTime(text: shown))
        #expect(read.value == time.value && read.timescale == time.timescale && read.isValid == time.isValid)
        #expect(!MediaTime(dictionary: ["value": 1, "flags": 1]).isValid)
    }

    /// A file has a time's value and timescale as they are, and the film is cut there.
    @Test func filesKeepTimesAsTheyAre() async throws {
        let range = TimeRange(start: MediaTime(value: 20, timescale: 50), duration: MediaTime(value: 4, timescale: 10))
        let track = Track(id: 1, .video, segments: [TrackSegment("a", source: range, at: .zero)])
        let project = Project(
            assets: ["a": .media(try films.film().name)], composition: Composition(tracks: [track]))
        let file = try JSONSerialization.jsonObject(with: project.data()) as? [String: Any]
        let tracks = (file?["composition"] as? [String: Any])?["tracks"] as? [[String: Any]]
        let segment = try #require((tracks?.first?["segments"] as? [[String: Any]])?.first)
        #expect(segment["source"] as? [String] == ["20/50", "0.4s"])
        let again = try Project(project.data())
        let source = try #require(again.composition.tracks[0].segments[0].source)
        #expect(source.start.value == 20 && source.start.timescale == 50)
        #expect(source.duration.value == 4 && source.duration.timescale == 10)
        #expect(try await films.film(of: again).frames == numbers(10..<20))
    }

    /// Half-open ranges: the frames that begin in one are those of the film that is exported of it.
    @Test func rangesHoldTheFramesThatBeginInThem() async throws {
        var project = Project()
        try await project.insert(of: films.film())
        let (first, second) = (frames(5..<30), frames(20..<45))
        #expect(first.contains(time(5)) && first.contains(time(29)) && !first.contains(time(30)))
        #expect(first.duration == time(25) && first.end == time(30))
        #expect(first.intersection(frames(30..<45)).isEmpty && !first.contains(second))
        #expect(first.clamp(time(49)) == time(30) && first.clamp(.zero as MediaTime) == time(5))
        #expect(first.fold(time(31)) == time(6) && frames(0..<10).map(time(5), to: second) == MediaTime(65, 50))
        for range in [first.intersection(second), first.union(second), TimeRange(start: time(40), end: .seconds(2))] {
            let expected = (0..<50).filter { range.contains(time($0)) }
            let film = try await films.film(of: project, range: range)
            #expect(film.frames == expected && film.sounds == expected, "\(range)")
        }
        #expect(first.intersection(second) == frames(20..<30) && first.union(second) == frames(5..<45))
    }
}
