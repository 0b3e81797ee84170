import MediaFacts
package import MediaTime
package import SplitreelProject

/// The place of a segment's `transition` in time, and what it goes from.
package struct SegmentJoin: Sendable {
    /// A segment's position in the file: its track's and its own, from 0.
    package struct Place: Sendable, Hashable {
        package let track, segment: Int
    }

    package enum Origin: Sendable, Hashable {
        /// The segment before it in its track: the transition has its middle at the cut.
        case cut
        /// A segment of another track, which ends with the transition.
        case overlap(Place)
        /// The picture beneath: the transition begins with the segment.
        case nothing
    }

    /// The place of the segment that comes in.
    package let place: Place
    package let start, end: Rational
    package let origin: Origin

    package var length: Rational { end - start }

    /// The place of the segment that leaves; nil where none does.
    package var leaving: Place? {
        switch origin {
        case .cut: Place(track: place.track, segment: place.segment - 1)
        case .overlap(let place): place
        case .nothing: nil
        }
    }
}

extension Project {
    /// The joins of all enabled video tracks, by track and time. Joins whose times are no numbers are left out. There
    /// are none where instructions say what is drawn.
    package var segmentJoins: [SegmentJoin] {
        let tracks = renderedTracks.filter { $0.track.type == .video }
        guard (video?.instructions ?? []).isEmpty,
            tracks.contains(where: { $0.track.segments.contains { $0.transition != nil } })
        else { return [] }
        let ends = lastEnds
        return tracks.flatMap { index, track in
            track.segments.indices.compactMap { join(track, SegmentJoin.Place(track: index, segment: $0), ends) }
        }
    }

    /// The joins of enabled audio tracks: about cuts alone, whatever the picture's instructions say.
    package var soundJoins: [SegmentJoin] {
        renderedTracks.filter { $0.track.type == .audio }.flatMap { soundJoins(of: $0.track, $0.index) }
    }

    func soundJoins(of track: Track, _ index: Int) -> [SegmentJoin] {
        track.segments.indices.compactMap { join(track, SegmentJoin.Place(track: index, segment: $0), [:]) }
            .filter { $0.origin == .cut }
    }

    private func join(
        _ track: Track, _ place: SegmentJoin.Place, _ ends: [Rational: [SegmentJoin.Place]]
    ) -> SegmentJoin? {
        let segment = track.segments[place.segment]
        guard let transition = segment.transition, transition.enabled != false, !segment.isEmpty,
            let length = transition.duration.exact, length > .zero, let target = segment.target.exact
        else { return nil }
        if place.segment > 0, !track.segments[place.segment - 1].isEmpty {
            let half = length / Rational(2)
            return SegmentJoin(place: place, start: target.start - half, end: target.start + half, origin: .cut)
        }
        let end = target.start + length
        let leaving = (ends[end] ?? []).first { other in
            let begins = composition.tracks[other.track].segments[other.segment].target.exact?.start
            return other.track != place.track && (begins.map { $0 < target.start } ?? false)
        }
        return SegmentJoin(
            place: place, start: target.start, end: end, origin: leaving.map { .overlap($0) } ?? .nothing)
    }

    /// The segments of enabled video tracks after which their tracks show nothing, by their ends; the top-most first.
    private var lastEnds: [Rational: [SegmentJoin.Place]] {
        var result: [Rational: [SegmentJoin.Place]] = [:]
        for (index, track) in renderedTracks where track.type == .video {
            for (position, segment) in track.segments.enumerated() where !segment.isEmpty {
                let next = position + 1
                guard next == track.segments.count || track.segments[next].isEmpty,
                    let end = segment.target.exact?.end
                else { continue }
                result[end, default: []].append(SegmentJoin.Place(track: index, segment: position))
            }
        }
        return result
    }

    /// A track that was on before a transition without origin began, and shows nothing more before it ends; nil for
    /// none.
    package func endsWithin(_ join: SegmentJoin) -> (track: Int, end: Rational)? {
        for (index, track) in renderedTracks where track.type == .video && index != join.place.track {
            for (position, segment) in track.segments.enumerated() where !segment.isEmpty {
                guard let target = segment.target.exact, target.start < join.start, target.end > join.start,
                    target.end < join.end
                else { continue }
                let next = position + 1
                if next == track.segments.count || track.segments[next].isEmpty { return (track.id, target.end) }
            }
        }
        return nil
    }
}
