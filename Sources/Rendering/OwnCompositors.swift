import MediaTime
import Planning
import SplitreelTimeline

/// The compositors and effects of a program's own, as a chunk's composing thread knows them.
struct OwnCompositors: Sendable {
    private let name: (id: String, version: Int)?
    private let plan: RenderPlan
    private let chunk: Chunk
    private let isUsed: Bool

    init(_ timeline: Timeline, _ plan: RenderPlan, _ chunk: Chunk) {
        name = timeline.compositorName
        self.plan = plan
        self.chunk = chunk
        isUsed = timeline.hasCompositor || plan.runsTasks
    }

    /// The queue of frames in the order in which they are shown, some of them begun ahead.
    func begin(_ composer: FrameComposer) throws -> Queue {
        if let name {
            let times = times(of: 0..<chunk.frameCount)
            try composer.preroll(name, from: times.start, to: times.end)
        }
        return Queue(compositors: self, composer: composer)
    }

    /// The times from the earliest moment that some of the chunk's frames show to the end of the latest, in seconds of
    /// the composition: frames of stills are in no order, and frames of a lead are one.
    private func times(of frames: Range<Int>) -> (start: Rational, end: Rational) {
        func time(_ index: Int) -> Rational { plan.compositionTime(ofFrame: chunk.firstFrame + index) }
        let isInOrder = plan.stills == nil && (plan.lead?.frameCount ?? 0) <= chunk.firstFrame
        if isInOrder { return (time(frames.lowerBound), time(frames.upperBound)) }
        let times = frames.map(time)
        let (start, last) = (times.min() ?? time(frames.lowerBound), times.max() ?? time(frames.lowerBound))
        return (start, last + Rational(plan.frameDuration))
    }

    struct Queue {
        fileprivate let compositors: OwnCompositors
        fileprivate let composer: FrameComposer
        private var waiting: [FrameJob] = []
        private var taken = 0
        private var isAtEnd = false

        fileprivate init(compositors: OwnCompositors, composer: FrameComposer) {
            (self.compositors, self.composer) = (compositors, composer)
        }

        /// The next frame; nil at the end. `pop` waits for one that follows.
        mutating func next(_ pop: () throws -> FrameJob?) throws -> FrameJob? {
            guard compositors.isUsed else { return try pop() }
            while !isAtEnd, waiting.count < FrameComposer.mostBegun {
                guard let job = try pop() else {
                    isAtEnd = true
                    break
                }
                try announce()
                try composer.begin(job)
                waiting.append(job)
                taken += 1
            }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }

        private func announce() throws {
            guard let name = compositors.name else { return }
            let last = min(taken + FrameComposer.mostBegun, compositors.chunk.frameCount)
            guard taken < last else { return }
            let times = compositors.times(of: taken..<last)
            try composer.anticipate(name, from: times.start, to: times.end)
        }
    }
}
