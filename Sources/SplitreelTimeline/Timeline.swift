package import Diagnostics
import JSONText
package import MediaFacts
package import MediaTime
package import Pictures
package import SplitreelProject

/// A project with its assets' facts, resolved into what rendering asks for: exact times, defaults filled in, one answer
/// per output frame.
///
/// A value that never changes; may be used from any thread.
package struct Timeline: Sendable {
    /// The latest end of any track segment, in seconds.
    package let duration: Rational
    package let frameDuration: MediaTime
    /// The output's size in pixels: the canvas times renderScale, rounded, or the size that was asked for.
    package let renderSize: PixelSize
    package var colour: ColourTriple { filmColour.triple }
    package let filmColour: FilmColour
    /// The colour where the file says it, in which a nested composition's frames are made then; nil where it does not.
    fileprivate(set) var writtenColour: ColourTriple?
    package let filmLight: FilmLight
    package let hasVideo: Bool
    package let hasAudio: Bool
    /// The number of the file's instructions, or of the automatic ones where it has none; 0 where there is no picture.
    package let instructionCount: Int
    /// The sound of each enabled audio track that has segments.
    package private(set) var audio: [AudioTrackRecipe]
    /// The loudness that the whole mix is brought to; nil where it stays as it is.
    package let loudness: SoundLoudness?
    /// The taps that the mix goes through, in order, before its loudness.
    package let taps: [TapRecipe]
    /// The times at which segments and gaps of its own video tracks begin, and the last ones end; in no order.
    private let segmentStarts: [Rational]
    /// The nested compositions that its tracks show, by the names that recipes have for them.
    package let nested: [String: Timeline]
    /// The whole numbers by which stills are reduced before frames are made of them, by their names in recipes, nested
    /// ones too. They follow from all of the composition at this size, so that every part of it is made of the same.
    package private(set) var stillReductions: [String: Int] = [:]
    /// The track whose frames decide when the output's are; nil where these are even.
    let timingTrack: VideoTrackPlan?

    private let picture: Picture
    private let treatment: FrameTreatment
    private let subtitles: [SubtitlePlan]
    private let placement: CanvasPlacement

    private enum Picture: Sendable {
        case written([InstructionPlan])
        case automatic(AutomaticPicture)

        /// The instructions of the file on a placement, or those that its tracks make where it has none.
        init(
            _ sources: SourceLookup, _ tracks: [VideoTrackPlan], canvas: PixelSize, placement: CanvasPlacement,
            frame: Rational, tree: Boxed<TreePlan>?
        ) {
            let project = sources.project
            guard let written = project.video?.instructions, !written.isEmpty else {
                self = .automatic(
                    AutomaticPicture(
                        tracks: tracks, duration: project.exactDuration, placement: placement,
                        filmFit: project.video?.fit))
                return
            }
            let byID = Dictionary(tracks.map { ($0.id, $0) }) { first, _ in first }
            self = .written(
                written.enumerated().compactMap { index, instruction in
                    InstructionPlan(
                        instruction, at: index, of: project.video, tracks: byID, placement: placement,
                        media: { sources.media(named: $0, canvas: canvas) }, prefix: sources.prefix, frame: frame,
                        tree: tree)
                })
        }

        /// The number of instructions.
        var count: Int {
            switch self {
            case .written(let plans): plans.count
            case .automatic(let automatic): max(0, automatic.edges.count - 1)
            }
        }
    }

    /// `assets` holds the facts of every file that an enabled track plays, by asset name; generators need none.
    ///
    /// - Parameters:
    ///   - size: an output's own size: the whole canvas fitted into it, centred. nil: the canvas times renderScale.
    ///   - frameDuration: an output's own frame grid. nil: the project's, or its timing track's times.
    ///   - pixelAspect: the width of one of the output's pixels over its height; `size` is in such pixels.
    ///   - project: one that was validated with these facts and found without an error.
    ///
    /// Throws where an asset has no facts.
    package init(
        valid project: Project, assets: [String: AssetFacts], size: PixelSize? = nil, frameDuration: MediaTime? = nil,
        pixelAspect: PixelAspect? = nil
    ) throws(SplitreelError) {
        try self.init(
            project, assets, size: size, frameDuration: frameDuration, pixelAspect: pixelAspect, prefix: "")
    }

    /// The timeline of a project; `prefix` stands before the names of its assets in recipes.
    fileprivate init(
        _ project: Project, _ assets: [String: AssetFacts], size: PixelSize? = nil, frameDuration: MediaTime? = nil,
        pixelAspect: PixelAspect? = nil, prefix: String
    ) throws(SplitreelError) {
        var sources = SourceLookup(project: project, facts: assets, prefix: prefix)
        try sources.checkComplete()
        try sources.addNested()
        nested = sources.nested
        let canvas = sources.canvasSize
        let tracks = sources.videoTracks(canvas: canvas)
        duration = project.exactDuration
        self.frameDuration = frameDuration ?? sources.frameDuration
        let step = Rational(self.frameDuration)
        let timing = frameDuration == nil ? project.video?.frameTimingTrack : nil
        timingTrack = timing.flatMap { id in tracks.first { $0.id == id } }
        let placement = CanvasPlacement(
            canvas: canvas, scale: project.video?.renderScale ?? 1, output: size,
            pixelAspect: pixelAspect?.ratio ?? 1, light: LightUse(project.video?.color))
        renderSize = placement.size
        self.placement = placement
        segmentStarts = tracks.flatMap { $0.segments.map(\.targetStart) + $0.segments.suffix(1).map(\.targetEnd) }
        let fontName = sources.fontName
        subtitles = (project.video?.subtitles ?? []).compactMap { settings in
            SubtitlePlan(
                settings, text: assets[settings.asset]?.text(ofTrack: settings.track), placement: placement,
                prefix: prefix, fontAsset: fontName)
        }
        filmColour = sources.filmColour
        filmLight = sources.filmLight
        writtenColour = sources.writtenColour
        audio = sources.audioTracks()
        hasAudio = !audio.isEmpty
        loudness = SoundLoudness(project.audio?.loudness)
        taps = (project.audio?.taps ?? []).compactMap { TapRecipe($0, prefix: prefix) }
        treatment = FrameTreatment(sources, canvas: canvas, placement: placement, frame: step)
        let stage = treatment.needsStage ? placement.ofStage : placement
        picture = Picture(sources, tracks, canvas: canvas, placement: stage, frame: step, tree: treatment.tree)
        instructionCount = picture.count
        hasVideo = instructionCount > 0
        stillReductions = nested.values.reduce(into: [:]) { $0.merge($1.stillReductions) { own, _ in own } }
        stillReductions.merge(ownReductions(tracks, on: stage, assets, prefix)) { own, _ in own }
    }

    /// The reductions of its own stills. Compositors of somebody's own get stills whole, and light is averaged as
    /// light.
    private func ownReductions(
        _ tracks: [VideoTrackPlan], on stage: CanvasPlacement, _ assets: [String: AssetFacts], _ prefix: String
    ) -> [String: Int] {
        guard treatment.compositor == nil, !placement.light.scales else { return [:] }
        var scales = StillScales()
        scales.note(treatment.effects)
        for media in treatment.tree?.value.media ?? [] { scales.note(media) }
        switch picture {
        case .written(let plans): for plan in plans { scales.note(plan) }
        case .automatic(let automatic):
            for track in tracks { scales.note(track, automatic.standing, on: [stage, stage.ofStage]) }
        }
        return scales.reductions { name in
            name.hasPrefix(prefix) ? assets[String(name.dropFirst(prefix.count))] : nil
        }
    }

    /// The picture of the frame at a composition time. Beyond the last instruction it is black. O(layers · log n).
    package func recipe(at time: Rational) -> PictureGroup {
        var frame = drawn(at: time)
        for plan in subtitles { frame.layers += plan.recipes(at: time) }
        return frame
    }

    private func drawn(at time: Rational) -> PictureGroup {
        guard let index = instructionIndex(at: time) else {
            return frame([], over: .black)
        }
        let plan = plan(index)
        let treeAround = treatment.treeAround
        guard !treatment.effects.isEmpty || treeAround != nil else {
            return frame(plan.layers(at: time, origin: placement.origin), over: plan.background)
        }
        guard let picture = worked(treatment.effects.count, at: time) else { return frame([], over: plan.background) }
        guard let treeAround, plan.isProcessed else {
            return frame([LayerRecipe(picture: picture, transform: placement.origin)], over: plan.background)
        }
        let layers = treeAround.value.layers(at: time, frame: picture).map { layer in
            var layer = layer
            layer.transform = layer.transform.then(placement.origin)
            return layer
        }
        return frame(layers, over: plan.background.alpha < 1 ? .clear : .black)
    }

    /// The whole picture after so many of the film's effects, on a stage; nil where no instruction is.
    private func worked(_ count: Int, at time: Rational) -> PictureNode? {
        guard let index = instructionIndex(at: time) else { return nil }
        let (plan, stage) = (plan(index), placement.ofStage)
        let hasAlpha = plan.background.alpha < 1
        guard count > 0 else {
            var group = PictureGroup(
                size: stage.size, matte: plan.background, layers: plan.layers(at: time, origin: .identity),
                light: stage.light)
            group.hasAlpha = hasAlpha
            return .group(group)
        }
        guard let input = worked(count - 1, at: time) else { return nil }
        let effect = treatment.effects[count - 1]
        return effect.picture(
            of: [input], size: stage.size, hasAlpha: hasAlpha || input.hasAlpha, at: time, scale: stage.map,
            neighbours: effect.neighbours(at: time, of: input) { worked(count - 1, at: $0) })
    }

    private func frame(_ layers: [LayerRecipe], over background: Colour) -> PictureGroup {
        PictureGroup(
            size: renderSize, matte: background, layers: layers, clip: placement.clip, light: placement.light)
    }

    private func plan(_ index: Int) -> InstructionPlan {
        var plan =
            switch picture {
            case .written(let plans): plans[index]
            case .automatic(let automatic): automatic.plan(index)
            }
        if let compositor = treatment.compositor {
            plan.stage = placement.ofStage
            plan.compositor = plan.isPassthrough ? nil : plan.compositor ?? compositor
            plan.data = treatment.data.filter { plan.dataTracks?.contains($0.id) ?? true }
        }
        return plan
    }

    /// Whether a compositor of somebody's own makes some frame, in a nested composition perhaps.
    package var hasCompositor: Bool { treatment.compositor != nil || nested.values.contains(where: \.hasCompositor) }

    /// The id and version of a compositor of somebody's own; nil for `builtin`.
    package var compositorName: (id: String, version: Int)? {
        treatment.compositor.map { ($0.description.id, $0.description.version) }
    }

    /// The index of the instruction that holds a time; nil before the first and after the last.
    package func instructionIndex(at time: Rational) -> Int? {
        switch picture {
        case .written(let plans):
            guard let index = plans.lastIndexStarting(atOrBefore: time, { $0.start }), time < plans[index].end else {
                return nil
            }
            return index
        case .automatic(let automatic):
            let after = automatic.edges.partitionPoint { $0 <= time }
            return after == 0 || after == automatic.edges.count ? nil : after - 1
        }
    }

    /// The times at which a new instruction starts, after 0 and before the end, sorted.
    package var boundaries: [(time: Rational, why: String)] {
        let starts: [Rational] =
            switch picture {
            case .written(let plans): plans.map(\.start)
            case .automatic(let automatic): automatic.edges.dropLast()
            }
        return starts.filter { $0 > .zero && $0 < duration }.map { ($0, "instruction boundary") }
    }

    /// The times at which a segment or an instruction begins, after 0 and before the end, sorted.
    package var cuts: [Rational] {
        let inside = segmentStarts.filter { $0 > .zero && $0 < duration }
        return Set(inside + boundaries.map(\.time)).sorted()
    }

    /// Whether every time of [start, end) has the same recipe for sure: one instruction, nothing moves, and only
    /// stills and generators are seen. (Film that happens to hold one frame is not constant.)
    package func isConstant(from start: Rational, to end: Rational) -> Bool {
        guard let index = instructionIndex(at: start) else { return false }
        let plan = plan(index)
        return end <= plan.end && plan.isConstant(from: start, to: end)
            && treatment.effects.allSatisfy { $0.isConstant(from: start, to: end) }
            && subtitles.allSatisfy { $0.isConstant(from: start, to: end) }
            && (!plan.isProcessed || treatment.treeAround?.value.isConstant(from: start, to: end) != false)
    }
}

