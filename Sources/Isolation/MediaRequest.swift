package import Diagnostics
package import Drawings
package import MediaFacts
package import MediaTime
package import Outputs
package import Planning
package import SplitreelProject

/// One question to a process that reads media for another.
package enum MediaRequest: Codable, Sendable {
    /// Answers the facts of a source.
    case probe(path: String)
    /// Answers the times at which the frames of one of its tracks begin.
    case times(path: String, track: Int, showsFields: Bool)
    /// Answers the facts of a video track's packets.
    case coded(path: String, track: Int)
    /// Answers the packets that hold a run of a track of sound.
    case sound(path: String, run: SoundRun)
    /// Answers the text of a track of text.
    case text(path: String, track: Int)
    /// Answers all samples of a track of data.
    case samples(path: String, track: Int)
    /// Answers the size and the sum of its first and its last MiB.
    case edges(path: String)
    /// Answers the facts of a data asset of that kind.
    case data(path: String, kind: Asset.Kind)
    /// Answers the fonts of texts, with font files by the asset's name.
    case fonts(texts: [FontText], assets: [String: String])
    /// Writes its index into a file.
    case index(path: String, file: String)
    /// Checks that a segment's file holds what its record says.
    case verify(path: String, record: SegmentRecord, output: OutputSettings, frameDuration: MediaTime)
    /// Answers the parameter sets that an encoder of these settings makes before any frame.
    case parameterSets(VideoSettings, frameDuration: MediaTime, rate: RateLimit?)
    /// Checks that a finished film is what the plan asks for.
    case inspect(film: String, plan: RenderPlan)
    // The requests of one film after the other: it is begun, filled in order, and finished or given up.
    case beginFilm(plan: RenderPlan, path: String)
    case setSound(path: String, record: SegmentRecord)
    case appendChunk(path: String, record: SegmentRecord, chunk: Int, furtherBytes: Int64)
    /// Appends a chunk that is copied from its source.
    case appendCopied(CopiedSource, chunk: Int)
    /// Completes the film; `laterBytes` of the segments may be still to be written.
    case finishFilm(path: String, laterBytes: Int64)
    case abandonFilm

    /// The file that the request is about.
    var subject: String {
        switch self {
        case .probe(let path), .times(let path, _, _), .coded(let path, _), .text(let path, _),
            .sound(let path, _), .samples(let path, _), .edges(let path), .data(let path, _), .index(let path, _),
            .verify(let path, _, _, _), .inspect(let path, _),
            .beginFilm(_, let path), .setSound(let path, _), .appendChunk(let path, _, _, _),
            .finishFilm(let path, _):
            path
        case .appendCopied(let source, _): source.path
        case .fonts: "the texts and their fonts"
        case .parameterSets: "the encoder"
        case .abandonFilm: "the film"
        }
    }

    /// Whether the request is about a film's source, or is asked with its sources.
    var isOfSource: Bool {
        switch self {
        // An encoder is asked while a job is planned, beside its sources.
        case .probe, .times, .coded, .sound, .text, .samples, .edges, .data, .fonts, .index, .parameterSets: true
        default: false
        }
    }

    /// The code of the error when the process comes to a bad end over that file.
    var failure: ErrorCode {
        switch self {
        case .probe, .times, .coded, .sound, .text, .samples, .edges, .data, .fonts, .index, .appendCopied:
            .mediaCannotOpen
        case .verify, .setSound, .appendChunk: .segmentInvalid
        case .inspect: .verificationFailed
        case .beginFilm, .finishFilm, .abandonFilm: .muxFailed
        case .parameterSets: .encoderUnavailable
        }
    }
}

/// The answer to a request.
package enum MediaReply: Codable, Sendable {
    case done
    case facts(AssetFacts)
    case times(FrameTimes)
    case coded(CodedTrack)
    case sound(SoundFinding)
    case text(TimedText)
    case samples([TimedSample])
    case edges(FileEdges)
    case fonts(FoundFonts)
    /// Parameter sets; nil where only frames would tell them.
    case parameterSets([UInt8]?)
    case failed(SplitreelError)
}

/// A request as it travels.
struct MediaOrder: Codable {
    var request: MediaRequest
    /// The seconds of processor time; the system ends a process that takes more.
    var processorSeconds: Int
    /// The files that are open for the request, in the order of the descriptors that travel with it.
    var files: [File]
    /// The sources that lie elsewhere, in the order of the lines to them, which travel behind the files' descriptors.
    var remote: [Remote]?

    struct Remote: Codable {
        var name: String
        /// The mark of the content that it is; see `SourceIdentity`.
        var mark: String?
    }

    struct File: Codable {
        var path: String
        /// The errno of a file that could not be opened, which has no descriptor.
        var refusal: Int32?
    }
}

/// An answer as it travels.
struct MediaAnswer: Codable {
    var reply: MediaReply
    /// The most memory that the process has held so far, in bytes.
    var peakBytes: Int
}

extension RenderPlan {
    /// The plan as stitching and checking need it: the composition and its assets' facts stay at home.
    package var outline: RenderPlan {
        var outline = self
        (outline.composition, outline.assets) = ("", [:])
        for index in outline.chunks.indices { outline.chunks[index].why = "" }
        return outline
    }
}
