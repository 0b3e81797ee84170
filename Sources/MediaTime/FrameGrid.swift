/// The instants of a constant frame rate: frame k is at exactly k × frameDuration.
///
/// Positions come from absolute indexes; durations are never added up. Indexes may be negative.
package struct FrameGrid: Sendable, Hashable {
    package let frameDuration: MediaTime
    private let step: Rational

    /// The duration must be numeric and more than 0; compositions are validated before they come here.
    package init(frameDuration: MediaTime) {
        precondition(frameDuration.isNumeric && frameDuration.value > 0, "a frame lasts more than 0 seconds")
        self.frameDuration = frameDuration
        step = Rational(frameDuration)
    }

    package func time(ofFrame index: Int) -> Rational { Rational(index) * step }

    /// The frame that is showing at a time.
    package func frame(at time: Rational) -> Int { (time / step).floor() }

    package func firstFrame(atOrAfter time: Rational) -> Int { (time / step).ceil() }

    /// How many frames start within a half-open length of time that starts on the grid.
    package func frameCount(duration: Rational) -> Int { max(0, (duration / step).ceil()) }

    /// Frames per second in lowest terms, such as `30000/1001` or `25/1`.
    package var rateText: String { (Rational(1) / step).description }
}

/// The sample that stands at a time: the nearest, halves away from zero.
package func sampleIndex(of time: Rational, rate: Int) -> Int { (time * Rational(rate)).rounded() }
