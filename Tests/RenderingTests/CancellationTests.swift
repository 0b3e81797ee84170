import Diagnostics
import Foundation
import Rendering
import TestTools
import Testing

@Suite("Cancelled renders", .serialized) struct CancellationTests {
    /// At every frame of a chunk: it ends there, nothing is left, no source stays open.
    @Test(arguments: [1, 4, 9]) func chunkStopsAtTheNextFrame(frame: Int) throws {
        let fixture = try RenderFixture("cancel")
        let plan = try fixture.shortPlan()
        let (renderer, cancellation) = (SegmentRenderer(), Cancellation())
        let error = try #require(throws: SplitreelError.self) {
            try fixture.render(plan, .chunk(1), with: renderer, cancellation: cancellation) { done, _ in
                #expect(done <= frame)
                if done == frame { cancellation.cancel() }
            }
        }
        #expect(error.code == .cancelled)
        #expect(try fixture.folder.names() == ["a.mkv"])
        #expect(eventually(seconds: 10) { fixture.openFiles() == 0 })
        let made = try fixture.render(plan, .chunk(1), with: renderer)
        #expect(try fixture.numbers(made.path) == Array(10..<20))
    }

    /// After the last frame is as late as it can come: there is no segment all the same.
    @Test func lastFrameIsNotTooLate() throws {
        let fixture = try RenderFixture("cancel")
        let plan = try fixture.shortPlan()
        let cancellation = Cancellation()
        let error = try #require(throws: SplitreelError.self) {
            try fixture.render(plan, .chunk(0), cancellation: cancellation) { done, total in
                if done == total { cancellation.cancel() }
            }
        }
        #expect(error.code == .cancelled)
        #expect(try fixture.folder.names() == ["a.mkv"])
    }

    @Test func cancelledBeforeTheStartRendersNothing() throws {
        let fixture = try RenderFixture("cancel")
        let plan = try fixture.shortPlan()
        let cancellation = Cancellation()
        cancellation.cancel()
        let error = try #require(throws: SplitreelError.self) {
            try fixture.render(plan, .chunk(0), cancellation: cancellation) { _, _ in Issue.record("a frame was made") }
        }
        #expect(error.code == .cancelled)
        #expect(try fixture.folder.names() == ["a.mkv"])
    }

    @Test func soundStopsAtTheNextBlock() throws {
        let fixture = try RenderFixture("cancel")
        let tone = SoundMedia.tone(440, count: 96_000, rate: 48_000)
        let path = try fixture.wave("s.wav", [tone])
        let plan = try fixture.plan(
            Text.project(
                ["s": path], [Text.track(1, "audio", Text.clip("s", "0s", "2s", at: "0s"))], size: (64, 64),
                frame: nil))
        let cancellation = Cancellation()
        let error = try #require(throws: SplitreelError.self) {
            try fixture.render(plan, .audio(parts: []), cancellation: cancellation) { done, total in
                #expect(done < total)
                if done > 20_000 { cancellation.cancel() }
            }
        }
        #expect(error.code == .cancelled)
        #expect(try fixture.folder.names() == ["s.wav"])
        #expect(eventually(seconds: 10) { fixture.openFiles() == 0 })
    }
}
