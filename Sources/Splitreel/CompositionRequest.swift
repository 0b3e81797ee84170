import Effects
import MediaFacts
public import MediaTime
public import Pictures
import SplitreelProject
import Synchronization

/// One frame that a compositor is to make.
public struct CompositionRequest: Sendable {
    /// The properties that are the same for all frames of the film.
    public let context: RenderContext
    private let inner: CompositorRequest
    private let sources: SourceFrames

    init(_ inner: CompositorRequest, _ context: RenderContext, _ format: PixelFormat, _ pool: FrameMemoryPool) {
        (self.inner, self.context) = (inner, context)
        sources = SourceFrames(inner, format, pool)
    }

    /// The exact time of the frame. Where the description says that nothing tweens, it is that of one of the frames
    /// that look so, and must not decide the picture.
    public var time: MediaTime { (inner.call.time ?? inner.call.place.time).mediaTime }
    /// The parameters under the compositor's `params`, those under the instruction's `params` in their place; those
    /// that keys move evaluated at the frame's time.
    public var parameters: EffectValues { EffectValues(call: inner.call) }

    /// The composition's instruction for this range of time.
    public var instruction: CompositionInstruction { CompositionInstruction(inner.call.instruction) }

    /// The ids of required tracks that show something now, top-most first.
    public var sourceTrackIDs: [Int] {
        (inner.call.instruction?.layers ?? []).filter { $0.input != nil }.map(\.track)
    }

    /// The ids of metadata tracks that have a sample now, among those that the composition (`video.sampleDataTracks`)
    /// and the instruction name.
    public var metadataTrackIDs: [Int] { (inner.call.instruction?.samples ?? [:]).keys.sorted() }

    /// The sample that a metadata track has now; nil where it has none.
    public func metadata(track: Int) -> TimedMetadata? {
        inner.call.instruction?.samples[track].map { TimedMetadata($0) }
    }

    /// The frame that a required track shows now, in whole square pixels, as its file has it (see
    /// `preferredTransform`); with the layer's own effects, and fitted where the layer says so. nil where it shows
    /// nothing. It is converted into the wanted format when it is first asked for.
    public func sourceFrame(track: Int) -> VideoFrame? {
        let input = (inner.call.instruction?.layers ?? []).first { $0.track == track && $0.input != nil }?.input
        return input.flatMap { sources.frame($0) }
    }
}

/// A sample of a metadata track.
public struct TimedMetadata: Sendable, Hashable {
    /// The range of composition time in which the sample holds.
    public let range: TimeRange
    /// The bytes as the file has them; of text its UTF-8, of a file of timed data one JSON object.
    public let bytes: [UInt8]
    /// The kind of the bytes: `text`, `json`, libavcodec's name of another kind, or the file's four characters, such as
    /// `gpmd`.
    public let codec: String

    /// The bytes as text; nil where they are not text.
    public var text: String? { codec == "text" || codec == "json" ? String(decoding: bytes, as: UTF8.self) : nil }

    init(_ sample: MetadataSample) {
        range = TimeRange(from: sample.start, to: sample.end)
        (bytes, codec) = (sample.bytes, sample.codec)
    }
}

/// A composition's instruction for a range of time, its keys evaluated at the frame's time.
public struct CompositionInstruction: Sendable {
    /// One of the pictures that lie over each other.
    public struct Layer: Sendable {
        /// The id of the composition's track.
        public let track: Int
        /// The opacity, 0 to 1.
        public let opacity: Double
        /// The map from the source frame's pixels to the picture's.
        public let transform: Affine
        /// The rectangle in the source frame's pixels that is kept; nil where nothing is cropped.
        public let crop: Rect?
        /// The map that turns the source frame upright; a compositor may heed it. `transform` has it in it where a
        /// layer has neither `fit` nor `transform`.
        public let preferredTransform: Affine
        /// Whether it is shown; false where the composition hides it.
        public let isVisible: Bool
    }

    /// The range of composition time in which it holds.
    public let range: TimeRange
    /// The colour beneath all layers.
    public let background: Colour
    /// The layers, top-most first, with those that show nothing now.
    public let layers: [Layer]

    init(_ instruction: CompositorInstruction?) {
        range = instruction.map { TimeRange(from: $0.start, to: $0.end) } ?? .zero
        background = instruction?.background ?? .black
        layers = (instruction?.layers ?? []).map { layer in
            Layer(
                track: layer.track, opacity: layer.opacity, transform: layer.transform, crop: layer.crop,
                preferredTransform: layer.preferredTransform, isVisible: layer.isVisible)
        }
    }
}

/// A request to an effect, with its parameters and its neighbouring frames.
public struct EffectRequest: Sendable {
    let call: EffectCall
    /// The source frames in their order, the effect's own among them.
    var frames: [VideoFrame] = []
    var own = 0

    /// The source as many frames later, or earlier where `offset` is negative, of those that the description asks for;
    /// nil for others. Before 0 it is the composition's first, after the end of the effect's own range (a layer's or an
    /// instruction's, or the composition's) the last one there; where there is no picture, it is the effect's own.
    public func frame(_ offset: Int) -> VideoFrame? {
        frames.indices.contains(own + offset) ? frames[own + offset] : nil
    }

    /// The parameters that the composition sets; those that keys move evaluated at the frame's time.
    public var parameters: EffectValues { EffectValues(call: call) }
    /// The frame's time; nil where the description does not say that it uses the time.
    public var time: MediaTime? { call.time?.mediaTime }
    /// The picture's pixels for each pixel that parameters count, across.
    public var scaleX: Double { call.scaleX }
    /// The picture's pixels for each pixel that parameters count, downwards.
    public var scaleY: Double { call.scaleY }
}

/// Source frames in the wanted format, each converted once.
private final class SourceFrames: Sendable {
    private let request: CompositorRequest
    private let format: PixelFormat
    private let pool: FrameMemoryPool
    private let known = Mutex<[Int: VideoFrame]>([:])

    init(_ request: CompositorRequest, _ format: PixelFormat, _ pool: FrameMemoryPool) {
        self.request = request
        self.format = format
        self.pool = pool
    }

    func frame(_ input: Int) -> VideoFrame? {
        guard request.inputs.indices.contains(input) else { return nil }
        return known.withLock { known in
            if let frame = known[input] { return frame }
            let picture = request.inputs[input]
            let frame = VideoFrame.reading(picture.image, owner: picture, as: format, pool)
            known[input] = frame
            return frame
        }
    }
}
