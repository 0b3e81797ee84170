import MediaTime
package import Outputs

extension RenderPlan {
    package var timing: FrameTiming {
        guard let frameTimes else { return .even(FrameGrid(frameDuration: frameDuration)) }
        return .listed(frameTimes, end: Rational(range.duration))
    }
}
