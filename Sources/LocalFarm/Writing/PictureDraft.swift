import Diagnostics
package import Libav
import MediaReading
package import MediaTime
import MediaWriting
package import Outputs
import Pictures

/// The pictures of a film that is being written: encoded one after the other, each with a time of its own. Confined to
/// one thread at a time.
package final class PictureDraft {
    package let settings: VideoSettings
    let transform: Affine
    let path: String
    private let frameDuration: MediaTime
    private let encoder: VideoEncoder
    private let writer: SegmentWriter
    private let pool: FramePool
    /// The frames' times in seconds from the film's start.
    private var times: [Rational] = []

    init(_ settings: VideoSettings, frameDuration: MediaTime, transform: Affine, path: String) throws {
        (self.settings, self.frameDuration) = (settings, frameDuration)
        (self.transform, self.path) = (transform, path)
        encoder = try VideoEncoder(settings: settings, frameDuration: frameDuration)
        writer = try SegmentWriter(path: path, video: encoder)
        pool = try FramePool(format: settings.format, size: settings.size, colour: settings.colour)
    }

    /// A frame for the next picture; its samples are whatever was there before.
    package func makeFrame() throws -> Frame { try pool.take() }

    /// Encodes the next picture, which is shown from `time` on. The frame is not to be written to any more.
    ///
    /// - Throws: `.usage` for a time that is not after the one before it, or below 0.
    package func append(_ frame: borrowing Frame, at time: Rational) throws {
        guard time >= .zero, times.last.map({ $0 < time }) ?? true, times.count < FrameTimes.mostFrames else {
            let last = times.last.map { "the picture before it has \($0.shortSeconds) s" } ?? "the film starts at 0 s"
            throw SplitreelError(
                .usage, operation: "writing a picture", subject: "a picture at \(time.shortSeconds) s",
                reason: last, hint: "append pictures in the order of their times, each later than the one before it")
        }
        try encoder.send(frame, index: times.count) { try writer.write($0) }
        times.append(time)
    }

    /// The end of the last picture in seconds: it lasts as long as the one before it, and a usual frame where it is
    /// alone. nil without pictures.
    var end: Rational? {
        times.last.map { last in
            let before = times.dropLast().last
            return last + (before.map { last - $0 } ?? Rational(frameDuration))
        }
    }

    /// Completes the segment.
    ///
    /// - Parameter end: the film's end in seconds, after the last picture's time.
    /// - Returns: its facts, and the frames' times where they are not even from 0 on.
    func finish(at end: Rational) throws -> (facts: SegmentFacts, times: FrameTimes?) {
        guard let first = times.first, let last = times.last, last < end else {
            throw SplitreelError(
                .usage, operation: "writing a film", subject: path,
                reason: times.isEmpty ? "its track of pictures has none" : "its end is not after its last picture",
                hint: "append a picture, or end the film later")
        }
        try encoder.finish { try writer.write($0) }
        let facts = try writer.finish()
        let step = Rational(frameDuration)
        let isEven = times.enumerated().allSatisfy { $1 == step * Rational($0) } && end == step * Rational(times.count)
        if isEven { return (facts, nil) }
        // One clock for all times, of 31 bits at most.
        var scale: Int128 = 1
        for time in times + [end] {
            scale = scale / greatestDivisor(scale, time.denominator) * time.denominator
            if scale > Int128(Int32.max) { break }
        }
        let tick = scale > Int128(Int32.max) ? Rational(1, 90_000) : Rational(numerator: 1, denominator: scale)
        let ticks = times.map { Int64((($0 - first) / tick).rounded()) }
        guard let list = FrameTimes(start: first, tick: tick, offsets: ticks) else {
            throw SplitreelError(
                .usage, operation: "writing a film", subject: path,
                reason: "two of its pictures are closer than 1/90000 s, which no clock of films tells apart",
                hint: "give pictures times of one timescale")
        }
        return (facts, list)
    }
}

private func greatestDivisor(_ first: Int128, _ second: Int128) -> Int128 {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
}
