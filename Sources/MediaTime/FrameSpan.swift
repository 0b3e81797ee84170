/// A frame's place among the frames of a track: the times from which it and those beside it are presented, in seconds.
package struct FrameSpan: Sendable, Hashable {
    package var start: Rational
    /// The time from which the frame before it is presented; nil for the first.
    package var previous: Rational?
    /// The time from which the next frame is presented; nil for the last.
    package var next: Rational?

    package init(start: Rational, previous: Rational?, next: Rational?) {
        self.start = start
        self.previous = previous
        self.next = next
    }
}
