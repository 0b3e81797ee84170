public import Diagnostics
import LocalFarm
import MediaFacts
public import MediaTime
import Outputs
public import Pictures
import Planning
import Preparation
import SplitreelFiles
public import SplitreelProject
import Synchronization
import Threads

/// Writes a film of pictures and samples that a program makes, and of packets that a file stores: the counterpart of
/// `Reader` and `PacketReader`.
///
///     let writer = Writer("film.mp4")
///     let pictures = writer.addPictures(size: PixelSize(width: 640, height: 360), frameDuration: frame)
///     try await writer.start()
///     for (number, picture) in all.enumerated() { try await pictures.append(picture, at: time(number)) }
///     let film = try await writer.finish()
///
/// Inputs are written side by side, each on a thread of its own, to a private folder beside the film: the disk takes
/// about twice the film's size. `append` waits while the encoder is behind: memory does not grow with the film, but for
/// some tens of bytes for each packet. The order of inputs does not matter: all pictures may come before the first
/// sample. The film appears in one step at the end; without `finish` nothing is left. With `fragmented` of the
/// output an mp4 or mov is in fragments, one from each key frame. From any task; each input from one task at a time.
public final class Writer: Sendable {
    /// The facts of a film that was written.
    public struct Film: Sendable, Hashable {
        /// The film's absolute path.
        public let path: String
        /// The film's length.
        public let duration: MediaTime
        /// The number of pictures, those of packets too; 0 for sound alone.
        public let frameCount: Int
        /// The samples of each channel of encoded sound; 0 without any.
        public let sampleCount: Int
        /// The warnings that a person should know, such as samples beyond full scale.
        public let warnings: [Notice]
    }

    fileprivate enum Stage {
        case open
        case starting
        case started(Handed)
        case ended
    }

    fileprivate struct State {
        var stage = Stage.open
        var pictures: PictureInput?
        var sounds: [SoundInput] = []
        var packets: [PacketInput] = []
        /// The film's 0 on the clock of the inputs.
        var origin = Rational.zero

        var inputs: [any WriterInput] { [pictures].compactMap { $0 } + sounds + packets }
    }

    /// The film's path as it was named.
    public let path: String
    private let output: OutputEntry?
    private let overwrites: Bool
    // The draft is handed from thread to thread, one at a time.
    private let state = Mutex(State())

    /// Decides on the film; nothing is made yet.
    ///
    /// - Parameters:
    ///   - path: the film's path; its ending says which container it is.
    ///   - output: the settings of its encoders, its metadata, chapters and the rest, as a project's `outputs` have
    ///     them. Its `url` is not looked at; `range`, `posterTime`, `multiPass` and the other settings that only a
    ///     composition's film can have are refused by `start`.
    ///   - overwriting: whether a film that is there is replaced, in one step at the end.
    public init(_ path: String, output: OutputEntry? = nil, overwriting: Bool = false) {
        self.path = path
        self.output = output
        overwrites = overwriting
    }

    deinit {
        if let abandon = abandoning() { startThread("abandoning") { abandon() } }
    }

    /// Adds the film's track of pictures, before `start`. A film has one at most; a second call answers the first
    /// one's input.
    ///
    /// - Parameters:
    ///   - size: the size in pixels of all pictures.
    ///   - frameDuration: a frame's usual length, by which the encoder is set up. Pictures may come at any times.
    ///   - colour: the colour that the samples stand for.
    ///   - transform: the map by which players turn the picture; for mp4 and mov.
    public func addPictures(
        size: PixelSize, frameDuration: MediaTime, colour: ColourTriple = .bt709, transform: Affine = .identity
    ) -> PictureInput {
        let input = PictureInput(
            DraftedPicture(size: size, frameDuration: frameDuration, colour: colour, transform: transform))
        return state.withLock { state in
            let first = state.pictures ?? input
            state.pictures = first
            return first
        }
    }

    /// Adds a sound track, before `start`.
    ///
    /// - Parameters:
    ///   - sampleRate: the samples per second, the same for all sound tracks of the film.
    ///   - channelCount: the number of channels, in the order of WAV.
    public func addSound(sampleRate: Int = 48_000, channelCount: Int = 2) -> SoundInput {
        let input = SoundInput(DraftedSound(sampleRate: sampleRate, channels: channelCount))
        state.withLock { $0.sounds.append(input) }
        return input
    }

    /// Adds a track that is written as its file stores it, before `start`: into mp4, mov and mkv. A film has one track
    /// of pictures, of this kind or the other.
    ///
    /// - Parameters:
    ///   - reader: the track whose codec, size, colour, channels and language the film's track has. Where packets come
    ///     from does not matter: other ones of the same coding may be appended.
    ///   - transform: the map by which players turn the picture, for mp4 and mov; nil for the one that the file states.
    public func addPackets(like reader: PacketReader, transform: Affine? = nil) -> PacketInput {
        let input = PacketInput(DraftedPackets(format: reader.format, transform: transform))
        state.withLock { $0.packets.append(input) }
        return input
    }

