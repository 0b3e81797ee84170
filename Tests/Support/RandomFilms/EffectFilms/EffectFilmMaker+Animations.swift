import TestTools

extension EffectFilmMaker {
    /// Key paths, and two values of each.
    private mutating func property(_ layer: Object, isDirect: Bool, _ width: Int, _ height: Int) -> (String, [Any]) {
        var all = [
            "opacity", "position", "position.x", "position.y", "transform.rotation", "anchorPoint", "bounds.origin",
        ]
        // What is turned in space and seen from near is as large as its place has it.
        let isFlat = (layer["transform"] as? Object)?["perspective"] == nil
        if !isFlat { all.removeAll { $0.hasPrefix("transform") } }
        let contents = layer["contents"] as? Object ?? [:]
        if layer["sublayers"] == nil, isFlat { all += ["transform.translation", "transform.translation.x"] }
        if isDirect {
            all += ["bounds.size", "bounds.size.width", "transform.scale", "transform.scale.x", "transform", "bounds"]
        }
        if isDirect, layer["transform"] == nil { all += ["transform.rotation.y", "transform.rotation.x"] }
        if layer["backgroundColor"] != nil { all += ["backgroundColor"] }
        if layer["cornerRadius"] != nil { all += ["cornerRadius"] }
        if layer["borderWidth"] != nil { all += ["borderWidth", "borderColor"] }
        if layer["shadow"] != nil { all += ["shadow.opacity", "shadow.radius", "shadow.offset", "shadow.color"] }
        if contents["color"] != nil { all += ["color"] }
        if contents["gradient"] != nil {
            all += ["gradient.from", "gradient.to", "gradient.locations", "gradient.colors"]
        }
        if let shape = contents["shape"] as? Object {
            if shape["path"] != nil { all += ["shape.path"] }
            if shape["fillColor"] != nil { all += ["shape.fillColor"] }
            if shape["strokeColor"] != nil { all += ["shape.lineWidth", "shape.strokeEnd", "shape.strokeColor"] }
            if shape["lineDashPattern"] != nil { all += ["shape.lineDashPhase"] }
        }
        if contents["image"] != nil { all += ["contents"] }
        all += ["hidden"]
        let name = pick(all)
        return (name, (0..<4).map { _ in value(name, width, height) })
    }

    mutating func value(_ name: String, _ width: Int, _ height: Int) -> Any {
        let (w, h) = (Double(width), Double(height))
        switch name {
        case "opacity", "shadow.opacity", "shape.strokeEnd": return number(0.25, 1)
        case "position", "gradient.from", "gradient.to", "anchorPoint":
            return name == "position" ? [number(8, 70), number(8, 44)] : [number(0, 1), number(0, 1)]
        case "position.x": return number(8, 80)
        case "position.y": return number(8, 46)
        case "bounds.origin", "transform.translation", "shadow.offset": return [number(-8, 8), number(-6, 6)]
        case "transform.rotation": return number(-90, 90)
        case "transform.rotation.x", "transform.rotation.y": return number(-60, 60)
        case "transform.translation.x", "shape.lineDashPhase": return number(-12, 12)
        case "bounds.size": return [number(w / 2, w), number(h / 2, h)]
        case "bounds": return [0, 0, number(w / 2, w), number(h / 2, h)]
        case "bounds.size.width": return number(w / 2, w)
        case "transform.scale": return [number(0.5, 1.5), number(0.5, 1.5)]
        case "transform.scale.x": return number(0.5, 1.5)
        case "transform":
            return ["rotate": number(-40, 40), "scale": number(0.5, 1.25), "translate": [number(-6, 6), 0]]
        case "cornerRadius": return number(0, 12)
        case "borderWidth": return number(1, 5)
        case "shape.lineWidth": return number(1.5, 6)
        case "shadow.radius": return number(1, 4)
        case "gradient.locations": return [number(0, 0.25), number(0.3, 0.6), number(0.75, 1)]
        case "gradient.colors": return [colour(), colour(0.5), colour()]
        case "shape.strokeStart": return number(0, 0.4)
        case "anchorPoint.x", "anchorPoint.y": return number(0, 1)
        case "zPosition": return numbers.next(in: -2..<3)
        case "bounds.origin.x", "bounds.origin.y", "shadow.offset.x", "shadow.offset.y": return number(-7, 7)
        case "bounds.size.height": return number(h / 2, h)
        case "transform.scale.y": return number(0.5, 1.5)
        case "transform.translation.y": return number(-10, 10)
        case "transform.translation.z": return number(-80, 60)
        case "shape.path":
            let (x, y) = (number(-4, 4), number(-4, 4))
            return
                "M 2 \(h / 2) C \(w / 3 + x) \(-8 + y) \(w / 2) \(h + 6 + y) \(w - 2) \(h / 3) "
                + "L \(w / 2 + x) \(h - 2) Z"
        case "hidden": return chance(50)
        case "contents": return pick(["picture", "cutout", "spot"])
        default: return colour(pick([1, 0.75]))
        }
    }

