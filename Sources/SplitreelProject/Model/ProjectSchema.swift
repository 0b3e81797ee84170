package import Foundation
import JSONText

/// The JSON Schema (2020-12) of `splitreel/1`, made from the fields that the types declare; docs hold a copy. In the
/// `$comment` of each object stands its place in the reference, as seen from that copy.
package func projectJSONSchema() -> Data {
    var definitions: [String: JSONValue] = [:]
    var schema = Project.objectSchema(&definitions)
    schema["$schema"] = .string("https://json-schema.org/draft/2020-12/schema")
    schema["$id"] = .string("splitreel-1.schema.json")
    schema["$comment"] = .string("reference/composition.md#project")
    schema["title"] = .string(Project.formatName)
    for (page, names) in referencePages {
        for name in names.split(separator: " ") {
            guard case .object(var definition)? = definitions[String(name)] else { continue }
            let words = name.reduce(into: "") { words, letter in
                if letter.isUppercase, !words.isEmpty { words += "-" }
                words += letter.lowercased()
            }
            definition["$comment"] = .string("reference/\(page).md#\(words)")
            definitions[String(name)] = .object(definition)
        }
    }
    schema["$defs"] = .object(definitions)
    if case .object(var properties)? = schema["properties"] {
        properties["format"] = .object(["const": .string(Project.formatName)])
        schema["properties"] = .object(properties)
    }
    return JSONValue.object(schema).prettyBytes()
}

/// The pages of docs/reference, and the objects that each describes under a heading of their words.
private let referencePages = [
    ("README", "NumberKey CropKey TransformKey"), ("assets", "Asset Gradient GradientStop SourceColor"),
    ("audio", "Audio AudioInput AudioTap Loudness"), ("color", "Color"), ("effects", "Registered"),
    ("composition", "Composition Track Segment Fade Transition Chapter Marker"),
    ("outputs", "Output VideoSettings AudioSettings Rendition RenditionSettings"),
    ("text", "Text TextOutline TextShadow TextBackground TextReveal Shape Subtitles"),
    ("video", "Video Instruction Layer TransformParts Animation AnimationLayer LayerContents LayerShadow"),
    ("video", "LayerTransformParts LayerAnimation"),
]
