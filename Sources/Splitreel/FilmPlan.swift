public import Diagnostics
public import MediaTime
public import Pictures
import Planning
import Preparation
import SplitreelFiles
public import SplitreelProject
import Threads

/// The plan by which a film is rendered: its chunks, and why each of them begins where it does. It is what `splitreel
/// plan` shows.
public struct FilmPlan: Sendable {
    /// A range of frames that is rendered as one.
    public struct Chunk: Sendable, Hashable {
        /// The way in which the chunk's frames come about.
        public enum Kind: String, Sendable, Hashable {
            /// Several pictures are composed, or one is changed.
            case composite
            /// Each frame is a source's own.
            case source
            /// All frames show the same picture.
            case still
            /// Each frame is a source's own, and most of its group of pictures is copied or cut away.
            case cut
            /// The source's packets are copied: nothing is decoded or encoded.
            case passthrough
        }

        /// The place among the film's chunks, from 0 on.
        public let index: Int
        /// The way in which its frames come about.
        public let kind: Kind
        /// The frames, counted from the film's first, which is 0.
        public let frames: Range<Int>
        /// The time in the film, which begins at 0.
        public let range: TimeRange
        /// The estimated work; 1 is one frame of a single source at 1280×720.
        public let cost: Double
        /// The reason for the boundary at the chunk's start, in words.
        public let reason: String
    }

    /// The chunks in the film's order; empty where there is no picture.
    public let chunks: [Chunk]
    /// The number of the film's frames; 0 for sound alone.
    public let frameCount: Int
    /// The size of the film's frames in pixels; nil without a picture.
    public let size: PixelSize?
    /// The samples per second; 0 without sound.
    public let sampleRate: Int
    /// The number of samples of each channel.
    public let sampleCount: Int
    /// The part of the composition that is rendered.
    public let range: TimeRange
    /// The times of the film at which its sound is cut, to be mixed in parts.
    public let soundCuts: [MediaTime]
    /// The hash of everything that decides the film's frames and samples, in hexadecimal digits.
    public let hash: String
    /// The warnings that a person should know.
    public let warnings: [Notice]

    init(_ prepared: PreparedPlan) throws {
        let plan = prepared.plan
        let timing = plan.timing
        chunks = plan.chunks.map { chunk in
            let (start, end) = (timing.time(ofFrame: chunk.firstFrame), timing.time(ofFrame: chunk.frames.upperBound))
            return Chunk(
                index: chunk.index, kind: Chunk.Kind(chunk.kind), frames: chunk.frames,
                range: TimeRange(from: start, to: end), cost: chunk.cost,
                reason: chunk.why)
        }
        frameCount = plan.output.video == nil ? 0 : plan.frameCount
        size = plan.output.video?.size
        sampleRate = plan.output.sounds.isEmpty ? 0 : plan.sampleRate
        sampleCount = plan.output.sounds.isEmpty ? 0 : plan.sampleCount
        range = plan.range
        soundCuts = (plan.soundCuts ?? []).map { MediaTime(value: Int64($0), timescale: 1) }
        hash = try plan.hash()
        warnings = prepared.notices.warnings
    }
}

extension FilmPlan.Chunk.Kind {
    init(_ kind: Planning.Chunk.Kind) {
        switch kind {
        case .composite: self = .composite
        case .source: self = .source
        case .still: self = .still
        case .cut: self = .cut
        case .passthrough: self = .passthrough
        }
    }
}

extension Project {
    /// Plans a film of the project, and renders nothing. Relative URLs start from the process's current folder.
    ///
    /// Cost: the headers of all files are read, on a thread of the library, and each frame is looked at once.
    ///
    /// - Parameters:
    ///   - output: the film's settings; its `url` need not be writable. nil for an mp4 of the usual settings.
    ///   - code: code of a session's own that the composition names. Where it is named, no two plans have one hash.
    /// - Throws: `SplitreelError` for the first fault that makes the film impossible, with its place.
    public func plan(for output: OutputEntry? = nil, code: OwnCode = OwnCode()) async throws -> FilmPlan {
        let (project, held) = (self, sourcesInMemory)
        return try await onThread("planning") {
            withExtendedLifetime(held) { Result { try project.preparedPlan(for: output, code) } }
        }.get()
    }

    private func preparedPlan(for output: OutputEntry?, _ code: OwnCode) throws -> FilmPlan {
        ProgramNetwork.begin()
        let path = try absolutePath("project.json")
        var request = OutputRequest(path: try absoluteName(output?.url ?? "film.mp4"))
        if let output { request = request.filled(from: output) }
        let nested = try CompositionFile.nestedFiles(of: self, path: path)
        if let problem = nested.problems.first(where: { $0.severity == .error }) { throw problem.asError }
        let (project, loan) = code.lent(to: nested.project)
        defer { withExtendedLifetime(loan) {} }
        return try FilmPlan(try prepareShown(project: project, requests: [request])[0])
    }
}