    mutating func animation(_ layer: Object, isDirect: Bool, _ width: Int, _ height: Int) -> Object {
        if (layer["contents"] as? Object)?["animatedImage"] != nil, chance(50) {
            use("keyPath: contents")
            use("contents by animatedImage")
            return ["keyPath": "contents", "animatedImage": "ever", "duration": time(8), "fill": "both"]
        }
        let (name, values) = property(layer, isDirect: isDirect, width, height)
        return course(name, as: name, values)
    }

    /// - Parameter written: the key path, which has other names too.
    mutating func course(_ name: String, as written: String, _ values: [Any]) -> Object {
        use("keyPath: \(written)")
        var animation: Object = ["keyPath": written]
        let isStepped = name == "hidden" || name == "contents"
        let canAdd = !isStepped && name != "shape.path" && !name.hasPrefix("gradient") && !name.contains("olor")
        if isStepped || chance(55) {
            keyframes(&animation, values, isStepped: isStepped, name)
        } else {
            basic(&animation, values, canAdd: canAdd, name)
        }
        animation["duration"] = time(pick([4, 6, 8, 12]))
        if chance(30) { animation["begin"] = time(numbers.next(in: 0..<4)) }
        if chance(25) {
            use("repeat")
            animation["repeat"] = pick([2, 1.5, "inf"] as [Any])
            if canAdd, name != "transform", chance(20) {
                use("cumulative")
                animation["cumulative"] = true
            }
        }
        if chance(25) {
            use("autoreverse")
            animation["autoreverse"] = true
        }
        let fill = pick(["removed", "forwards", "backwards", "both"])
        use("fill: \(fill)")
        animation["fill"] = fill
        if chance(15) { animation["speed"] = pick([0.5, 2]) }
        if chance(10) { animation["timeOffset"] = time(2) }
        guard chance(15) else { return animation }
        use("group of animations")
        animation.removeValue(forKey: "duration")
        return ["type": "group", "duration": time(10), "fill": "forwards", "animations": [animation]]
    }

    private mutating func keyframes(_ animation: inout Object, _ values: [Any], isStepped: Bool, _ name: String) {
        let isPlain = name != "transform" && name != "shape.path" && !isStepped
        let calculation =
            isStepped ? "discrete" : pick(isPlain ? ["linear", "discrete", "cubic", "paced"] : ["linear", "discrete"])
        use("calculation: \(calculation)")
        animation["values"] = Array(values.prefix(pick([2, 3, 4])))
        animation["calculation"] = calculation
        let count = (animation["values"] as? [Any])?.count ?? 0
        if calculation != "paced", chance(40) {
            animation["keyTimes"] = count == 2 ? [0, 1] : count == 3 ? [0, 0.375, 1] : [0, 0.25, 0.5, 1]
        }
        timing(&animation, ways: calculation == "linear" || calculation == "cubic" ? count - 1 : 0)
    }

    private mutating func basic(_ animation: inout Object, _ values: [Any], canAdd: Bool, _ name: String) {
        use("basic")
        switch numbers.next(in: 0..<4) {
        case 0: animation["to"] = values[1]
        case 1: animation["from"] = values[0]
        case 2 where canAdd && name != "transform": (animation["from"], animation["by"]) = (values[0], values[1])
        default: (animation["from"], animation["to"]) = (values[0], values[1])
        }
        if canAdd, name != "opacity", chance(25) {
            use("additive")
            animation["additive"] = true
        }
        timing(&animation, ways: 0)
    }

    private mutating func timing(_ animation: inout Object, ways: Int) {
        let words: [Any] = ["linear", "easeIn", "easeOut", "easeInOut", "default", [0.2, 0.6, 0.7, 0.9]]
        if ways > 0, chance(30) {
            use("timing: each way")
            animation["timing"] = (0..<ways).map { _ in pick(["easeIn", "easeOut", "linear"]) }
        } else {
            let word = pick(words)
            use("timing: \(word as? String ?? "curve")")
            animation["timing"] = word
        }
    }
}
