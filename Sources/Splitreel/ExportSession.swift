public import Diagnostics
public import JSONText
import LocalFarm
public import MediaTime
public import Outputs
public import SplitreelProject
import Synchronization

/// A session that makes films of a composition or of a media file, once.
///
///     let session = ExportSession(project)
///     session.preset = "HighestQuality"
///     let film = try await session.export(to: "film.mp4")
///
/// It renders what `splitreel render` renders, byte by byte, on processes of the program itself, on its threads, or on
/// a farm; see `farm`. It prints nothing and ends nothing. A program may have many sessions at once. Safe from any task
/// and thread: a setting that changes once `export` has been called counts no more.
public final class ExportSession: Sendable {
    /// A film that was made, with what a person should know of it.
    public struct Film: Sendable, Hashable {
        /// The absolute paths of its files, in the outputs' order: of a stream its document first, of a sequence of
        /// images the output's path with its place for the number.
        public let paths: [String]
        /// The warnings of its making, such as frames that could not be decoded.
        public let warnings: [Notice]
        /// The length of the part of the composition that the first output shows. The film's last frame may begin
        /// before that and end after it.
        public let duration: MediaTime
        /// The frames of the first output; 0 for sound alone.
        public let frameCount: Int

        /// The path of the first file.
        public var path: String { paths.first ?? "" }
    }

    /// The state of a session.
    public enum Status: Sendable, Hashable {
        /// `export` has not been called.
        case ready
        case exporting
        case completed(Film)
        case failed(SplitreelError)
        /// Its task was cancelled, and nothing is left of what was being made.
        case cancelled
    }

    private struct State {
        var settings = ExportSettings()
        var status = Status.ready
        var progress = Progress()
        var listeners: [Int: AsyncStream<Progress>.Continuation] = [:]
        var lastListener = 0
    }

    let asset: MediaAsset
    private let state = Mutex(State())
    private let stop = ExportStop()

    /// Takes a composition. Relative URLs in it start from the folder that is the current one when it is exported; see
    /// `MediaAsset` for one in a file. Reads nothing.
    public convenience init(_ project: Project) { self.init(MediaAsset(project)) }

    /// Takes a composition or a media file, of which the first picture and the first sound are exported. Reads nothing.
    public init(_ asset: MediaAsset) { self.asset = asset }

    deinit {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }

    // MARK: - Settings

    /// The outputs, each with settings as a composition's file has them; at first one that sets nothing. Outputs that
    /// show the same frames are made by one job, which decodes and composes each frame once. The outputs of a project's
    /// own file are made by `session.outputs = project.outputs ?? []` and `export()`.
    public var outputs: [OutputEntry] {
        get { settings.outputs }
        set { change { $0.outputs = newValue } }
    }

    /// The first output.
    public var output: OutputEntry {
        get { settings.outputs.first ?? OutputEntry() }
        set {
            change { settings in
                settings.outputs.replaceSubrange(0..<min(1, settings.outputs.count), with: [newValue])
            }
        }
    }

    /// The name of a family of settings, see `presets`; nil for none. What else is set goes before it. This one and
    /// those below are of all outputs, and go before an output's own.
    public var preset: String? {
        get { settings.preset }
        set { change { $0.preset = newValue } }
    }

    /// The type of the file, where its name's ending does not say it.
    public var fileType: Container? {
        get { settings.fileType }
        set { change { $0.fileType = newValue } }
    }

    /// The part of the composition that is exported; nil for all of it.
    public var timeRange: TimeRange? {
        get { settings.timeRange }
        set { change { $0.timeRange = newValue } }
    }

    /// The longest that a film lasts: it ends there. nil for no such limit.
    public var maxDuration: MediaTime? {
        get { settings.maxDuration }
        set { change { $0.maxDuration = newValue } }
    }

    /// The most bytes of each file, 1 to 10¹⁵: the picture's rate is limited to it. For h264, hevc and sound alone;
    /// nil for no limit.
    public var fileLengthLimit: Int? {
        get { settings.fileLengthLimit }
        set { change { $0.fileLengthLimit = newValue } }
    }

    /// Whether packets of sources are copied where no edit touches their frames, in place of being encoded again; at
    /// first `.auto`. A quality or a rate that is asked for, as most presets do, forbids copies.
    public var passthrough: Passthrough {
        get { settings.passthrough }
        set { change { $0.passthrough = newValue } }
    }

    /// Tags of the films under the names of a composition's file, such as `title`; they go before the project's. nil
    /// for those of the project alone.
    public var metadata: [String: JSONValue]? {
        get { settings.metadata }
        set { change { $0.metadata = newValue } }
    }

