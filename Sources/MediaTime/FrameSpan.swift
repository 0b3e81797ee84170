/// A frame's place among the frames of a track: the times from which it and those beside it are presented, in seconds.
public struct FrameSpan: Sendable, Hashable {
    public var start: Rational
    /// The time from which the frame before it is presented; nil for the first.
    public var previous: Rational?
    /// The time from which the next frame is presented; nil for the last.
    public var next: Rational?

    public init(start: Rational, previous: Rational?, next: Rational?) {
        self.start = start
        self.previous = previous
        self.next = next
    }
}
