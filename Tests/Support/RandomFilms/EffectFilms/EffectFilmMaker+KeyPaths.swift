import TestTools

/// Which key paths there are, and what a layer has that they change.
extension EffectFilmMaker {
    /// The key paths of contents and shadows, which are drawn once and then put into their places.
    static let inside = [
        "gradient.from", "gradient.to", "gradient.locations", "gradient.colors", "startPoint", "endPoint", "locations",
        "colors", "shape.path", "shape.strokeStart", "shape.strokeEnd", "shape.trimStart", "shape.trimEnd",
        "shape.lineWidth", "shape.strokeWidth", "shape.lineDashPhase", "shape.dashPhase", "shape.fillColor",
        "shape.strokeColor", "path", "strokeStart", "strokeEnd", "lineWidth", "lineDashPhase", "dashPhase", "fillColor",
        "strokeColor", "shadow.opacity", "shadow.radius", "shadow.offset", "shadow.offset.x", "shadow.offset.y",
        "shadow.color", "shadowOpacity", "shadowRadius", "shadowOffset", "shadowColor",
    ]

    /// The key paths that say where a layer is and how its bounds look.
    static let around = [
        "position", "position.x", "position.y", "anchorPoint", "anchorPoint.x", "anchorPoint.y", "bounds.origin",
        "bounds.origin.x", "bounds.origin.y", "zPosition", "opacity", "hidden", "backgroundColor", "cornerRadius",
        "borderWidth", "borderColor", "transform.rotation", "transform.rotation.z", "rotation",
    ]

    /// The key paths that say how large a layer is seen.
    static let large = [
        "bounds", "bounds.size", "bounds.size.width", "bounds.size.height", "size", "transform", "transform.scale",
        "transform.scale.x", "transform.scale.y", "scale", "transform.translation", "transform.translation.x",
        "transform.translation.y", "transform.translation.z", "translation", "transform.rotation.x",
        "transform.rotation.y",
    ]

    /// The key paths of contents that are drawn as large as they are seen, in turn.
    static let drawn = ["contents", "color", "contents", "contents.color"]

    /// A layer as large as a study is, and what a key path needs of it.
    mutating func subject(_ name: String, _ width: Int, _ height: Int) -> Object {
        var layer: Object = [
            "bounds": [0, 0, width, height],
            "position": [numbers.next(in: 12..<canvas.width - 12), numbers.next(in: 8..<canvas.height - 8)],
        ]
        switch name.split(separator: ".")[0] {
        case "gradient": layer["contents"] = ["gradient": gradient()]
        case "shape": layer["contents"] = ["shape": shape(for: name, width, height)]
        case "shadow":
            if chance(60) { layer["contents"] = ["image": pick(["picture", "cutout", "spot"])] }
            if layer["contents"] == nil { (layer["backgroundColor"], layer["cornerRadius"]) = (colour(), number(2, 9)) }
            layer["shadow"] = [
                "opacity": number(0.5, 1), "radius": number(1, 4), "offset": [number(-5, 5), number(-5, 5)],
                "color": colour(),
            ]
        case "color": layer["contents"] = ["color": colour(pick([1, 0.5]))]
        case "contents": layer["contents"] = ["image": pick(["picture", "cutout", "spot"])]
        default: layer["backgroundColor"] = colour(pick([1, 0.75]))
        }
        return layer
    }

    private mutating func shape(for name: String, _ width: Int, _ height: Int) -> Object {
        var shape = shape(width, height)
        let (w, h) = (Double(width), Double(height))
        if name == "shape.path" {
            for key in ["rect", "cornerRadius", "ellipse", "polygon"] { shape.removeValue(forKey: key) }
            shape["path"] = value(name, width, height)
        }
        if name == "shape.fillColor" { shape["fillColor"] = colour(pick([1, 0.75])) }
        if name.contains("ine") || name.contains("stroke") {
            (shape["strokeColor"], shape["lineWidth"]) = (colour(), number(1.5, min(5, w, h)))
        }
        if name == "shape.lineDashPhase" { shape["lineDashPattern"] = [9, 7] }
        return shape
    }

    /// Adds to a layer what a second key path of it needs.
    mutating func extend(_ layer: inout Object, for name: String) {
        switch name {
        case "backgroundColor": layer["backgroundColor"] = layer["backgroundColor"] ?? colour(0.75)
        case "cornerRadius":
            layer["backgroundColor"] = layer["backgroundColor"] ?? colour(0.75)
            layer["cornerRadius"] = layer["cornerRadius"] ?? number(2, 10)
        case "borderWidth", "borderColor":
            (layer["borderWidth"], layer["borderColor"]) = (number(1, 4), colour(pick([1, 0.5])))
        default: break
        }
    }
}
