import Diagnostics
public import Foundation
public import JSONText

extension Project {
    /// Reads a whole file. `validate` looks at its meaning.
    ///
    /// Throws `SplitreelError` with the first problem that makes the file unusable.
    public init(parsing data: Data) throws {
        let (project, problems) = Project.parse(data)
        if let problem = problems.first(where: { $0.severity == .error }) { throw problem.asError }
        guard let project else {
            throw SplitreelError(
                .compositionUnreadable, operation: "parsing", subject: "the composition", reason: "nothing was read")
        }
        self = project
    }

    /// Reads a whole file and notes every problem of its form.
    ///
    /// The project is nil only where the text is not JSON, not an object or of another format. Where single values
    /// could not be read it is the rest without them, good for finding further problems and for nothing more.
    public static func parse(_ data: Data) -> (project: Project?, problems: [Problem]) {
        var parser = JSONParser([UInt8](data))
        let json: JSONValue
        do {
            json = try parser.parseDocument()
        } catch {
            let message = "not JSON at \(error.place.words): \(error.reason)"
            let problem = Problem.error(.compositionUnreadable, "", message, hint: error.hint)
            return (nil, [problem.placed(at: error.place)])
        }
        var reader = ProjectReader()
        guard case .object = json else {
            reader.fail(.compositionUnreadable, "the file holds \(json.kindName) where a project is an object")
            return (nil, reader.problems)
        }
        if let problem = formatProblem(json) { return (nil, [problem].located(in: data)) }
        let project = Project.read(json, &reader)
        let lines = TextLines(parser.bytes)
        let doubles = parser.duplicates.map { path, offset in
            Problem.error(.usedTwice, path, "this key stands twice in its object").placed(at: lines.place(of: offset))
        }
        return (project, doubles + reader.problems.located(in: data))
    }

    /// The project's bytes as canonical JSON.
    public func canonicalBytes() -> Data { json.canonicalBytes() }

    private static func formatProblem(_ json: JSONValue) -> Problem? {
        let hint = "the first key is \"format\": \"\(formatName)\""
        guard let format = json["format"] else {
            return .error(.formatUnknown, "format", "the key `format` is missing", hint: hint)
        }
        guard let name = format.string else {
            return .error(.formatUnknown, "format", "expected a string, found \(format.kindName)", hint: hint)
        }
        if name == formatName { return nil }
        return .error(
            .formatUnknown, "format", "the format `\(name.prefix(80))` is not known",
            hint: "this version reads \(formatName)")
    }
}
