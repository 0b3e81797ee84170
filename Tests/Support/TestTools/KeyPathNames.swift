/// Key paths of animated layers, as the format's text lists them.
package enum KeyPathNames {
    /// Core Animation's names and short ones, and what each stands for.
    package static let others = [
        "rotation": "transform.rotation", "transform.rotation.z": "transform.rotation", "scale": "transform.scale",
        "translation": "transform.translation", "size": "bounds.size", "contents.color": "color",
        "shadowOpacity": "shadow.opacity", "shadowRadius": "shadow.radius", "shadowOffset": "shadow.offset",
        "shadowColor": "shadow.color", "startPoint": "gradient.from", "endPoint": "gradient.to",
        "locations": "gradient.locations", "colors": "gradient.colors", "string": "text.string",
        "text.progress": "text.reveal", "lineWidth": "shape.lineWidth", "shape.strokeWidth": "shape.lineWidth",
        "lineDashPhase": "shape.lineDashPhase", "dashPhase": "shape.lineDashPhase",
        "shape.dashPhase": "shape.lineDashPhase", "strokeStart": "shape.strokeStart", "strokeEnd": "shape.strokeEnd",
        "shape.trimStart": "shape.strokeStart", "shape.trimEnd": "shape.strokeEnd", "fillColor": "shape.fillColor",
        "strokeColor": "shape.strokeColor", "path": "shape.path",
    ]

    /// The name of the format that a key path stands for; its own where it is one.
    package static func inFull(_ keyPath: String) -> String { others[keyPath] ?? keyPath }
}
