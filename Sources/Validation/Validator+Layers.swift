import Diagnostics
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline

extension Validator {
    mutating func check(_ instruction: Instruction, _ path: String, sampleData: [Int]) {
        checkEffect(of: instruction, path)
        checkEffects(instruction.effects, path + ".effects")
        checkParameters(of: instruction, path)
        checkWays(of: instruction, path)
        if let track = instruction.passthroughTrack {
            checkVideoTrack(track, path + ".passthroughTrack", orTree: true)
            if instruction.layers?.isEmpty == false {
                warn(
                    .layersNotDrawn, path + ".layers", "the instruction shows track \(track) alone: no layer is drawn",
                    hint: "leave out `passthroughTrack` or `layers`")
            }
        }
        checkSampleData(instruction.sampleDataTracks, path + ".sampleDataTracks", among: sampleData)
        let layers = instruction.layers ?? []
        let blended = layers.count { $0.blend.map { $0 != .normal } ?? false }
        if blended > EffectLimits.blends {
            error(
                .valueNotAllowed, path + ".layers",
                "\(blended) layers have a blend mode; \(EffectLimits.blends) in one instruction is the limit")
        }
        for (index, layer) in layers.enumerated() {
            let place = "\(path).layers[\(index)]"
            checkVideoTrack(layer.track, place + ".track", orTree: true)
            checkKeys(layer.transform, place + ".transform")
            checkKeys(layer.opacity, place + ".opacity")
            checkKeys(layer.crop, place + ".crop")
            checkKeys(layer.cornerRadius, place + ".cornerRadius")
            checkKeys(layer.borderWidth, place + ".borderWidth")
            checkTransforms(layer.transform ?? [], place + ".transform")
            checkOpacities(layer.opacity ?? [], place + ".opacity")
            checkCrops(layer.crop ?? [], place + ".crop")
            checkLengths(layer.cornerRadius ?? [], place + ".cornerRadius", "a radius")
            checkLengths(layer.borderWidth ?? [], place + ".borderWidth", "a border's width")
            checkEffects(layer.effects, place + ".effects", layer: true)
            checkRotation(layer, instruction, place)
            if layer.matte != nil, standing(of: layer).fit == nil {
                warn(
                    .matteNotUsed, place + ".matte", "only a layer whose `fit` is not `none` has a matte",
                    hint: "say \"fit\": \"contain\", \"cover\" or \"stretch\" too, or leave it out")
            }
            remarkKeysOutside(layer, instruction, place)
            remarkCrop(layer, instruction, place)
        }
        if !drawsSomething(instruction), !isFilmEmpty, showsMedia(instruction) {
            warn(
                .instructionWithoutLayers, path,
                "tracks have pictures here, but without layers only the background is drawn", hint: layersHint)
        }
        checkDoubleFade(layers, instruction, path)
    }

    /// Warns once for the whole film in place of each of its instructions.
    mutating func checkThatSomethingIsShown(_ instructions: [Instruction]) {
        guard !pictures.isEmpty, !instructions.contains(where: drawsSomething),
            instructions.contains(where: showsMedia)
        else { return }
        isFilmEmpty = true
        warn(
            .instructionWithoutLayers, "video.instructions",
            "the whole film is empty: no instruction has layers, so only backgrounds are drawn",
            hint: layersHint + "; without `instructions` every track is drawn")
    }

    /// Checks the form, the order and the overlap of the keys of one property.
    mutating func checkKeys<Value>(_ keys: [Key<Value>]?, _ path: String) {
        var previousEnd: Rational?
        var previous: TimeRange?
        for (index, key) in (keys ?? []).enumerated() {
            let place = "\(path)[\(index)]"
            defer { previous = key.range }
            guard let (span, shape) = keySpan(key, place) else { continue }
            if let previousEnd, span.start < previousEnd {
                error(
                    .keysOverlap, place + shape,
                    "starts at \(span.start.plainTime.text), but the previous key is at or ends at "
                        + previousEnd.plainTime.text,
                    hint: previous.flatMap { hintOfEnd($0, before: span.start, "the key") }
                        ?? "keys are sorted by time and do not overlap")
            }
            previousEnd = max(previousEnd ?? span.end, span.end)
        }
    }

    private mutating func keySpan<Value>(
        _ key: Key<Value>, _ place: String
    ) -> (span: (start: Rational, end: Rational), shape: String)? {
        let isHold = key.at != nil && key.value != nil && key.range == nil && key.from == nil && key.to == nil
        let isRamp = key.at == nil && key.value == nil && key.range != nil && key.from != nil && key.to != nil
        if !isHold && !isRamp {
            error(
                .keyInvalid, place, "a key has `at` and `value`, or `range`, `from` and `to`, and nothing of the other")
        } else if let time = key.at {
            if key.easing != nil {
                error(
                    .keyInvalid, place + ".easing", "a key with `at` holds its value, so nothing eases",
                    hint: "a ramp (`range`, `from`, `to`) has an easing")
            }
            if let exact = time.exact { return ((exact, exact), ".at") }
            error(.keyInvalid, place + ".at", "\(time) is not a number of seconds")
        } else if let range = key.range {
            if let exact = range.exact {
                remarkEnd(ofRamp: range, exact, place + ".range")
                return (exact, ".range")
            }
            error(.keyInvalid, place + ".range", "\(range) is not a range of numbers")
        }
        return nil
    }

