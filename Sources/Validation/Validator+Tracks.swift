import Diagnostics
import MediaFacts
import MediaTime
import SplitreelProject
import SplitreelTimeline

extension Validator {
    mutating func checkTracks() {
        if let size = project.composition.naturalSize { check(size, "composition.naturalSize") }
        var ids: Set<Int> = []
        for (index, track) in project.composition.tracks.enumerated() {
            let path = "composition.tracks[\(index)]"
            if !(1...Int(Int32.max)).contains(track.id) {
                error(.valueNotAllowed, path + ".id", "a track's id is from 1 to 2147483647")
            } else if !ids.insert(track.id).inserted {
                error(.usedTwice, path + ".id", "the track id \(track.id) stands twice")
            }
            if let timescale = track.timescale, !(1...Int(Int32.max)).contains(timescale) {
                error(.valueNotAllowed, path + ".timescale", "a timescale is from 1 to 2147483647")
            }
            if let volume = track.preferredVolume { checkVolume(volume, path + ".preferredVolume") }
            checkTiling(track, path)
            checkSegments(track, path)
        }
        let hasPicture = !(project.video?.instructions ?? []).isEmpty
        if duration <= .zero || !(hasPicture || project.renderedTracks.contains { !$0.track.segments.isEmpty }) {
            error(
                .nothingToRender, "composition.tracks", "the composition has no duration or nothing to show or hear",
                hint: "give an enabled video or audio track a segment")
        }
    }

    private mutating func checkTiling(_ track: Track, _ path: String) {
        var previousEnd: Rational? = .zero
        var previous: TrackSegment?
        for (index, segment) in track.segments.enumerated() {
            let place = "\(path).segments[\(index)].target"
            defer { previous = segment }
            guard let target = segment.target.exact, target.end > target.start else {
                error(
                    .segmentRangeInvalid, place,
                    "\(segment.target) is not a range of numbers with a duration above 0")
                previousEnd = nil
                continue
            }
            if let previousEnd, target.start != previousEnd {
                let difference = (target.start - previousEnd).magnitude
                let what = target.start > previousEnd ? "a gap" : "an overlap"
                let rule =
                    index == 0 ? "the first segment starts at 0s" : "the previous one ends at \(previousEnd.shown)"
                error(
                    .segmentsDoNotTile, place,
                    "starts at \(target.start.shown), but \(rule): \(what) of \(difference.shown)",
                    hint: hintOfPlace(segment, after: previous, at: previousEnd)
                        ?? (target.start > previousEnd
                            ? hintOfGap(from: previousEnd, to: target.start)
                            : "start it at \"\(previousEnd.plainTime.text)\""))
            }
            previousEnd = target.end
        }
    }

    private mutating func checkSegments(_ track: Track, _ path: String) {
        for (index, segment) in track.segments.enumerated() {
            let place = "\(path).segments[\(index)]"
            if let volume = segment.volume { checkVolume(volume, place + ".volume") }
            checkFades(segment, track, place)
            checkSpeed(segment, track, place)
            guard let name = segment.asset else {
                if segment.source != nil {
                    error(
                        .assetUnknown, place, "the segment has a source but names no asset",
                        hint: "name an asset, or leave out `source` for an empty segment")
                }
                continue
            }
            guard project.assets[name] != nil else {
                error(
                    .assetUnknown, place + ".asset", "there is no asset `\(name)`", hint: hintOfAsset(near: name))
                continue
            }
            if let number = segment.track, number < 1 {
                error(.valueNotAllowed, place + ".track", "a file's tracks are counted from 1")
            }
            checkSource(segment, name, track, place)
        }
    }

    private mutating func checkSource(_ segment: TrackSegment, _ name: String, _ track: Track, _ place: String) {
        let kind = project.kind(of: name, facts: facts)
        if track.type.isOfText || track.type == .metadata { return checkTextSource(segment, name, track, place) }
        if kind.isTimedText {
            if track.isEnabled {
                error(
                    .trackTypeDiffers, place + ".asset", "`\(name)` has neither picture nor sound",
                    hint: kind == .timedMetadata ? "put it on a metadata track" : "put it on a subtitle track")
            }
            return
        }
        if kind.isData {
            error(
                .trackTypeDiffers, place + ".asset", "`\(name)` is of kind \(kind.rawValue), which no track plays",
                hint: "an effect's parameter names it")
            return
        }
        let isCertain = project.assets[name]?.kind != nil || facts?[name] != nil
        let isSound = kind.isSoundAlone
        if track.isEnabled, track.type == .video, isSound {
            error(.trackTypeDiffers, place + ".asset", "`\(name)` has no picture", hint: "put it on an audio track")
            return
        }
        let hasSound = isSound || [.media, .livePhoto, .composition, .noise].contains(kind)
        if track.isEnabled, track.type == .audio, !hasSound, isCertain {
            error(.trackTypeDiffers, place + ".asset", "`\(name)` has no sound", hint: "put it on a video track")
            return
        }
        // Only its content tells whether a file needs a source.
        if segment.source == nil, !isCertain { return }
        if kind != .media, kind != .composition, kind != .livePhoto || track.type == .video {
            if segment.source != nil, isCertain, ![.animatedImage, .imageSequence, .livePhoto].contains(kind) {
                error(
                    .sourceNotUsed, place + ".source",
                    "`\(name)` is a \(kind.isGenerator ? "generator" : "still"), which has no time of its own",
                    hint: "leave out `source`")
            } else if segment.source == nil {
                checkFileTrack(segment, name, track, place)
                return
            }
        }
        guard let source = segment.source else {
            error(
                .sourceMissing, place + ".source", "`\(name)` needs a source range",
                hint: "\"source\": [\"0s\", \"…\"] in the asset's own time")
            return
        }
        guard let range = source.exact, range.end > range.start else {
            error(
                .segmentRangeInvalid, place + ".source", "\(source) is not a range of numbers with a duration above 0")
            return
        }
        checkFileTrack(segment, name, track, place)
        guard track.isEnabled else { return }
        let meant = remarkEnd(range, segment, track, place)
        checkExtent(range, segment, name, track, place, meant)
        checkRate(range, segment, track, place)
    }

