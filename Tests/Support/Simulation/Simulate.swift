package import Scheduling

/// The outcome of a simulated farm.
package struct SimulationReport: Sendable {
    /// The outcomes of jobs by their ids; jobs that were refused are not among them.
    package var outcomes: [String: JobOutcome] = [:]
    /// When the last job had ended, since the beginning.
    package var end: Duration = .zero
    package var trace: [String] = []
    /// The troubles of disks that somebody met.
    package var diskTroubles: Set<DiskTrouble> = []
    /// The answers of caches that jobs met.
    package var cacheAnswers: Set<CacheAnswer> = []
    /// The chunks that went back since their worker's key was revoked.
    package var takenBack = 0
}

/// Lets a farm live until all of its jobs have ended, and everything that must hold is looked at after every step.
///
/// - Parameters:
///   - puttingBack: races that were mended, to see that they are found.
///   - wholeTrace: the report has everything that happened, not only the last of it.
package func simulate(
    _ scenario: Scenario, seed: UInt64, puttingBack: Set<MendedRace> = [], wholeTrace: Bool = false
) throws(Violation) -> SimulationReport {
    var scenario = scenario
    if puttingBack.contains(.asksForNoAssets) { scenario.limits.checksAssets = false }
    let world = World(scenario, seed: seed, puttingBack: puttingBack, wholeTrace: wholeTrace)
    try world.run()
    let outcomes = scenario.jobs.compactMap { job in world.store.outcome(of: job.id).map { (job.id, $0) } }
    return SimulationReport(
        outcomes: Dictionary(outcomes) { first, _ in first }, end: world.lastEnd - .zero, trace: world.trace.lines,
        diskTroubles: world.diskTroubles, cacheAnswers: world.cacheAnswers, takenBack: world.ledger.takenBack)
}
