package import Diagnostics
import Libav
package import MediaFacts
import MediaReading
package import MediaTime

/// The frames of one track of a media file in order, decoded, at their own times; a still is one frame.
package struct TrackFrames: Sendable {
    private let path: String
    private let track: TrackFacts
    private let isMoving: Bool
    private let range: (start: Rational, end: Rational)
    /// The end of the track, and of its last frame.
    private let end: Rational

    /// - Parameter range: the asset time of which frames are wanted that are shown in it; nil for all.
    /// - Throws: `.mediaHasNoSuchTrack` where the track has no picture.
    package init(of facts: AssetFacts, track: TrackFacts, range: (start: Rational, end: Rational)? = nil) throws {
        guard track.type == .video, track.video != nil else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading", subject: facts.path,
                reason: "track \(track.id) is no picture")
        }
        (path, self.track) = (facts.path, track)
        isMoving = facts.kind.isMoving
        let start = track.start.exact ?? .zero
        let own = (start: start, end: start + (track.duration.exact ?? .zero))
        end = own.end
        self.range = range.map { (max($0.start, own.start), min($0.end, own.end)) } ?? own
    }

    private func picture(_ frame: consuming Frame) -> Picture {
        Picture(frame, pixelAspect: track.video?.pixelAspect ?? 1)
    }

    /// Calls `deliver` for each frame with its index, from 0, its asset time and its duration. Answers what a person
    /// should know of the source. Blocking; what `deliver` throws ends it.
    package func read(
        cancellation: Cancellation,
        _ deliver: (_ index: Int, _ time: Rational, _ duration: Rational, _ picture: Picture) throws -> Void
    ) throws -> NoticeList {
        let reader = try VideoReader(path: path, track: track.id)
        guard isMoving else {
            let still = try reader.withFrame(at: .zero) { frame, _ in picture(try frame.reference()) }
            if let still { try deliver(0, .zero, .zero, still) }
            return reader.takeNotices()
        }
        var (index, time) = (0, range.start)
        while time < range.end {
            try cancellation.check()
            guard let span = reader.span(at: time) else { break }
            let picture = try reader.withFrame(at: max(span.start, time)) { frame, _ in
                self.picture(try frame.reference())
            }
            guard let picture else { break }
            let end = span.next ?? max(end, span.start)
            try deliver(index, span.start, end - span.start, picture)
            index += 1
            guard let next = span.next, next > time else { break }
            time = next
        }
        return reader.takeNotices()
    }
}
