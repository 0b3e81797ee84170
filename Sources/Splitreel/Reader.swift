public import Diagnostics
public import MediaTime
import Outputs
public import Pictures
import Planning
import Preparation
import Rendering
public import SplitreelProject
import Synchronization
import Threads

/// Reads a composition, or a media file, from its beginning to its end: its frames as they are composed for a film
/// before they are encoded, and its sound as it is mixed for one. Of a media file it also reads one track alone, as
/// its decoder gives it; `PacketReader` reads what is stored.
///
/// Frames and sound are read beside each other, each on a thread of its own that begins when the first one is asked for
/// and is a few ahead; nobody has to take both. Memory: four frames, 32 k samples of each channel, and what rendering
/// takes. From any thread; frames, and samples, to one task at a time.
public final class Reader: Sendable {
    /// The part and the form in which a composition is read. The composition decides what is not said.
    public struct Settings: Sendable {
        /// The range that is read; nil for all from the beginning to the end. One that lasts for ever goes to the end.
        public var timeRange: TimeRange?
        /// The size of frames in pixels; nil for the render size, or a media file's own.
        public var size: PixelSize?
        /// The duration of each frame; nil for that of the composition, or the file.
        public var frameDuration: MediaTime?
        /// The format in which frames are handed out.
        public var pixelFormat = PixelFormat.rgba8
        /// The format in which frames are composed: libav's name, such as `yuv444p10le`, of those that FFV1 has here;
        /// nil for the one that `render` chooses for a film of FFV1, which for most is `yuv420p`.
        public var filmPixelFormat: String?
        /// The samples per second in which sound is handed out.
        public var sampleRate = 48_000
        /// The number of channels: 1, 2, 6 or 8.
        public var channelCount = 2

        public init() {}
    }

    /// The state of a reader.
    public enum Status: Sendable, Hashable {
        /// There is more to take.
        case reading
        /// All frames that there are, or all samples, have been taken.
        case completed
        /// A frame or a sample could not be made; whoever asked for it got the error.
        case failed
        /// The reading was cancelled before all frames and all samples were taken.
        case cancelled
    }

    /// One frame of the film that is read.
    public struct Frame: Sendable {
        /// The frame's index, from 0 on.
        public let index: Int
        /// The frame's time in the film that is read, whose first frame is at 0; of a track alone its asset time.
        public let time: MediaTime
        /// The time for which it is shown.
        public let duration: MediaTime
        /// The picture; it is read only.
        public let image: VideoFrame
        /// The colour that the picture's samples stand for, before they are converted into `image`'s format.
        public let colour: ColourTriple
        /// The width of a pixel over its height.
        public let pixelAspect: Double
    }

    /// The settings that it was made with.
    public let settings: Settings
    /// The number of frames, of one track alone those that its file tells; 0 where there is no picture.
    public let frameCount: Int
    /// The number of samples of each channel; 0 where there is no sound.
    public let sampleCount: Int
    /// The width of the frames in pixels; 0 where there is no picture.
    public let width: Int
    /// The height of the frames in pixels; 0 where there is no picture.
    public let height: Int

    private enum Part { case frames, sound }

    private struct State {
        /// The parts that were taken to their end; a part that is not there ends at once.
        var ended: Set<Part> = []
        var isCancelled = false
        var failure: SplitreelError?
    }

    /// A list of warnings that several threads add to.
    private final class Warnings: Sendable {
        let all: Mutex<[Notice]>

        init(_ list: NoticeList) { all = Mutex(list.warnings) }

        func add(_ list: NoticeList) { all.withLock { $0 += list.warnings } }
    }

    /// Keeps the sources in memory that it reads.
    private let asset: MediaAsset
    private let frames: Production<Frame>?
    private let sound: Production<Samples>?
    private let state = Mutex(State())
    private let told: Warnings

