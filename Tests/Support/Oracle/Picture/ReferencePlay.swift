import TestTools

/// The frames that a segment plays of a file, and when they show.
struct ReferencePlay {
    /// The stream whose pictures are seen.
    var stream: SourceStream
    /// The same, or what a proxy stands in for.
    var original: SourceStream
    /// The frames of a sequence, or of a film whose frames change their size: for each frame where it is, and its
    /// number there.
    var frames: [(stream: SourceStream, number: Int)] = []
    /// In asset time; one alone for a still.
    var times: [Fraction]
    var fields: Fields?
    /// The period in seconds and the plays of an animated image that plays by itself; 0 plays are without end.
    var repeats: (period: Fraction, plays: Int)?
    var isStill = false
    var isProxy = false

    /// The part, in 256ths, of the frame that comes after that one in the mean of both which a segment shows at a time
    /// of the asset; 0 where it shows one frame.
    func share(afterFrame number: Int, of segment: Cut.Segment, at time: Fraction) -> Int {
        guard segment.isBlended, let source = segment.source, number + 1 < times.count else { return 0 }
        let start = times[number]
        let next = times[number + 1]
        // What the source has not any more stays out, a clock's rounding too.
        guard start < time, start < next, next + Fraction(1, 1000) < source.end else { return 0 }
        return min(256, ((time - start) / (next - start) * Fraction(256)).rounded)
    }
}

extension ReferenceSources {
    /// nil for what is no file's.
    func play(_ asset: Cut.Asset, _ segment: Cut.Segment, usesProxies: Bool) throws -> ReferencePlay? {
        guard var url = asset.url, asset.project == nil else { return nil }
        if asset.kind == "imageSequence" {
            let files = try sequence(url).map { try file($0).picture(nil) }
            let rate = try ReferenceStage.rate(of: asset) ?? Fraction(25)
            return ReferencePlay(
                stream: files[0], original: files[0], frames: files.map { ($0, 0) },
                times: files.indices.map { Fraction($0) / rate })
        }
        if asset.kind == "livePhoto", segment.source != nil { url = try asset.json["movie"].text }
        let isFilm = try asset.json["deinterlace"].ifPresent { try $0.text } == "pulldown"
        let known = try file(twins[url] ?? (isFilm ? films[url] : nil) ?? url)
        let original = try known.picture(segment.position)
        var play = ReferencePlay(stream: original, original: original, times: [Fraction(0)])
        play.isStill =
            known.isStill || asset.kind == "image" || (asset.kind == "livePhoto" && segment.source == nil)
        if usesProxies, let proxy = try asset.json["proxy"].ifPresent({ try $0.text }) {
            play.stream = try file(proxy).picture(nil).standing(for: original)
            play.isProxy = true
        }
        if play.isStill { return play }
        play.frames = try (parts[url] ?? []).flatMap { part in
            let stream = try file(part).picture(nil)
            return stream.times.indices.map { (stream, $0) }
        }
        if !isFilm { play.fields = try Fields(asset, play.stream) }
        play.times = play.fields?.times(of: play.stream) ?? play.stream.times
        if segment.source == nil, known.isAnimated, let last = play.times.last {
            play.repeats = (period: last + (try lastLength(original)), plays: try known.plays)
        }
        return play
    }
}

/// How interlaced film becomes frames: bwdif's options, and when its frames show.
struct Fields {
    var filter: String?
    private var isDoubled = false

    init(_ asset: Cut.Asset, _ stream: SourceStream) throws {
        let order = try asset.json["deinterlace"].ifPresent { try $0.text } ?? "auto"
        if order == "none" || (order == "auto" && !stream.isInterlaced) { return }
        isDoubled = try asset.json["fieldRate"].ifPresent { try $0.flag } ?? false
        let parity = ["top": "tff:deint=all", "bottom": "bff:deint=all"][order] ?? "auto:deint=interlaced"
        filter = "bwdif=mode=\(isDoubled ? "send_field" : "send_frame"):parity=\(parity)"
    }

    /// Second fields half a frame after the first ones.
    func times(of stream: SourceStream) -> [Fraction] {
        guard isDoubled, stream.times.count > 1 else { return stream.times }
        return stream.times.indices.flatMap { index in
            let next = min(index, stream.times.count - 2)
            let half = (stream.times[next + 1] - stream.times[next]) * Fraction(1, 2)
            return [stream.times[index], stream.times[index] + half]
        }
    }
}