    /// Opens the encoders. Times of pictures, samples and packets count from `time` on, which is the film's 0: pictures
    /// and samples that lie before it are left out; packets are kept, see `PacketInput.append`.
    ///
    /// - Throws: `SplitreelError` for settings that are impossible, and for a place where no film can be written: the
    ///   writer can be started again then. `CancellationError` after `cancel`.
    public func start(at time: MediaTime = .zero) async throws {
        guard let origin = time.exact else { throw Self.misused("start", "\(time) is no time") }
        let inputs = try state.withLock { state in
            guard case .open = state.stage else {
                throw Self.misused("start", "the writer was started, or cancelled, before")
            }
            guard !state.inputs.isEmpty else { throw Self.misused("start", "no input was added") }
            (state.stage, state.origin) = (.starting, origin)
            return (pictures: state.pictures, sounds: state.sounds, packets: state.packets)
        }
        let (path, output, overwrites) = (path, output, overwrites)
        do {
            let made = try await onThread("opening") {
                Result {
                    var request = OutputRequest(path: try absolutePath(path))
                    request.overwrite = overwrites
                    return Handed(
                        try FilmDraft(
                            output.map { request.filled(from: $0) } ?? request, picture: inputs.pictures?.form,
                            sounds: inputs.sounds.map(\.form), packets: inputs.packets.map(\.form)))
                }
            }.get()
            let isWanted = state.withLock { state in
                guard case .starting = state.stage else { return false }
                state.stage = .started(made)
                let draft = made.draft
                if let pictures = inputs.pictures, let own = draft.pictures { pictures.begin(own, from: origin) }
                for (input, own) in zip(inputs.sounds, draft.sounds) { input.begin(own, from: origin) }
                for (input, own) in zip(inputs.packets, draft.packets) { input.begin(own, from: origin) }
                return true
            }
            guard isWanted else {
                await onThread("discarding") { made.draft.discard() }
                throw CancellationError()
            }
        } catch {
            state.withLock { if case .starting = $0.stage { $0.stage = .open } }
            throw error
        }
    }

    /// Ends all inputs, and completes the film.
    ///
    /// - Parameter time: the film's end, on the clock of `start`, after all that was appended: the last picture lasts
    ///   until then, and silence fills what sound is missing; packets are as they are. nil for the end of what was
    ///   appended.
    /// - Throws: `SplitreelError`, that of an input before others, or `CancellationError` where the task is cancelled;
    ///   nothing is left then.
    public func finish(at time: MediaTime? = nil) async throws -> Film {
        let (handed, inputs, origin) = try state.withLock { state in
            guard case .started(let handed) = state.stage else {
                throw Self.misused("finish", "the writer was not started, or has ended")
            }
            state.stage = .ended
            return (handed, state.inputs, state.origin)
        }
        let path = path
        do {
            if let time, time.exact == nil { throw Self.misused("finish", "\(time) is no time") }
            for input in inputs {
                try Task.checkCancellation()
                try await input.end()
            }
            try Task.checkCancellation()
            let end = time?.exact.map { $0 - origin }
            let stop = ExportStop()
            let made = try await withTaskCancellationHandler {
                try await onThread("joining") { Result { try handed.draft.finish(at: end, going: stop.check) } }.get()
            } onCancel: {
                stop.stop()
            }
            return Film(
                path: try absolutePath(path), duration: made.duration.mediaTime, frameCount: made.frameCount,
                sampleCount: made.sampleCount, warnings: made.notices.warnings)
        } catch {
            // Threads still write where another input failed.
            await onThread("abandoning") { Self.discard(handed, inputs) }
            throw error is CancellationError ? error : SplitreelError.wrapping(error)
        }
    }

    /// Ends without a film, and returns when nothing is left of it: a program may end then. A `start` that is under way
    /// throws, and sees to it itself. Inputs that are appended to afterwards throw `CancellationError`. Does nothing
    /// once `finish` was called: cancel the task that waits for it.
    public func cancel() async {
        guard let abandon = abandoning() else { return }
        await onThread("abandoning") { abandon() }
    }

    /// The work that takes away what is there, which blocks; nil where nothing is under way. Inputs are closed.
    private func abandoning() -> (@Sendable () -> Void)? {
        let (stage, inputs) = state.withLock { state in
            defer { state.stage = .ended }
            return (state.stage, state.inputs)
        }
        guard case .started(let handed) = stage else { return nil }
        for input in inputs { input.close() }
        return { Self.discard(handed, inputs) }
    }

    private static func discard(_ handed: Handed, _ inputs: [any WriterInput]) {
        for input in inputs { input.close() }
        for input in inputs { input.abandon() }
        handed.draft.discard()
    }

    private static func misused(_ call: String, _ reason: String) -> SplitreelError {
        SplitreelError(.usage, operation: "writing a film", subject: call, reason: reason)
    }
}

/// A draft on its way from one thread to another.
// @unchecked: whoever has it is the only one who uses it.
private struct Handed: @unchecked Sendable {
    let draft: FilmDraft
    init(_ draft: FilmDraft) { self.draft = draft }
}