    /// Decides on the frames and the samples; none is made yet. Reads the headers of all files again.
    ///
    /// - Parameter code: code of this reader's own that the composition names.
    /// - Throws: `SplitreelError` for settings that are impossible, with a hint.
    public init(_ asset: MediaAsset, settings: Settings = Settings(), code: OwnCode = OwnCode()) async throws {
        let (asset, loan) = try await onThread("reading") { Result { try asset.lending(code) } }.get()
        let opened = try await asset.opened()
        let prepared = try await onThread("planning") {
            Result { try Self.plan(opened, settings, usesProxies: asset.usesProxies) }
        }.get()
        let plan = prepared.plan
        self.settings = settings
        self.asset = asset
        (frameCount, sampleCount) = (plan.output.video == nil ? 0 : plan.frameCount, plan.sampleCount)
        (width, height) = (plan.output.video?.size.width ?? 0, plan.output.video?.size.height ?? 0)
        told = Warnings(prepared.notices)
        frames = plan.output.video == nil ? nil : Self.frames(of: plan, as: settings.pixelFormat, told, loan)
        sound = plan.output.audio == nil ? nil : Self.sound(of: plan, told, loan)
    }

    /// Reads a composition; see the initialiser of an asset.
    public convenience init(
        _ project: Project, settings: Settings = Settings(), code: OwnCode = OwnCode()
    ) async throws {
        try await self.init(MediaAsset(project), settings: settings, code: code)
    }

    /// Reads one track of a media file alone, as its decoder gives it: frames at their own times and in their own size,
    /// neither turned nor scaled; or samples at the track's own rate, in its own channels. Of the settings only
    /// `timeRange`, which is asset time, and `pixelFormat` count. In the format `film` the samples have the range that
    /// `VideoFacts.isFullRange` says.
    ///
    /// - Parameter id: the track's id, see `TrackFacts`.
    /// - Throws: `SplitreelError` where the asset is a composition, or has no such track of pictures or sound.
    public init(_ asset: MediaAsset, track id: Int, settings: Settings = Settings()) async throws {
        let made = try await onThread("opening") { Result { try ReadTrack(id, of: asset, settings) } }.get()
        self.settings = settings
        self.asset = asset
        // The number of frames is known when all were read.
        (frameCount, sampleCount) = (made.frameCount, made.sound?.sampleCount ?? 0)
        (width, height) = (made.size?.width ?? 0, made.size?.height ?? 0)
        let told = Warnings(NoticeList())
        self.told = told
        frames = made.frames.map { Self.frames(of: $0, as: settings.pixelFormat, told) }
        sound = made.sound.map { Self.sound(of: $0, told) }
    }

    deinit { end() }

    /// The next frame; nil after the last one, and where there is no picture.
    ///
    /// - Throws: `SplitreelError`; `CancellationError` once cancelled, also by the task that asks.
    public func nextFrame() async throws -> Frame? { try await next(.frames, of: frames) }

    /// The next samples; nil after the last ones, and where there is no sound. Where a loudness is to be measured the
    /// first ones come after all of the sound was mixed once, or twice.
    ///
    /// - Throws: `SplitreelError`; `CancellationError` once cancelled, also by the task that asks.
    public func nextSamples() async throws -> Samples? { try await next(.sound, of: sound) }

    /// Ends all reading, within a frame or a block of samples; does nothing where all was taken. From any thread.
    public func cancel() {
        let there: Set<Part> = Set([frames == nil ? nil : .frames, sound == nil ? nil : .sound].compactMap { $0 })
        state.withLock { if $0.failure == nil, !there.isSubset(of: $0.ended) { $0.isCancelled = true } }
        end()
    }

    /// The state; `completed` once the frames, or the samples, were taken to their end.
    public var status: Status {
        state.withLock { state in
            if state.failure != nil { return .failed }
            if state.isCancelled { return .cancelled }
            return state.ended.isEmpty ? .reading : .completed
        }
    }

    /// The warnings that a person should know, such as on the sources.
    public var warnings: [Notice] { told.all.withLock { $0 } }

    private func end() {
        frames?.abandon()
        sound?.abandon()
    }

    private func next<Element: Sendable>(
        _ part: Part, of production: Production<Element>?
    ) async throws -> Element? {
        do {
            let element = try await withTaskCancellationHandler {
                try await production?.next()
            } onCancel: {
                cancel()
            }
            try state.withLock { state in
                if let failure = state.failure { throw failure }
                if state.isCancelled { throw CancellationError() }
                if element == nil { state.ended.insert(part) }
            }
            return element
        } catch {
            let failure = SplitreelError.wrapping(error)
            let isCancelled = state.withLock { state in
                if !state.isCancelled { state.failure = state.failure ?? failure }
                return state.isCancelled
            }
            end()
            if isCancelled { throw CancellationError() }
            throw failure
        }
    }

