import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import Planning
import Rendering
import SplitreelFiles
import TestTools
import Testing

/// A slot is a process that has not read a source before. Here it is a copy of the source that this process does not
/// know; the plan is of the copy, whose packets are the same.
@Suite("Indexes beside the plan", .serialized) struct IndexBesideThePlanTests {
    private let fixture: RenderFixture
    private let source: String
    private let plan: RenderPlan

    init() throws {
        fixture = try RenderFixture("beside")
        source = try fixture.film("a.mp4", 50, coding: ["-c:v", "libx264", "-crf", "12", "-g", "20", "-bf", "2"])
        plan = try fixture.plan(
            Text.project(
                ["a": source], [Text.track(1, "video", Text.clip("a", "0s", "2s", at: "0s"))],
                size: RenderFixture.size, frame: "1/25")
        ) { $0.rendering.chunkSeconds = "1s" }
    }

    /// The plan for a new copy, and the folder of its segments.
    private func planOfCopy(_ name: String) throws -> (plan: RenderPlan, folder: String) {
        let copy = fixture.folder.file(name + ".mp4")
        try FileManager.default.copyItem(atPath: source, toPath: copy)
        var mark: String?
        while mark == nil { mark = try LocalFile.identity(path: copy).mark }
        var changed = plan
        changed.assets["a"]?.path = copy
        changed.assets["a"]?.mark = mark
        return (changed, try fixture.folder.folder(name))
    }

    /// Renders both chunks; their frames, and whether the source was read through for an index.
    private func render(_ plan: RenderPlan, in folder: String) throws -> (frames: [Int?], readsThrough: Bool?) {
        let renderer = SegmentRenderer()
        let frames = try plan.chunks.flatMap { chunk in
            let made = try fixture.render(
                plan, .chunk(chunk.index), to: folder + "/\(chunk.index).nut", with: renderer)
            return try fixture.numbers(made.path)
        }
        return (frames, try isIndexBuilt(of: plan.assets["a"]?.path ?? ""))
    }

    @Test func aSlotReadsThroughNoSourceWhoseIndexIsThere() throws {
        let (plan, folder) = try planOfCopy("with")
        let name = try #require(plan.assets["a"]?.indexName)
        try writeIndex(of: source, to: folder + "/" + name)
        let made = try render(plan, in: folder)
        #expect(made.frames == Array(0..<50) && made.readsThrough == false)
    }

    @Test func itReadsOneThroughWhereTheIndexIsMissingOrAnother() throws {
        let (plan, folder) = try planOfCopy("without")
        var made = try render(plan, in: folder)
        #expect(made.frames == Array(0..<50) && made.readsThrough == true)
        let (next, place) = try planOfCopy("other")
        let other = try fixture.film("strange.mkv", 50, first: 100)
        try writeIndex(of: other, to: place + "/" + #require(next.assets["a"]?.indexName))
        made = try render(next, in: place)
        #expect(made.frames == Array(0..<50) && made.readsThrough == true)
    }

    /// Same size, same edges, another byte in the middle, and an index that was written before.
    @Test func aFileThatHasChangedIsNotReadByItsOldIndex() throws {
        // Its edges are 2 MiB of some 8.
        let path = try fixture.film(
            "long.mkv", 50,
            coding: ["-vf", "pad=640:360,noise=alls=100:all_seed=1", "-c:v", "mjpeg", "-q:v", "2"])
        let plan = try fixture.plan(
            Text.project(
                ["a": path], [Text.track(1, "video", Text.clip("a", "0s", "2s", at: "0s"))],
                size: RenderFixture.size, frame: "1/25"))
        let facts = try #require(plan.assets["a"])
        #expect(facts.byteCount > 4 << 20)
        let folder = try fixture.folder.folder("changed")
        try writeIndex(of: path, to: folder + "/" + #require(facts.indexName))
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64(facts.byteCount / 2))
        try file.write(contentsOf: Data(repeating: 0x5a, count: 64))
        try file.close()
        let error = #expect(throws: SplitreelError.self) { try render(plan, in: folder) }
        #expect(error?.code == .mediaChanged)
    }
}
