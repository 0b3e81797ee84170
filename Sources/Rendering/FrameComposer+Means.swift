import Compositing
import Libav
import SplitreelTimeline

extension FrameComposer {
    /// The mean of two frames of a film, in the film's own samples.
    func mean(of blend: BlendedFrames, _ job: FrameJob) throws -> Picture {
        let held = try picture(of: .source(blend.held), job)
        let other = try picture(of: .source(blend.other), job)
        let mean = try Frame()
        try mean.copy(of: held.frame, subject: blend.held.asset)
        // The other picture, and with it its planes, is kept until it is read.
        withExtendedLifetime(other) {
            mean.withImage { image in FrameMean(share: blend.share).mix(other.image, into: image) }
        }
        return Picture(
            mean, pixelAspect: held.pixelAspect, standsIn: held.standsIn, peak: held.peak, profile: held.profile)
    }
}
