import Composition
import MediaTime
import Planning

/// What a chunk's composing thread knows of compositors of a program's own.
struct OwnCompositors: Sendable {
    private let name: (id: String, version: Int)?
    private let plan: RenderPlan
    private let chunk: Chunk
    private let isUsed: Bool

    init(_ timeline: Timeline, _ plan: RenderPlan, _ chunk: Chunk) {
        name = timeline.compositorName
        (self.plan, self.chunk, isUsed) = (plan, chunk, timeline.hasCompositor)
    }

    /// Frames in the order in which they are shown, some of them begun ahead.
    func begin(_ composer: FrameComposer) throws -> Queue {
        if let name { try composer.preroll(name, from: time(0), to: time(chunk.frameCount)) }
        return Queue(compositors: self, composer: composer)
    }

    private func time(_ index: Int) -> Rational { plan.compositionTime(ofFrame: chunk.firstFrame + index) }

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
            try composer.anticipate(name, from: compositors.time(taken), to: compositors.time(last))
        }
    }
}
