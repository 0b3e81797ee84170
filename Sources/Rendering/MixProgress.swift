/// How far the mixing of a sound has come. Where nothing comes out of it for long, since what taps remember is made
/// first, or a nested composition's loudness is measured, it goes on by a sample now and then: nobody shall take it for
/// stuck.
final class MixProgress {
    private let total: Int
    private let cancellation: Cancellation
    private let report: @Sendable (Int, Int) -> Void
    private var told = 0
    private var steps = 0

    /// Some seconds of sound, of a block in each step.
    static let stepsOfSample = 64

    /// `report` is told of samples done and in all; it never goes back.
    init(total: Int, cancellation: Cancellation, report: @escaping @Sendable (Int, Int) -> Void) {
        (self.total, self.cancellation, self.report) = (total, cancellation, report)
    }

    /// A block of anything is about to be made. Throws where the whole is cancelled.
    func step() throws {
        try cancellation.check()
        steps += 1
        if steps % Self.stepsOfSample == 0, told < total - 1 { tell(told + 1) }
    }

    func tell(_ done: Int) {
        told = max(told, done)
        report(told, total)
    }
}
