package import Foundation
import JSONText

/// The JSON Schema (2020-12) of `splitreel/1`, made from the fields that the types declare; docs hold a copy.
package func projectJSONSchema() -> Data {
    var definitions: [String: JSONValue] = [:]
    var schema = Project.objectSchema(&definitions)
    schema["$schema"] = .string("https://json-schema.org/draft/2020-12/schema")
    schema["$id"] = .string("splitreel-1.schema.json")
    schema["title"] = .string(Project.formatName)
    schema["$defs"] = .object(definitions)
    if case .object(var properties)? = schema["properties"] {
        properties["format"] = .object(["const": .string(Project.formatName)])
        schema["properties"] = .object(properties)
    }
    return JSONValue.object(schema).prettyBytes()
}
