import Diagnostics
import MediaTime
import Outputs
import Planning
import Preparation
import SplitreelProject
import TestTools
import Testing

/// Streams whose documents name what their job does not make.
@Suite("Documents of streams", .serialized) struct StreamPlanTests {
    /// Chapters are a track of text in mp4, which no list names: the stream has none, and is told once.
    @Test func streamsHaveNoChapters() throws {
        let fixture = try PreparationFixture("chapters")
        var project = try PreparationFixture.project(PreparationFixture.cut(try fixture.film("a.mkv")))
        var chapter = Chapter()
        (chapter.time, chapter.title) = (.zero, "Eins")
        project.chapters = .listed([chapter])
        for (name, count) in [("s.m3u8", 1), ("s.mpd", 1), ("s.mp4", 0)] {
            let parts = try fixture.request(name).streamed(hasPicture: true, hasSound: false)
            let prepared = try prepareJob(project: project, requests: parts)
            #expect(prepared.plan.outputs.allSatisfy { ($0.chapters == nil) == (count == 1) })
            #expect(prepared.notices.notices.count { $0.reason.contains("chapters") } == count, "\(name)")
        }
    }

    @Test func documentsNameTheirJobsFilms() throws {
        let fixture = try PreparationFixture("streams")
        let project = try PreparationFixture.project(PreparationFixture.cut(try fixture.film("a.mkv")))
        let parts = try fixture.request("s.m3u8").streamed(hasPicture: true, hasSound: false)
        let plan = try prepareJob(project: project, requests: parts).plan
        #expect(plan.outputs.map { $0.stream?.members.map(\.output) } == [[1], nil, [1]])

        func code(_ change: (inout [OutputRequest]) -> Void) throws -> ErrorCode? {
            var requests = parts
            change(&requests)
            let error = #expect(throws: SplitreelError.self) { try prepareJob(project: project, requests: requests) }
            return error?.code
        }
        let document = try #require(parts[0].stream)
        for names in [["other.mp4"], ["../s-1.mp4"], [], [String](repeating: "s-1.mp4", count: 35_000)] {
            var other = document
            other.members = names.map { StreamDocument.Member(name: $0, playlist: document.members[0].playlist) }
            #expect(try code { $0[0].streamPart?.content = .document(other) } == .settingsImpossible, "\(names.count)")
        }
        // A film that is not of fragments, and a document under a film's name.
        #expect(try code { $0[1].delivery.fragmented = nil } == .settingsImpossible)
        #expect(try code { $0[0].path = fixture.folder.file("s.mp4") } == .settingsImpossible)
    }
}
