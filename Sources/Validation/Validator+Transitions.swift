import Diagnostics
import JSONText
import MediaFacts
import MediaTime
import SplitreelProject
import SplitreelTimeline

extension Validator {
    /// Checks the key `transition` of segments.
    mutating func checkTransitions() {
        for (index, track) in project.composition.tracks.enumerated() {
            for (position, segment) in track.segments.enumerated() {
                guard let transition = segment.transition else { continue }
                let path = "composition.tracks[\(index)].segments[\(position)].transition"
                if track.type == .video { checkRegistered(transition.choice, path, kinds: [.transition]) }
                if transition.duration.exact.map({ $0 > .zero }) != true {
                    error(
                        .valueNotAllowed, path + ".duration", "\(transition.duration) is no number of seconds above 0")
                }
                if track.type != .video, track.type != .audio {
                    error(.valueNotAllowed, path, "only pictures and sound have transitions")
                } else if segment.isEmpty {
                    error(
                        .valueNotAllowed, path, "nothing comes in here: the segment is empty",
                        hint: "put it on a segment with an asset")
                } else if track.type == .audio {
                    checkCrossfade(transition, track, position, path)
                } else if track.isEnabled, !(project.video?.instructions ?? []).isEmpty {
                    error(
                        .valueNotAllowed, path, "nobody would see it: video.instructions say what is drawn",
                        hint: "leave them out, or give one of them the transition as `effect`")
                }
            }
        }
        for joins in [project.segmentJoins, project.soundJoins] {
            for join in joins { checkRoom(join, joins) }
        }
    }

    /// Checks the transition of a segment of sound.
    private mutating func checkCrossfade(
        _ transition: SegmentTransition, _ track: Track, _ position: Int, _ path: String
    ) {
        if transition.id != SoundTransition.id {
            error(
                .valueNotAllowed, path + ".id", "sound has no transition `\(transition.id.prefix(60))`",
                hint: "\"id\": \"\(SoundTransition.id)\"")
        }
        if transition.version != nil {
            error(.valueNotAllowed, path + ".version", "a crossfade has no versions", hint: "leave it out")
        }
        if transition.easing != nil {
            error(
                .valueNotAllowed, path + ".easing", "a crossfade has a curve instead",
                hint: "\"params\": {\"curve\": \"linear\"}")
        }
        if case .object(let members)? = transition.params {
            for name in members.keys.sorted() where name != "curve" {
                error(
                    .parameterWrong, "\(path).params.\(name)", "a crossfade does not understand `\(name.prefix(60))`",
                    hint: "its one parameter is `curve`")
            }
        } else if transition.params != nil {
            error(.parameterWrong, path + ".params", "parameters are an object", hint: "{\"curve\": \"linear\"}")
        }
        if SoundTransition.curve(transition.params) == nil {
            error(
                .parameterWrong, path + ".params.curve", "it is no curve of a fade", hint: "`equalPower` or `linear`")
        }
        guard transition.enabled != false else { return }
        guard position > 0, !track.segments[position - 1].isEmpty else {
            error(
                .valueNotAllowed, path, "there is no sound right before it in its track to cross with",
                hint: "let it come in by `fadeIn`, or by `fadeIn` and `fadeOut` of sounds on two tracks that overlap")
            return
        }
        if track.segments[position].fadeIn != nil || track.segments[position - 1].fadeOut != nil {
            error(
                .valueNotAllowed, path, "both sounds fade by the transition, and one has a fade of its own there",
                hint: "leave out `fadeIn` here and `fadeOut` of the segment before it")
        }
    }

    private func segment(_ place: SegmentJoin.Place) -> TrackSegment {
        project.composition.tracks[place.track].segments[place.segment]
    }

    /// Checks that a transition lies within the segments that it joins, apart from their other transitions, and that
    /// their sources reach as far.
    private mutating func checkRoom(_ join: SegmentJoin, _ joins: [SegmentJoin]) {
        let path = "composition.tracks[\(join.place.track)].segments[\(join.place.segment)].transition"
        guard let target = segment(join.place).target.exact else { return }
        if join.end > target.end {
            error(
                .valueNotAllowed, path + ".duration",
                "the transition ends at \(join.end.shown), but its segment at \(target.end.shown)",
                hint: "shorten the transition, or make the segment longer")
        }
        if join.origin == .nothing, let early = project.endsWithin(join) {
            error(
                .valueNotAllowed, path + ".duration",
                "the transition ends at \(join.end.shown), but track \(early.track) has nothing more from "
                    + "\(early.end.plainTime.text) on",
                hint: "make it as long as the overlap: \"\((early.end - join.start).plainTime.text)\"")
        }
        guard let leaving = join.leaving, let other = segment(leaving).target.exact else { return }
        let before = joins.first { $0.place == leaving }
        let free = max(before?.end ?? other.start, other.start)
        if join.start < free {
            error(
                .valueNotAllowed, path + ".duration",
                "the transition begins at \(join.start), but what leaves is "
                    + (before == nil ? "not there before \(free)" : "coming in itself until \(free)"),
                hint: "shorten the transition")
        }
        if join.origin == .cut { checkHandles(join, leaving, path) }
    }

    /// Checks the sources of a transition about a cut, which shows both for half of its length beyond it.
    private mutating func checkHandles(_ join: SegmentJoin, _ leaving: SegmentJoin.Place, _ path: String) {
        guard let facts else { return }
        let isSound = project.composition.tracks[join.place.track].type == .audio
        let half = join.length / Rational(2)
        for (place, isLeaving) in [(leaving, true), (join.place, false)] {
            let segment = segment(place)
            guard segment.clampToSource != true, let name = segment.asset, let known = facts[name],
                known.kind.isMoving, let source = segment.source?.exact, let target = segment.target.exact,
                target.end > target.start, let end = known.duration.exact
            else { continue }
            let length = target.end - target.start
            let speed = SpeedMap(segment.speed, source: source.end - source.start, target: length)
            let whole = speed.offset(after: length)
            let isReversed = segment.reverse == true
            let wanted = isLeaving ? speed.offset(after: length + half) - whole : -speed.offset(after: -half)
            // A frame beyond the end is held, as it is of segments.
            let frame = known.videoTrack(of: segment)?.nominalFrame ?? project.video?.frameDuration?.exact ?? .zero
            let room = isLeaving != isReversed ? end + frame - source.end : source.start
            guard wanted > room else { continue }
            let isAfter = isLeaving != isReversed
            let there = max(.zero, isAfter ? end - source.end : room)
            let segmentEnds = isLeaving ? ", where the segment before it ends" : ""
            let side = isAfter ? "after \(source.end)\(segmentEnds)" : "before \(source.start)"
            error(
                .sourceOutsideAsset, path,
                "needs \(wanted) s of `\(name)` \(side): there are \(there) s",
                hint:
                    "shorten the transition, let that segment \(isLeaving ? "end earlier" : "begin later") there, "
                    + "or say \"clampToSource\": true on it to "
                    + (isSound ? "have silence there" : "hold its \(isLeaving ? "last" : "first") frame")
            )
        }
    }
}
