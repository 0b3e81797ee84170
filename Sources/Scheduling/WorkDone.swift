/// The part of a job that is done. The one definition, for every display and every document:
///
/// - A frame is done when a running attempt has encoded it, or when its chunk's attempt is being checked or is stored.
/// - A chunk is done when its segment has been checked and stored; so a chunk that is done has all of its frames done.
/// - The percentage is the frames that are done of all frames, rounded down; 100 only when the film is in place. The
///   sound counts by its samples where there is no picture, else not at all.
/// - None of them falls: what is lost and rendered again counts once, when it passes what was counted before.
package struct WorkDone: Sendable, Hashable {
    /// The frames of the picture; without one, the samples of the sound.
    package var frames: Int
    package var framesDone: Int
    package var chunks: Int
    package var chunksDone: Int
    package var isInPlace: Bool
    /// The bytes of sources that came from afar for it.
    package var sources = SourceBytes()

    package init(frames: Int = 0, framesDone: Int = 0, chunks: Int = 0, chunksDone: Int = 0, isInPlace: Bool = false) {
        self.frames = max(0, frames)
        self.framesDone = min(max(0, framesDone), self.frames)
        self.chunks = max(0, chunks)
        self.chunksDone = min(max(0, chunksDone), self.chunks)
        self.isInPlace = isInPlace
    }

    /// The whole percents that are done, 0 to 100; 100 only when the film is in place.
    package var percent: Int {
        if isInPlace { return 100 }
        guard frames > 0 else { return 0 }
        return min(99, frames.dividingFullWidth(framesDone.multipliedFullWidth(by: 100)).quotient)
    }

    /// The part that is done, 0 to 1, and never more than `percent` says while the film is not in place.
    package var fraction: Double {
        if isInPlace { return 1 }
        return frames > 0 ? min(0.99, Double(framesDone) / Double(frames)) : 0
    }

    package var framesLeft: Int { frames - framesDone }

    /// Takes over work that was done before and has since been lost, as by the restart of a coordinator. Nothing is
    /// taken over from another plan (an output that changed its length).
    package mutating func keep(_ before: WorkDone) {
        if before.frames == frames { framesDone = max(framesDone, before.framesDone) }
        if before.chunks == chunks { chunksDone = max(chunksDone, before.chunksDone) }
        isInPlace = isInPlace || before.isInPlace
    }
}
