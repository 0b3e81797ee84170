import TestTools

extension EffectFilmMaker {
    /// An animation around the film, or as a layer over it.
    mutating func animate(_ video: inout Object, _ layers: inout [Object], hasTransition: Bool) {
        node("animation")
        var tree: Object = [:]
        var root: Object = [:]
        if chance(25) { root["bounds"] = [0, 0, canvas.width * 2, canvas.height * 2] }
        let unit = root["bounds"] == nil ? 1 : 2
        var inner = [animated(depth: 0, unit)]
        if chance(60) { inner.append(animated(depth: 0, unit)) }
        if chance(30) {
            use("root: geometryFlipped")
            root["geometryFlipped"] = true
        }
        if chance(35) {
            use("mode: additionalLayer")
            (tree["mode"], tree["trackID"]) = ("additionalLayer", 99)
            var layer: Object = ["track": 99]
            if chance(40) { layer["opacity"] = [ramp(number(0.25, 1), 1)] }
            // By an odd number of columns: between samples of chroma.
            if chance(30) { layer["transform"] = [["at": "0s", "value": [1, 0, 0, 1, 3, 2]]] }
            // At the end: it is beneath a transition's first side, and seen with its second.
            layers.insert(layer, at: hasTransition ? 1 : 0)
        } else {
            use("mode: postProcessing")
            tree["videoLayers"] = ["film"]
            let (width, height) = (canvas.width * unit, canvas.height * unit)
            var film: Object = ["id": "film", "bounds": [0, 0, width, height], "position": [width / 2, height / 2]]
            if chance(40) {
                film["transform"] = ["scale": number(0.5, 0.9), "rotate": number(-20, 20)]
                if chance(50) { (film["cornerRadius"], film["masksToBounds"]) = (number(4, 20), true) }
            }
            inner.insert(film, at: 0)
        }
        root["sublayers"] = inner
        tree["root"] = root
        video["animation"] = tree
    }

    /// A layer of some contents; `depth` 0 may hold others.
    private mutating func animated(depth: Int, _ unit: Int) -> Object {
        let (width, height) = (numbers.next(in: 14..<48) * unit, numbers.next(in: 12..<36) * unit)
        var layer: Object = [
            "bounds": [0, 0, width, height],
            "position": [
                numbers.next(in: 8..<canvas.width - 8) * unit, numbers.next(in: 6..<canvas.height - 6) * unit,
            ],
        ]
        // Neither a picture of its own, nor one made with the raster: it may grow.
        var isDirect = true
        if chance(45) {
            use("layer: background")
            layer["backgroundColor"] = colour(pick([1, 0.75]))
        }
        contents(&layer, width, height, &isDirect)
        if chance(25) { layer["anchorPoint"] = [number(0, 1), number(0, 1)] }
        if chance(35) { layer["cornerRadius"] = number(2, 12) }
        if chance(30) {
            use("layer: border")
            (layer["borderWidth"], layer["borderColor"]) = (number(1, 5), colour(pick([1, 0.5])))
        }
        if depth == 0, chance(35) {
            use("layer: sublayers")
            isDirect = false
            layer["sublayers"] = (0..<numbers.next(in: 1..<3)).map { _ in sublayer(width, height) }
            if chance(30) {
                use("layer: geometryFlipped")
                layer["geometryFlipped"] = true
            }
            if chance(20) { layer["bounds"] = [numbers.next(in: -6..<6), numbers.next(in: -6..<6), width, height] }
        }
        // What fills more than the canvas is made in part only, from another place on.
        let isWide = !isDirect && layer["contentsGravity"] as? String == "resizeAspectFill"
        if chance(25) || isWide {
            use("layer: masksToBounds")
            layer["masksToBounds"] = true
            isDirect = false
        }
        if chance(25) {
            use("layer: shadow")
            isDirect = false
            layer["shadow"] = [
                "opacity": number(0.5, 1), "radius": number(1, 4), "offset": [number(-4, 4), number(-5, 3)],
                "color": colour(),
            ]
        }
        if chance(20) {
            use("layer: mask")
            isDirect = false
            layer["mask"] = mask(width, height)
        }
        turn(&layer)
        if chance(30) { layer["opacity"] = number(0.25, 1) }
        if chance(20) {
            use("layer: time")
            layer["beginTime"] = time(numbers.next(in: 0..<4))
            if chance(50) { layer["speed"] = pick([0.5, 2]) }
        }
        layer["animations"] = (0..<numbers.next(in: 1..<3)).map { _ in
            animation(layer, isDirect: isDirect && layer["opacity"] == nil, width, height)
        }
        return layer
    }

