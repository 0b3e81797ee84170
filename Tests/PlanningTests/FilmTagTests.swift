import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Outputs
import Planning
import SplitreelProject
import Testing

/// The tags that an output gives its film in place of the project's.
@Suite("Tags of an output")
struct FilmTagTests {
    private func project() throws -> Project {
        var project = try PlanFixture(frameDuration: "1/30", duration: "20s", instructions: nil).project
        project.name = "Cut 7"
        project.metadata = [
            "artist": .string("A"), "location": .string("+48.1+011.5/"), "creationDate": .string("2026-01-02"),
            "model": .string("M"), "own": .string("x"),
        ]
        (project.composition.tracks[1].language, project.composition.tracks[1].name) = ("de", "Ton")
        return project
    }

    /// Each of them alone is looked at.
    @Test(
        arguments: [
            { $0.tags.metadata = ["a\0b": .string("x")] }, { $0.tags.chapters = .markers },
            { $0.picture.language = "no tag" }, { $0.picture.name = "a\0b" }, { $0.sound.language = "no tag" },
            { $0.sound.name = "a\0b" },
        ] as [@Sendable (inout OutputRequest) -> Void])
    func wrongTagIsRefused(_ change: @Sendable (inout OutputRequest) -> Void) throws {
        var request = OutputRequest(path: "/out/film.mp4")
        let valid = try project()
        try request.refuseWrongTags(for: valid)
        change(&request)
        #expect(throws: SplitreelError.self) { try request.refuseWrongTags(for: valid) }
    }

    private func items(_ filter: MetadataFilter?, _ own: [String: JSONValue]? = nil) throws -> [String: String] {
        var request = OutputRequest(path: "/out/film.mp4")
        (request.tags.filter, request.tags.metadata) = (filter, own)
        return filmTags(of: try project(), request).items
    }

