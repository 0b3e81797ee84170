import Diagnostics
import ExactMath
package import JSONText
package import MediaTime
package import Pictures
import SplitreelProject

/// The place that a template is put in.
package struct TemplatePlace: Sendable {
    /// The canvas's size in pixels; lengths of templates are shares of its sides, mostly of the shorter one.
    package var size: PixelSize
    /// The film's length in seconds, for what lasts as long.
    package var film: Rational
    /// The id of the first of its layers, and of its asset; used once in a project.
    package var id: String

    package init(size: PixelSize, film: Rational, id: String) {
        self.size = size
        self.film = film
        self.id = id
    }
}

extension Template {
    /// The parts that the template becomes with these parameters: JSON values put in their places, each of its kind.
    /// Texts are shown as they stand, tags and braces too; control characters, which have no shape, by their pictures
    /// (U+2400 …).
    ///
    /// The result depends on the template and the arguments alone. Throws `TemplateFault`, with the parameter's path,
    /// for an argument that is no parameter or not allowed.
    package func expand(
        _ arguments: [String: JSONValue], in place: TemplatePlace
    ) throws(TemplateFault) -> TemplateFragment {
        let names = try scope(arguments, place)
        let pieces = try [layers, assets, subtitles].map { part throws(TemplateFault) in
            try elements(part, names, escapes: false)
        }
        var reader = ProjectReader()
        var fragment = TemplateFragment()
        fragment.layers = [AnimationLayer].read(.array(pieces[0]), &reader) ?? []
        for piece in pieces[1] {
            guard let name = piece["name"]?.string, let asset = piece["asset"].flatMap({ Asset.read($0, &reader) })
            else { throw .wrong("an asset has a name and an asset") }
            fragment.assets[name] = asset
        }
        fragment.subtitles = [SubtitleSettings].read(.array(pieces[2]), &reader) ?? []
        if let problem = reader.problems.first { throw .wrong("\(problem.path): \(problem.message)") }
        return fragment
    }

    /// The time when it is over with these parameters, in seconds; nil for one that goes with the film. Throws as
    /// `expand`.
    package func end(_ arguments: [String: JSONValue], in place: TemplatePlace) throws(TemplateFault) -> Rational? {
        guard let end else { return nil }
        guard case .time(let time) = try TemplateExpression.value(of: end, scope(arguments, place)) else {
            throw .wrong("its end is no time")
        }
        return time
    }

    // MARK: Names

    private func scope(
        _ arguments: [String: JSONValue], _ place: TemplatePlace
    ) throws(TemplateFault) -> [String: TemplateValue] {
        for key in arguments.keys.sorted() where !parameters.contains(where: { $0.name == key }) {
            let near = nearestParameter(to: key)
            throw TemplateFault(
                "\(name).\(key.prefix(60))", "it has no such parameter",
                hint: near.map { "did you mean `\($0)`?" }
                    ?? "its parameters are \(parameters.map(\.name).joined(separator: ", "))")
        }
        let (width, height) = (Double(place.size.width), Double(place.size.height))
        var names: [String: TemplateValue] = [
            "width": .number(width), "height": .number(height), "unit": .number(min(width, height)),
            "film": .time(place.film), "id": .text(place.id),
        ]
        for parameter in parameters {
            let path = "\(name).\(parameter.name)"
            if let argument = arguments[parameter.name], argument != .null {
                names[parameter.name] = try parameter.value(of: argument, path: path)
            } else if parameter.isRequired {
                throw TemplateFault(path, "it must be said", hint: parameter.summary)
            } else if let fallback = parameter.fallback, fallback != .null {
                names[parameter.name] = try parameter.value(of: fallback, path: path)
            } else {
                names[parameter.name] = TemplateValue.none
            }
        }
        for (name, expression) in values { names[name] = try TemplateExpression.value(of: expression, names) }
        return names
    }

