import Diagnostics
import Scheduling
import Testing

/// A worker that cannot get at what the coordinator could is at fault, not the media.
@Suite struct AccessTests {
    static let codes: [ErrorCode] = [.mediaNotFound, .mediaCannotOpen, .mediaChanged, .refused, .outputNotWritable]

    @Test(arguments: codes) func anotherWorkerRendersWhatOneCannotReach(code: ErrorCode) {
        var farm = Farm()
        farm.submit(costs: Array(repeating: 1, count: 6))
        farm.register("bad")
        farm.register("good")
        for _ in 0..<3 { farm.fail("bad", code) }
        #expect(farm.lease(of: "bad") == nil, "three failures in a job block a worker")
        for _ in 0..<6 {
            farm.pass(.seconds(3), alive: ["bad", "good"])
            farm.complete("good")
        }
        #expect(farm.outcome() == nil)
        #expect(farm.brain.jobs["job"]?.state == .stitching)
    }

    @Test func aWorkersSlotsShareTheBlame() {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("s1", worker: "bad")
        farm.register("s2", worker: "bad")
        farm.fail("s1", .mediaNotFound)
        #expect(farm.lease(of: "s2") == nil)
        #expect(farm.task(0)?.failedWorkers == ["bad"])
    }

    @Test(arguments: codes) func withNoOtherWorkerTheErrorItselfIsTheJobs(code: ErrorCode) throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("bad/1", worker: "bad")
        farm.fail("bad/1", code)
        farm.fail("bad/1", code)
        farm.pass(.seconds(9), alive: ["bad/1"])
        #expect(farm.outcome() == nil)
        farm.pass(.seconds(2), alive: ["bad/1"])
        let error = try #require(farm.outcome()?.error)
        #expect(error.code == code)
        #expect(error.subject == "clip.mov, in chunk 0 (frames 0..<100)")
        #expect(error.reason == "why on worker bad")
        #expect(!error.hint.isEmpty)
    }

    @Test func threeWorkersThatCannotReachItFailTheJob() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        for worker in ["a", "b", "c"] {
            #expect(farm.outcome() == nil)
            farm.register(worker)
            farm.fail(worker, .mediaNotFound)
        }
        let error = try #require(farm.outcome()?.error)
        #expect(error.code == .mediaNotFound)
        #expect(error.reason == "why on workers a, b, c")
    }

    @Test func badMediaStillFailTheJobAtOnce() {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        farm.register("b")
        farm.fail("b", .decodeFailed)
        farm.fail("a", .decodeFailed)
        #expect(farm.outcome()?.error?.code == .decodeFailed)
    }
}
