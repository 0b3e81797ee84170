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
        #expect(try code { $0[0].stream?.members[0].name = "other.mp4" } == .settingsImpossible)
        #expect(try code { $0[0].stream?.members[0].name = "../s-1.mp4" } == .settingsImpossible)
        #expect(try code { $0[0].stream?.members = [] } == .settingsImpossible)
        #expect(
            try code { requests in
                let member = StreamDocument.Member(name: "s-1.mp4")
                requests[0].stream?.members = [StreamDocument.Member](repeating: member, count: 35_000)
            } == .settingsImpossible)
        // A film that is not of fragments, and a document under a film's name.
        #expect(try code { $0[1].isFragmented = nil } == .settingsImpossible)
        #expect(try code { $0[0].path = fixture.folder.file("s.mp4") } == .settingsImpossible)
    }
}
