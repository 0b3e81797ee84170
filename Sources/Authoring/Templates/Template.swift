import Foundation
package import JSONText
package import SplitreelProject

/// A title, a caption or a mark that is ready to be put over a film: JSON with parameters in it, which becomes layers
/// of `video.animation` (or entries of `video.subtitles`) for a canvas of any size. `Templates/*.json` are their
/// sources.
///
/// In a template a string that begins with `=` is an expression (`TemplateExpression`), whose value stands there as
/// JSON of its own kind: no text is ever pasted into another. `{"$if": …}` leaves out what it stands in, `{"$for":
/// …}` stands for several elements of a list, `{"$join": […]}` for one text.
package struct Template: Sendable {
    package let name: String
    package let summary: String
    package let parameters: [TemplateParameter]
    /// The further names in order, each with its expression, which may use those before it.
    let values: [(name: String, expression: String)]
    /// The layers in the canvas's pixels, y upwards.
    let layers: [JSONValue]
    /// The assets with their names, as `[{"name": …, "asset": {…}}]`.
    let assets: [JSONValue]
    let subtitles: [JSONValue]
    /// The expression of the time when it is over; nil for one that goes with the film.
    let end: String?

    /// All templates of the program, by name.
    package static let all: [Template] = texts.map { text in
        do {
            return try Template(JSONValue(parsing: Data(text.utf8)))
        } catch {
            preconditionFailure("a template of this program is wrong: \(error)")
        }
    }

    package static func named(_ name: String) -> Template? { all.first { $0.name == name } }

    init(_ json: JSONValue) throws {
        func text(_ key: String) throws -> String {
            guard let text = json[key]?.string else { throw TemplateFault.wrong("\(key) is no text") }
            return text
        }
        func list(_ key: String) throws -> [JSONValue] {
            switch json[key] {
            case .array(let elements)?: return elements
            case nil: return []
            default: throw TemplateFault.wrong("\(key) is no list")
            }
        }
        (name, summary) = (try text("name"), try text("summary"))
        parameters = try list("parameters").map(TemplateParameter.init)
        values = try list("values").map { value in
            guard case .object(let members) = value, members.count == 1, let member = members.first,
                let expression = member.value.string
            else { throw TemplateFault.wrong("a value is one name with an expression") }
            return (member.key, expression)
        }
        layers = try list("layers")
        assets = try list("assets")
        subtitles = try list("subtitles")
        end = json["end"]?.string
    }
}

/// The parts of a project that a template became.
package struct TemplateFragment: Sendable, Hashable {
    package var assets: [String: Asset] = [:]
    /// The sublayers of a root that has the canvas's size.
    package var layers: [AnimationLayer] = []
    package var subtitles: [SubtitleSettings] = []
    /// The parts as people put them into a file, keys that are empty left out.
    package var json: JSONValue {
        var members: [String: JSONValue] = [:]
        if !assets.isEmpty { members["assets"] = assets.json }
        if !layers.isEmpty { members["sublayers"] = layers.json }
        if !subtitles.isEmpty { members["subtitles"] = subtitles.json }
        return .object(members)
    }
}

/// A fault of a template's parameters, or of the template itself.
package struct TemplateFault: Error, Hashable {
    /// The parameter's path, such as `lower-third.size`; empty for a fault of the template's own.
    package var path: String
    package var reason: String
    package var hint: String

    init(_ path: String, _ reason: String, hint: String = "") {
        self.path = path
        self.reason = reason
        self.hint = hint
    }

    static func wrong(_ reason: String) -> TemplateFault { TemplateFault("", reason) }
}
