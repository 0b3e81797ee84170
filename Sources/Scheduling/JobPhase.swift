/// The stage that a job is in. `after` is the one table of what may follow what.
package enum JobPhase: Sendable, Hashable {
    /// The job is accepted; its plan is being made.
    case planning
    /// The job is planned; nothing of it was leased yet.
    case waiting
    case rendering
    /// Every task is done; the film is being completed and checked.
    case finishing
    /// The film is being renamed into place, which cannot be called back.
    case publishing
    /// The outcome is decided; its slots have until `letGoBy` to leave its folder alone.
    case ending(Decision, letGoBy: Instant)
    /// The job's folder is being removed.
    case cleaning(Decision)
    case ended(JobOutcome)

    /// The outcome that a job is to have. Until it has ended, reports go on telling the state that it had `reached`
    /// before.
    package struct Decision: Sendable, Hashable {
        package var outcome: JobOutcome
        package var reached: JobState

        package init(outcome: JobOutcome, reached: JobState) { (self.outcome, self.reached) = (outcome, reached) }
    }

    /// The event that takes a job from one phase into the next.
    package enum Step: Sendable, Hashable {
        case planned
        case firstLease
        case allTasksDone
        case filmChecked
        /// The film is begun anew.
        case filmFellBack
        case decided(JobOutcome, letGoBy: Instant)
        case slotsLetGo
        case cleaned
    }

    /// The phase after the step; nil where the step cannot be next.
    package func after(_ step: Step) -> JobPhase? {
        switch (self, step) {
        case (.planning, .planned): .waiting
        case (.waiting, .firstLease): .rendering
        // All of a recovered job may have been done by an earlier life of the coordinator.
        case (.waiting, .allTasksDone), (.rendering, .allTasksDone): .finishing
        case (.finishing, .filmChecked): .publishing
        case (.finishing, .filmFellBack): .rendering
        // The first decision stands.
        case (.planning, .decided(let outcome, let time)), (.waiting, .decided(let outcome, let time)),
            (.rendering, .decided(let outcome, let time)), (.finishing, .decided(let outcome, let time)),
            (.publishing, .decided(let outcome, let time)):
            .ending(Decision(outcome: outcome, reached: state), letGoBy: time)
        case (.ending(let decision, _), .slotsLetGo): .cleaning(decision)
        case (.cleaning(let decision), .cleaned): .ended(decision.outcome)
        default: nil
        }
    }

    /// The phase in which a job goes on that an earlier life of the coordinator had begun.
    static func recovered(_ job: RecoveredJob, hasPlan: Bool, now: Instant) -> JobPhase {
        let reached: JobPhase =
            if !hasPlan {
                .planning
            } else if job.film != nil {
                .publishing
            } else {
                job.started > 0 ? .rendering : .waiting
            }
        guard let outcome = job.ending else { return reached }
        return .ending(Decision(outcome: outcome, reached: reached.state), letGoBy: now)
    }

    package var state: JobState {
        switch self {
        case .planning, .waiting: .waiting
        case .rendering: .running
        case .finishing, .publishing: .stitching
        case .ending(let decision, _), .cleaning(let decision): decision.reached
        case .ended(let outcome): outcome.state
        }
    }

    /// The outcome once it is decided; nil before.
    package var outcome: JobOutcome? {
        switch self {
        case .planning, .waiting, .rendering, .finishing, .publishing: nil
        case .ending(let decision, _), .cleaning(let decision): decision.outcome
        case .ended(let outcome): outcome
        }
    }
}
