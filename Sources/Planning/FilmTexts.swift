import Diagnostics
package import MediaFacts
package import MediaTime
package import Outputs
package import SplitreelProject
import SplitreelTimeline

/// The tracks of text that a project's film carries, cut to its range, in the order of the file: subtitles of
/// `video.subtitles` that are to be a track, then the composition's tracks of text and of timed data. Throws where more
/// is shown at once than the container holds.
package func filmTexts(
    of project: Project, _ assets: [String: AssetFacts], container: Container, from start: Rational,
    duration: Rational
) throws -> [FilmText] {
    var texts: [FilmText] = []
    func add(
        _ cues: [PlacedCue], _ kind: FilmText.Kind, _ header: String?, _ tags: FilmTags.Track?,
        _ flags: [TrackDisposition]
    ) throws {
        guard let codec = container.textCodec(kind, isScript: header != nil) else { return }
        let cut = cues.compactMap { cue -> PlacedCue? in
            var cue = cue
            (cue.start, cue.end) = (max(.zero, cue.start - start), min(duration, cue.end - start))
            return cue.start < cue.end ? cue : nil
        }.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        guard !cut.isEmpty else { return }
        texts.append(
            FilmText(
                kind: kind, codec: codec, tags: tags, dispositions: flags, header: codec == .ass ? header : nil,
                cues: codec == .movText ? try separate(cut, kind, container) : cut.map { FilmText.Cue($0, codec) }))
    }
    for settings in project.video?.subtitles ?? [] where settings.enabled != false && settings.mode?.isTrack == true {
        guard let text = assets[settings.asset]?.text(ofTrack: settings.track) else { continue }
        let offset = settings.offset.map { Rational($0) } ?? .zero
        let cues = text.cues.map { cue in
            PlacedCue(start: Rational(cue.start) + offset, end: Rational(cue.end) + offset, cue: cue)
        }
        let kind: FilmText.Kind = text.cues.first?.isData == true ? .metadata : .subtitle
        try add(cues, kind, text.header, textTags(settings.language, settings.name), settings.disposition ?? [])
    }
    for track in project.composition.tracks where track.isEnabled && !track.segments.isEmpty {
        guard track.type.isOfText || track.type == .metadata else { continue }
        let cues = track.placedCues(assets)
        let isData = track.type == .metadata
        try add(
            cues, isData ? .metadata : .subtitle, isData ? nil : track.scriptHeader(assets),
            textTags(track.language, track.name), track.disposition ?? [])
    }
    return texts
}

/// Remarks on the tracks of text and of data that the film will not have.
package func textRemarks(
    of project: Project, _ assets: [String: AssetFacts], container: Container
) -> [String] {
    var remarks: [String] = []
    let tracks = project.composition.tracks.filter {
        $0.isEnabled && !$0.segments.isEmpty && ($0.type.isOfText || $0.type == .metadata)
    }
    let subtitles = (project.video?.subtitles ?? []).filter { $0.enabled != false && $0.mode?.isTrack == true }
    if container.textCodec(.subtitle, isScript: false) == nil, !tracks.isEmpty || !subtitles.isEmpty {
        remarks.append("\(container.rawValue) has no place for tracks of text: they are not written")
        return remarks
    }
    for track in tracks where track.type == .metadata {
        let played = track.segments.compactMap { segment in
            segment.asset.flatMap { assets[$0]?.dataTrack(segment.track, for: .metadata) }
        }
        if let data = played.first(where: { !$0.isText }) {
            let codec = data.codec.isEmpty ? "data" : data.codec
            remarks.append("what track \(track.id) plays of \(codec) is not text: it is not written to the film")
        }
    }
    return remarks
}

private func textTags(_ language: String?, _ name: String?) -> FilmTags.Track? {
    let language = language.flatMap(languageCode)
    let name = name.flatMap { $0.isEmpty ? nil : $0 }
    return language == nil && name == nil ? nil : FilmTags.Track(language: language, name: name)
}

extension FilmText.Cue {
    fileprivate init(_ placed: PlacedCue, _ codec: FilmText.Codec) {
        let cue = placed.cue
        self.init(
            start: placed.start.mediaTime, end: placed.end.mediaTime,
            text: codec == .ass ? cue.script ?? cue.text : cue.text)
    }
}

/// Cues that follow each other. Where several are shown at once, one cue says what all say, in the order of their
/// starts; of data it is the last one.
private func separate(
    _ cues: [PlacedCue], _ kind: FilmText.Kind, _ container: Container
) throws -> [FilmText.Cue] {
    // Bytes of a sample, whose length has 16 bits, and of all of them together.
    let (most, mostOfAll) = (0xFFFF, 64 << 20)
    let lengths = cues.map { $0.cue.plainText.utf8.count }
    var byteCount = 0
    func refuse(_ count: Int, at time: Rational, _ reason: String) -> SplitreelError {
        let what = kind == .metadata ? "timed data" : count == 1 ? "a subtitle" : "\(count) subtitles at once"
        return impossible(
            "\(what), at \(time.shortSeconds) s", "\(container.rawValue) \(reason)",
            hint: "write an mkv, whose texts stand beside each other, or take some of them away")
    }
    let edges = Set(cues.flatMap { [$0.start, $0.end] }).sorted()
    var result: [FilmText.Cue] = []
    var open: [Int] = []
    var next = 0
    var shown: Int?
    for (start, end) in zip(edges, edges.dropFirst()) {
        open.removeAll { cues[$0].end <= start }
        while next < cues.count, cues[next].start <= start {
            open.append(next)
            next += 1
        }
        defer { shown = open.last }
        guard let last = open.last else { continue }
        if kind == .metadata, shown == last {
            result[result.count - 1].end = end.mediaTime
            continue
        }
        let told = kind == .metadata ? [last] : open
        let length = told.reduce(told.count - 1) { $0 + lengths[$1] }
        byteCount += length
        guard length <= most else { throw refuse(told.count, at: start, "holds \(most) bytes of text at a time") }
        guard byteCount <= mostOfAll else {
            throw refuse(
                told.count, at: start,
                "says all that is shown anew whenever one begins or ends: more than 64 MiB of text until here")
        }
        let text = told.map { cues[$0].cue.text }.joined(separator: "\n")
        result.append(FilmText.Cue(start: start.mediaTime, end: end.mediaTime, text: text))
    }
    return result
}