extension SourceLookup {
    /// Adds the compositions that tracks show. Throws where something that one of them needs is not known; that one and
    /// those after it are left out then.
    package mutating func addNested() throws(SplitreelError) {
        for name in project.playedNested {
            guard let inner = project.assets[name]?.nested else { continue }
            let full = prefix + name
            var timeline = try Timeline(inner, facts.inside(name), prefix: nestedPrefix(full))
            // The same is none of its own: its layers are the film's. A nested composition that does not say its
            // colour is of the film's that shows it, which nothing here tells.
            let isKnown = prefix.isEmpty || writtenColour != nil
            if isKnown, timeline.writtenColour == colour { timeline.writtenColour = nil }
            nested[full] = timeline
        }
    }
}

extension Timeline {
    /// The timeline with the sound of those of its audio tracks alone, by their ids; nil for all of them.
    package func hearing(_ tracks: [Int]?) -> Timeline {
        guard let tracks else { return self }
        var heard = self
        heard.audio.removeAll { !tracks.contains($0.track) }
        return heard
    }
}

extension LightUse {
    fileprivate init(_ settings: ColourSettings?) {
        self.init(blends: settings?.blendSpace == .linear, scales: settings?.scaleSpace == .linear)
    }
}

extension PixelSize {
    /// The longest side in pixels: no picture has so long a one, and a longer one is refused wherever a size is
    /// checked.
    private static let farthest = 1 << 20

    /// The size rounded to whole pixels, at least 1 each way.
    package func scaled(by scale: Double) -> PixelSize {
        if scale == 1 { return self }
        func side(_ length: Int) -> Int {
            let scaled = (Double(length) * scale).rounded()
            return scaled >= 1 ? Int(min(scaled, Double(Self.farthest))) : 1
        }
        return PixelSize(width: side(width), height: side(height))
    }

    /// The size made even upwards; a file may say any number.
    var madeEven: PixelSize {
        func side(_ length: Int) -> Int {
            let bounded = min(max(length, 0), Self.farthest)
            return bounded + bounded % 2
        }
        return PixelSize(width: side(width), height: side(height))
    }
}
