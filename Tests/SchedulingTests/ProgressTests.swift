import Diagnostics
import Scheduling
import Testing

@Suite("What of a job is done") struct ProgressTests {
    private func work(_ farm: Farm) -> WorkDone { farm.brain.jobs["job"]?.workDone ?? WorkDone() }

    @Test func everyFrameCountsTheSameAndTheSoundNothing() {
        var farm = Farm()
        farm.submit(costs: [9, 1, 1, 1], sound: true)
        farm.register("a")
        #expect(work(farm) == WorkDone(frames: 400, chunks: 4))
        // The sound goes first.
        farm.complete("a")
        #expect(work(farm).percent == 0)
        for chunk in 1...4 {
            farm.complete("a")
            #expect(work(farm) == WorkDone(frames: 400, framesDone: 100 * chunk, chunks: 4, chunksDone: chunk))
            #expect(work(farm).percent == (chunk < 4 ? 25 * chunk : 99))
        }
    }

    @Test func nothingThatIsLostTakesItBack() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.progress(slot: "a", holding, done: 80, total: 100))
        #expect(work(farm).framesDone == 80 && work(farm).percent == 40)
        farm.send(.slotLost(slot: "a", reason: "signal 9"))
        #expect(work(farm).framesDone == 80)
        farm.register("b")
        let second = try #require(farm.lease(of: "b"))
        farm.send(.progress(slot: "b", second, done: 10, total: 100))
        #expect(work(farm).framesDone == 80)
        farm.send(.progress(slot: "b", second, done: 90, total: 100))
        #expect(work(farm).framesDone == 90 && work(farm).percent == 45)
        farm.send(.cancelJob("job"))
        #expect(work(farm).framesDone == 90 && work(farm).percent == 45)
    }

    @Test func aChunkThatIsBeingCheckedHasAllOfItsFrames() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.finished(slot: "a", holding, Farm.segment(holding)))
        #expect(work(farm) == WorkDone(frames: 200, framesDone: 100, chunks: 2))
        farm.send(.verified(holding))
        #expect(work(farm) == WorkDone(frames: 200, framesDone: 100, chunks: 2, chunksDone: 1))
    }

    @Test func chunksAreCountedByStateWithoutTheSound() {
        var farm = Farm()
        farm.submit(costs: [1, 1, 1], sound: true)
        farm.register("a")
        farm.complete("a")
        farm.complete("a")
        #expect(farm.brain.jobs["job"]?.chunkStates == [.done: 1, .leased: 1, .pending: 1])
    }

    @Test func nothingOfACancelledJobIsPending() {
        var farm = Farm()
        farm.submit(costs: [1, 1, 1])
        farm.register("a")
        farm.complete("a")
        farm.send(.cancelJob("job"))
        #expect(farm.brain.jobs["job"]?.chunkStates == [.done: 1])
        #expect(work(farm).chunks == 3 && work(farm).chunksDone == 1)
    }

    @Test(arguments: [(0, 0), (1, 1), (29, 29), (30, 30), (99, 99), (100, 99)])
    func percentIsTheFramesRoundedDown(done: Int, percent: Int) {
        #expect(WorkDone(frames: 100, framesDone: done).percent == percent)
        let large = Int.max / 100
        #expect(WorkDone(frames: large * 100, framesDone: large * done).percent == percent)
        #expect(WorkDone(frames: 100, framesDone: done, isInPlace: true).percent == 100)
    }

    @Test func anotherPlanTakesNothingOver() {
        var work = WorkDone(frames: 50, framesDone: 3, chunks: 2, chunksDone: 0)
        work.keep(WorkDone(frames: 60, framesDone: 40, chunks: 2, chunksDone: 1))
        #expect(work == WorkDone(frames: 50, framesDone: 3, chunks: 2, chunksDone: 1))
        #expect(WorkDone(frames: -5, framesDone: 9, chunks: 1, chunksDone: 4).framesDone == 0)
    }
}