    private mutating func checkTransforms(_ keys: [Key<Transform>], _ path: String) {
        for (index, key) in keys.enumerated() {
            switch (key.from, key.to) {
            case (.matrix?, .parts?), (.parts?, .matrix?):
                error(
                    .keyInvalid, "\(path)[\(index)]", "a ramp goes from six numbers to parts, or the other way",
                    hint: "write both the same way: a ramp of parts turns, one of six numbers moves each alone")
            default: break
            }
            for (name, value) in [("value", key.value), ("from", key.from), ("to", key.to)] {
                guard case .parts(let parts)? = value, let skew = parts.skew,
                    max(abs(skew.x), abs(skew.y)) > TransformParts.steepest
                else { continue }
                error(
                    .valueNotAllowed, "\(path)[\(index)].\(name).skew", "an axis leans by -89 to 89 degrees",
                    hint: "to turn the picture, use `rotate`")
            }
        }
    }

    private mutating func checkOpacities(_ keys: [Key<Double>], _ path: String) {
        for (index, key) in keys.enumerated() {
            for (name, value) in [("value", key.value), ("from", key.from), ("to", key.to)] {
                guard let value, !(0...1).contains(value) else { continue }
                error(
                    .opacityOutOfRange, "\(path)[\(index)].\(name)", "the opacity \(value) is not from 0 to 1",
                    hint: hintOfShare(value))
            }
        }
    }

    private mutating func checkLengths(_ keys: [Key<Double>], _ path: String, _ what: String) {
        for (index, key) in keys.enumerated() {
            for (name, value) in [("value", key.value), ("from", key.from), ("to", key.to)] {
                guard let value, !(0...1e9).contains(value) else { continue }
                error(.valueNotAllowed, "\(path)[\(index)].\(name)", "\(what) is 0 or more pixels, not \(value)")
            }
        }
    }

    private mutating func checkCrops(_ keys: [Key<Rect>], _ path: String) {
        for (index, key) in keys.enumerated() {
            for (name, value) in [("value", key.value), ("from", key.from), ("to", key.to)] {
                guard let value, value.width < 0 || value.height < 0 else { continue }
                error(.valueNotAllowed, "\(path)[\(index)].\(name)", "a rectangle's width and height are 0 or more")
            }
        }
    }
}

extension Validator {
    /// Whether an instruction draws something, as far as layers tell; a pass-through does where its track plays
    /// something.
    private func drawsSomething(_ instruction: Instruction) -> Bool {
        guard let id = instruction.passthroughTrack else {
            return instruction.layers?.isEmpty == false || instruction.effect != nil
        }
        return tracks[id].map { !played($0, during: instruction).isEmpty } ?? true
    }

    /// The segments of a track that play something during an instruction.
    func played(_ track: Track, during instruction: Instruction) -> [TrackSegment] {
        guard track.isEnabled, track.type == .video, let range = instruction.range.exact else { return [] }
        // Segments are sorted where the track is valid: both ends are found by binary search.
        let first = track.segments.lastIndexStarting(atOrBefore: range.start) { $0.target.exact?.start ?? .zero } ?? 0
        return track.segments[first...].prefix { ($0.target.exact?.start ?? .zero) < range.end }
            .filter { !$0.isEmpty && ($0.target.exact?.end ?? .zero) > range.start }
    }

    private func showsMedia(_ instruction: Instruction) -> Bool {
        guard let range = instruction.range.exact else { return false }
        let before = pictures.partitionPoint { $0.start < range.end }
        return before > 0 && pictures[before - 1].end > range.start
    }

    private mutating func checkRotation(_ layer: Layer, _ instruction: Instruction, _ path: String) {
        let values = (layer.transform ?? []).flatMap { [$0.value, $0.from, $0.to].compactMap { $0 } }
        guard standing(of: layer) == .asIs, let facts, hasRotatedSources, let track = tracks[layer.track],
            values.allSatisfy(\.isIdentity)
        else { return }
        for segment in played(track, during: instruction) {
            guard let name = segment.asset, let known = facts[name],
                let video = known.videoTrack(of: segment)?.video,
                video.rotation != 0
            else { continue }
            let upright = String(decoding: video.preferredTransform.json.canonicalBytes(), as: UTF8.self)
            warn(
                .rotatedUntransformed, path,
                "`\(name)` is turned by \(video.rotation)°, but the layer shows it as it is, lying down",
                hint: "leave out `fit` and `transform` to see it upright, or say its own transform, \(upright)")
            return
        }
    }

    /// Warns of a layer that fades out while another fades in.
    private mutating func checkDoubleFade(_ layers: [Layer], _ instruction: Instruction, _ path: String) {
        guard layers.count > 1, let range = instruction.range.exact else { return }
        let isLinear = project.video?.color?.blendSpace == .linear
        let ramps = layers.map { layer in
            KeyTrack(layer.opacity).spans.filter { span in
                span.start < range.end && span.end > range.start && span.from != span.to && span.easing != .hold
            }
        }
        let falling = ramps.joined().filter { $0.to < $0.from }.sorted { $0.start < $1.start }
        var latestEnds: [Rational] = []  // Of all falling ramps up to each one.
        for span in falling { latestEnds.append(max(latestEnds.last ?? span.end, span.end)) }
        for (index, spans) in ramps.enumerated() {
            for rising in spans where rising.to > rising.from {
                let before = falling.partitionPoint { $0.start < rising.end }
                guard before > 0, latestEnds[before - 1] > rising.start else { continue }
                warn(
                    .doubleFade, "\(path).layers[\(index)].opacity",
                    "one layer fades in while another fades out: the dissolve dips towards what is beneath"
                        + (isLinear ? ", to three quarters of the light" : ""),
                    hint: "fade the upper layer only and leave the lower one opaque")
                return
            }
        }
    }
}
