import Diagnostics
public import Foundation
package import JSONText

extension Project {
    /// Reads a whole project file of format `splitreel/1`. What its values mean together is checked elsewhere.
    ///
    /// Throws `SplitreelError` with the first problem that makes the file unusable, and its place in the text.
    public init(_ data: Data) throws {
        let (project, problems) = Project.parse(data)
        if let problem = problems.first(where: { $0.severity == .error }) {
            var error = problem.asError
            error.subject = "\(error.subject)\(problem.place)"
            throw error
        }
        self = project ?? Project()
    }

    /// The project as a file: UTF-8 JSON, keys sorted, every number and time as exact as it is. The same project always
    /// gives the same bytes, and reading them gives the same project.
    ///
    /// - Parameter pretty: whether it is for people: indented, with line feeds. If not, it has no spaces.
    public func data(pretty: Bool = false) -> Data { pretty ? json.prettyBytes(lineLength: 100) : canonicalBytes() }

    /// Reads a whole file. `validate` looks at its meaning.
    ///
    /// Throws `SplitreelError` with the first problem that makes the file unusable.
    package init(parsing data: Data) throws {
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
    package static func parse(_ data: Data) -> (project: Project?, problems: [Problem]) {
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
    package func canonicalBytes() -> Data { json.canonicalBytes() }

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
