import MediaFacts
import MediaTime
import Outputs
import Pictures
package import SplitreelTimeline

/// The memory that a slot takes at its peak while it makes a chunk of a plan, in bytes: an estimate, by which as many
/// slots work side by side as there is room for.
///
/// It is that of the chunk that takes most, whose encoders may have more threads than the others'. Room is made before
/// it is known which chunk a slot gets, and several of the last chunks are in hand at once.
///
/// Its numbers were measured (docs/internals/performance.md): it is meant to be a third too high rather than a
/// tenth too low.
package struct SlotMemory: Hashable, Sendable {
    /// The program itself: code and tables that each process has of its own.
    package var program = 40 << 20
    /// The decoders of the films and the stills that one frame shows, and of films that stay open.
    package var sources = 0
    /// The frames that are composed, and that wait between two threads.
    package var frames = 0
    /// The encoders of all outputs.
    package var encoders = 0

    package var bytes: Int { program + sources + frames + encoders }

    /// The most bytes of films that a frame does not use and that stay open, as rendering has it.
    private static let openFilmBytes = 200 << 20
    /// The frames that wait for being composed, at most, each with the pictures that it is made of; and the frames that
    /// wait for an encoder, and those in hand.
    private static let waitingFrames = 3
    /// The pictures of a canvas that are in memory at once: waiting, in hand, and what they are composed with.
    private static let canvasFrames = 8
    /// The times at most at which it is looked what a frame shows.
    private static let mostLooks = 512

    /// - Parameter timeline: the timeline of the plan's project, for the size of any of its outputs.
    package init(_ plan: RenderPlan, _ timeline: Timeline) {
        guard plan.frameCount > 0 else { return }
        sources = Self.sources(plan, timeline)
        var canvases: Set<Canvas> = []
        for settings in plan.outputs.compactMap(\.video) {
            // The first of two passes has an encoder for each factor at once.
            encoders += plan.widest(settings).encoderBytes * max(1, settings.analysisFactors?.count ?? 1)
            if canvases.insert(Canvas(settings.ofCanvas)).inserted {
                frames += Self.canvasFrames * settings.ofCanvas.pictureBytes
            }
            // Its frames are made into the film's by a step of its own.
            if settings.composedIn != nil { frames += Self.waitingFrames * settings.pictureBytes }
        }
    }

    private struct Canvas: Hashable {
        let size: PixelSize
        let format: WorkingFormat
        let colour: ColourTriple

        init(_ settings: VideoSettings) {
            size = settings.size
            format = settings.format
            colour = settings.colour
        }
    }

    private struct Source: Hashable {
        let track: Int
        let asset: String
        let assetTrack: Int
    }

    /// The bytes of the sources that are open at once: of the frame that shows the most, and of the films beside it
    /// that stay open.
    private static func sources(_ plan: RenderPlan, _ timeline: Timeline) -> Int {
        var known: [Source: Int] = [:]
        var most = 0
        for time in looks(plan, timeline) {
            var own: [Source: Int] = [:]
            for frame in PictureNode.group(timeline.recipe(at: time)).needs {
                guard let facts = plan.assets[frame.asset] else { continue }
                // One reader serves all layers that show a still.
                let source = Source(
                    track: facts.kind.isMoving ? frame.track : 0, asset: frame.asset, assetTrack: frame.assetTrack)
                own[source] = bytes(facts, frame, timeline)
            }
            most = max(most, own.values.reduce(0, +))
            known.merge(own) { $1 }
        }
        let others = known.values.reduce(0, +) - most
        return most + min(others, openFilmBytes)
    }

    /// The bytes of a source: of its decoder, and of its pictures that wait in frames.
    private static func bytes(_ facts: AssetFacts, _ frame: SourceFrame, _ timeline: Timeline) -> Int {
        guard let track = facts.track(frame.assetTrack), let video = track.video else { return 0 }
        guard facts.kind.isMoving else {
            let reduction = max(1, timeline.stillReductions[frame.asset] ?? 1)
            return video.pictureBytes / (reduction * reduction)
        }
        let decoder = video.decoderBytes(removesPulldown: facts.deinterlacing(of: track)?.order == .pulldown)
        // Two pictures of each waiting frame, and the means that are made of them.
        let pictures = frame.blending == nil ? waitingFrames : 2 * waitingFrames + 2
        return decoder + pictures * video.codedSize.width * video.codedSize.height * 3 / 2
            * (video.bitDepth > 8 ? 2 : 1)
    }

    /// The times of the plan's range at which something new begins to be shown, and its first; evenly chosen ones where
    /// there are too many.
    private static func looks(_ plan: RenderPlan, _ timeline: Timeline) -> [Rational] {
        if let stills = plan.stills { return stills.prefix(mostLooks).map { Rational($0) } }
        let start = Rational(plan.range.start)
        let end = start + Rational(plan.range.duration)
        let times = timeline.boundaries.map(\.time).filter { $0 > start && $0 < end }
        let step = max(1, times.count / mostLooks)
        return [start] + stride(from: 0, to: times.count, by: step).map { times[$0] }
    }
}

extension RenderPlan {
    /// Whether pictures of an output have more pixels than those of 1080p.
    package var hasLargePictures: Bool {
        outputs.contains { $0.video.map { $0.size.width * $0.size.height > 1920 * 1088 } ?? false }
    }

    /// The estimate for a slot that makes the plan's chunks. Cost: the composition is read once more. Throws where it
    /// cannot be read.
    package func slotMemory() throws -> SlotMemory { try SlotMemory(self, timeline()) }
}
