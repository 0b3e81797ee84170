import TestTools

/// Layers over an animation's own, for what would be rare otherwise: each key path in its turn, in layers that stand
/// in others and have a time of their own.
extension EffectFilmMaker {
    /// Adds studies to an animation that is there. They have dice of their own, so that all the rest stays as it is.
    mutating func study(_ video: inout Object) {
        guard var tree = video["animation"] as? Object, var root = tree["root"] as? Object else { return }
        numbers = SeededNumbers(seed: UInt64(seed) &* 7919 &+ 104_729)
        let turn = seed / 3
        var layers = root["sublayers"] as? [Object] ?? []
        for half in 0..<2 {
            let first = Self.inside[(2 * turn + half) % Self.inside.count]
            layers.append(stood(study(first, Self.around[(turn + 8 * half) % Self.around.count])))
        }
        let last = stood(study(Self.large[turn % Self.large.count], Self.drawn[turn % Self.drawn.count]))
        // Beneath the others, above the film.
        layers.insert(last, at: min(1, layers.count))
        if tree["videoLayers"] != nil { show(&tree, &layers) }
        root["sublayers"] = layers
        if chance(20) {
            use("root: time")
            (root["beginTime"], root["speed"]) = (time(0), pick(["1/2", 1.5, 2] as [Any]))
        }
        tree["root"] = root
        video["animation"] = tree
        if chance(35), let instructions = video["instructions"] as? [Object] {
            video["instructions"] = instructions.flatMap { parted($0) }
        }
    }

    /// Two instructions in place of one, the tree around the picture of one of them alone.
    private mutating func parted(_ instruction: Object) -> [Object] {
        use("postProcessing: false")
        let cut = 5
        var parts = [instruction, instruction]
        (parts[0]["range"], parts[1]["range"]) = ([time(0), time(cut)], [time(cut), time(length - cut)])
        parts[numbers.next(in: 0..<2)]["postProcessing"] = false
        return parts
    }

    /// The film's own layer moves, and there is another.
    private mutating func show(_ tree: inout Object, _ layers: inout [Object]) {
        guard let place = layers.firstIndex(where: { $0["id"] as? String == "film" }) else { return }
        let sides = layers[place]["bounds"] as? [Int] ?? [0, 0, canvas.width, canvas.height]
        if chance(50) {
            use("video layer: animated")
            let names = [
                "position", "opacity", "transform.rotation", "transform.scale", "bounds.origin", "bounds.size",
            ]
            let name = pick(names)
            layers[place]["animations"] = [studied(name, as: name, sides[2], sides[3])]
        }
        guard chance(40) else { return }
        use("video layer: another")
        tree["videoLayers"] = ["film", "again"]
        var again: Object = [
            "id": "again", "bounds": [0, 0, sides[2] / 3, sides[3] / 3], "position": [sides[2] * 3 / 4, sides[3] / 4],
        ]
        if chance(50) { (again["cornerRadius"], again["masksToBounds"]) = (number(3, 9), true) }
        if chance(50) { again["borderWidth"] = number(1, 3) }
        layers.append(again)
    }

    // MARK: One of them

    private mutating func study(_ written: String, _ other: String) -> Object {
        let (width, height) = (numbers.next(in: 16..<40), numbers.next(in: 14..<30))
        let name = KeyPathNames.inFull(written)
        let second = KeyPathNames.inFull(other)
        // Contents that others take the place of do not stay what an animation of them needs.
        let isDrawn = Self.drawn.contains(other)
        var layer = subject(isDrawn ? second : name, width, height)
        if !isDrawn { extend(&layer, for: second) }
        if (layer["contents"] as? Object)?["image"] != nil { weigh(&layer, isDirect: isDrawn) }
        if Self.large.contains(written) {
            if name.contains("translation.z") || chance(35) { see(&layer, name) }
        } else {
            if chance(25) { layer["opacity"] = number(0.4, 1) }
            if chance(25) {
                use("mask: animated")
                layer["mask"] = cover(width, height)
            }
        }
        layer["animations"] = [studied(name, as: written, width, height), studied(second, as: other, width, height)]
        if chance(40) { clock(&layer) }
        return layer
    }