    private func nearestParameter(to key: String) -> String? {
        nearestName(to: key, among: parameters.map(\.name))
    }

    // MARK: Values

    /// - Parameter escapes: whether the object has `markup`: texts stand in it as markup that shows them.
    private func expanded(
        _ json: JSONValue, _ names: [String: TemplateValue], escapes: Bool
    ) throws(TemplateFault) -> JSONValue? {
        switch json {
        case .string(let text) where text.hasPrefix("="):
            let value = try TemplateExpression.value(of: text.dropFirst(), names)
            guard case .text(let words) = value else { return value.json }
            return .string(escapes ? words.shownLiterally.escapedForMarkup : words.shownLiterally)
        case .array(let parts): return .array(try elements(parts, names, escapes: escapes))
        case .object(let members): return try object(members, names, escapes: escapes)
        default: return json
        }
    }

    private func object(
        _ members: [String: JSONValue], _ names: [String: TemplateValue], escapes: Bool
    ) throws(TemplateFault) -> JSONValue? {
        if let condition = members["$if"]?.string, try !TemplateExpression.value(of: condition, names).isTrue {
            return nil
        }
        if case .array(let parts)? = members["$join"] {
            return .string(try elements(parts, names, escapes: escapes).compactMap(\.string).joined())
        }
        let isMarkup = members["markup"] == .bool(true)
        var result: [String: JSONValue] = [:]
        for (key, member) in members where key != "$if" {
            result[key] = try expanded(member, names, escapes: escapes || (isMarkup && key == "string"))
        }
        return .object(result)
    }

    /// The elements of a list, in which `$for` stands for as many as it makes.
    private func elements(
        _ parts: [JSONValue], _ names: [String: TemplateValue], escapes: Bool
    ) throws(TemplateFault) -> [JSONValue] {
        var result: [JSONValue] = []
        for part in parts {
            guard let name = part["$for"]?.string, let many = part["in"]?.string, let each = part["each"] else {
                if let element = try expanded(part, names, escapes: escapes) { result.append(element) }
                continue
            }
            var names = names
            for item in try items(many, named: name, names) {
                names.merge(item) { _, new in new }
                if let element = try expanded(each, names, escapes: escapes) { result.append(element) }
            }
        }
        return result
    }

    /// The names of each element of a `$for`. A number gives `name` from 0. Lines give `name`, `name_index` from 0, and
    /// `name_heads`, 1 for the first of several between two empty ones.
    private func items(
        _ many: String, named name: String, _ names: [String: TemplateValue]
    ) throws(TemplateFault) -> [[String: TemplateValue]] {
        switch try TemplateExpression.value(of: many, names) {
        case .number(let count): return (0..<max(0, Int(count.held(in: 0...1000)))).map { [name: .number(Double($0))] }
        case .lines(let lines):
            return lines.indices.map { index in
                let isFirst = index == 0 || lines[index - 1].isEmpty
                let goesOn = index + 1 < lines.count && !lines[index + 1].isEmpty
                return [
                    name: .text(lines[index]), name + "_index": .number(Double(index)),
                    name + "_heads": .number(isFirst && goesOn ? 1 : 0),
                ]
            }
        default: throw .wrong("`\(many)` is neither a number nor lines")
        }
    }
}

extension String {
    /// The text with control characters but line feeds and tabs as their pictures: fonts have no shapes for them, and
    /// texts no zero.
    fileprivate var shownLiterally: String {
        guard unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            let isControl = (scalar.value < 32 && scalar != "\n" && scalar != "\t") || scalar.value == 127
            let picture = scalar.value == 127 ? 0x2421 : 0x2400 + scalar.value
            text.append(isControl ? Unicode.Scalar(picture) ?? scalar : scalar)
        }
        return String(text)
    }

    fileprivate var escapedForMarkup: String {
        // Escaping goes by scalars: a sign with an accent over it is one character, and still a tag.
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