    /// Whether files that are there are replaced, each in one step at the end; false at first.
    public var overwrites: Bool {
        get { settings.overwrites }
        set { change { $0.overwrites = newValue } }
    }

    /// The folders and addresses (such as `s3://BUCKET/PREFIX`) below which all lies that the composition may name,
    /// links followed; empty, as at first, for everything. What lies elsewhere fails the export before it is read. For
    /// compositions that others write: the composition's own file is read wherever it is, and so is what the program
    /// holds in memory. A coordinator has roots of its own beside these.
    public var roots: [String] {
        get { settings.roots }
        set { change { $0.roots = newValue } }
    }

    /// The place where it is rendered; the process's own workers at first.
    public var farm: Farm {
        get { settings.farm }
        set { change { $0.farm = newValue } }
    }

    /// Code of this session's own that the composition names: it renders by threads then, and a farm elsewhere refuses
    /// the code by name.
    public var code: OwnCode {
        get { settings.code }
        set { change { $0.code = newValue } }
    }

    var settings: ExportSettings { state.withLock { $0.settings } }

    private func change(_ body: (inout ExportSettings) -> Void) { state.withLock { body(&$0.settings) } }

    // MARK: - Exporting

    /// The session's state.
    public var status: Status { state.withLock { $0.status } }

    /// The progress from now on, which begins with how it stands and ends with the session. Each call makes a sequence
    /// of its own, for one task; a slow reader gets the newest.
    public var progress: AsyncStream<Progress> {
        let (stream, listener) = AsyncStream<Progress>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (number, isOver) = state.withLock { state in
            state.lastListener += 1
            let isOver = ![.ready, .exporting].contains(state.status)
            // Before anything newer, which would be lost otherwise.
            listener.yield(state.progress)
            if !isOver { state.listeners[state.lastListener] = listener }
            return (state.lastListener, isOver)
        }
        if isOver { listener.finish() }
        listener.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
        return stream
    }

    /// Makes the films and waits for them. Where the task is cancelled, it returns once nothing is left of the films
    /// that are being made. Outputs of other ranges or rates are made one after the other: those that are complete
    /// stay.
    ///
    /// - Parameter path: where the first output goes, relative to the current folder, or an address of `s3://`; its
    ///   ending says the type of file: mp4, mov, mkv, webm and others, m4a, wav and others for sound alone, m3u8 and
    ///   mpd for streams, a name such as `f-%05d.png` for an image of each frame. nil: to its own `url`, as the others
    ///   go.
    /// - Returns: the films. Their warnings tell what went on beside them.
    /// - Throws: `SplitreelError` for what makes the films impossible, with the place in the composition or the
    ///   setting; `CancellationError`. A session exports once: a further call throws `usage`.
    @discardableResult
    public func export(to path: String? = nil) async throws -> Film {
        let settings = try begin()
        // Unstructured on purpose: a cancelled export goes on until nothing is left of it.
        let work = Task { [asset, stop] in
            try await ExportWork(asset: asset, settings: settings, stop: stop) { [weak self] in self?.tell($0) }
                .films(to: path)
        }
        do {
            let film = try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                stop.stop()
            }
            end(.completed(film), .completed)
            return film
        } catch {
            let isCancelled = error is CancellationError || (error as? SplitreelError)?.code == .cancelled
            if stop.isStopped, isCancelled {
                end(.cancelled, .cancelled)
                throw CancellationError()
            }
            let told = SplitreelError.wrapping(error).told(\.property)
            end(.failed(told), .failed)
            throw told
        }
    }

    private func begin() throws -> ExportSettings {
        let begun: ExportSettings? = state.withLock { state in
            guard case .ready = state.status else { return nil }
            state.status = .exporting
            return state.settings
        }
        if let begun { return begun }
        throw SplitreelError(
            .usage, operation: "exporting", subject: "the session", reason: "it has exported already",
            hint: "make a session for each export")
    }

    /// Tells how far the export is, from any task and thread. What comes after the end is not told: the bytes of an
    /// upload that was cancelled may.
    private func tell(_ change: (inout Progress) -> Void) {
        state.withLock { state in
            guard case .exporting = state.status else { return }
            change(&state.progress)
            // Under the lock, so that the newest comes last.
            for listener in state.listeners.values { listener.yield(state.progress) }
        }
    }

    private func end(_ status: Status, _ word: Progress.State) {
        let (progress, listeners) = state.withLock { state in
            state.status = status
            state.progress.state = word
            state.progress.timeLeft = nil
            if case .completed = status { state.progress.fraction = 1 }
            defer { state.listeners = [:] }
            return (state.progress, Array(state.listeners.values))
        }
        for listener in listeners {
            listener.yield(progress)
            listener.finish()
        }
    }
}