    // MARK: - Planning

    /// The plan of a film without loss, which takes any size and any mix; nothing is encoded.
    private static func plan(
        _ opened: OpenedMedia, _ settings: Settings, usesProxies: Bool
    ) throws -> PreparedPlan {
        var request = OutputRequest(path: "/reading.mkv")
        request.picture.codec = "ffv1"
        request.picture.pixelFormat = settings.filmPixelFormat
        request.sound.codec = "flac"
        request.sound.sampleRate = settings.sampleRate
        request.sound.channels = settings.channelCount
        request.rendering.proxy = usesProxies
        request.canvas.size = settings.size
        if let frameDuration = settings.frameDuration {
            guard let duration = frameDuration.exact, duration > .zero else {
                throw impossible("frameDuration", frameDuration)
            }
            request.timing.frameRate = (Rational(1) / duration).description
        }
        if let range = settings.timeRange {
            guard range.start.isNumeric, range.isEndless || range.duration.isNumeric && range.duration > .zero else {
                throw impossible("timeRange", range.duration)
            }
            request.timing.rangeStart = range.start.asWritten
            request.timing.rangeDuration = range.isEndless ? nil : range.duration.asWritten
        }
        return try preparePlan(project: opened.project, request: request)
    }

    private static func impossible(_ setting: String, _ value: MediaTime) -> SplitreelError {
        SplitreelError(
            .usage, operation: "reading", subject: setting, reason: "it lasts \(value) s", hint: "choose one above 0")
    }

    private static func frames(
        of plan: RenderPlan, as format: PixelFormat, _ told: Warnings, _ loan: OwnCode.Loan
    ) -> Production<Frame> {
        Production("frames", ahead: 4) { cancellation, deliver in
            defer { withExtendedLifetime(loan) {} }
            let pool = FrameMemoryPool()
            let stream = try FrameStream(of: plan)
            let notices = try stream.read(cancellation: cancellation) { index, time, duration, picture in
                try deliver(Frame(index, time, duration, picture, format, pool))
            }
            told.add(notices)
        }
    }

    private static func frames(of track: TrackFrames, as format: PixelFormat, _ told: Warnings) -> Production<Frame> {
        Production("frames", ahead: 4) { cancellation, deliver in
            let pool = FrameMemoryPool()
            told.add(
                try track.read(cancellation: cancellation) { index, time, duration, picture in
                    try deliver(Frame(index, time, duration, picture, format, pool))
                })
        }
    }

    private static func sound(
        of plan: RenderPlan, _ told: Warnings, _ loan: OwnCode.Loan
    ) -> Production<Samples> {
        sound(told, loan) { try SoundStream(mixOf: plan) }
    }

    private static func sound(of track: SoundStream, _ told: Warnings) -> Production<Samples> {
        sound(told, nil) { track }
    }

    private static func sound(
        _ told: Warnings, _ loan: OwnCode.Loan?, _ stream: @escaping @Sendable () throws -> SoundStream
    ) -> Production<Samples> {
        Production("sound", ahead: 8) { cancellation, deliver in
            defer { withExtendedLifetime(loan) {} }
            var first = 0
            let notices = try stream().read(cancellation: cancellation) { planes, count in
                let channels = planes.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
                try deliver(Samples(firstSample: first, channels: channels))
                first += count
            }
            told.add(notices)
        }
    }
}

extension Reader.Frame {
    init(
        _ index: Int, _ time: Rational, _ duration: Rational, _ picture: Picture, _ format: PixelFormat,
        _ pool: FrameMemoryPool
    ) {
        let image = picture.image
        self.init(
            index: index, time: time.mediaTime, duration: duration.mediaTime,
            image: .reading(image, owner: picture, as: format, pool), colour: image.encoding.colour,
            pixelAspect: picture.pixelAspect)
    }
}
