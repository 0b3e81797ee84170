import Diagnostics
import Scheduling
import Testing

@Suite("The phases of a job")
struct JobPhaseTests {
    private static let failure = JobOutcome.failed(
        SplitreelError(.encodeFailed, operation: "op", subject: "s", reason: "r"))
    private static let decision = JobPhase.Decision(outcome: failure, reached: .running)

    private static let phases: [JobPhase] = [
        .planning, .waiting, .rendering, .finishing, .publishing, .ending(decision, letGoBy: .zero),
        .cleaning(decision), .ended(failure),
    ]
    private static let steps: [JobPhase.Step] = [
        .planned, .firstLease, .allTasksDone, .filmChecked, .filmFellBack, .decided(.cancelled, letGoBy: .zero),
        .slotsLetGo, .cleaned,
    ]

    @Test("A job goes forward through its phases, and in no other way")
    func table() {
        let forward: [JobPhase] = [.planning, .waiting, .rendering, .finishing, .publishing]
        for (place, phase) in Self.phases.enumerated() {
            for step in Self.steps {
                let next = phase.after(step)
                switch step {
                case .planned: #expect(next == (place == 0 ? .waiting : nil))
                case .firstLease: #expect(next == (place == 1 ? .rendering : nil))
                case .allTasksDone: #expect(next == (place == 1 || place == 2 ? .finishing : nil))
                case .filmChecked: #expect(next == (place == 3 ? .publishing : nil))
                case .filmFellBack: #expect(next == (place == 3 ? .rendering : nil))
                case .decided(let outcome, let time):
                    let decided = JobPhase.Decision(outcome: outcome, reached: phase.state)
                    #expect(next == (place < forward.count ? .ending(decided, letGoBy: time) : nil))
                case .slotsLetGo: #expect(next == (place == 5 ? .cleaning(Self.decision) : nil))
                case .cleaned: #expect(next == (place == 6 ? .ended(Self.failure) : nil))
                }
            }
        }
    }

    @Test("What a job ends as is told apart from the state that it has reached")
    func states() {
        #expect(
            Self.phases.map(\.state) == [
                .waiting, .waiting, .running, .stitching, .stitching, .running, .running, .failed,
            ])
        #expect(Self.phases.map { $0.outcome != nil } == Array(repeating: false, count: 5) + [true, true, true])
    }
}
