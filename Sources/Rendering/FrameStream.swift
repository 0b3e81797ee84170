package import Diagnostics
package import MediaTime
import Outputs
package import Planning

/// All frames of a plan's first output in order, as they are composed for its film before they are encoded.
package struct FrameStream: Sendable {
    private let plan: RenderPlan
    package let frameCount: Int

    /// A stream of a plan's frames. Throws `.mediaHasNoSuchTrack` where the plan has no picture.
    package init(of plan: RenderPlan) throws {
        guard plan.output.video != nil else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading", subject: "the composition", reason: "it has no picture")
        }
        self.plan = plan
        frameCount = plan.frameCount
    }

    /// Calls `deliver` for each frame with its index, its time and its duration, both of the film, whose first frame is
    /// at 0. Answers what a person should know of the sources. Blocking: decodes and composes on the calling thread;
    /// nothing is kept of a frame that was delivered. What `deliver` throws ends it.
    package func read(
        cancellation: Cancellation,
        _ deliver: (_ index: Int, _ time: Rational, _ duration: Rational, _ picture: Picture) throws -> Void
    ) throws -> NoticeList {
        let session = try RenderSession(plan: plan, planHash: "", folder: "")
        guard let canvas = session.canvases.first else { return NoticeList() }
        let composer = try FrameComposer(
            settings: canvas.settings, cancellation: cancellation, fonts: session.fonts(), assets: plan.assets)
        let timing = plan.timing
        for chunk in plan.chunks {
            var (asked, delivered) = (chunk.firstFrame, chunk.firstFrame)
            var composing = try OwnCompositors(canvas.timeline, plan, chunk).begin(composer)
            let next: () throws -> FrameJob? = {
                guard asked < chunk.frames.upperBound else { return nil }
                asked += 1
                return try session.jobs(at: plan.compositionTime(ofFrame: asked - 1))[0]
            }
            while let job = try composing.next(next) {
                try cancellation.check()
                let frame = try composer.frame(for: job)
                try deliver(delivered, timing.time(ofFrame: delivered), timing.duration(ofFrame: delivered), frame)
                delivered += 1
            }
        }
        try session.files.check()
        return session.takeNotices()
    }
}
