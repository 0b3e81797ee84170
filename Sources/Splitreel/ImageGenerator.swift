public import Diagnostics
public import MediaTime
public import Pictures
import Preparation
import Rendering
public import SplitreelProject

/// Takes single pictures of a composition or a media file: of a composition the output frame that holds a time,
/// composed as its film's frames are; of a media file the frame that is shown at the time, upright.
///
/// The generator is a value: later changes do not touch pictures that were asked for before.
public struct ImageGenerator: Sendable {
    /// The composition or the media file.
    public let asset: MediaAsset

    /// The time before the one asked for within which a picture may lie so that it costs less: the nearest key frame
    /// within it is decoded at once. nil, the default, is as far as the picture reaches. 0 on both sides is the exact
    /// frame.
    public var requestedTimeToleranceBefore: MediaTime?
    /// The time after the one asked for within which a picture may lie so that it costs less.
    public var requestedTimeToleranceAfter: MediaTime?
    /// The most pixels of a picture: pictures shrink to fit into it, and never grow; nil for as large as they are.
    public var maximumSize: PixelSize?
    /// The format of pictures; `film` is Y'CbCr of 4:4:4 here. HDR is tone mapped to BT.709, as `frame` does.
    public var pixelFormat = PixelFormat.rgba8
    /// Code of this generator's own that the composition names.
    public var code = OwnCode()

    /// Takes a composition or a media file. Reads nothing.
    public init(_ asset: MediaAsset) { self.asset = asset }

    /// Takes a composition; see `ExportSession`. Reads nothing.
    public init(_ project: Project) { self.init(MediaAsset(project)) }

    /// The result for one time.
    public struct GeneratedImage: Sendable {
        /// The picture, or the reason why there is none.
        public enum Result: Sendable {
            /// The picture, owned by whoever has it, and the time that it really has: the output frame's start, or
            /// the held source frame's.
            case succeeded(VideoFrame, actualTime: MediaTime)
            case failed(SplitreelError)
            case cancelled
        }

        /// The place in the list of times that were asked for.
        public let index: Int
        /// The time as it was asked for.
        public let requestedTime: MediaTime
        /// The picture, or the reason why there is none.
        public let result: Result
    }

    /// A sequence of pictures as they are made: exactly one answer for each time that was asked for. They come in the
    /// order of the times, so that each source is decoded once, forwards; two at most wait to be taken. To be taken by
    /// one task.
    ///
    /// The work is done on a thread of its own, which begins with the first one taken, and ends when this goes.
    public final class Images: AsyncSequence, AsyncIteratorProtocol, Sendable {
        private let production: Production<GeneratedImage>

        init(_ production: Production<GeneratedImage>) { self.production = production }

        /// The sequence itself: it is gone through once.
        public func makeAsyncIterator() -> Images { self }

        /// The next picture; nil after the last one. Throws `SplitreelError` where nothing can be made at all, such as
        /// of a file without a picture. A task that is cancelled cancels the pictures that are left.
        public func next() async throws -> GeneratedImage? {
            let production = production
            do {
                return try await withTaskCancellationHandler {
                    try await production.next()
                } onCancel: {
                    production.cancel()
                }
            } catch {
                throw SplitreelError.wrapping(error)
            }
        }

        /// Cancels the pictures that are left: each is answered as cancelled. From any thread.
        public func cancel() { production.cancel() }
    }

    /// The pictures of many times. A time outside the asset fails by itself.
    public func images(for times: [MediaTime]) -> Images {
        let (asset, format, code) = (asset, pixelFormat, code)
        let tolerance = FrameTolerance(
            before: requestedTimeToleranceBefore?.exact, after: requestedTimeToleranceAfter?.exact)
        let limit = maximumSize.map { PixelSize(width: max(1, $0.width), height: max(1, $0.height)) }
        return Images(
            Production("images", ahead: 2) { cancellation, deliver in
                let (asset, loan) = try asset.lending(code)
                defer { withExtendedLifetime(loan) {} }
                let opened = try asset.openedOnThisThread()
                let grabber = try FrameGrabber(
                    project: opened.project, assets: opened.assets, isOnGrid: opened.isComposition)
                let pool = FrameMemoryPool()
                try grabber.generate(
                    times.map { $0.exact ?? Rational(-1) }, tolerance: tolerance, fitting: limit,
                    cancellation: cancellation
                ) { place, made in
                    let result: GeneratedImage.Result
                    switch made {
                    case .succeeded(let picture, let actual):
                        result = .succeeded(
                            .reading(picture.image, owner: picture, as: format, pool),
                            actualTime: actual.mediaTime)
                    case .failed(let error): result = .failed(SplitreelError.wrapping(error))
                    case .cancelled: result = .cancelled
                    }
                    try deliver(GeneratedImage(index: place, requestedTime: times[place], result: result))
                }
            })
    }

    /// The picture of one time. Opens the sources anew: many times are better asked for at once.
    ///
    /// - Throws: `SplitreelError`, or `CancellationError` where the task was cancelled.
    public func image(at time: MediaTime) async throws -> (image: VideoFrame, actualTime: MediaTime) {
        switch try await images(for: [time]).next()?.result {
        case .succeeded(let image, let actual): return (image, actual)
        case .failed(let error): throw error
        case .cancelled, nil: throw CancellationError()
        }
    }
}
