package import Drawings
import Hashing
package import MediaFacts
package import MediaTime
package import Outputs
import SplitreelProject

/// The frozen work order of a job: everything a worker needs to make any part of its output, or of its outputs, which
/// then have the same frames in other settings.
///
/// The plan is written once as canonical JSON (`canonicalBytes`); its SHA-256 travels in every lease and every worker
/// checks it.
package struct RenderPlan: Hashable, Codable, Sendable {
    /// The planner's `RenderPlan.currentRendererVersion`, which is raised by hand whenever pixels or samples may
    /// change.
    package var rendererVersion: Int
    /// The composition file's canonical text, with URLs made absolute.
    package var composition: String
    /// The files' facts by the assets' names in the composition.
    package var assets: [String: AssetFacts]
    /// The settings of the first output.
    package var output: OutputSettings
    /// The outputs beside the first one; nil for one output alone.
    package var further: [FurtherOutput]?
    /// The part of the composition that is rendered, cut to [0, D).
    package var range: TimeRange
    package var frameDuration: MediaTime
    /// The frames' times on the output's clock, in whole ticks of a timescale of 31 bits, where a track's frames decide
    /// when they begin; nil where frame k is at k × frameDuration.
    package var frameTimes: FrameTimes?
    /// The number of frames, without `frameTimes` ceil(filmDuration / frameDuration); 0 where no output has a picture.
    package var frameCount: Int
    /// The sample rate in Hz of the first output with sound; 0 where there is none.
    package var sampleRate: Int
    /// The number of samples: round(filmDuration × sampleRate).
    package var sampleCount: Int
    package var chunks: [Chunk]
    /// The versions of the libraries of the machine that planned: a worker that differs could make segments that do not
    /// fit. nil where they are not compared.
    package var versions: [String]?
    /// libavcodec's names of the encoders that the film needs; nil where they are not compared.
    package var encoders: [String]?
    /// The registered things that the composition uses, each as "id version"; nil for none. A worker that lacks one
    /// gets no chunk that needs it.
    package var effects: [String]?
    /// The places in `effects`, sorted, of those that the sound needs; nil for none.
    package var soundNeeds: [Int]?
    /// The whole seconds of the film, rising, at which a long sound is cut into parts that are mixed side by side; nil
    /// where one task mixes and encodes it.
    package var soundCuts: [Int]?

    /// The fonts of the texts that are shown; nil where no text is.
    package var fonts: FontPlan?
    /// The composition times of chosen moments that images are made of; nil where the frames are a film's.
    package var stills: [MediaTime]?
    /// The frame that stands in front of the film; nil where the film begins with its range.
    package var lead: FilmLead?
    /// The parameter sets of the film's copied packets, one for each family of sources; nil where nothing is copied.
    /// Empty sets stand for codecs that have none.
    package var copiedSets: [CopiedSets]?
    /// The packets that the film's sound is; nil where it is mixed.
    package var copiedSound: CopiedSound?
    /// The words for people on whether the sound is copied or mixed, and why; nil where nothing is said.
    package var soundWhy: String?

    package static let currentRendererVersion = 24

    package init(
        rendererVersion: Int, composition: String, assets: [String: AssetFacts], output: OutputSettings,
        range: TimeRange, frameDuration: MediaTime, frameCount: Int, sampleRate: Int, sampleCount: Int,
        chunks: [Chunk]
    ) {
        self.rendererVersion = rendererVersion
        self.composition = composition
        self.assets = assets
        self.output = output
        self.range = range
        self.frameDuration = frameDuration
        self.frameCount = frameCount
        self.sampleRate = sampleRate
        self.sampleCount = sampleCount
        self.chunks = chunks
    }

    /// The exact composition time of output frame `frame`: range.start + frame × frameDuration, or as the list says.
    /// For a lead it is the time of the frame that it shows, for stills the moment.
    package func compositionTime(ofFrame frame: Int) -> Rational {
        if let stills { return Rational(stills[min(max(0, frame), stills.count - 1)]) }
        guard let lead else { return Rational(range.start) + timing.time(ofFrame: frame) }
        guard frame >= lead.frameCount else { return Rational(lead.time) }
        return Rational(range.start) + timing.time(ofFrame: frame - lead.frameCount)
    }
}

/// A run of output frames that is rendered as one unit of work.
package struct Chunk: Hashable, Codable, Sendable {
    /// The work that a chunk is. Frames of `passthrough` are copied as packets of their source: nothing is rendered.
    /// `cut` is the rest of groups of pictures that a cut left no whole, beside copied ones.
    package enum Kind: String, Codable, Sendable { case composite, source, still, cut, passthrough }

    package var index: Int
    package var kind: Kind
    /// The chunk's first frame on the output's frame grid, from 0.
    package var firstFrame: Int
    package var frameCount: Int
    /// The estimated work; 1 is one frame of a single source at 1280×720.
    package var cost: Double
    /// The estimated work beside `cost` of a slot that did not render the chunk before; nil for none. See `LeadIn`.
    package var leadCost: Double?
    /// The reason why the boundary at `firstFrame` is where it is.
    package var why: String
    /// The frames that must be key frames beside the first, counted from the chunk's start; in the first output.
    package var keyFrames: [Int]?
    /// The chunk's part of the first output's limit of the bit rate; nil without a limit.
    package var rate: RateLimit?
    /// The places in the plan's `effects`, sorted, of those that its frames need; nil for all of them.
    package var needs: [Int]?
    /// The threads of the chunk's encoders, where the codec and the rate permit more than one; nil for one.
    package var encoderThreads: Int?
    /// The packets that a chunk of kind `passthrough` is; nil for all others.
    package var copied: CopiedSpan?

    package init(index: Int, kind: Kind, firstFrame: Int, frameCount: Int, cost: Double, why: String) {
        self.index = index
        self.kind = kind
        self.firstFrame = firstFrame
        self.frameCount = frameCount
        self.cost = cost
        self.why = why
    }

    package var frames: Range<Int> { firstFrame..<(firstFrame + frameCount) }
}

extension RenderPlan {
    /// The numbers by which the two halves of a slot call the plan's files, by their paths: in the order of the assets'
    /// names.
    package var sourceNumbers: [String: UInt32] {
        var numbers: [String: UInt32] = [:]
        for file in assets.sorted(by: { $0.key < $1.key }).flatMap(\.value.files) where numbers[file.path] == nil {
            numbers[file.path] = UInt32(numbers.count)
        }
        return numbers
    }
}

extension AssetFacts {
    /// The name of the file beside the plan that holds the asset's index; nil where there is none.
    package var indexName: String? {
        guard kind.isMoving, mark != nil, let contentSum, isSHA256(contentSum) else { return nil }
        return contentSum + ".index"
    }

    /// The name of the file beside the plan that holds the sums of the file's blocks; nil where the content could have
    /// changed unseen.
    package var blockMapName: String? { mark.map { sha256(Array("\(path)\n\($0)".utf8)) + ".blocks" } }
}
