import Diagnostics
import LocalFarm
public import MediaTime
import Synchronization

/// A sound track of a film that a `Writer` writes.
public final class SoundInput: Sendable {
    let form: DraftedSound
    private let state = Mutex(State())

    private struct State {
        var thread: InputThread<Appended>?
        var origin = Rational.zero
    }

    private struct Appended: Sendable {
        let channels: [[Float]]
        /// The index of the first sample in the film; nil for the one after the last.
        let first: Int?
    }

    /// The most blocks of samples that wait for the encoder.
    private static let ahead = 8

    init(_ form: DraftedSound) { self.form = form }

    /// The samples per second.
    public var sampleRate: Int { form.sampleRate }
    /// The number of channels, 1 to 8.
    public var channelCount: Int { form.channels }

    // Used by the input's thread alone.
    private struct Draft: @unchecked Sendable {
        let draft: SoundDraft
    }

    func begin(_ draft: SoundDraft, from origin: Rational) {
        let own = Draft(draft: draft)
        state.withLock { state in
            state.origin = origin
            state.thread = InputThread("sound", ahead: Self.ahead) { try own.draft.append($0.channels, at: $0.first) }
        }
    }

    /// Appends samples. It waits while the encoder is behind.
    ///
    /// - Parameters:
    ///   - channels: the samples of each channel, full scale being −1 to 1; as many of each.
    ///   - time: the first sample's time on the clock of `start`, to the nearest sample: silence fills a hole before
    ///     it. nil for the samples that follow the last ones; the first ones are at the film's 0 then.
    /// - Throws: `SplitreelError` for samples that overlap those before, or that have other channels; the encoder's
    ///   error; `CancellationError` after `cancel`. What is wrong with samples may be told by a later
    ///   call, or by `finish`.
    public func append(_ channels: [[Float]], at time: MediaTime? = nil) async throws {
        let (thread, origin) = state.withLock { ($0.thread, $0.origin) }
        guard let thread else { throw misused("the writer has not been started") }
        guard let time else { return try await thread.append(Appended(channels: channels, first: nil)) }
        guard let exact = time.exact else { throw misused("\(time) is no time") }
        let first = ((exact - origin) * Rational(sampleRate)).rounded()
        guard first < 0 else { return try await thread.append(Appended(channels: channels, first: first)) }
        // Samples before the film's 0 are left out.
        let kept = channels.map { Array($0.dropFirst(-first)) }
        if kept.contains(where: { !$0.isEmpty }) { try await thread.append(Appended(channels: kept, first: 0)) }
    }

    private func misused(_ reason: String) -> SplitreelError {
        SplitreelError(.usage, operation: "writing a film", subject: "samples", reason: "\(reason)")
    }
}

extension SoundInput: WriterInput {
    func end() async throws { try await state.withLock { $0.thread }?.end() }
    func close() { state.withLock { $0.thread }?.close() }
    func abandon() { state.withLock { $0.thread }?.abandon() }
}