    @Test func filters() throws {
        #expect(try items(nil).count == 6)
        #expect(try items(.all) == items(nil))
        #expect(try items(MetadataFilter.nothing).isEmpty)
        #expect(try items(.sharing) == ["title": "Cut 7", "artist": "A"])
        #expect(try items(.only(["model", "own"])) == ["model": "M", "own": "x"])
        // What the output says itself is never dropped, and goes before what the project says.
        #expect(
            try items(.sharing, ["location": .string("+1+1/"), "artist": .string("B")])
                == ["title": "Cut 7", "artist": "B", "location": "+1+1/"])
    }

    /// They would break the header that they stand in.
    @Test func namesThatNoFilmCanHold() throws {
        var project = try project()
        project.metadata = ["a=b": .string("x"), "a\nb": .string("x"), "": .string("x"), "own": .string("x")]
        #expect(filmTags(of: project).items == ["own": "x", "title": "Cut 7"])
        // One of two.
        project.metadata = ["creator": .string("B"), "artist": .string("A")]
        #expect(filmTags(of: project).items == ["artist": "A", "title": "Cut 7"])
    }

    /// To libavformat names that differ in case alone are one.
    @Test func namesInAnotherCase() throws {
        #expect(try items(.only(["artist"]), ["ARTIST": .string("B")]) == ["ARTIST": "B"])
        #expect(try items(.only(["title"]), ["Title": .string("B")]) == ["Title": "B"])
        #expect(try items(.only(["artist"]), ["creator": .string("B")]) == ["artist": "B"])
        #expect(
            try items(MetadataFilter.nothing, ["Creation_Time": .string("2026-01-02T03:04:05+01:00")])
                == ["creation_time": "2026-01-02T02:04:05Z"])
    }

    /// Items that a muxer says itself, and items that a container has no place for, are told by names that are cut.
    @Test(arguments: [
        ("mkv", ["own", "DURATION", "Encoder", "encoder-x"], "DURATION, Encoder, encoder-x"),
        ("flac", ["own", "DURATION", "encoder"], "encoder"), ("mp3", ["own", "Encoder-Y"], "Encoder-Y"),
        ("mp4", ["Title", "DURATION"], "DURATION"),
        ("mov", [String(repeating: "n", count: 200)], String(repeating: "n", count: 60)), ("mkv", ["own"], nil),
        ("mkv", ["software", "own", "alpha_mode"], "alpha_mode"), ("wav", ["own", "encoded_by", "timecode"], "own"),
        ("mp4", ["track", "title"], "track"),
        ("mxf", ["own", "comment_a", "timecode", "company_name"], "own, timecode"),
    ])
    func lostItemsAreTold(ending: String, names: [String], lost: String?) throws {
        var fixture = try PlanFixture(frameDuration: "1/30", duration: "20s", instructions: nil)
        fixture.project.metadata = Dictionary(names.map { ($0, .string("x")) }) { $1 }
        let settings = try fixture.plan { $0.path = "/out/film." + ending }.output
        let told = warnings(for: settings).filter { $0.contains("metadata") }
        #expect(told.count == (lost == nil ? 0 : 1))
        guard let lost else { return }
        let words = told.first.map { String($0.prefix { $0 != ":" }) } ?? ""
        #expect(words.hasSuffix("metadata \(lost)") || words.hasSuffix("metadata \(lost) itself"), "\(told)")
    }

    /// Vorbis comments have one name for both; libavformat's list of them says which.
    @Test func itemsOfOnePlaceAreTold() throws {
        var fixture = try PlanFixture(frameDuration: "1/30", duration: "20s", instructions: nil)
        fixture.project.metadata = ["comment": .string("C"), "description": .string("D")]
        for (ending, items, count) in [
            ("ogg", ["description": "D"], 1), ("flac", ["description": "D"], 1),
            ("mkv", ["comment": "C", "description": "D"], 0),
        ] {
            let settings = try fixture.plan { $0.path = "/out/film." + ending }.output
            let tags = try #require(settings.tags)
            #expect(FilmTagRoom(tags, in: settings.container).items == items)
            #expect(warnings(for: settings).count { $0.hasSuffix("comment is not written") } == count, "\(ending)")
        }
    }

    /// These have one track, which is called nothing.
    @Test(arguments: [("wav", 1), ("flac", 1), ("mp3", 1), ("m4a", 0), ("mkv", 0)])
    func tracksThatHaveNoNameAreTold(ending: String, count: Int) throws {
        var fixture = try PlanFixture(frameDuration: "1/30", duration: "20s", instructions: nil)
        (fixture.project.composition.tracks[1].name, fixture.project.composition.tracks[1].language) = ("Ton", "de")
        let settings = try fixture.plan { $0.path = "/out/film." + ending }.output
        #expect(warnings(for: settings).count { $0.contains("(Ton, deu)") } == count)
    }

    /// MP4 holds some items as numbers. Items that are none, or for which it has no room, are left out.
    @Test func numbersOfMP4() throws {
        let numbers = ["track": "3/12", "disc": "1", "season_number": "255", "compilation": "1"]
        var tags = FilmTags()
        tags.items = numbers
        #expect(FilmTagRoom(tags, in: .mp4).items == numbers)
        tags.items = ["track": "0", "disc": "one", "season_number": "256", "compilation": "-1"]
        #expect(FilmTagRoom(tags, in: .mp4).items.isEmpty)
    }

    /// What an Ogg calls its sound is the film's title where it has one.
    @Test func aNameThatGivesWayIsTold() throws {
        var fixture = try PlanFixture(frameDuration: "1/30", duration: "20s", instructions: nil)
        fixture.project.composition.tracks[1].name = "Ton"
        for (title, ending, count) in [(nil, "ogg", 0), ("Cut 7", "ogg", 1), ("Cut 7", "mkv", 0)] {
            fixture.project.name = title
            let settings = try fixture.plan { $0.path = "/out/film." + ending }.output
            #expect(warnings(for: settings).count { $0.contains("Ton") } == count, "\(ending)")
        }
    }

    @Test func tracksOfAnOutput() throws {
        var request = OutputRequest(path: "/out/film.mp4")
        request.sound.language = "pt-BR"
        request.sound.disposition = [.comment]
        request.picture.name = "Bild"
        let tags = filmTags(of: try project(), request)
        #expect(tags.audio == FilmTags.Track(language: "por", name: "Ton", dispositions: [.comment]))
        #expect(tags.video == FilmTags.Track(language: nil, name: "Bild"))
    }

    @Test(arguments: [
        ("de", "deu"), ("pt-BR", "por"), ("ger", "deu"), ("fre", "fra"), ("cmn-Hant", "cmn"), ("und", "und"),
        ("xx", nil), ("german", nil), ("d", nil), ("", nil), ("de_DE", nil), ("de-", nil), ("x-own", nil),
    ])
    func languages(tag: String, code: String?) { #expect(languageCode(tag) == code) }

    private func chapters(
        _ text: String, range: (String, String)? = nil, path: String = "/out/film.mkv"
    ) throws -> [FilmChapter]? {
        let json = String(decoding: try project().canonicalBytes(), as: UTF8.self)
        let whole = try Project(parsing: Data((json.dropLast() + "," + text + "}").utf8))
        var fixture = try PlanFixture(frameDuration: "1/30", duration: "20s", instructions: nil)
        fixture.project = whole
        return try fixture.plan {
            $0.path = path
            ($0.timing.rangeStart, $0.timing.rangeDuration) = (range?.0, range?.1)
        }.output.chapters
    }

    private func chapter(_ start: (Int64, Int32), _ end: (Int64, Int32), _ title: String) -> FilmChapter {
        FilmChapter(
            start: MediaTime(value: start.0, timescale: start.1), end: MediaTime(value: end.0, timescale: end.1),
            title: title)
    }

    @Test func chaptersAreCutAndMoved() throws {
        let three = #"""
            "chapters": [{"time": "0s", "title": "a", "end": "3s"}, {"time": "5005/1001", "title": "b"},
                {"time": "31/3", "title": "c"}]
            """#
        #expect(
            try chapters(three) == [
                chapter((0, 1), (3, 1), "a"), chapter((5, 1), (31, 3), "b"), chapter((31, 3), (20, 1), "c"),
            ])
        #expect(
            try chapters(three, range: ("2s", "4s")) == [
                chapter((0, 1), (1, 1), "a"), chapter((3, 1), (4, 1), "b"),
            ])
        #expect(try chapters(three, range: ("6s", "1s")) == [chapter((0, 1), (1, 1), "b")])
        #expect(try chapters(three, range: ("3s", "1s")) == nil)
        #expect(try chapters(three, path: "/out/film.flac") == nil)
    }
}
