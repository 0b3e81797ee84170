import Diagnostics
import Libav
import LocalFarm
import MediaTime
import Synchronization

/// A track of a film that a `Writer` writes as another file stores it: nothing is encoded. Its bytes wait beside the
/// film until the end; some 48 bytes of each packet stay in memory.
///
///     let reader = try await PacketReader(MediaAsset("film.mkv"), track: 1)
///     let copy = writer.addPackets(like: reader)
///     try await writer.start()
///     while let packet = try await reader.next() { try await copy.append(packet) }
///     let film = try await writer.finish()
public final class PacketInput: Sendable {
    let form: DraftedPackets
    private let state = Mutex(State())

    private struct State {
        var thread: InputThread<DraftedPacket>?
        var origin = Rational.zero
    }

    /// The most packets that wait for the disk.
    private static let ahead = 16

    init(_ form: DraftedPackets) { self.form = form }

    /// The codec's name in libavcodec, such as `h264`.
    public var codec: String { form.format.codec }

    // Used by the input's thread alone.
    private struct Draft: @unchecked Sendable {
        let draft: StoredDraft
    }

    func begin(_ draft: StoredDraft, from origin: Rational) {
        let own = Draft(draft: draft)
        state.withLock { state in
            state.origin = origin
            state.thread = InputThread("packets", ahead: Self.ahead) { try own.draft.append($0) }
        }
    }

    /// Appends a packet, in the order in which packets are decoded. It waits while the disk is behind.
    ///
    /// The first packet is a key frame. A packet without a decode time lets all decode times of the track follow from
    /// the presentation times. Packets that are shown before the film's 0 are kept, since later ones may need them: mp4
    /// and mov tell players by an edit list to show nothing before 0; in mkv, which has no such list, all of the film
    /// begins so much later.
    ///
    /// - Throws: `SplitreelError` for a packet that cannot follow those before it; `.diskFull`; `CancellationError`
    ///   after `cancel`.
    public func append(_ packet: StoredPacket) async throws {
        let (thread, origin) = state.withLock { ($0.thread, $0.origin) }
        guard let thread else { throw misused("the writer has not been started") }
        func place(_ time: MediaTime?) throws -> Rational? {
            guard let time else { return nil }
            guard let exact = time.exact else { throw misused("\(time) is no time") }
            return exact - origin
        }
        try await thread.append(
            DraftedPacket(
                data: packet.data, presentation: place(packet.presentationTime), decode: place(packet.decodeTime),
                duration: packet.duration.exact ?? .zero, isKey: packet.isKeyFrame, endTrim: packet.endTrim))
    }

    private func misused(_ reason: String) -> SplitreelError {
        SplitreelError(.usage, operation: "writing a film", subject: "a packet", reason: "\(reason)")
    }
}

extension PacketInput: WriterInput {
    func end() async throws { try await state.withLock { $0.thread }?.end() }
    func close() { state.withLock { $0.thread }?.close() }
    func abandon() { state.withLock { $0.thread }?.abandon() }
}