    /// How its picture lies in it, in turn.
    private mutating func weigh(_ layer: inout Object, isDirect: Bool) {
        let words = [
            "resize", "resizeAspect", "resizeAspectFill", "center", "top", "bottom", "left", "right", "topLeft",
            "topRight", "bottomLeft", "bottomRight",
        ]
        let word = words[(seed / 6 + (isDirect ? 0 : 5)) % words.count]
        use("gravity: \(word)")
        layer["contentsGravity"] = word
        // What fills more than the canvas is made in part only, from another place on.
        if !isDirect, word == "resizeAspectFill" { layer["masksToBounds"] = true }
    }

    /// Turned in space, by parts where one of them is animated and by sixteen numbers where all are.
    private mutating func see(_ layer: inout Object, _ name: String) {
        guard name.hasPrefix("transform.") else {
            use("layer: sixteen numbers")
            layer["transform"] = sixteen()
            return
        }
        use("layer: 3D")
        layer["transform"] = [
            "rotateX": number(-40, 40), "rotateY": number(-40, 40), "perspective": numbers.next(in: 150..<300),
            "translate": [number(-3, 3), number(-3, 3), number(-20, 20)],
        ]
    }

    /// About y and a little aside, seen from so near, as rows before a matrix.
    func sixteen(_ cosine: Double = 0.8, _ sine: Double = 0.6) -> [Double] {
        let near = -1.0 / 256
        return [cosine, 0, -sine, -sine * near, 0.125, 1, 0, 0, sine, 0, cosine, cosine * near, 2, -3, 8, 1 + 8 * near]
    }

    /// A mask that moves.
    private mutating func cover(_ width: Int, _ height: Int) -> Object {
        var mask: Object = [
            "bounds": [0, 0, width, height], "position": [Double(width) / 2, Double(height) / 2 + number(-4, 4)],
        ]
        switch numbers.next(in: 0..<4) {
        case 0:
            use("mask: gradient")
            mask["contents"] = [
                "gradient": [
                    "shape": "linear", "from": [0, 0.5], "to": [1, 0.5],
                    "stops": [["at": 0, "color": [1, 1, 1, 0.125]], ["at": 1, "color": [0, 0, 0, 1]]],
                ]
            ]
        case 1:
            use("mask: shape")
            mask["contents"] = ["shape": ["ellipse": [1, 1, width - 2, height - 2]]]
        case 2:
            use("mask: sublayers")
            mask["sublayers"] = [0, 1].map { place in
                [
                    "bounds": [0, 0, width / 2, height], "position": [width / 4 + width / 2 * place, height / 2],
                    "backgroundColor": [0, 0, 0, place == 0 ? 0.5 : 1], "cornerRadius": 4,
                ] as Object
            }
        default: (mask["backgroundColor"], mask["cornerRadius"]) = ([1, 1, 1, 0.75], number(3, 9))
        }
        let name = pick(["position.x", "position.y", "opacity", "transform.rotation", "hidden"])
        let side = name.hasSuffix("x") ? Double(width) : Double(height)
        let values: [Any] = name.hasPrefix("position") ? (0..<4).map { _ in side / 2 + number(-8, 8) } : []
        mask["animations"] = [studied(name, as: name, width, height, values)]
        return mask
    }

    // MARK: Time

    /// An animation, alone or in groups.
    private mutating func studied(
        _ name: String, as written: String, _ width: Int, _ height: Int, _ given: [Any] = []
    ) -> Object {
        var values = given.isEmpty ? (0..<4).map { _ in value(name, width, height) } : given
        if name == "transform" {
            use("transform: sixteen numbers")
            values = [sixteen(), sixteen(0.96, 0.28), sixteen(1, 0), sixteen(0.96, -0.28)]
        }
        if name == "contents", chance(40) {
            use("contents of another kind")
            values[1] = ["color": colour(pick([1, 0.5]))]
        }
        var animation = course(name, as: written, values)
        vary(&animation, name, values)
        if animation["type"] == nil, animation["begin"] == nil, chance(30) {
            use("begin 0")
            animation["begin"] = chance(50) ? "0s" : time(0)
        }
        if animation["calculation"] as? String == "discrete", animation["timing"] == nil || chance(50) {
            use("keyTimes: one more")
            let count = (animation["values"] as? [Any])?.count ?? 0
            animation["keyTimes"] = Array([0, 0.125, 0.375, 0.625].prefix(count)) + [1.0]
        }
        return chance(20) ? grouped(animation, width, height) : animation
    }