    private mutating func checkFileTrack(_ segment: TrackSegment, _ name: String, _ track: Track, _ place: String) {
        guard track.isEnabled, track.type == .video || track.type == .audio, let known = facts?[name],
            known.kind != .color, project.assets[name]?.kind?.isGenerator != true
        else { return }
        let usual = track.type == .video ? known.videoTrack(of: segment) : known.firstTrack(of: track.type)
        guard let number = segment.track else {
            if let usual {
                checkFault(usual, name, known, place + ".asset")
            } else {
                error(.trackNotInFile, place + ".asset", "`\(name)` has no \(track.type.rawValue) track")
            }
            return
        }
        guard let fileTrack = known.track(number) else {
            error(
                .trackNotInFile, place + ".track", "`\(name)` has \(known.tracks.count) tracks, no track \(number)",
                hint: "`splitreel probe` lists a file's tracks")
            return
        }
        if fileTrack.type != track.type {
            error(
                .trackTypeDiffers, place + ".track",
                "track \(number) of `\(name)` is \(fileTrack.type.rawValue), this track is \(track.type.rawValue)")
        }
        // A live photo's still is shown whatever track of its movie is named.
        let isStill = track.type == .video && known.kind == .livePhoto && segment.source == nil
        checkFault(isStill ? usual ?? fileTrack : fileTrack, name, known, place + ".track")
    }

    /// Notes the fault of a track that cannot be decoded: it hinders where it is used, and nowhere else.
    private mutating func checkFault(_ fileTrack: TrackFacts, _ name: String, _ file: AssetFacts, _ place: String) {
        guard let fault = fileTrack.fault else { return }
        let other = file.tracks.first { $0.type == fileTrack.type && $0.fault == nil && !$0.isCoverPicture }
        let codec = fileTrack.codec.isEmpty ? "" : ", \(fileTrack.codec)"
        error(
            fault.code, place,
            "track \(fileTrack.id) (\(fileTrack.type.rawValue)\(codec)) of \(file.path): \(fault.reason)",
            hint: other.map { "track \($0.id) of `\(name)` can be used: \"track\": \($0.id)" }
                ?? "convert the file, or leave the segment out")
    }

    private mutating func checkExtent(
        _ source: (start: Rational, end: Rational), _ segment: TrackSegment, _ name: String, _ track: Track,
        _ place: String, _ meant: String?
    ) {
        if segment.clampToSource == true { return }
        if source.start < .zero {
            error(
                .sourceOutsideAsset, place + ".source", "starts at \(source.start), before the asset's 0/1",
                hint: "a source begins at \"0s\" or later; a pause before it is an empty segment")
        }
        guard let known = facts?[name], known.kind.isMoving, let end = known.duration.exact else { return }
        let fileTrack = segment.track.flatMap { known.track($0) } ?? known.firstTrack(of: track.type)
        let frame =
            fileTrack?.nominalFrame ?? known.firstTrack(of: .video)?.nominalFrame
            ?? project.video?.frameDuration?.exact ?? Rational(1, 30)
        if source.end > end + frame {
            error(
                .sourceOutsideAsset, place + ".source",
                "ends at \(source.end.shown), but `\(name)` ends at \(end.shown) (one frame of \(frame) is allowed "
                    + "beyond)",
                hint: meant
                    ?? (source.start < end
                        ? hintOfLongSource(source, segment, end: end + frame)
                        : "let it start before \"\(end.plainTime.text)\""))
        }
    }

    private mutating func checkRate(
        _ source: (start: Rational, end: Rational), _ segment: TrackSegment, _ track: Track, _ place: String
    ) {
        guard track.type == .audio, segment.speed?.isEmpty != false, let target = segment.target.exact,
            target.end > target.start
        else { return }
        let rate = (source.end - source.start) / (target.end - target.start)
        if rate < Rational(1, 32) || rate > Rational(32) {
            let length = source.end - source.start
            error(
                .rateOutOfRange, place, "its rate is \(rate); sound can be played from 1/32 to 32 times as fast",
                hint: rate > Rational(32)
                    ? "let its `target` last \((length / Rational(32)).shortSeconds) s or more"
                    : "let its `target` last \((length * Rational(32)).shortSeconds) s or less")
        }
    }

    private func hintOfAsset(near name: String) -> String {
        let names = project.assets.keys.sorted()
        if let near = nearestName(to: name, among: names) { return "did you mean `\(near)`?" }
        let some = names.prefix(8).map { "`\($0.prefix(60))`" }.joined(separator: ", ")
        return names.isEmpty ? "add it to `assets`" : "`assets` has \(some)\(names.count > 8 ? " and others" : "")"
    }

    mutating func checkVolume(_ volume: Double, _ path: String) {
        if !(0...1_000_000).contains(volume) {
            error(
                .volumeOutOfRange, path,
                volume > 1 ? "the volume \(volume) is more than 1000000" : "the volume \(volume) is not 0 or more",
                hint: "it is an amplitude: 1 as it is, 0.5 for half of it, 2 for twice as much")
        }
    }
}
