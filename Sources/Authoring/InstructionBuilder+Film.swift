public import Diagnostics
public import MediaFacts
import MediaTime
import Pictures
public import SplitreelProject
import SplitreelTimeline

extension InstructionBuilder {
    /// The project with instructions: those of `instructions(for:facts:)`, with segments' own transitions in place of
    /// the one by which the builder would join them. About a cut two segments of one track are seen at once, as no
    /// instruction can show them: they are put on two tracks that overlap, of which the second stands after the first
    /// in the file.
    ///
    /// Throws `.valueNotAllowed`, with the transition's path as the subject, where instructions cannot show the same:
    /// a transition from nothing, one beside further tracks, one about the cut of a segment with a keyed speed, or
    /// whose incoming segment counts its time from where it begins.
    public func film(for project: Project, facts: [String: AssetFacts]) throws(SplitreelError) -> Project {
        var film = project
        let joins = project.segmentJoins
        var choices: [OwnJoin] = []
        // From the last track on, so that places before it stay what they are.
        for index in project.composition.tracks.indices.reversed() {
            let own = joins.filter { $0.place.track == index }
            guard !own.isEmpty else { continue }
            var lanes = try SpreadTrack(project.composition.tracks[index], own, facts)
            if lanes.isSpread { lanes.second.id = film.freeTrackID }
            for join in own {
                guard let choice = project.composition.tracks[index].segments[join.place.segment].transition?.choice
                else { continue }
                let track = lanes.isOnSecond[join.place.segment] ? lanes.second.id : lanes.first.id
                choices.append(OwnJoin(join: join, incoming: track, choice: choice))
            }
            film.composition.tracks.replaceSubrange(
                index...index, with: lanes.isSpread ? [lanes.first, lanes.second] : [lanes.first])
        }
        if film.video == nil { film.video = VideoComposition() }
        var instructions = self.instructions(for: film, facts: facts)
        for own in choices {
            let place = instructions.firstIndex {
                $0.range.exact.map { $0.start == own.join.start && $0.end == own.join.end } ?? false
            }
            guard let place, let layers = instructions[place].layers, layers.count == 2,
                let incoming = layers.first(where: { $0.track == own.incoming }),
                var outgoing = layers.first(where: { $0.track != own.incoming }), own.join.leaving != nil
            else {
                throw own.join.fault("no instruction shows it: it is not between two pictures that are there alone")
            }
            outgoing.opacity = nil
            instructions[place].layers = [outgoing, incoming]
            instructions[place].effect = own.choice
        }
        film.video?.instructions = instructions
        return film
    }

    private struct OwnJoin {
        let join: SegmentJoin
        /// The id of the track that has the picture that comes in.
        let incoming: Int
        let choice: RegisteredChoice
    }
}

extension Project {
    fileprivate var freeTrackID: Int { (composition.tracks.map(\.id).max() ?? 0) + 1 }
}

extension SegmentJoin {
    fileprivate func fault(_ reason: String) -> SplitreelError {
        SplitreelError(
            .valueNotAllowed, operation: "making instructions",
            subject: "composition.tracks[\(place.track)].segments[\(place.segment)].transition", reason: reason,
            hint: "leave the composition without instructions: transitions are shown then")
    }
}

/// A track whose segments no longer have transitions: each that was joined to the one before it about their cut lies on
/// the other one of two tracks, and both reach into the transition.
private struct SpreadTrack {
    var first, second: Track
    /// Whether each segment lies on the second track, by the segment's position.
    private(set) var isOnSecond: [Bool] = []
    var isSpread: Bool { !second.segments.isEmpty }

    init(_ track: Track, _ joins: [SegmentJoin], _ facts: [String: AssetFacts]) throws(SplitreelError) {
        (first, second) = (track, track)
        (first.segments, second.segments) = ([], [])
        let cuts = Dictionary(joins.filter { $0.origin == .cut }.map { ($0.place.segment, $0) }) { $1 }
        var ends = [Rational.zero, .zero]
        for (position, segment) in track.segments.enumerated() {
            let (before, after) = (cuts[position], cuts[position + 1])
            isOnSecond.append((isOnSecond.last ?? false) != (before != nil))
            guard !segment.isEmpty, let target = segment.target.exact else { continue }
            if let before, segment.source == nil, let name = segment.asset, facts[name]?.kind == .animatedImage {
                throw before.fault("`\(name)` plays from where it begins, and would begin earlier")
            }
            let own = try Self.reaching(segment, before, after)
            let start = before?.start ?? target.start
            let lane = isOnSecond[position] ? 1 : 0
            var lines: [TrackSegment] = []
            if start > ends[lane] {
                var gap = TrackSegment()
                gap.target = TimeRange(start: ends[lane].plainTime, duration: (start - ends[lane]).plainTime)
                lines.append(gap)
            }
            lines.append(own)
            ends[lane] = after?.end ?? target.end
            if lane == 0 { first.segments += lines } else { second.segments += lines }
        }
    }

    /// The segment with half of each transition more, of its source too, at its own rate.
    private static func reaching(
        _ segment: TrackSegment, _ before: SegmentJoin?, _ after: SegmentJoin?
    ) throws(SplitreelError) -> TrackSegment {
        var segment = segment
        segment.transition = nil
        guard let cut = before ?? after, let target = segment.target.exact else { return segment }
        guard segment.speed == nil else { throw cut.fault("the segment's speed is keyed from where it begins") }
        let (start, end) = (before?.start ?? target.start, after?.end ?? target.end)
        segment.target = TimeRange(start: start.plainTime, duration: (end - start).plainTime)
        if let source = segment.source?.exact, target.end > target.start {
            let rate = (source.end - source.start) / (target.end - target.start)
            let (early, late) = ((target.start - start) * rate, (end - target.end) * rate)
            let isReversed = segment.reverse == true
            let from = source.start - (isReversed ? late : early)
            let to = source.end + (isReversed ? early : late)
            segment.source = TimeRange(start: from.plainTime, duration: (to - from).plainTime)
        }
        return segment
    }
}
