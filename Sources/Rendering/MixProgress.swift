/// How far the mixing of a sound has come. Where nothing comes out of it for long, since what taps remember is made
/// first, or a nested composition's loudness is measured, it goes on by a sample now and then: nobody shall take it for
/// stuck.
final class MixProgress {
    private let total: Int
    private let cancellation: Cancellation
    private let report: @Sendable (Int, Int) -> Void
    private var told = 0
    private var steps = 0
    /// What all of the mix counts for; see `leaveRoom`.
    private var span: Range<Int>

    /// Some seconds of sound, of a block in each step.
    static let stepsOfSample = 64

    /// `report` is told of samples done and in all; it never goes back.
    init(total: Int, cancellation: Cancellation, report: @escaping @Sendable (Int, Int) -> Void) {
        (self.total, self.cancellation, self.report) = (total, cancellation, report)
        span = 0..<total
    }

    /// The mix may have to be made again: what is told next is half of what is left.
    func leaveRoom() { span = told..<told + (total - told) / 2 }

    /// A block of anything is about to be made. Throws where the whole is cancelled.
    func step() throws {
        try cancellation.check()
        steps += 1
        guard steps % Self.stepsOfSample == 0, told < total - 1 else { return }
        told += 1
        report(told, total)
    }

    func tell(_ done: Int) {
        let (share, _) = max(1, total).dividingFullWidth(min(done, total).multipliedFullWidth(by: span.count))
        told = max(told, span.lowerBound + share)
        report(told, total)
    }
}