    private mutating func sublayer(_ width: Int, _ height: Int) -> Object {
        var layer = animated(depth: 1, 1)
        layer["position"] = [numbers.next(in: 0..<width), numbers.next(in: 0..<height)]
        if chance(30) { layer["zPosition"] = numbers.next(in: -2..<3) }
        return layer
    }

    private mutating func contents(_ layer: inout Object, _ width: Int, _ height: Int, _ isDirect: inout Bool) {
        switch numbers.next(in: 0..<8) {
        case 0:
            use("layer: color")
            layer["contents"] = ["color": colour(pick([1, 0.5]))]
        case 1:
            use("layer: gradient")
            isDirect = false
            layer["contents"] = ["gradient": gradient()]
        case 2, 3:
            use("layer: image")
            layer["contents"] = ["image": pick(["picture", "cutout", "spot"])]
            gravity(&layer)
        case 4:
            use("layer: film")
            layer["contents"] = ["film": pick(["plain", "high", "clear"])]
            gravity(&layer)
        case 5:
            use("layer: animatedImage")
            layer["contents"] = ["animatedImage": "ever"]
        case 6:
            use("layer: shape")
            isDirect = false
            layer["contents"] = ["shape": shape(width, height)]
        default: if layer["backgroundColor"] == nil { layer["backgroundColor"] = colour() }
        }
    }

    private mutating func gravity(_ layer: inout Object) {
        guard chance(45) else { return }
        let word = pick(["resizeAspect", "resizeAspectFill", "center", "top", "bottomLeft", "topRight", "right"])
        use("gravity: \(word)")
        layer["contentsGravity"] = word
    }

    mutating func gradient() -> Object {
        let stops: [Object] = [
            ["at": 0, "color": colour()], ["at": 0.5, "color": colour(0.5)], ["at": 1, "color": colour()],
        ]
        return [
            "shape": pick(["linear", "radial"]), "from": [number(0, 0.5), 0.25], "to": [number(0.75, 1), 1],
            "stops": stops,
        ]
    }

    mutating func shape(_ width: Int, _ height: Int) -> Object {
        var shape: Object = ["lineCap": "round", "lineJoin": "round"]
        let (w, h) = (Double(width), Double(height))
        switch numbers.next(in: 0..<4) {
        case 0: (shape["rect"], shape["cornerRadius"]) = ([2, 2, w - 4, h - 4], number(0, 8))
        case 1: shape["ellipse"] = [1, 2, w - 3, h - 4]
        case 2: shape["polygon"] = [[0, h], [w / 2, 0], [w, h * 0.75], [w * 0.25, h * 0.4]]
        default: shape["path"] = "M 2 \(h / 2) C \(w / 3) -10 \(w / 2) \(h + 8) \(w - 2) \(h / 3) L \(w / 2) \(h - 2) Z"
        }
        if chance(60) {
            (shape["strokeColor"], shape["lineWidth"]) = (colour(pick([1, 0.5])), number(1.5, 6))
            if chance(40) { (shape["strokeStart"], shape["strokeEnd"]) = (number(0, 0.3), number(0.5, 1)) }
            if chance(30) { (shape["lineDashPattern"], shape["lineDashPhase"]) = ([9, 8], number(0, 5)) }
        }
        if shape["strokeColor"] == nil || chance(60) {
            shape["fillColor"] = colour(pick([1, 0.75]))
            shape["fillRule"] = pick(["non-zero", "even-odd"])
        }
        return shape
    }

    private mutating func mask(_ width: Int, _ height: Int) -> Object {
        var mask: Object = [
            "bounds": [0, 0, width, height], "position": [Double(width) / 2 + number(-4, 4), Double(height) / 2],
        ]
        if chance(50) {
            mask["contents"] = ["image": "spot"]
        } else {
            (mask["backgroundColor"], mask["cornerRadius"]) = ([1, 1, 1, 1], number(4, 10))
        }
        return mask
    }

    private mutating func turn(_ layer: inout Object) {
        guard chance(45) else { return }
        let isHolder = layer["sublayers"] != nil
        switch numbers.next(in: 0..<4) {
        case 0:
            use("layer: affine")
            layer["transform"] = isHolder ? [0.96, 0.28, -0.28, 0.96, 3, -2] : [1, 0.25, -0.375, 0.875, 2, 3]
        case 1 where !isHolder:
            use("layer: 3D")
            layer["transform"] = [
                "rotateX": number(-50, 50), "rotateY": number(-50, 50), "perspective": 200, "translate": [2, 1, 20],
            ]
        default:
            use("layer: parts")
            layer["transform"] = [
                "rotate": number(-70, 70), "scale": number(0.75, 1.5), "translate": [number(-4, 4), 2],
            ]
        }
    }
}
