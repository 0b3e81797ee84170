import Diagnostics
package import Outputs

/// An output beside a plan's first: the same frames, or the same sound, in settings of its own.
package struct FurtherOutput: Hashable, Codable, Sendable {
    package var settings: OutputSettings
    /// The samples of the output's sound at its own rate; 0 where it has no sound.
    package var sampleCount: Int
    /// The terms of each chunk of the plan in this output; nil where no chunk has any.
    package var terms: [ChunkTerms]?

    package init(settings: OutputSettings, sampleCount: Int, terms: [ChunkTerms]? = nil) {
        self.settings = settings
        self.sampleCount = sampleCount
        self.terms = terms
    }
}

/// The terms of a chunk that differ from output to output; see `Chunk`.
package struct ChunkTerms: Hashable, Codable, Sendable {
    package var keyFrames: [Int]?
    package var rate: RateLimit?

    package init(keyFrames: [Int]? = nil, rate: RateLimit? = nil) { (self.keyFrames, self.rate) = (keyFrames, rate) }
}

extension Chunk {
    package var terms: ChunkTerms {
        get { ChunkTerms(keyFrames: keyFrames, rate: rate) }
        set { (keyFrames, rate) = (newValue.keyFrames, newValue.rate) }
    }
}

extension [Chunk] {
    /// Gives each chunk its terms, and none to chunks that the list leaves out; where all have theirs already nothing
    /// is copied.
    mutating func setTerms(_ terms: [ChunkTerms]?) {
        func own(_ place: Int) -> ChunkTerms {
            terms.map { $0.indices.contains(place) ? $0[place] : ChunkTerms() } ?? ChunkTerms()
        }
        // Looked for in a loop of its own: one that writes may make the array its own before it begins.
        let differing = indices.filter { self[$0].terms != own($0) }
        guard !differing.isEmpty else { return }
        for place in differing { self[place].terms = own(place) }
    }
}

extension RenderPlan {
    /// The outputs that a job makes at most.
    package static let mostOutputs = 16
    /// The picture segments that all outputs of a job have together at most: what is known of each stays in memory.
    package static let mostSegments = 400_000

    /// Throws `.settingsImpossible` where `outputs` films of so many chunks have more than `mostSegments`.
    package static func refuseTooManySegments(chunks: Int, outputs: Int) throws {
        guard chunks * outputs > mostSegments else { return }
        throw impossible(
            "\(outputs) films of \(chunks) chunks", "the films of a job have at most \(mostSegments) chunks together",
            hint: "let chunks be longer, or make fewer outputs at once")
    }

    /// The settings of all outputs, in the order in which they were asked for.
    package var outputs: [OutputSettings] { [output] + (further ?? []).map(\.settings) }

    /// The plan as it would be for one of its outputs alone, with the chunks that all have in common. The output's
    /// segments and its film are held against it. The chunks are copied only where they differ from the first output's.
    package func view(ofOutput index: Int) -> RenderPlan {
        guard let further, outputs.indices.contains(index) else { return self }
        var view = self
        view.further = nil
        if index > 0 {
            let own = further[index - 1]
            (view.output, view.sampleCount) = (own.settings, own.sampleCount)
            view.chunks.setTerms(own.terms)
        }
        view.sampleRate = view.output.audio?.sampleRate ?? 0
        if view.output.audio == nil {
            view.sampleCount = 0
            view.soundNeeds = nil
            view.soundCuts = nil
        }
        if view.output.video == nil {
            view.frameCount = 0
            view.frameTimes = nil
            view.chunks = []
        }
        return view
    }

    /// One plan of several, each of which was made for an output of the same project with the same range, frames and
    /// chunks; the first one's output comes first. Fonts are those of the first plan with a picture, and the sound's
    /// needs those of the first plan with sound: all plans of a project list its effects alike.
    package static func joining(_ plans: [RenderPlan]) -> RenderPlan {
        precondition(!plans.isEmpty, "A plan is for an output.")
        guard plans.count > 1 else { return plans[0] }
        let sound = plans.first { $0.sampleCount > 0 }
        var joined = plans.first { $0.frameCount > 0 } ?? plans[0]
        joined.output = plans[0].output
        (joined.sampleRate, joined.sampleCount) = (sound?.sampleRate ?? 0, sound?.sampleCount ?? 0)
        (joined.soundNeeds, joined.soundCuts) = (sound?.soundNeeds, sound?.soundCuts)
        joined.chunks.setTerms(plans[0].chunks.map(\.terms))
        joined.further = plans.dropFirst().map { plan in
            let terms = plan.chunks.map(\.terms)
            return FurtherOutput(
                settings: plan.output, sampleCount: plan.sampleCount,
                terms: terms.contains { $0 != ChunkTerms() } ? terms : nil)
        }
        var encoders: [String] = []
        for name in plans.flatMap({ $0.encoders ?? [] }) where !encoders.contains(name) { encoders.append(name) }
        joined.encoders = encoders.isEmpty ? nil : encoders
        return joined
    }
}
