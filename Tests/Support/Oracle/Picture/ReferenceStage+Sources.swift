import TestTools

extension ReferenceStage {
    /// The picture that a track shows at a time of the composition; nil in a gap.
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

    /// Its own frame that is held then; in its own encoding where it says one, HDR in 10 bits.
    private func nested(_ project: Cut, at time: Fraction) throws -> ReferenceShown {
        guard let step = project.frameDuration else { throw ToolFailure("a nested composition without frameDuration") }
        let last = (project.duration / step).ceiling - 1
        let number = max(0, min((time / step).floor, last))
        var stage = self
        stage.late = 0
        let isOwn = ["primaries", "transfer", "matrix"].contains { !project.colour[$0].isAbsent }
        if isOwn {
            var own = try ReferenceFilm.encoding(of: project, sources)
            if ReferenceEncoding.isHDR(own.transfer), format.bits == 8 {
                stage.format = PixelFormat(format.name + "10le")
            }
            own.bits = stage.format.bits
            stage.encoding = own
        }
        let picture = try stage.picture(of: project, at: step * Fraction(number))
        // Dark parts of strong colours change by several codes of SDR with one of PQ in 10 bits.
        return ReferenceShown(picture: isOwn ? picture.inCodes : picture)
    }

    private func generated(_ asset: Cut.Asset, canvas: (Int, Int), _ elapsed: Fraction) throws -> ReferenceShown {
        let size = try asset.json["size"].ifPresent { try $0.numbers.map { Int($0) } } ?? [canvas.0, canvas.1]
        if asset.kind == "color" {
            let colour = try asset.json["color"].numbers
            return ReferenceShown(
                picture: Planes(
                    width: size[0], height: size[1], format: PixelFormat("yuv444p"), encoding: encoding,
                    values: encoding.values(ofWritten: colour)),
                alpha: colour[3])
        }
        let rate = try Self.rate(of: asset)
        let generator = ReferenceGenerator(
            asset: asset.json, kind: asset.kind ?? "", width: size[0], height: size[1])
        return ReferenceShown(
            picture: try generator.picture(frame: rate.map { (elapsed * $0).floor } ?? 0, encoding))
    }

    static func rate(of asset: Cut.Asset) throws -> Fraction? {
        try asset.json["rate"].ifPresent { json in
            json.isText ? try Fraction(time: json.text) : try Fraction(time: "\(json.number)")
        }
    }

    private func filmed(_ asset: Cut.Asset, _ segment: Cut.Segment, at moment: Fraction?, _ elapsed: Fraction) throws
        -> ReferenceShown?
    {
        guard let play = try sources.play(asset, segment, usesProxies: usesProxies), let start = play.times.first else {
            return nil
        }
        var time = moment ?? elapsed
        if moment == nil, let repeats = play.repeats {
            let turn = (elapsed / repeats.period).floor
            time =
                repeats.plays > 0 && turn >= repeats.plays
                ? repeats.period : elapsed - Fraction(turn) * repeats.period
        }
        // Nothing before the track's start, but for a gap of up to 100 ms.
        if time < start, Fraction(1, 10) < start { return nil }
        let number = play.times.lastIndex { !(time < $0) } ?? 0
        let place = play.isStill ? 0 : max(0, min(number + late, play.times.count - 1))
        let stream = play.frames.isEmpty ? play.stream : play.frames[place].stream
        var picture = try picture(of: asset, play, place)
        let share = play.isStill ? 0 : play.share(afterFrame: number, of: segment, at: time)
        if share > 0, place + 1 < play.times.count {
            picture = picture.mixed(with: try self.picture(of: asset, play, place + 1), share: share)
        }
        var shown = ReferenceShown(
            picture: picture, pixelAspect: play.original.pixelAspect, upright: try play.original.upright)
        shown.isMedia = true
        if play.isProxy || !play.frames.isEmpty {
            let own = play.original
            shown.pixelAspect *= Double(own.width) / Double(stream.width)
            shown.pixelHeight *= Double(own.height) / Double(stream.height)
        }
        return shown
    }

    /// A frame of what is played, as the asset says that it is.
    private func picture(of asset: Cut.Asset, _ play: ReferencePlay, _ place: Int) throws -> Planes {
        let (stream, index) = play.frames.isEmpty ? (play.stream, place) : play.frames[place]
        var picture = try sources.frame(
            stream, index, filter: play.fields?.filter,
            count: play.frames.isEmpty ? play.times.count : stream.times.count)
        try picture.encoding.override(by: asset.json)
        if try asset.json["alpha"].ifPresent({ try $0.text }) == "premultiplied" { picture = picture.straight }
        if picture.format.isFloat, picture.encoding.transfer == "Linear" {
            picture = picture.encodedLight(isHDR: ReferenceEncoding.isHDR(encoding.transfer))
        }
        return picture
    }
}

extension ReferenceEncoding {
    /// Takes over what an asset says of its file.
    fileprivate mutating func override(by asset: JSON) throws {
        func word(_ json: JSON) throws -> String? { try json.ifPresent { try $0.text } }
        let colour = asset["color"]
        if colour.isObject {
            let (ownPrimaries, ownTransfer) = (try word(colour["primaries"]), try word(colour["transfer"]))
            if ownPrimaries != nil || ownTransfer != nil { profile = nil }
            primaries = ownPrimaries ?? primaries
            transfer = ownTransfer ?? transfer
            matrix = try word(colour["matrix"]) ?? matrix
        }
        if let range = try word(asset["range"]) { isFull = range == "full" }
    }
}
