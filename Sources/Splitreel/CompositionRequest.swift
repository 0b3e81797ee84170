import Effects
import MediaFacts
public import MediaTime
import Pictures
import SplitreelProject
import Synchronization

/// One frame that a compositor is to make.
public struct CompositionRequest: Sendable {
    public let context: RenderContext
    private let inner: CompositorRequest
    private let sources: SourceFrames

    init(_ inner: CompositorRequest, _ context: RenderContext, _ format: PixelFormat, _ pool: FrameMemoryPool) {
        (self.inner, self.context) = (inner, context)
        sources = SourceFrames(inner, format, pool)
    }

    /// The exact time of the frame.
    public var time: MediaTime { (inner.call.time ?? .zero).mediaTime }
    /// The parameters under `params`, those that keys move evaluated at the frame's time.
    public var parameters: EffectValues { EffectValues(call: inner.call) }

    /// The composition's instruction for this range of time.
    public var instruction: CompositionInstruction { CompositionInstruction(inner.call.instruction) }

    /// The ids of tracks that show something now, top-most first.
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

    /// The frame that a track shows now, in whole square pixels, as its file has it (see `preferredTransform`); with
    /// the layer's own effects, and fitted where the layer says so. nil where it shows nothing. It is converted into
    /// the wanted format when it is first asked for.
    public func sourceFrame(track: Int) -> VideoFrame? {
        let input = (inner.call.instruction?.layers ?? []).first { $0.track == track && $0.input != nil }?.input
        return input.flatMap { sources.frame($0) }
    }
}

/// A sample of a metadata track.
public struct TimedMetadata: Sendable, Hashable {
    /// The composition time from which the sample holds; it ends before `end`.
    public let start: MediaTime
    public let end: MediaTime
    /// The bytes as the file has them; of text its UTF-8, of a file of timed data one JSON object.
    public let bytes: [UInt8]
    /// The kind of the bytes: `text`, `json`, libavcodec's name of another kind, or the file's four characters, such as
    /// `gpmd`.
    public let codec: String

    /// The bytes as text; nil where they are not text.
    public var text: String? { codec == "text" || codec == "json" ? String(decoding: bytes, as: UTF8.self) : nil }

    init(_ sample: MetadataSample) {
        (start, end) = (sample.start.mediaTime, sample.end.mediaTime)
        (bytes, codec) = (sample.bytes, sample.codec)
    }
}

/// A composition's instruction for a range of time, its keys evaluated at the frame's time.
public struct CompositionInstruction: Sendable {
    public struct Layer: Sendable {
        public let track: Int
        public let opacity: Double
        /// The map `[a, b, c, d, tx, ty]` from the source frame's pixels to the picture's: x' = a·x + c·y + tx, y' =
        /// b·x + d·y + ty.
        public let transform: [Double]
        /// The rectangle `[x, y, width, height]` in the source frame's pixels that is kept; nil where nothing is
        /// cropped.
        public let crop: [Double]?
        /// The map that turns the source frame upright, as six numbers; a compositor may heed it. `transform` has it in
        /// it where a layer has neither `fit` nor `transform`.
        public let preferredTransform: [Double]
        public let isVisible: Bool
    }

    public let start: MediaTime
    public let end: MediaTime
    /// The background's red, green, blue and alpha, 0 to 1.
    public let background: [Double]
    /// The layers, top-most first, with those that show nothing now.
    public let layers: [Layer]

    init(_ instruction: CompositorInstruction?) {
        (start, end) = ((instruction?.start ?? .zero).mediaTime, (instruction?.end ?? .zero).mediaTime)
        let colour = instruction?.background ?? .black
        background = [colour.red, colour.green, colour.blue, colour.alpha]
        layers = (instruction?.layers ?? []).map { layer in
            let (map, upright) = (layer.transform, layer.preferredTransform)
            return Layer(
                track: layer.track, opacity: layer.opacity, transform: [map.a, map.b, map.c, map.d, map.tx, map.ty],
                crop: layer.crop.map { [$0.x, $0.y, $0.width, $0.height] },
                preferredTransform: [upright.a, upright.b, upright.c, upright.d, upright.tx, upright.ty],
                isVisible: layer.isVisible)
        }
    }
}

/// The parameters of one frame, or of samples that have the same ones: all of those that the description has.
public struct EffectValues: Sendable {
    let call: EffectCall

    public func number(_ name: String) -> Double { call.number(name) }
    /// The numbers of a colour: red, green, blue and alpha, 0 to 1; or of points: the numbers of all, one after the
    /// other.
    public func numbers(_ name: String) -> [Double] { call.numbers(name) }
    public func word(_ name: String) -> String { call.word(name) }
    public func flag(_ name: String) -> Bool { call.flag(name) }
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

    public var parameters: EffectValues { EffectValues(call: call) }
    /// The frame's time; nil where the description does not say that it uses the time.
    public var time: MediaTime? { call.time?.mediaTime }
    /// The picture's pixels for each pixel that parameters count, across and down.
    public var scaleX: Double { call.scaleX }
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
