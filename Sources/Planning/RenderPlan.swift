import Hashing
package import MediaFacts
package import MediaTime
package import Outputs
package import SplitreelProject

/// The frozen work order of a job: everything a worker needs to make any part of its output, or of its outputs, which
/// then have the same frames in other settings.
///
/// Written once as canonical JSON (`canonicalBytes`); its SHA-256 travels in every lease and every worker checks it.
package struct RenderPlan: Hashable, Codable, Sendable {
    /// `RenderPlan.currentRendererVersion` of the planner; raised by hand whenever pixels or samples may change.
    package var rendererVersion: Int
    /// The composition file's canonical text, URLs made absolute.
    package var composition: String
    /// By asset name in the composition.
    package var assets: [String: AssetFacts]
    /// Of the first output.
    package var output: OutputSettings
    /// Those beside it; nil for one output alone.
    package var further: [FurtherOutput]?
    /// The part of the composition that is rendered, cut to [0, D).
    package var range: TimeRange
    package var frameDuration: MediaTime
    /// Where a track's frames decide when the output's begin: their times on the output's clock, in whole ticks of a
    /// timescale of 31 bits. nil: frame k is at k × frameDuration.
    package var frameTimes: FrameTimes?
    /// Without `frameTimes` ceil(filmDuration / frameDuration); 0 where no output has a picture.
    package var frameCount: Int
    /// Of the first output with sound; 0 where there is none.
    package var sampleRate: Int
    /// round(filmDuration × sampleRate).
    package var sampleCount: Int
    package var chunks: [Chunk]
    /// Versions of the libraries of the machine that planned, and libavcodec's names of the encoders that the film
    /// needs: a worker that differs could make segments that do not fit. nil: not compared.
    package var versions: [String]?
    package var encoders: [String]?
    /// The registered things that the composition uses, each as "id version": a worker that lacks one gets no chunk
    /// that needs it.
    package var effects: [String]?
    /// Places in `effects`, sorted, of those that the sound needs; nil: none.
    package var soundNeeds: [Int]?
    /// Where a long sound is cut into parts that are mixed side by side: whole seconds of the film, rising. nil: one
    /// task mixes and encodes it.
    package var soundCuts: [Int]?

    /// nil where no text is shown.
    package var fonts: FontPlan?
    /// Images of chosen moments: the composition time of each. nil: the frames are a film's.
    package var stills: [MediaTime]?
    /// nil: the film begins with its range.
    package var lead: FilmLead?

    package static let currentRendererVersion = 20

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

    /// Composition time of output frame `frame`, exact: range.start + frame × frameDuration, or as the list says; of a
    /// lead the frame that it shows, of stills the moment.
    package func compositionTime(ofFrame frame: Int) -> Rational {
        if let stills { return Rational(stills[min(max(0, frame), stills.count - 1)]) }
        guard let lead else { return Rational(range.start) + timing.time(ofFrame: frame) }
        guard frame >= lead.frameCount else { return Rational(lead.time) }
        return Rational(range.start) + timing.time(ofFrame: frame - lead.frameCount)
    }
}

/// A run of output frames that is rendered as one unit of work.
package struct Chunk: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable { case composite, source, still, passthrough }

    package var index: Int
    package var kind: Kind
    /// On the output's frame grid, from 0.
    package var firstFrame: Int
    package var frameCount: Int
    /// Estimated work; 1 is one frame of a single source at 1280×720.
    package var cost: Double
    /// Why the boundary at `firstFrame` is where it is.
    package var why: String
    /// Frames that must be key frames beside the first, counted from it; in the first output.
    package var keyFrames: [Int]?
    /// The chunk's part of the first output's limit.
    package var rate: RateLimit?
    /// Places in the plan's `effects`, sorted, of those that its frames need; nil: all of them.
    package var needs: [Int]?

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

extension AssetFacts {
    /// The name that its index has beside the plan; nil where there is none.
    package var indexName: String? {
        guard kind.isMoving, mark != nil, let contentSum, isSHA256(contentSum) else { return nil }
        return contentSum + ".index"
    }
}
