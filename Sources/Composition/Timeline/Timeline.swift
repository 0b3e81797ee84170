package import Diagnostics
package import MediaTime

/// A project with its assets' facts, resolved into what rendering asks for: exact times, defaults filled in, one
/// answer per output frame.
///
/// A value that never changes; may be used from any thread.
package struct Timeline: Sendable {
    /// The latest end of any track segment, in seconds.
    package let duration: Rational
    package let frameDuration: MediaTime
    /// The output's size: the canvas times renderScale, rounded.
    package let renderSize: PixelSize
    package let renderScale: Double
    package let colour: ColourTriple
    package let hasVideo: Bool
    package let hasAudio: Bool
    /// The file's, or the automatic ones where it has none; empty where there is no picture.
    package let instructions: [Instruction]
    /// One per enabled audio track that has segments.
    package let audio: [AudioTrackRecipe]

    private let plans: [InstructionPlan]
    private let generators: [String: Generator]

    struct Generator: Sendable {
        let colour: Colour
        let size: PixelSize
    }

    /// `assets` holds the facts of every file that an enabled track plays, by asset name; generators need none.
    ///
    /// Throws the first error that `project.validate(assets:)` finds (outputs aside), or that an asset has no facts.
    package init(project: Project, assets: [String: AssetFacts]) throws(SplitreelError) {
        if let problem = project.validate(assets: assets, outputs: false).first(where: { $0.severity == .error }) {
            throw problem.asError
        }
        let sources = SourceLookup(project: project, facts: assets)
        try sources.checkComplete()
        let tracks = sources.videoTracks()
        duration = project.exactDuration
        frameDuration = sources.frameDuration
        renderScale = project.video?.renderScale ?? 1
        let canvas = sources.canvasSize
        renderSize = canvas.scaled(by: renderScale)
        colour = sources.colour
        audio = sources.audioTracks()
        hasAudio = !audio.isEmpty
        if let written = project.video?.instructions, !written.isEmpty {
            instructions = written
            plans = written.compactMap { InstructionPlan($0, tracks: tracks, scale: project.video?.renderScale ?? 1) }
        } else {
            let automatic = AutomaticInstructions(tracks: tracks, duration: duration)
            instructions = automatic.instructions
            plans = automatic.plans(tracks: tracks, scale: renderScale)
        }
        hasVideo = !instructions.isEmpty
        generators = project.assets.compactMapValues { asset in
            asset.kind == .color ? asset.color.map { Generator(colour: $0, size: asset.size ?? canvas) } : nil
        }
    }

    /// What the frame at a composition time is made of. Beyond the last instruction: black. O(layers · log n).
    package func recipe(at time: Rational) -> FrameRecipe {
        guard let index = instructionIndex(at: time) else { return FrameRecipe(background: .black, layers: []) }
        return FrameRecipe(
            background: plans[index].background, layers: plans[index].layers.compactMap { $0.recipe(at: time) })
    }

    /// Which of `instructions` holds a time; nil before the first and after the last.
    package func instructionIndex(at time: Rational) -> Int? {
        guard let index = plans.lastIndexStarting(atOrBefore: time, \.start), time < plans[index].end else {
            return nil
        }
        return index
    }

    /// Where a new instruction starts, after 0 and before the end, sorted.
    package var boundaries: [(time: Rational, why: String)] {
        plans.map(\.start).filter { $0 > .zero && $0 < duration }.map { ($0, "instruction boundary") }
    }

    /// Whether every time of [start, end) has the same recipe for sure: one instruction, nothing moves, and only
    /// stills and generators are seen. (Film that happens to hold one frame is not constant.)
    package func isConstant(from start: Rational, to end: Rational) -> Bool {
        guard let index = instructionIndex(at: start), end <= plans[index].end else { return false }
        return plans[index].layers.allSatisfy { $0.isConstant(from: start, to: end) }
    }

    /// What a colour generator shows; nil for other assets.
    package func colourOfGenerator(_ asset: String) -> Colour? { generators[asset]?.colour }

    /// A colour generator's size in display pixels; nil for other assets.
    package func sizeOfGenerator(_ asset: String) -> PixelSize? { generators[asset]?.size }
}

extension PixelSize {
    /// Rounded to whole pixels, at least 1.
    func scaled(by scale: Double) -> PixelSize {
        if scale == 1 { return self }
        return PixelSize(
            width: max(1, Int((Double(width) * scale).rounded())),
            height: max(1, Int((Double(height) * scale).rounded())))
    }
}
