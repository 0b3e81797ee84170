import Scheduling
import Simulation
import TestTools
import Testing

@Suite("How evenly chunks are dealt")
struct MakespanTests {
    /// Dear stretches, as films have them: a chunk costs 1 or 10, and neighbours are alike.
    private func costs(_ count: Int, seed: UInt64) -> [Double] {
        var random = SeededNumbers(seed: seed &* 104_729 &+ 1)
        var isDear = false
        return (0..<count).map { _ in
            if Int.random(in: 0..<6, using: &random) == 0 { isDear.toggle() }
            return isDear ? 10 : 1
        }
    }

    /// The seconds from the first lease to the end of the film, where nothing but rendering takes time; and what no
    /// farm can go below: all of the work spread evenly, and its longest chunk.
    private func span(_ slots: Int, _ chunksOfSlot: Int, seed: UInt64) throws -> (
        span: Double, bound: Double, long: Double
    ) {
        let costs = costs(slots * chunksOfSlot, seed: seed)
        let scenario = Scenario.ideal(slots: slots, costs: costs, runFrames: 4 * Scenario.chunkFrames)
        let report = try simulate(scenario, seed: seed)
        #expect(report.outcomes == ["film": .completed])
        let longest = costs.max() ?? 0
        return (report.end.inSeconds, max(costs.reduce(0, +) / Double(slots), longest), longest)
    }

    private static let slots = [1, 2, 3, 4, 7, 8, 16, 31, 64]

    @Test("Costs skewed 10 : 1, thirty chunks a slot or more: within 5 % of the bound", arguments: slots)
    func evenly(slots: Int) throws {
        for (chunks, seed) in [(30, UInt64(0)), (30, 1), (60, 2)] {
            let (span, bound, _) = try span(slots, chunks, seed: seed)
            #expect(span >= bound * 0.999_999 && span <= 1.05 * bound, "\(chunks) chunks a slot: \(span / bound)")
        }
    }

    /// Where a slot has a few chunks only, one dear chunk is a large part of its share, and no rule that deals whole
    /// chunks comes close to the even share. No slot may be free while a chunk waits, though; then at the time when the
    /// last chunk begins all slots have worked, and the film takes no longer than the even share and that chunk.
    @Test("A few chunks a slot: at most the last chunk is added", arguments: slots)
    func coarsely(slots: Int) throws {
        for (chunks, seed) in [(3, UInt64(0)), (6, 1), (10, 2), (20, 3)] {
            let (span, bound, longest) = try span(slots, chunks, seed: seed)
            #expect(span <= bound + longest + 0.001, "\(chunks) chunks a slot: \(span / bound)")
        }
    }
}
