import Composition
import Diagnostics
import Planning
import Preparation
import TestSupport
import Testing

/// Streams whose documents name what their job does not make.
@Suite("Documents of streams", .serialized) struct StreamPlanTests {
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