    /// Forms that the others have not: what changes by so much, and steps that are added.
    private mutating func vary(_ animation: inout Object, _ name: String, _ values: [Any]) {
        let isNumber = !["transform", "hidden", "contents", "shape.path"].contains(name)
        if isNumber, animation["from"] != nil || animation["to"] != nil, chance(35) {
            let ends = pick([["by"], ["to", "by"], ["from", "by"]])
            for key in ["from", "to", "by"] { animation[key] = nil }
            for (key, value) in zip(ends, values) { animation[key] = value }
            use("ends: \(ends.joined(separator: " and "))")
        }
        let adds = ["position", "bounds.origin", "anchorPoint", "transform.translation", "shadow.offset"]
        if animation["values"] != nil, adds.contains(name), chance(40) {
            use("additive keyframes")
            animation["additive"] = true
        }
    }

    private mutating func grouped(_ animation: Object, _ width: Int, _ height: Int) -> Object {
        use("group of several")
        var group: Object = ["duration": time(pick([5, 7])), "fill": pick(["forwards", "both"])]
        let second = course("opacity", as: "opacity", (0..<4).map { _ in value("opacity", width, height) })
        group["animations"] = [animation, second]
        if chance(50) {
            use("group: repeat")
            group["repeat"] = pick([2, 1.5, "inf"] as [Any])
        }
        if chance(30) {
            use("group: autoreverse")
            group["autoreverse"] = true
        }
        if chance(30) { group["speed"] = pick([0.5, 1.5]) }
        return group
    }

    /// A layer's own time.
    private mutating func clock(_ layer: inout Object) {
        switch numbers.next(in: 0..<4) {
        case 0:
            use("layer: beginTime 0")
            layer["beginTime"] = time(0)
        case 1:
            use("layer: duration")
            layer["duration"] = time(pick([3, 5, 9]))
            layer["repeat"] = pick([1.5, 2, "inf"] as [Any])
            layer["fill"] = pick(["forwards", "both"])
            if chance(50) {
                use("layer: autoreverse")
                layer["autoreverse"] = true
            }
        case 2:
            use("layer: timeOffset")
            let offset = numbers.next(in: -4..<5)
            layer["timeOffset"] = time(offset)
            // Not there before 0, or there and before 0.
            if offset < 0, chance(50) { layer["beginTime"] = time(0) }
        default: break
        }
        if chance(50) {
            use("layer: speed")
            layer["speed"] = pick([0.5, 2, "24/25"] as [Any])
        }
    }

    // MARK: Where it stands

    /// In no layer, in one or in a layer of a layer.
    private mutating func stood(_ layer: Object) -> Object {
        guard chance(50) else { return layer }
        let one = holder(layer)
        guard chance(50) else { return one }
        use("layer: sublayers in sublayers")
        return holder(one)
    }

    private mutating func holder(_ layer: Object) -> Object {
        let (width, height) = (canvas.width * 3 / 4, canvas.height * 3 / 4)
        var inner = layer
        inner["position"] = [
            numbers.next(in: width / 4..<width * 3 / 4), numbers.next(in: height / 4..<height * 3 / 4),
        ]
        var holder: Object = [
            "bounds": [0, 0, width, height],
            "position": [canvas.width / 2 + numbers.next(in: -9..<9), canvas.height / 2 + numbers.next(in: -6..<6)],
            "sublayers": [inner],
        ]
        if chance(50) {
            use("layer: geometryFlipped")
            holder["geometryFlipped"] = true
        }
        if chance(30) { holder["bounds"] = [numbers.next(in: -6..<6), numbers.next(in: -6..<6), width, height] }
        if chance(30) { holder["transform"] = ["rotate": number(-40, 40), "translate": [number(-4, 4), 2]] }
        if chance(25) { holder["opacity"] = number(0.4, 1) }
        if chance(25) { (holder["cornerRadius"], holder["masksToBounds"]) = (number(4, 12), true) }
        if chance(30) { clock(&holder) }
        return holder
    }
}
