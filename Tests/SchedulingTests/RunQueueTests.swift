import Scheduling
import TestTools
import Testing

@Suite("Runs of chunks")
struct RunQueueTests {
    private func queue(_ count: Int, frames: Int = 90, runFrames: Int = 360, cost: (Int) -> Double = { _ in 1 })
        -> RunQueue
    {
        RunQueue((0..<count).map { RunQueue.Item(chunk: $0, frames: frames, cost: cost($0)) }, runFrames: runFrames)
    }

    @Test("A slot goes on with its run; runs begin in film order")
    func order() {
        var queue = queue(12)
        let taken = ["a", "b", "a", "b", "a", "a", "a", "b", "b", "b"].compactMap { queue.take(for: $0) }
        #expect(taken == [0, 4, 1, 5, 2, 3, 8, 6, 7, 10])
        #expect(queue.count == 2)
    }

    @Test("When all runs are begun, the later half of the fullest is taken")
    func halves() {
        var queue = queue(16, runFrames: 720)
        #expect(queue.take(for: "a") == 0)  // 1...7 left
        #expect(queue.take(for: "b") == 8)  // 9...15 left
        #expect(queue.take(for: "b") == 9)  // 10...15 left
        #expect(queue.take(for: "c") == 4)  // of a's seven the later four
        #expect((0..<3).compactMap { _ in queue.take(for: "a") } == [1, 2, 3])
        #expect(queue.take(for: "c") == 5)
        #expect(queue.take(for: "d") == 13)  // b still has 10...15
        #expect(queue.take(for: "c") == 6)
    }

    @Test("The half is one of cost, and what has one chunk left is taken whole")
    func halvesByCost() {
        var queue = queue(6, runFrames: 3000) { $0 == 5 ? 10 : 1 }
        #expect(queue.take(for: "a") == 0)
        #expect(queue.take(for: "b") == 5)  // 1 + 1 + 1 + 1 against 10
        #expect(queue.take(for: "b") == 3)
        #expect(queue.take(for: "c") == 2)
        #expect(queue.take(for: "c") == 1)
        #expect(queue.take(for: "c") == 4)
        #expect(queue.take(for: "a") == nil)
    }

    /// Nine films in a grid: 59, 41 and 50 frames, the last of them far behind key frames.
    @Test("A run is divided where the later of both slots ends soonest")
    func dividesByEnds() {
        func grid(_ leads: [Double]) -> RunQueue {
            let items = zip([929, 646, 787], leads).enumerated().map {
                RunQueue.Item(chunk: $0.offset, frames: 50, cost: $0.element.0, leadCost: $0.element.1)
            }
            return RunQueue(items, runFrames: 360)
        }
        var begun = grid([0, 40, 181])
        #expect(begun.take(for: "a") == 0)
        // 40 + 646 + 787 beside 929, and not 181 + 787 beside 929 + 646.
        #expect(begun.take(for: "b") == 1 && begun.take(for: "b") == 2)
        var halfDone = grid([0, 40, 181])
        #expect(halfDone.take(for: "a") == 0)
        #expect(halfDone.take(for: "b", leftInHand: { $0 == 0 ? 0.5 : 1 }) == 2 && halfDone.take(for: "a") == 1)
        var farBehind = grid([0, 900, 0])
        #expect(farBehind.take(for: "a") == 0 && farBehind.take(for: "b") == 2 && farBehind.take(for: "a") == 1)
    }

    @Test("A slot takes nothing that another one, which is nearly done, ends sooner")
    func leavesWhatEndsSooner() {
        let items = [0, 0.5].enumerated().map { RunQueue.Item(chunk: $0, frames: 90, cost: 1, leadCost: $1) }
        var queue = RunQueue(items, runFrames: 360)
        #expect(queue.take(for: "a") == 0)
        #expect(queue.take(for: "b", leftInHand: { _ in 0.4 }) == nil && queue.count == 1)
        var halfDone = queue
        #expect(halfDone.take(for: "b", leftInHand: { _ in 0.6 }) == 1)
        var silent = queue
        #expect(silent.take(for: "b", leftInHand: { _ in nil }) == 1)
        var gone = queue
        gone.release("a")
        #expect(gone.take(for: "b", leftInHand: { _ in 0.4 }) == 1)
        #expect(queue.take(for: "a") == 1)
    }

    /// The chunk of the fuller run is nearly reached, and dear to begin with; that of the other one is far.
    @Test("A slot takes of another run where the fullest is not worth it")
    func takesOfAnotherRun() {
        let items = zip([1, 10, 10, 9], [0, 4, 0, 0]).enumerated().map {
            RunQueue.Item(chunk: $0.offset, frames: 90, cost: $0.element.0, leadCost: $0.element.1)
        }
        var queue = RunQueue(items, runFrames: 180)
        #expect(queue.take(for: "a") == 0 && queue.take(for: "b") == 2)
        #expect(queue.take(for: "c", leftInHand: { $0 == 0 ? 0.05 : 1 }) == 3)
    }

