package import Diagnostics
package import MediaFacts
package import MediaTime
package import Outputs
package import Planning
package import SplitreelProject

/// One question to a process that reads media for another.
package enum MediaRequest: Codable, Sendable {
    /// The facts of a source.
    case probe(path: String)
    /// When the frames of one of its tracks begin.
    case times(path: String, track: Int, showsFields: Bool)
    /// What a track of text says.
    case text(path: String, track: Int)
    /// All that a track of data holds.
    case samples(path: String, track: Int)
    /// What its first and its last MiB hold.
    case edges(path: String)
    /// What a data asset of that kind is.
    case data(path: String, kind: Asset.Kind)
    /// The fonts of texts, with font files by the asset's name.
    case fonts(texts: [FontText], assets: [String: String])
    /// Its index, into a file.
    case index(path: String, file: String)
    /// That a segment's file holds what its record says.
    case verify(path: String, record: SegmentRecord, output: OutputSettings, frameDuration: MediaTime)
    /// That a finished film is what the plan asks for.
    case inspect(film: String, plan: RenderPlan)
    // One film after the other: it is begun, filled in order, and finished or given up.
    case beginFilm(plan: RenderPlan, planHash: String, path: String)
    case setSound(path: String, record: SegmentRecord)
    case appendChunk(path: String, record: SegmentRecord, chunk: Int, furtherBytes: Int64)
    /// `laterBytes` of the segments may be still to be written.
    case finishFilm(path: String, laterBytes: Int64)
    case abandonFilm

    /// The file that it is about.
    var subject: String {
        switch self {
        case .probe(let path), .times(let path, _, _), .text(let path, _),
            .samples(let path, _), .edges(let path), .data(let path, _), .index(let path, _),
            .verify(let path, _, _, _), .inspect(let path, _),
            .beginFilm(_, _, let path), .setSound(let path, _), .appendChunk(let path, _, _, _),
            .finishFilm(let path, _):
            path
        case .fonts: "the texts and their fonts"
        case .abandonFilm: "the film"
        }
    }

    /// Whether it is about a film's source.
    var isOfSource: Bool {
        switch self {
        case .probe, .times, .text, .samples, .edges, .data, .fonts, .index: true
        default: false
        }
    }

    /// What it means when the process comes to a bad end over that file.
    var failure: ErrorCode {
        switch self {
        case .probe, .times, .text, .samples, .edges, .data, .fonts, .index: .mediaCannotOpen
        case .verify, .setSound, .appendChunk: .segmentInvalid
        case .inspect: .verificationFailed
        case .beginFilm, .finishFilm, .abandonFilm: .muxFailed
        }
    }
}

/// The answer.
package enum MediaReply: Codable, Sendable {
    case done
    case facts(AssetFacts)
    case times(FrameTimes)
    case text(TimedText)
    case samples([TimedSample])
    case edges(FileEdges)
    case fonts(FoundFonts)
    case failed(SplitreelError)
}

/// A request as it travels.
struct MediaOrder: Codable {
    var request: MediaRequest
    /// Of processor time; the system ends a process that takes more.
    var processorSeconds: Int
}

/// An answer as it travels.
struct MediaAnswer: Codable {
    var reply: MediaReply
    /// The most memory that the process has held so far, in bytes.
    var peakBytes: Int
}

extension RenderPlan {
    /// What stitching and checking need of it: the composition and its assets' facts stay at home.
    package var outline: RenderPlan {
        var outline = self
        (outline.composition, outline.assets) = ("", [:])
        for index in outline.chunks.indices { outline.chunks[index].why = "" }
        return outline
    }
}
