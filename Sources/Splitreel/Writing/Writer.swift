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

/// Writes a film of pictures and samples that a program makes: the counterpart of `Reader`.
///
///     let writer = Writer("film.mp4")
///     let pictures = writer.addPictures(size: PixelSize(width: 640, height: 360), frameDuration: frame)
///     try await writer.start()
///     for (number, picture) in all.enumerated() { try await pictures.append(picture, at: time(number)) }
///     let film = try await writer.finish()
///
/// Inputs are encoded side by side, each on a thread of its own, to a private folder beside the film. `append` waits
/// while the encoder is behind: memory does not grow with the film. The order of inputs does not matter: all pictures
/// may come before the first sample. The film appears in one step at the end; without `finish` nothing is left. From
/// any task; each input from one task at a time.
public final class Writer: Sendable {
    /// The facts of a film that was written.
    public struct Film: Sendable, Hashable {
        /// The film's absolute path.
        public let path: String
        public let duration: MediaTime
        public let frameCount: Int
        /// The samples of each channel.
        public let sampleCount: Int
        /// The warnings that a person should know, such as samples beyond full scale.
        public let warnings: [Notice]
    }

    fileprivate enum Stage {
        case open
        case started(Handed)
        case ended
    }

    fileprivate struct State {
        var stage = Stage.open
        var pictures: PictureInput?
        var sounds: [SoundInput] = []
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
    ///   - output: the settings of its encoders, its metadata and the rest, as a project's `outputs` have them. Its
    ///     `url` is not looked at.
    ///   - overwriting: whether a film that is there is replaced, in one step at the end.
    public init(_ path: String, output: OutputEntry? = nil, overwriting: Bool = false) {
        self.path = path
        self.output = output
        overwrites = overwriting
    }

    deinit { abandon() }

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

    /// Opens the encoders. Times of pictures and samples count from `time` on, which is the film's 0: what lies before
    /// it is left out.
    ///
    /// - Throws: `SplitreelError` for settings that are impossible, and for a place where no film can be written.
    public func start(at time: MediaTime = .zero) async throws {
        let (pictures, sounds, isOpen) = state.withLock { state in
            if case .open = state.stage { (state.pictures, state.sounds, true) } else { (nil, [], false) }
        }
        guard isOpen else { throw Self.misused("start", "the writer was started before") }
        guard let origin = time.exact else { throw Self.misused("start", "\(time) is no time") }
        guard pictures != nil || !sounds.isEmpty else { throw Self.misused("start", "no input was added") }
        let (path, output, overwrites) = (path, output, overwrites)
        let draft = try await onThread("opening") {
            Result {
                var request = OutputRequest(path: try absolutePath(path))
                request.overwrite = overwrites
                return Handed(
                    try FilmDraft(output.map { request.filled(from: $0) } ?? request, picture: pictures?.form, sounds: sounds.map(\.form)))
            }
        }.get()
        state.withLock { $0.stage = .started(draft) }
        if let pictures, let own = draft.draft.pictures { pictures.begin(own, from: origin) }
        for (input, own) in zip(sounds, draft.draft.sounds) { input.begin(own, from: origin) }
    }

    /// Ends all inputs, and completes the film.
    ///
    /// - Parameter time: the film's end, on the clock of `start`: the last picture lasts until then, and silence fills
    ///   what sound is missing. nil for the end of what was appended.
    /// - Throws: `SplitreelError`, that of an input before others; nothing is left then.
    public func finish(at time: MediaTime? = nil) async throws -> Film {
        let (stage, pictures, sounds) = state.withLock { state in
            defer { state.stage = .ended }
            return (state.stage, state.pictures, state.sounds)
        }
        guard case .started(let handed) = stage else {
            throw Self.misused("finish", "the writer was not started, or has ended")
        }
        let path = path
        do {
            var origin = Rational.zero
            if let pictures { origin = try await pictures.end() }
            for sound in sounds { origin = try await sound.end() }
            if let time, time.exact == nil { throw Self.misused("finish", "\(time) is no time") }
            let end = time?.exact.map { $0 - origin }
            let made = try await onThread("joining") { Result { try handed.draft.finish(at: end) } }.get()
            return Film(
                path: try absolutePath(path), duration: made.duration.mediaTime, frameCount: made.frameCount,
                sampleCount: made.sampleCount, warnings: made.notices.warnings)
        } catch {
            handed.draft.discard()
            throw SplitreelError.wrapping(error)
        }
    }

    /// Ends without a film: nothing is left of it. Inputs that are appended to afterwards throw `CancellationError`.
    public func cancel() { abandon() }

    private func abandon() {
        let (stage, pictures, sounds) = state.withLock { state in
            defer { state.stage = .ended }
            return (state.stage, state.pictures, state.sounds)
        }
        guard case .started(let handed) = stage else { return }
        startThread("abandoning") {
            pictures?.abandon()
            for sound in sounds { sound.abandon() }
            handed.draft.discard()
        }
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
