import TestTools

extension FilmMaker {
    /// A track that plays all along, perhaps after a gap, perhaps two clips.
    mutating func track(_ id: Int) -> Object {
        var segments: [Object] = []
        var start = 0
        if chance(15) {
            use("gap")
            start = pick([4, 10, 15])
            segments.append(["target": [time(0), time(start)]])
        }
        if chance(25) {
            let middle = start + (length - start) / 2
            segments.append(segment(start, middle))
            start = middle
        }
        segments.append(segment(start, length))
        let urls = segments.compactMap { (assets[$0["asset"] as? String ?? ""] as? Object)?["url"] as? String }
        let untimed = ["edited.mp4", "rearranged.mp4"]
        if urls.contains(where: { url in untimed.contains { url.hasSuffix($0) } }) { untimedTracks.insert(id) }
        if urls.contains(where: { $0.hasSuffix(RandomSource.largeStill) }) { largeTracks.insert(id) }
        var track: Object = ["id": id, "type": "video", "segments": segments]
        if chance(5) {
            use("preferredTransform of a track")
            track["preferredTransform"] = [0, 1, -1, 0, 48, 0]
        }
        return track
    }

    private mutating func segment(_ start: Int, _ end: Int) -> Object {
        var segment: Object = ["target": [time(start), time(end - start)]]
        let dice = numbers.next(in: 0..<100)
        switch dice {
        case ..<14: segment["asset"] = generator()
        case ..<27 where depth < 2: nest(&segment, end - start)
        default: film(&segment, end - start)
        }
        return segment
    }

    private mutating func generator() -> String {
        let kind = pick(["color", "gradient", "gradient", "bars", "checker", "noise"])
        var asset: Object = ["kind": kind]
        if chance(70) { asset["size"] = [numbers.next(in: 24..<90), numbers.next(in: 20..<70)] }
        let alpha = pick([1, 0.5, 0.75])
        switch kind {
        case "color": asset["color"] = colour(alpha: alpha)
        case "gradient":
            var gradient: Object = [
                "shape": pick(["linear", "radial"]),
                "stops": [
                    ["at": 0, "color": colour()], ["at": 0.5, "color": colour(alpha: alpha)],
                    ["at": 1, "color": colour(alpha: alpha)],
                ],
            ]
            if chance(50) { gradient["from"] = [number(0, 0.75), number(0, 1)] }
            asset["gradient"] = gradient
        case "bars": asset["standard"] = pick(["smpte", "ebu"])
        case "checker":
            asset["cell"] = [numbers.next(in: 3..<20), numbers.next(in: 3..<20)]
            asset["colors"] = [colour(), colour(alpha: alpha)]
        default:
            asset["seed"] = numbers.next(in: 0..<1000)
            asset["monochrome"] = chance(50)
            if chance(60) { asset["rate"] = 10 }
        }
        use("generator: \(kind)")
        let name = "g\(assets.count)"
        assets[name] = asset
        return name
    }

    /// A composition of its own.
    private mutating func nest(_ segment: inout Object, _ length: Int) {
        var inner = FilmMaker(sources: sources, numbers: SeededNumbers(seed: numbers.next()), depth: depth + 1)
        (inner.lights, inner.isLong, inner.givesProxies) = (lights, isLong, givesProxies)
        let project = inner.film()
        features.formUnion(inner.features.map { $0.hasPrefix("film in") || $0.hasPrefix("colour of") ? "nested" : $0 })
        use("nested")
        if depth > 0 { use("nested in nested") }
        let name = "n\(assets.count)"
        assets[name] = ["kind": "composition", "project": project]
        segment["asset"] = name
        if isLong { heard.append((name, inner.length)) }
        let start = numbers.next(in: 0..<8)
        segment["source"] = [time(start), time(min(length, inner.length - start))]
    }

