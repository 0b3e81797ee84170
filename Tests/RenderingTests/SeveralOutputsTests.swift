import Foundation
import Hashing
import Outputs
import Pictures
import Planning
import Preparation
import Rendering
import SplitreelProject
import TestTools
import Testing

/// Tasks of a plan with several outputs: a file for each, of the same decoded frames.
@Suite("Several outputs of one plan", .serialized) struct SeveralOutputsTests {
    private func requests(_ fixture: RenderFixture) -> [OutputRequest] {
        var requests = ["a.mkv", "b.mkv", "c.mkv", "d.flac"].map { OutputRequest(path: fixture.folder.file($0)) }
        for index in requests.indices {
            requests[index].rendering.chunkSeconds = "10/25"
            if index < 3 { requests[index].picture.codec = "ffv1" }
        }
        requests[1].picture.pixelFormat = "yuv444p"
        requests[2].canvas.size = PixelSize(width: 128, height: 72)
        (requests[2].sound.sampleRate, requests[2].sound.channels) = (44_100, 1)
        return requests
    }

    /// A numbered film, shown whole, over another one that moves.
    private func composition(_ fixture: RenderFixture) throws -> Project {
        let (one, two) = (try fixture.film("one.mkv", 50), try fixture.film("two.mkv", 50, first: 500))
        let tone = try fixture.wave("tone.wav", [SoundMedia.tone(440, count: 96_000, rate: 48_000)])
        let text = Text.project(
            ["a": one, "b": two, "s": tone],
            [
                Text.track(1, "video", Text.clip("a", "0s", "2s", at: "0s")),
                Text.track(2, "video", Text.clip("b", "0s", "2s", at: "0s")),
                Text.track(3, "audio", Text.clip("s", "0s", "2s", at: "0s")),
            ], size: RenderFixture.size, frame: "1/25",
            [
                Text.instruction(
                    "0s", "2s",
                    Text.layer(1, [1, 0, 0, 0.5, 0, 0]),
                    Text.layer(2, [1, 0, 0, 0.5, 0, 72], to: [1, 0, 0, 0.5, 40, 72], "0s", "2s"))
            ])
        return try Project(parsing: Data(text.utf8))
    }

    /// Two films, ten output frames, three canvases: each film's reader is asked for ten frames and not for thirty.
    @Test func eachFrameIsDecodedOnce() throws {
        let fixture = try RenderFixture("several")
        let (project, requests) = (try composition(fixture), requests(fixture))
        let plan = try prepareJob(project: project, requests: requests).plan
        let alone = try preparePlans(project: project, requests: requests).map(\.plan)
        #expect(plan.chunks.map(\.frames) == alone[0].chunks.map(\.frames) && plan.chunks.count == 5)
        let renderer = SegmentRenderer()
        let path = fixture.folder.file("set.nut")
        let records = try renderer.render(
            plan: plan, planHash: try plan.hash(), task: .chunk(3), key: ContentKey(of: [0]), segmentPath: path,
            progress: { _, _ in }, cancellation: Cancellation())
        #expect(renderer.sourceReads == 2 * 10)
        #expect(records.count == 3 && records.allSatisfy { $0.count == 10 })
        for number in 0..<3 {
            let single = try fixture.render(alone[number], .chunk(3), to: "alone\(number).nut")
            let hashes = try fixture.witness.frameHashes(SegmentSet.path(path, file: number))
            #expect(try fixture.witness.frameHashes(single.path) == hashes && hashes.count == 10, "output \(number)")
            #expect(single.record.fileHash == records[number].fileHash, "output \(number)")
        }
    }

    /// Mixed once for two of one layout, and once more for another one.
    @Test func soundIsEachOutputsOwn() throws {
        let fixture = try RenderFixture("several")
        let (project, requests) = (try composition(fixture), requests(fixture))
        let plan = try prepareJob(project: project, requests: requests).plan
        let alone = try preparePlans(project: project, requests: requests).map(\.plan)
        let path = fixture.folder.file("sound.nut")
        let records = try SegmentRenderer().render(
            plan: plan, planHash: try plan.hash(), task: .audio(parts: []), key: ContentKey(of: [0]), segmentPath: path,
            progress: { _, _ in }, cancellation: Cancellation())
        #expect(records.map(\.count) == [96_000, 96_000, 88_200, 96_000])
        for number in records.indices {
            let single = try fixture.render(alone[number], .audio(parts: []), to: "alone\(number).nut")
            let file = SegmentSet.path(path, file: number)
            #expect(try fixture.witness.soundHash(file) == fixture.witness.soundHash(single.path), "output \(number)")
        }
    }

    /// Whatever fails in one output, nothing of any is left.
    @Test func oneThatFailsLeavesNothing() throws {
        let fixture = try RenderFixture("several")
        var plan = try prepareJob(project: composition(fixture), requests: requests(fixture)).plan
        plan.further?[1].settings.video?.codec = .h264
        plan.further?[1].settings.video?.preset = "bogus"
        let names = try fixture.folder.names()
        #expect(throws: (any Error).self) { try fixture.render(plan, .chunk(0)) }
        #expect(try fixture.folder.names() == names)
    }
}
