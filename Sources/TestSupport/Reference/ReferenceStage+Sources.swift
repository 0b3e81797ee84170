extension ReferenceStage {
    /// What a track shows at a time of the composition; nil in a gap.
    func shown(by track: Cut.Track, in cut: Cut, at time: Fraction) throws -> ReferenceShown? {
        guard let segment = track.segments.first(where: { $0.target.contains(time) }), let name = segment.asset,
            let asset = cut.assets[name]
        else { return nil }
        let elapsed = time - segment.target.start
        let moment = segment.source.map { $0.start + elapsed * ($0.length / segment.target.length) }
        var shown: ReferenceShown?
        if let project = asset.project {
            shown = try nested(project, at: moment ?? elapsed)
        } else if asset.url == nil {
            shown = try generated(asset, canvas: (cut.width, cut.height), elapsed)
        } else {
            shown = try filmed(asset, segment, at: moment, elapsed)
        }
        if let upright = track.preferredTransform { shown?.upright = upright }
        return shown
    }

    /// Its own frame that is held then, in the film's encoding.
    private func nested(_ project: Cut, at time: Fraction) throws -> ReferenceShown {
        guard let step = project.frameDuration else { throw ToolFailure("a nested composition without frameDuration") }
        let last = (project.duration / step).ceiling - 1
        let number = max(0, min((time / step).floor, last))
        var stage = self
        stage.late = 0
        return ReferenceShown(picture: try stage.picture(of: project, at: step * Fraction(number)))
    }

    private func generated(_ asset: Cut.Asset, canvas: (Int, Int), _ elapsed: Fraction) throws -> ReferenceShown {
        let size = try asset.json["size"].ifPresent { try $0.numbers.map { Int($0) } } ?? [canvas.0, canvas.1]
        if asset.kind == "color" {
            let colour = try asset.json["color"].numbers
            return ReferenceShown(
                picture: Planes(
                    width: size[0], height: size[1], format: PixelFormat("yuv444p"), encoding: encoding,
                    values: encoding.values(SIMD3(colour[0], colour[1], colour[2]))),
                alpha: colour[3])
        }
        let rate = try Self.rate(of: asset)
        let generator = ReferenceGenerator(
            asset: asset.json, kind: asset.kind ?? "", width: size[0], height: size[1])
        return ReferenceShown(
            picture: try generator.picture(frame: rate.map { (elapsed * $0).floor } ?? 0, encoding))
    }

    private static func rate(of asset: Cut.Asset) throws -> Fraction? {
        try asset.json["rate"].ifPresent { json in
            json.isText ? try Fraction(time: json.text) : try Fraction(time: "\(json.number)")
        }
    }

    private func filmed(_ asset: Cut.Asset, _ segment: Cut.Segment, at moment: Fraction?, _ elapsed: Fraction) throws
        -> ReferenceShown?
    {
        guard var url = asset.url else { return nil }
        if asset.kind == "imageSequence" {
            let files = try sources.sequence(url)
            let place = ((moment ?? elapsed) * (try Self.rate(of: asset) ?? Fraction(25))).floor
            return try frame(of: sources.file(files[max(0, min(place + late, files.count - 1))]).picture(nil), 0, asset)
        }
        if asset.kind == "livePhoto", moment != nil { url = try asset.json["movie"].text }
        let file = try sources.file(url)
        let stream = try file.picture(segment.position)
        if file.isStill || asset.kind == "image" { return try frame(of: stream, 0, asset) }
        if asset.kind == "livePhoto", moment == nil { return try frame(of: stream, 0, asset) }
        let fields = try Fields(asset, stream)
        let times = fields.times(of: stream)
        guard let start = times.first, let last = times.last else { return nil }
        var time = moment ?? elapsed
        if moment == nil, file.isAnimated {
            let period = last + (try sources.lastLength(stream))
            let play = (elapsed / period).floor
            let plays = try file.plays
            time = plays > 0 && play >= plays ? period : elapsed - Fraction(play) * period
        }
        // Nothing before the track's start, but for a gap of up to 100 ms.
        if time < start, Fraction(1, 10) < start { return nil }
        let number = times.lastIndex { !(time < $0) } ?? 0
        return try frame(of: stream, max(0, min(number + late, times.count - 1)), asset, fields)
    }

    private func frame(of stream: SourceStream, _ number: Int, _ asset: Cut.Asset, _ fields: Fields? = nil) throws
        -> ReferenceShown
    {
        let count = fields?.times(of: stream).count ?? 1
        var picture = try sources.frame(stream, number, filter: fields?.filter, count: count)
        func word(_ json: JSON) throws -> String? { try json.ifPresent { try $0.text } }
        let colour = asset.json["color"]
        if colour.isObject {
            picture.encoding.primaries = try word(colour["primaries"]) ?? picture.encoding.primaries
            picture.encoding.transfer = try word(colour["transfer"]) ?? picture.encoding.transfer
            picture.encoding.matrix = try word(colour["matrix"]) ?? picture.encoding.matrix
        }
        if let range = try word(asset.json["range"]) { picture.encoding.isFull = range == "full" }
        return ReferenceShown(
            picture: picture, pixelAspect: stream.pixelAspect, upright: try stream.upright)
    }
}

/// How interlaced film becomes frames: bwdif's options, and when its frames show.
private struct Fields {
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
