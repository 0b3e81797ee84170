import Foundation
import Hashing
import Outputs
import Planning
import Preparation
import Rendering
import SplitreelProject
import SplitreelTimeline
import Stitching
import TestTools
import Testing

/// A segment that was made under one plan is good under any plan that has a task of the same content key.
@Suite("Segments of another plan", .serialized) struct SegmentOfAnotherPlanTests {
    private let fixture: RenderFixture
    private let film: KeyedPlan
    /// The film with two fifths of a second of something else in front.
    private let longer: KeyedPlan

    init() throws {
        fixture = try RenderFixture("another-plan")
        let (numbered, other) = (try fixture.film("a.mkv", 50), try fixture.film("b.mkv", 10, first: 100))
        film = try Self.job(fixture, ["a": numbered], Text.clip("a", "0s", "2s", at: "0s"))
        longer = try Self.job(
            fixture, ["a": numbered, "b": other], Text.clip("b", "0s", "2/5", at: "0s"),
            Text.clip("a", "0s", "2s", at: "2/5"))
    }

    private static func job(
        _ fixture: RenderFixture, _ assets: [String: String], _ clips: String...
    ) throws -> KeyedPlan {
        let track = "{\"id\":1,\"type\":\"video\",\"segments\":[" + clips.joined(separator: ",") + "]}"
        let text = Text.project(assets, [track], size: RenderFixture.size, frame: "1/25")
        var request = OutputRequest(path: fixture.folder.file("out.mkv"))
        (request.picture.codec, request.rendering.chunkSeconds) = ("h264", "10/25")
        return try prepareJob(project: try Project(parsing: Data(text.utf8)), requests: [request])
    }

    /// Renders a chunk under a plan, and reads its record from where the worker left it.
    private func made(_ job: KeyedPlan, _ chunk: Int, _ name: String) throws -> (path: String, record: SegmentRecord) {
        let path = fixture.folder.file(name)
        _ = try SegmentRenderer().render(
            plan: job.plan, planHash: try job.plan.hash(), task: .chunk(chunk), key: job.keys[chunk],
            segmentPath: path, progress: { _, _ in }, cancellation: Cancellation())
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path + ".json"))
        return (path, try SegmentRecord.read(bytes, path: path))
    }

    @Test func aChunkThatMovesKeepsItsKeyAndItsBytes() throws {
        try #require(film.plan.chunks.count == 5 && longer.plan.chunks.count == 6)
        #expect(Array(longer.keys.dropFirst()) == film.keys)
        #expect(Set(longer.keys).count == 6)
        #expect(try film.plan.hash() != longer.plan.hash())
        let (first, second) = (try made(film, 2, "first.nut"), try made(longer, 3, "second.nut"))
        #expect(first.record == second.record)
        #expect(try made(film, 1, "other.nut").record.fileHash != first.record.fileHash)
    }

    @Test func eachTaskTellsItsFiles() {
        #expect(longer.contents.files.map { URL(fileURLWithPath: $0).lastPathComponent } == ["a.mkv", "b.mkv"])
        #expect(longer.contents.filesOfTasks == [[1]] + Array(repeating: [0], count: 5))
    }

    /// Whoever has the plan alone, such as a worker, comes to the same keys.
    @Test func keysFollowFromThePlan() throws {
        let plan = longer.plan
        let timeline = try Timeline(
            valid: try Project(parsing: Data(plan.composition.utf8)), assets: plan.assets,
            size: plan.output.video?.size, frameDuration: plan.frameDuration)
        #expect(try contentKeys(of: plan, canvases: [CommonPlanning(timeline)]) == longer.keys)
    }

    @Test func itVerifiesWhereItStandsElsewhere() throws {
        let (path, record) = try made(film, 2, "segment.nut")
        #expect(longer.plan.chunks[3].firstFrame == film.plan.chunks[2].firstFrame + 10)
        try record.require(key: longer.keys[3], path: path)
        try verifyRecord(path: path, record: record, plan: longer.plan, task: 3, reference: nil)
        try verifyBytes(
            path: path, record: record, output: longer.plan.output, frameDuration: longer.plan.frameDuration)
        for (chunk, key) in longer.keys.enumerated() where chunk != 3 {
            #expect(throws: (any Error).self, "chunk \(chunk)") { try record.require(key: key, path: path) }
        }
    }

    /// The longer film, of the other plan's segments but for its first chunk, has the bytes that it has of its own.
    @Test func theFilmIsTheSame() throws {
        var films: [Data] = []
        for isOwn in [true, false] {
            let path = fixture.folder.file(isOwn ? "own.mkv" : "shared.mkv")
            let stitcher = try FilmStitcher(plan: longer.plan, path: path)
            for chunk in longer.plan.chunks.indices {
                let part =
                    isOwn || chunk == 0
                    ? try made(longer, chunk, "own\(chunk).nut") : try made(film, chunk - 1, "shared\(chunk).nut")
                try stitcher.append(path: part.path, record: part.record, chunk: chunk)
            }
            try stitcher.finish()
            films.append(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        #expect(films[0] == films[1] && !films[0].isEmpty)
        #expect(try fixture.numbers(fixture.folder.file("shared.mkv")) == Array(100..<110) + Array(0..<50))
    }
}
