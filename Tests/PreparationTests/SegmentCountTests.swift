import Diagnostics
import Planning
import Preparation
import SplitreelProject
import Testing

/// Jobs whose films have more chunks together than a coordinator keeps in memory.
@Suite("Segments of one job") struct SegmentCountTests {
    /// One frame for each chunk: 16 films of 25,025 frames are one too many, and one of them is none.
    @Test func manyFilmsOfManyChunksAreRefused() throws {
        let fixture = try PreparationFixture("segments")
        let project = try PreparationFixture.project(
            """
            {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[1,1,1,1],"size":[64,48]}},
            "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1001s"]}]}]},
            "video":{"renderSize":[64,48],"frameDuration":"1/25"}}
            """)
        func requests(_ count: Int) -> [OutputRequest] {
            (0..<count).map { number in
                fixture.request("\(number).mkv") { ($0.picture.codec, $0.rendering.chunkSeconds) = ("ffv1", "1/25") }
            }
        }
        let error = try #require(throws: SplitreelError.self) {
            try prepareJob(project: project, requests: requests(RenderPlan.mostOutputs))
        }
        #expect(error.code == .settingsImpossible && error.subject == "16 films of 25025 chunks")
        #expect(error.hint == "let chunks be longer, or make fewer outputs at once")
        #expect(try prepareJob(project: project, requests: requests(1)).plan.chunks.count == 25_025)
    }
}
