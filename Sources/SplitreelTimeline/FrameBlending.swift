package import MediaTime

/// The rule by which a segment blends its source's frames: between two of them the mean of both is shown, each by its
/// distance from the exact source time. Backwards it is as if the frames were written in the opposite order.
package struct FrameBlending: Sendable, Hashable {
    /// The ends of the segment's source, in seconds of asset time: what begins beyond is not blended in.
    package var start, end: Rational
    package var isReversed: Bool
    /// The end of the file's track in seconds of asset time, where its last frame ends.
    package var trackEnd: Rational
    /// The seconds that clocks of files round by; backwards the wanted time lies so much before the exact one.
    package var instant: Rational

    /// The number of parts of a whole to which shares are rounded.
    package static let parts = 256

    package init(start: Rational, end: Rational, isReversed: Bool, trackEnd: Rational, instant: Rational) {
        self.start = start
        self.end = end
        self.isReversed = isReversed
        self.trackEnd = trackEnd
        self.instant = instant
    }

    /// The time of the frame that is blended with the one that is held at the wanted `time`, and its share of the mean,
    /// 1…`parts`; nil where the held frame stands alone.
    package func other(at time: Rational, heldIn span: FrameSpan) -> (time: Rational, share: Int)? {
        isReversed ? earlier(time + instant, span) : later(time, span)
    }

    private func later(_ exact: Rational, _ span: FrameSpan) -> (time: Rational, share: Int)? {
        // A transition plays on after the source's end.
        guard let next = span.next, next > span.start, exact >= end || next + instant < end else { return nil }
        return share((exact - span.start) / (next - span.start)).map { (next, $0) }
    }

    private func earlier(_ exact: Rational, _ span: FrameSpan) -> (time: Rational, share: Int)? {
        let last = span.next ?? trackEnd
        guard let previous = span.previous, last > span.start, exact <= start || span.start > start + instant else {
            return nil
        }
        return share((last - exact) / (last - span.start)).map { (previous, $0) }
    }

    private func share(_ part: Rational) -> Int? {
        let share = min((part * Rational(Self.parts)).rounded(), Self.parts)
        return share > 0 ? share : nil
    }
}

/// The mean of two frames of one track.
package struct BlendedFrames: Sendable, Hashable {
    package var held: SourceFrame
    /// The asset time from which the other frame is presented.
    package var otherTime: Rational
    /// The other frame's part of the mean, in `FrameBlending.parts`, neither none nor all.
    package var share: Int

    package init(held: SourceFrame, otherTime: Rational, share: Int) {
        self.held = held
        self.otherTime = otherTime
        self.share = share
    }

    package var other: SourceFrame {
        var other = held
        other.time = otherTime
        return other
    }
}