    private mutating func film(_ segment: inout Object, _ length: Int) {
        let source = source()
        let isFilm = source.kind == "media"
        var asset: Object = ["url": sources.path(source)]
        for (key, value) in source.keys where key != "track" { asset[key] = value }
        if let track = source.keys["track"] { segment["track"] = track }
        if source.kind != "media" || chance(20) { asset["kind"] = source.kind }
        for feature in source.features { use(feature) }
        if isFilm { vary(&asset, source) }
        if givesProxies, let proxy = source.proxy, asset["color"] == nil, asset["range"] == nil {
            use("proxy")
            asset["proxy"] = proxy
        }
        let name = "f\(assets.count)"
        assets[name] = asset
        segment["asset"] = name
        if source.light != "SDR" && !features.contains("film in HLG") && !features.contains("film in PQ") {
            use("HDR in SDR")
        }
        if source.light == "SDR" && (features.contains("film in HLG") || features.contains("film in PQ")) {
            use("SDR in HDR")
        }
        guard source.length.top > 0, isFilm || chance(50) else { return }
        cut(&segment, source, length)
    }

    private mutating func source() -> RandomSource {
        if let turn {
            self.turn = nil
            let source = sources.sources[turn % sources.sources.count]
            if lights.contains(source.light) { return source }
        }
        let remembered: Set = ["interlaced", "GIF", "VFR source", "HLG", "PQ", "29.97 fps", "pull-down"]
        let wantsThese = isLong && chance(60)
        while true {
            let source = pick(sources.sources)
            let isOne = !remembered.isDisjoint(with: source.features)
            if lights.contains(source.light), isOne || !wantsThese { return source }
        }
    }

    /// A part of a film, at its own speed or another.
    private mutating func cut(_ segment: inout Object, _ source: RandomSource, _ length: Int) {
        let whole = (source.length * Fraction(100)).floor
        if source.kind != "media" { use("part of \(source.kind)") }
        if length > whole || chance(25) {
            use("retimed")
            let part = min(whole, max(3, length * pick([1, 2, 3]) / pick([2, 3])))
            let start = numbers.next(in: 0..<(whole - part + 1))
            segment["source"] = [time(start), time(part)]
            if source.hasFramesOfItsOwn, start.isMultiple(of: 2) {
                use("blended frames")
                segment["frameBlending"] = true
            }
            return
        }
        let start = numbers.next(in: 0..<(whole - length + 1))
        segment["source"] = [
            "\(start * 10 + numbers.next(in: 0..<(start + length < whole ? 10 : 1)))/1000", time(length),
        ]
    }

    /// Adds to an asset what it may say of its film.
    private mutating func vary(_ asset: inout Object, _ source: RandomSource) {
        let isRGB = source.features.contains("R'G'B'")
        if source.light == "SDR", !isRGB, chance(15) {
            use("asset's colour")
            var colour = [
                "matrix": pick(["ITU_R_709_2", "ITU_R_601_4", "SMPTE_240M_1995", "ITU_R_2020"]),
                "primaries": pick(["ITU_R_709_2", "EBU_3213", "P3_D65", "ITU_R_2020"]),
            ]
            if chance(40) {
                use("asset in sRGB")
                colour["transfer"] = "IEC_sRGB"
            }
            asset["color"] = colour
        }
        if !isRGB, chance(10) {
            use("asset's range")
            asset["range"] = pick(["full", "limited"])
        }
        guard source.features.contains("interlaced") else {
            if chance(3), source.name != "uneven", source.film == nil, source.parts.isEmpty {
                use("deinterlace: top")
                asset["deinterlace"] = "top"
            }
            return
        }
        let order = pick(["auto", "auto", "none", "none", "top", "bottom", "bottom"])
        if order != "auto" || chance(50) { asset["deinterlace"] = order }
        use("deinterlace: \(order)")
        if order != "none", chance(50) {
            use("fieldRate")
            asset["fieldRate"] = true
        }
    }
}
