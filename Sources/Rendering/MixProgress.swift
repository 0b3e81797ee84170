/// The progress of a sound's mixing. It goes on by a sample now and then where nothing comes out for long, since what
/// taps remember is made first, or a nested composition's loudness is measured: nobody shall take it for stuck.
final class MixProgress {
    private let total: Int
    private let cancellation: Cancellation
    private let report: @Sendable (Int, Int) -> Void
    private var told = 0
    private var steps = 0
    /// The range of reported samples that all of the mix counts for; see `leaveRoom`.
    private var span: Range<Int>

    /// The steps for which one sample is reported: some seconds of sound, of a block in each step.
    static let stepsOfSample = 64

    /// `report` takes the samples done and in all; the progress never goes back.
    init(total: Int, cancellation: Cancellation, report: @escaping @Sendable (Int, Int) -> Void) {
        self.total = total
        self.cancellation = cancellation
        self.report = report
        span = 0..<total
    }

    /// Gives the next mix half of the remaining progress, since it may have to be made again.
    func leaveRoom() { span = told..<told + (total - told) / 2 }

    /// Counts a block that is about to be made. Throws `.cancelled` where the render is cancelled.
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
