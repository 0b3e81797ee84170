import Diagnostics
import FarmClient
import Foundation
import Reports
import Scheduling
import SplitreelCommands
import Testing

@Suite("What a program that watches is told") struct ProgressEventTests {
    private func report(_ done: Int, state: JobState = .running) -> JobReport {
        var report = JobReport(job: "j", state: state)
        report.work = WorkDone(
            frames: 300, framesDone: done, chunks: 3, chunksDone: done / 100, isInPlace: state == .completed)
        report.framesPerSecond = 30
        report.started = 1000
        return report
    }

    private func document(_ event: ProgressEvent?) throws -> [String: Any] {
        let event = try #require(event)
        let document = try JSONSerialization.jsonObject(with: JSONEncoder().encode(event))
        return try #require(document as? [String: Any])
    }

    @Test func progressHasNumbers() throws {
        var events = ProgressEvents()
        let told = try document(events.take(.report(report(150)), now: 1065))
        #expect(told["event"] as? String == "progress" && told["job"] as? String == "j")
        #expect(told["state"] as? String == "running" && told["progress"] as? Double == 0.5)
        #expect(told["frames"] as? Int == 300 && told["framesDone"] as? Int == 150)
        #expect(told["chunks"] as? Int == 3 && told["chunksDone"] as? Int == 1)
        // 150 frames are left at 30 a second.
        #expect(told["framesPerSecond"] as? Double == 30 && told["secondsLeft"] as? Double == 5)
        #expect(told["elapsed"] as? Double == 65 && told["delay"] == nil && told["samples"] == nil)
    }

    @Test func soundAloneCountsSamples() throws {
        var sound = report(0)
        sound.work = WorkDone(frames: 48000, framesDone: 12000)
        var events = ProgressEvents()
        let told = try document(events.take(.report(sound), now: 1001))
        #expect(told["samples"] as? Int == 48000 && told["samplesDone"] as? Int == 12000 && told["frames"] == nil)
    }

    @Test func progressComesOnceASecondAndWithEachState() {
        var events = ProgressEvents()
        let times = (0..<20).filter { events.take(.report(report($0)), now: 1000 + Double($0) / 4) != nil }
        #expect(times == [0, 4, 8, 12, 16])
        var waiting = report(20)
        waiting.delay = DelayReport(
            work: "stitching", since: 1004,
            error: SplitreelError(.diskFull, operation: "", subject: "/films", reason: "no space left"))
        #expect(events.take(.report(waiting), now: 1004.8) != nil)
        #expect(events.take(.report(waiting), now: 1004.9) == nil)
        #expect(events.take(.report(report(300, state: .stitching)), now: 1004.95) != nil)
        #expect(events.take(.report(report(300, state: .completed)), now: 1004.96) != nil)
    }

    @Test func nothingFallsWhenACoordinatorComesBack() throws {
        var events = ProgressEvents()
        _ = events.take(.report(report(150)), now: 1001)
        let silence = try document(events.take(.silence(.seconds(3)), now: 1004))
        #expect(silence["event"] as? String == "silence" && silence["seconds"] as? Double == 3)
        let back = try document(events.take(.back(after: .milliseconds(4500)), now: 1005))
        #expect(back["event"] as? String == "back" && back["seconds"] as? Double == 4.5)
        let told = try document(events.take(.report(report(120)), now: 1006))
        #expect(told["framesDone"] as? Int == 150)
    }

    @Test func aDelaySaysWhatItWaitsFor() throws {
        var waiting = report(0, state: .waiting)
        waiting.delay = DelayReport(
            work: "planning", since: 1000,
            error: SplitreelError(.diskFull, operation: "", subject: "/films", reason: "no space left"))
        var events = ProgressEvents()
        let delay = try #require(
            try document(events.take(.report(waiting), now: 1001))["delay"] as? [String: Any])
        #expect(delay["work"] as? String == "planning" && delay["since"] as? Double == 1000)
    }
}
