/// The instants of a constant frame rate: frame k is at exactly k × frameDuration.
///
/// Positions come from absolute indexes; durations are never added up. Indexes may be negative.
package struct FrameGrid: Sendable, Hashable {
    /// The length of each frame in seconds.
    package let frameDuration: MediaTime
    private let step: Rational

    /// Makes a grid of a frame duration in seconds, which must be numeric and more than 0; compositions are validated
    /// before they come here.
    package init(frameDuration: MediaTime) {
        precondition(frameDuration.isNumeric && frameDuration.value > 0, "a frame lasts more than 0 seconds")
        self.frameDuration = frameDuration
        step = Rational(frameDuration)
    }

    package func time(ofFrame index: Int) -> Rational { Rational(index) * step }

    /// The index of the frame that is showing at a time, in seconds.
    package func frame(at time: Rational) -> Int { (time / step).floor() }

    package func firstFrame(atOrAfter time: Rational) -> Int { (time / step).ceil() }

    /// The number of frames that start within a half-open length of time, in seconds, that starts on the grid.
    package func frameCount(duration: Rational) -> Int { max(0, (duration / step).ceil()) }

    /// The frame rate in frames a second, in lowest terms, such as `30000/1001` or `25/1`.
    package var rateText: String { (Rational(1) / step).description }
}

/// The index of the sample that stands at a time in seconds: the nearest, halves away from zero. `rate` is in Hz.
package func sampleIndex(of time: Rational, rate: Int) -> Int { (time * Rational(rate)).rounded() }
