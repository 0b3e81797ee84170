import Diagnostics
import MediaFacts
import MediaTime
import SplitreelProject
import SplitreelTimeline

/// Segments that are played backwards, at a speed that changes, or with blended frames.
extension Validator {
    /// The seconds of a source that a speed needs and a file's clock may lack.
    private static let tolerance = Rational(1, 1000)

    mutating func checkSpeed(_ segment: TrackSegment, _ track: Track, _ place: String) {
        let keys = segment.speed ?? []
        checkBlending(segment, track, place)
        for (name, isThere) in [("reverse", segment.reverse == true), ("speed", !keys.isEmpty)]
        where isThere && segment.source == nil {
            error(
                .valueNotAllowed, "\(place).\(name)", "a segment without a `source` has no time of its own to play",
                hint: "give it a `source`, or leave `\(name)` out")
        }
        guard !keys.isEmpty else { return }
        checkKeys(keys, place + ".speed")
        for (index, key) in keys.enumerated() {
            let path = "\(place).speed[\(index)]"
            checkSpeed(key, track, path)
            guard let target = segment.target.exact, let time = key.at?.exact ?? key.range?.exact?.start,
                time > target.end - target.start, time <= Rational(KeyedSpeed.longest)
            else { continue }
            warn(
                .keysOutsideInstruction, path,
                "it begins \(time.shortSeconds) s after the segment does, which lasts "
                    + "\((target.end - target.start).shortSeconds) s: it changes nothing",
                hint: "the times of speeds count from the segment's start")
        }
        checkWay(keys, segment, place)
    }

    /// Checks that frames are blended of what has frames: a film, an image sequence, a part of an animated image.
    private mutating func checkBlending(_ segment: TrackSegment, _ track: Track, _ place: String) {
        guard segment.frameBlending == true else { return }
        let path = place + ".frameBlending"
        guard track.type == .video else {
            return error(
                .valueNotAllowed, path,
                "only frames of video tracks are blended, and this is a track of type `\(track.type.rawValue)`",
                hint: "leave `frameBlending` out here, and say it on the segment of the picture")
        }
        guard let name = segment.asset else {
            return error(
                .valueNotAllowed, path, "a segment without an asset has no frames", hint: "leave `frameBlending` out")
        }
        if project.kind(of: name, facts: facts) == .composition {
            return error(
                .valueNotAllowed, path, "the frames of `\(name)`, which is a composition, are not blended",
                hint: "say `frameBlending` on the segments within it")
        }
        guard segment.source == nil else { return }
        error(
            .valueNotAllowed, path, "a segment without a `source` has no frames between which time passes",
            hint: "give it a `source`, or leave `frameBlending` out: stills and generators have one picture")
    }

    private mutating func checkSpeed(_ key: Key<Double>, _ track: Track, _ path: String) {
        let range = track.type == .audio ? 1 / 32.0...KeyedSpeed.fastest : 0...KeyedSpeed.fastest
        for (name, value) in [("value", key.value), ("from", key.from), ("to", key.to)] {
            guard let value, !range.contains(value) else { continue }
            error(
                .rateOutOfRange, "\(path).\(name)", "\(value) is not a speed that it can have",
                hint: track.type == .audio
                    ? "sound is played from 1/32 to 32 times as fast" : "from 0, which stands still, to 32")
        }
        if let easing = key.easing, easing != .linear {
            error(
                .keyInvalid, path + ".easing", "a speed changes by the same amount all along a ramp",
                hint: "leave `easing` out, or use several ramps")
        }
        let limit = Rational(KeyedSpeed.longest)
        for time in [key.at?.exact, key.range?.exact?.start, key.range?.exact?.end].compactMap(\.self)
        where time.magnitude > limit {
            error(.valueNotAllowed, path, "\(time) lies further than \(limit) s from the segment's start")
        }
    }

    /// Checks that the source is as long as the part of it that the speeds play.
    private mutating func checkWay(_ keys: [Key<Double>], _ segment: TrackSegment, _ place: String) {
        guard let source = segment.source?.exact, let target = segment.target.exact, target.end > target.start,
            let speed = KeyedSpeed(keys)
        else { return }
        let length = target.end - target.start
        guard length <= Rational(KeyedSpeed.longest) else {
            error(
                .valueNotAllowed, place + ".speed", "a segment of more than \(KeyedSpeed.longest) s has one speed",
                hint: "cut it into several")
            return
        }
        let played = SpeedMap.keyed(speed).offset(after: length)
        guard played > source.end - source.start + Self.tolerance else { return }
        error(
            .sourceOutsideAsset, place + ".source",
            "the speeds play \(played.shortSeconds) s of the source, which is "
                + "\((source.end - source.start).shortSeconds) s long",
            hint: "\"source\": [\"\((segment.source?.start ?? .zero).text)\", \"\(played.shortSeconds)s\"]")
    }
}
