import Diagnostics
import Libav
import LocalFarm
public import MediaTime
import Synchronization

/// The pictures of a film that a `Writer` writes.
public final class PictureInput: Sendable {
    let form: DraftedPicture
    private let state = Mutex(State())

    private struct State {
        var thread: InputThread<Appended>?
        var origin = Rational.zero
        /// A picture before the film's 0, which is shown from there on if no other one begins there.
        var early: VideoFrame?
        var hasBegun = false
    }

    private struct Appended: Sendable {
        let frame: VideoFrame
        let time: Rational
    }

    /// The most pictures that wait for the encoder.
    private static let ahead = 4

    init(_ form: DraftedPicture) { self.form = form }

    /// The width in pixels of all pictures.
    public var width: Int { form.size.width }
    /// The height in pixels of all pictures.
    public var height: Int { form.size.height }

    // Used by the input's thread alone.
    private struct Draft: @unchecked Sendable {
        let draft: PictureDraft
    }

    func begin(_ draft: PictureDraft, from origin: Rational) {
        let own = Draft(draft: draft)
        state.withLock { state in
            state.origin = origin
            state.thread = InputThread("pictures", ahead: Self.ahead) { appended in
                let frame = try own.draft.makeFrame()
                try frame.withImage { image in
                    try appended.frame.refuseOtherPlanes(than: image.encoding)
                    appended.frame.write(into: image)
                }
                try own.draft.append(frame, at: appended.time)
            }
        }
    }

    /// Makes a frame of the input's size to draw into, all of whose bytes are 0.
    ///
    /// - Parameter format: `rgba8` or `rgbaFloat`.
    public func makeFrame(_ format: PixelFormat = .rgba8) -> VideoFrame {
        precondition(format != .film, "the planes of a film are known to its encoder alone")
        return VideoFrame.blank(width: width, height: height, format)
    }

    /// Appends a picture, which is shown from `time` on until the next one's. It waits while the encoder is behind. The
    /// frame is not to be written to any more. One of the format `film` has the planes of the encoder: see the output's
    /// `pixelFormat`.
    ///
    /// - Parameter time: on the clock of `start`; later than that of the picture before it.
    /// - Throws: `SplitreelError` for a picture of another size, or whose time is not later; the encoder's error;
    ///   `CancellationError` after `cancel`. A time that is not later may be told by a later call, or by `finish`.
    public func append(_ frame: VideoFrame, at time: MediaTime) async throws {
        guard let exact = time.exact else { throw misused("\(time) is no time") }
        guard frame.width == width, frame.height == height else {
            throw misused("it has \(frame.width)×\(frame.height) pixels, the input \(width)×\(height)")
        }
        let (thread, origin) = state.withLock { ($0.thread, $0.origin) }
        guard let thread else { throw misused("the writer has not been started") }
        let place = exact - origin
        guard place >= .zero else {
            state.withLock { $0.early = $0.hasBegun ? nil : frame }
            return
        }
        let early = state.withLock { state in
            defer { (state.early, state.hasBegun) = (nil, true) }
            return state.early
        }
        if let early, place > .zero { try await thread.append(Appended(frame: early, time: .zero)) }
        try await thread.append(Appended(frame: frame, time: place))
    }

    private func misused(_ reason: String) -> SplitreelError {
        SplitreelError(.usage, operation: "writing a film", subject: "a picture", reason: "\(reason)")
    }
}

extension PictureInput: WriterInput {
    func end() async throws {
        let (thread, early) = state.withLock { ($0.thread, $0.early) }
        if let early, let thread { try await thread.append(Appended(frame: early, time: .zero)) }
        try await thread?.end()
    }

    func close() { state.withLock { $0.thread }?.close() }
    func abandon() { state.withLock { $0.thread }?.abandon() }
}

extension VideoFrame {
    /// Throws for planes of a film that are not laid out as the encoder's: nothing converts them.
    fileprivate func refuseOtherPlanes(than wanted: PixelEncoding) throws {
        guard let own = image?.encoding else { return }
        func words(_ encoding: PixelEncoding) -> String {
            "\(encoding.bitDepth) bits, a colour sample for \(1 << encoding.chromaShiftX)×"
                + "\(1 << encoding.chromaShiftY) pixels, \(encoding.isFullRange ? "full" : "limited") range"
        }
        guard words(own) != words(wanted) else { return }
        throw SplitreelError(
            .usage, operation: "writing a film", subject: "a picture",
            reason: "its planes have \(words(own)); the film's have \(words(wanted))",
            hint: "hand over rgba8 or rgbaFloat, or set the output's pixelFormat")
    }
}
