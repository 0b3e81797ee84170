import Diagnostics
package import MediaTime

/// The least and the greatest length of a chunk, in frames.
package struct ChunkLimits: Hashable {
    /// The length in frames below which a run of an instruction joins its neighbour.
    package var minimumFrames: Int
    /// The length in frames above which a run is cut; nil where everything is one chunk.
    package var maximumFrames: Int?

    static let fewestFrames = 24
    static let shortest = Rational(1)
    static let longest = Rational(3)
    /// The chunks of a plan at most: more are refused. The farm takes as many, and the sound.
    package static let mostChunks = 200_000

    /// - Parameter text: `none`, a number of seconds such as `3` or `0.5`, any time that `MediaTime` reads, or nil for
    ///   at least 1 s and 24 frames, and at most as many whole key-frame intervals as 3 s hold: a chunk begins with a
    ///   key frame, and one more near its end would be wasted.
    /// - Parameter keyFrameInterval: the output's frames from one key frame to the next, from 1.
    package init(text: String?, frameDuration: MediaTime, keyFrameInterval: Int = 1) throws {
        let frame = Rational(frameDuration)
        guard let text else {
            minimumFrames = max((Self.shortest / frame).ceil(), Self.fewestFrames)
            let longest = (Self.longest / frame).floor()
            let whole = longest / keyFrameInterval * keyFrameInterval
            maximumFrames = max(whole > 0 ? whole : longest, minimumFrames)
            return
        }
        if text == "none" {
            (minimumFrames, maximumFrames) = (1, nil)
            return
        }
        guard let time = MediaTime(text: text) ?? MediaTime(text: text + "s"), time.isNumeric,
            Rational(time) > .zero
        else {
            throw SplitreelError(
                .usage, operation: "reading an option", subject: "\(.chunkSeconds, text)",
                reason: "it is neither a time above 0 nor none", hint: "say 3, 0.5, 1001/30000 or none")
        }
        // No film is longer, so a longer chunk is the same thing and its arithmetic stays small.
        let longest = min(Rational(time), Rational(OutputRange.mostFrames) * frame)
        let most = max(1, (longest / frame).floor())
        maximumFrames = most
        minimumFrames = min(most, max(1, (min(Self.shortest, longest) / frame).ceil()))
    }
}
