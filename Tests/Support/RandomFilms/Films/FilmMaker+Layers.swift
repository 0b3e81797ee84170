import TestTools

extension FilmMaker {
    /// One or two that tile the film.
    mutating func instructions(tracks: Int) -> [Object] {
        let cuts = chance(35) ? [0, length / 2, length] : [0, length]
        if cuts.count > 2 { use("two instructions") }
        return zip(cuts, cuts.dropFirst()).map { start, end in
            var instruction: Object = ["range": [time(start), time(end - start)]]
            if chance(40) {
                use("background")
                instruction["background"] = colour()
            }
            if chance(5) {
                use("passthroughTrack")
                instruction["passthroughTrack"] = numbers.next(in: 0..<tracks) + 1
                return instruction
            }
            var order = Array(1...tracks)
            for index in order.indices { order.swapAt(index, numbers.next(in: index..<tracks)) }
            if order.count > 2, chance(10) { order.removeLast() }
            layerCount = max(layerCount, order.count)
            instruction["layers"] = order.enumerated().map { layer($1, isTop: $0 == 0) }
            return instruction
        }
    }

    private mutating func layer(_ track: Int, isTop: Bool) -> Object {
        var layer: Object = ["track": track]
        let isLarge = largeTracks.contains(track)
        if isLarge || chance(35) {
            let fit = pick(["contain", "cover", "stretch"])
            use("fit: \(fit)")
            layer["fit"] = fit
            if chance(50) {
                use("matte")
                layer["matte"] = colour()
            }
        }
        if isLarge, !features.contains("scaleSpace: linear") {
            use("large still")
        } else if chance(85) {
            layer["transform"] = transform()
        }
        if chance(isTop ? 60 : 35) {
            use("opacity")
            layer["opacity"] = keys { [$0.number(0.1, 1)] }.map(Self.single)
        }
        if chance(30) {
            use("crop")
            layer["crop"] = keys { maker in
                [maker.number(-4, 20), maker.number(-4, 16), maker.number(8, 70), maker.number(8, 50)]
            }
        }
        // A border's share of a pixel is right to 1/64: of 10,000 cd/m², mixed as light, that is more than 46 dB allow.
        if blendsLight, lights.count > 1 { return layer }
        if chance(12) {
            use("cornerRadius")
            layer["cornerRadius"] = keys { [$0.number(2, 24)] }.map(Self.single)
        }
        if chance(10) {
            use("border")
            layer["borderWidth"] = keys { [$0.number(1, 8)] }.map(Self.single)
            if chance(70) { layer["borderColor"] = colour(alpha: pick([1, 0.5])) }
        }
        return layer
    }

    /// The film's `fit`, and `none` of layers that have no other.
    mutating func decideFit(_ video: inout Object) {
        if chance(12) {
            use("film's fit")
            video["fit"] = pick(["contain", "cover", "stretch", "none"])
        }
        guard chance(25), let instructions = video["instructions"] as? [Object] else { return }
        video["instructions"] = instructions.map { instruction -> Object in
            guard let layers = instruction["layers"] as? [Object] else { return instruction }
            var instruction = instruction
            instruction["layers"] = layers.map { layer -> Object in
                guard layer["fit"] == nil else { return layer }
                use("fit: none")
                return layer.merging(["fit": "none"]) { own, _ in own }
            }
            return instruction
        }
    }

    /// A list of one as the number alone.
    private static func single(_ key: Object) -> Object {
        key.mapValues { value in
            if let list = value as? [Double], list.count == 1 { return list[0] }
            return value
        }
    }

    /// A hold, a ramp, a ramp and a jump to another, with an easing or without.
    mutating func keys(_ value: (inout FilmMaker) -> Any) -> [Object] {
        switch numbers.next(in: 0..<4) {
        case 0: return [["at": time(0), "value": value(&self)]]
        case 1:
            use("jump")
            let middle = length / 3
            return [ramp(0, middle, value), ["at": time(middle), "value": value(&self)]]
        default: return [ramp(numbers.next(in: 0..<6), length - 6, value)]
        }
    }

    private mutating func ramp(_ start: Int, _ length: Int, _ value: (inout FilmMaker) -> Any) -> Object {
        use("ramp")
        var key: Object = ["range": [time(start), time(length)], "from": value(&self), "to": value(&self)]
        if chance(45) {
            switch numbers.next(in: 0..<6) {
            case 0:
                use("easing: four numbers")
                key["easing"] = [0.25, 0.1, 0.25, 1]
            case 1:
                use("easing: cubic-bezier that overshoots")
                key["easing"] = "cubic-bezier(0.5, -0.5, 0.5, 1.5)"
            default:
                let easing = pick(["linear", "ease-in", "ease-out", "ease-in-out", "hold"])
                use("easing: \(easing)")
                key["easing"] = easing
            }
        }
        return key
    }

    private mutating func transform() -> [Object] {
        switch numbers.next(in: 0..<10) {
        case 0:
            use("whole-pixel move")
            return [["at": time(0), "value": [1, 0, 0, 1, numbers.next(in: -9..<30), numbers.next(in: -9..<20)]]]
        case 1...4:
            use("six numbers")
            return keys { $0.affine() }
        default:
            use("parts")
            return keys { $0.parts() }
        }
    }

    /// Scaled, perhaps turned, leaned or mirrored, somewhere on the canvas.
    private mutating func affine() -> [Double] {
        let (a, d) = (number(0.3, 1.6), number(0.3, 1.6))
        let isUpright = chance(40)
        let (b, c) = isUpright ? (0, 0) : (number(-0.6, 0.6), number(-0.6, 0.6))
        let sign: Double = chance(12) ? -1 : 1
        return [a * sign, b, c, d, number(-8, 40) + (sign < 0 ? 50 : 0), number(-8, 30)]
    }

    private mutating func parts() -> Object {
        var parts: Object = [:]
        if chance(70) { parts["translate"] = [number(-10, 40), number(-10, 30)] }
        if chance(70) { parts["scale"] = chance(50) ? number(0.3, 1.7) : [number(0.3, 1.7), number(0.3, 1.7)] }
        if chance(60) {
            use("rotate")
            parts["rotate"] = chance(30) ? pick([90, 180, -90, 45]) : number(-200, 200)
        }
        if chance(25) {
            use("skew")
            parts["skew"] = chance(50) ? number(-30, 30) : [number(-30, 30), number(-20, 20)]
        }
        if chance(60) {
            use("anchor")
            parts["anchor"] = chance(60) ? "center" : [number(0, 60), number(0, 40)]
        }
        return parts
    }
}
