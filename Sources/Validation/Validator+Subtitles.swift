import Diagnostics
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline

extension Validator {
    mutating func check(_ subtitles: SubtitleSettings, _ path: String) {
        let name = subtitles.asset
        if let asset = project.assets[name] {
            if asset.kind == .subtitles {
                if subtitles.track != nil {
                    error(
                        .valueNotAllowed, path + ".track", "a file of subtitles has no tracks", hint: "leave it out")
                }
            } else if asset.isNested || (asset.kind != nil && asset.kind != .media) {
                error(
                    .valueNotAllowed, path + ".asset",
                    "the asset `\(name.prefix(60))` is neither of kind subtitles nor a film",
                    hint: "say \"kind\": \"subtitles\" where it stands")
            } else {
                checkTextTrack(subtitles, path)
            }
        } else {
            error(
                .assetUnknown, path + ".asset", "there is no asset `\(name.prefix(60))`",
                hint: nearestName(to: name, among: Array(project.assets.keys)).map { "did you mean `\($0)`?" }
                    ?? "add it: \"assets\": {\"…\": {\"kind\": \"subtitles\", \"url\": \"….srt\"}}")
        }
        if let offset = subtitles.offset, offset.exact == nil {
            error(.valueNotAllowed, path + ".offset", "`\(offset)` is not a number of seconds")
        }
        if let area = subtitles.area, area.isInfinite || area.isEmpty {
            error(.valueNotAllowed, path + ".area", "an area has a width and a height above 0")
        }
        checkLooks(subtitles, path)
        checkCarried(subtitles, path)
        guard let text = subtitles.text else { return }
        checkText(text, path + ".text")
        if !text.string.contains("{{") {
            warn(
                .textWithoutCue, path + ".text.string", "nothing of the file stands in it: every cue looks the same",
                hint: "`{{text}}` stands for a cue's text, `{{name}}` for a value of timed data")
        }
    }

    /// Checks the track of a film that subtitles are read from.
    private mutating func checkTextTrack(_ subtitles: SubtitleSettings, _ path: String) {
        let name = subtitles.asset
        guard let known = facts?[name] else { return }
        let readable = known.tracks.first { $0.isText }
        let hint =
            readable.map { "track \($0.id) can be read: \"track\": \($0.id)" } ?? "`splitreel probe` lists its tracks"
        guard let number = subtitles.track else {
            if readable == nil {
                error(
                    .trackNotInFile, path + ".asset", "`\(name.prefix(60))` has no track of text that can be read",
                    hint: "mov_text, SubRip, WebVTT, ASS, plain text and CEA-608 are read; pictures of text are not")
            }
            return
        }
        guard let track = known.track(number) else {
            return error(
                .trackNotInFile, path + ".track",
                "`\(name.prefix(60))` has \(known.tracks.count) tracks, no track \(number)", hint: hint)
        }
        if !track.isText {
            let codec = track.codec.isEmpty ? "" : ", \(track.codec)"
            error(
                .trackTypeDiffers, path + ".track",
                "track \(number) of `\(name.prefix(60))` is \(track.type.rawValue)\(codec), not text that can be read",
                hint: hint)
        }
    }

    /// Warns of looks beside a script, which has its own.
    private mutating func checkLooks(_ subtitles: SubtitleSettings, _ path: String) {
        guard subtitles.text == nil, facts?[subtitles.asset]?.text(ofTrack: subtitles.track)?.header != nil else {
            return
        }
        for (key, isThere) in [
            ("area", subtitles.area != nil), ("place", subtitles.place != nil),
            ("highlight", subtitles.highlight != nil),
        ] where isThere {
            warn(
                .textWithoutCue, "\(path).\(key)",
                "an ASS script has styles and places of its own: this changes nothing",
                hint: "with `text` its words are drawn as that says")
        }
    }

    /// Checks the keys of subtitles that are carried as a track.
    private mutating func checkCarried(_ subtitles: SubtitleSettings, _ path: String) {
        checkTrackName(subtitles.name, path + ".name")
        checkLanguage(subtitles.language, path + ".language")
        guard subtitles.mode?.isTrack != true else { return }
        let keys = [
            ("language", subtitles.language != nil), ("name", subtitles.name != nil),
            ("disposition", subtitles.disposition != nil),
        ]
        for (key, isThere) in keys where isThere {
            warn(
                .trackNotWritten, "\(path).\(key)", "the subtitles are no track of the film: this changes nothing",
                hint: "\"mode\": \"track\" carries them as one, \"both\" draws them too")
        }
    }

    /// Checks the source of a segment of a track of text or of data.
    mutating func checkTextSource(_ segment: TrackSegment, _ name: String, _ track: Track, _ place: String) {
        guard track.isEnabled else { return }
        let kind = project.kind(of: name, facts: facts)
        if let source = segment.source, source.exact.map({ $0.end <= $0.start }) ?? true {
            error(
                .segmentRangeInvalid, place + ".source", "\(source) is not a range of numbers with a duration above 0")
        }
        let known = facts?[name]
        guard kind.isTimedText || kind == .media || kind == .livePhoto else {
            return error(
                .trackTypeDiffers, place + ".asset", "`\(name)` has neither text nor data",
                hint: "name a film, or an asset of kind \(track.type == .metadata ? "timedMetadata" : "subtitles")")
        }
        guard let known else { return }
        guard known.kind == .media || known.kind == .livePhoto else {
            if segment.track != nil {
                error(.valueNotAllowed, place + ".track", "a file of text has no tracks", hint: "leave it out")
            }
            if track.type.isOfText, known.timedText?.cues.first?.isData == true {
                error(
                    .trackTypeDiffers, place + ".asset", "`\(name)` holds data, this track is \(track.type.rawValue)",
                    hint: "put it on a metadata track")
            }
            return
        }
        guard let played = known.dataTrack(segment.track, for: track.type) else {
            let what = segment.track.map { "\(known.tracks.count) tracks, no track \($0)" }
            return error(
                .trackNotInFile, place + (segment.track == nil ? ".asset" : ".track"),
                "`\(name)` has \(what ?? "no track of \(track.type == .metadata ? "data" : "text that can be read")")",
                hint: "`splitreel probe` lists a file's tracks")
        }
        let fits = track.type == .metadata ? played.video == nil && played.audio == nil : played.isText
        if !fits {
            error(
                .trackTypeDiffers, place + ".track",
                "track \(played.id) of `\(name)` is \(played.type.rawValue), this track is \(track.type.rawValue)")
        }
    }
}