    @Test("Near the end a dear chunk goes before clearly cheaper ones, wherever it lies")
    func dearFirst() {
        var queue = queue(12) { $0 == 6 ? 4 : 1 }  // 15 in all
        #expect(queue.take(for: "a") == 0)  // 2 × 4 of one slot: less than the 15 that are left
        #expect(queue.take(for: "b") == 6)  // 2 × 4 × 2 slots: more than the 14 that are left
        #expect(queue.take(for: "b") == 7)
        #expect(queue.take(for: "b") == 4)  // what lay before it is anyone's
        #expect((0..<3).compactMap { _ in queue.take(for: "a") } == [1, 2, 3])
        var alone = self.queue(3) { Double($0 + 1) }
        #expect((0..<3).compactMap { _ in alone.take(for: "a") } == [0, 1, 2])
        var even = self.queue(12) { $0 == 6 ? 1.4 : 1 }
        #expect(["a", "b", "a", "b", "b"].compactMap { even.take(for: $0) } == [0, 4, 1, 5, 6])
    }

    /// Every third chunk needs more than the slot has.
    @Test("A slot that may not have all gets the others, first to last, then from the runs of others")
    func needs() {
        let items = (0..<12).map { RunQueue.Item(chunk: $0, frames: 90, cost: 1, needs: $0 % 3 == 0 ? 1 : 0) }
        var queue = RunQueue(items, runFrames: 360)
        let some: (Int) -> Bool = { $0 == 0 }
        #expect((0..<3).compactMap { _ in queue.take(for: "a", isAble: some) } == [1, 2, 4])
        #expect(queue.take(for: "b") == 0)
        #expect(queue.left == [0: 5, 1: 3])
        #expect(queue.take(for: "none", isAble: { $0 == 2 }) == nil)
        let rest = (0..<9).compactMap { _ in queue.take(for: "a", isAble: some) }
        #expect(rest.sorted() == [5, 7, 8, 10, 11] && rest.first == 5)
        #expect((0..<9).compactMap { _ in queue.take(for: "b") }.sorted() == [3, 6, 9] && queue.count == 0)
    }

    @Test("What a slot leaves is dealt again in film order")
    func released() {
        var queue = queue(12)
        #expect(queue.take(for: "a") == 0)
        #expect(queue.take(for: "b") == 4)
        queue.release("a")
        queue.release("nobody")
        #expect(queue.take(for: "c") == 1)
        #expect(queue.take(for: "a") == 8)
        #expect(queue.take(for: "c") == 2)
    }

    @Test("Chunks that do not follow one another share no run, and long chunks are runs of their own")
    func gaps() {
        let items = [0, 1, 5, 6].map { RunQueue.Item(chunk: $0, frames: 90, cost: 1) }
        var queue = RunQueue(items, runFrames: 360)
        #expect(["a", "b", "a"].compactMap { queue.take(for: $0) } == [0, 5, 1])
        var long = self.queue(3, frames: 600)
        #expect(["a", "a", "a", "a"].map { long.take(for: $0) } == [0, 1, 2, nil])
    }

    @Test("Every chunk is dealt once, whoever comes and goes", arguments: 0..<50)
    func once(seed: UInt64) {
        var random = SeededNumbers(seed: seed &* 7919 &+ 3)
        let count = Int.random(in: 0...300, using: &random)
        let costs = (0..<count).map { _ in Double.random(in: 0...10, using: &random) }
        var queue = queue(count, runFrames: Int.random(in: 1...1800, using: &random)) { costs[$0] }
        var dealt: [Int] = []
        while queue.count > 0 {
            let slot = "slot \(Int.random(in: 0..<9, using: &random))"
            if Int.random(in: 0..<5, using: &random) == 0 { queue.release(slot) }
            if let chunk = queue.take(for: slot) { dealt.append(chunk) }
            #expect(dealt.count + queue.count == count)
            #expect(queue.first == (0..<count).first { !dealt.contains($0) })
            if let probe = (0..<count).randomElement(using: &random) {
                #expect(queue.contains(probe) == !dealt.contains(probe))
            }
        }
        #expect(dealt.sorted() == Array(0..<count))
        #expect(queue.take(for: "late") == nil)
    }

    @Test("No slot waits long at the end: 1 to 64 slots, costs skewed 10 : 1", arguments: 0..<12)
    func makespan(seed: UInt64) {
        var random = SeededNumbers(seed: seed &* 104_729 &+ 1)
        for slots in [1, 2, 3, 4, 7, 8, 16, 31, 64] {
            // Sixty chunks a slot: the bound is about how they are dealt, not about how coarse they are.
            let count = slots * 60
            // Dear stretches, as films have them: a chunk costs 1 or 10, and neighbours are alike.
            var isDear = false
            let costs = (0..<count).map { _ in
                if Int.random(in: 0..<6, using: &random) == 0 { isDear.toggle() }
                return isDear ? 10.0 : 1.0
            }
            var queue = queue(count, frames: 75) { costs[$0] }
            let bound = max(costs.reduce(0, +) / Double(slots), costs.max() ?? 0)
            let span = simulate(&queue, costs, slots: slots)
            #expect(span <= 1.05 * bound, "\(slots) slots: \(span / bound)")
        }
    }

    /// The time when the last of so many slots is done, each taking the next chunk when it has rendered one.
    private func simulate(_ queue: inout RunQueue, _ costs: [Double], slots: Int) -> Double {
        var free = Array(repeating: 0.0, count: slots)
        while true {
            let first = free.indices.min { free[$0] < free[$1] } ?? 0
            guard let chunk = queue.take(for: "\(first)") else { return free.max() ?? 0 }
            free[first] += costs[chunk]
        }
    }
}
