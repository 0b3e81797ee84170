public import Diagnostics
package import Foundation

/// One finding about a composition file: an error makes it unusable, a warning does not.
public struct Problem: Sendable, Hashable, Codable {
    /// The weight of a finding.
    public enum Severity: String, Sendable, Codable {
        /// The composition cannot be rendered as it is.
        case error
        /// The composition can be rendered, and perhaps means something else.
        case warning
    }

    /// The weight of the finding.
    public var severity: Severity
    /// The code of what was found, with its title and its explanation; in JSON its number.
    public var code: ErrorCode
    /// The path of the value that it is about, such as `video.instructions[1].range`; empty for the file as a whole.
    public var path: String
    /// The words for what is wrong, with both times as fractions where two disagree.
    public var message: String
    /// The words for what to do about it; may be empty.
    public var hint: String
    /// The line in the file's text, from 1, of the key of `path`, or of the innermost value around it that is there;
    /// nil where the text is not at hand.
    public var line: Int?
    /// The column of that key in its line, in characters from 1; nil where `line` is.
    public var column: Int?
    /// The file of the nested composition that the path is in; nil for the composition itself.
    public var file: String?

    package init(severity: Severity, code: ErrorCode, path: String, message: String, hint: String = "") {
        self.severity = severity
        self.code = code
        self.path = path
        self.message = message
        self.hint = hint
    }

    package static func error(_ code: ErrorCode, _ path: String, _ message: String, hint: String = "") -> Problem {
        Problem(severity: .error, code: code, path: path, message: message, hint: hint)
    }

    package static func warning(_ code: ErrorCode, _ path: String, _ message: String, hint: String = "") -> Problem {
        Problem(severity: .warning, code: code, path: path, message: message, hint: hint)
    }

    /// The line and column as `:12:7`; empty where they are not known.
    package var place: String { line.map { ":\($0):\(column ?? 1)" } ?? "" }

    /// The problem as the error that stops a command.
    package var asError: SplitreelError {
        SplitreelError(
            code, operation: "", subject: path.isEmpty ? "the composition" : path, reason: message,
            hint: hint)
    }
}

extension [Problem] {
    /// The problems with line and column in the text that they were found in, for those that have none.
    package func located(in text: Data) -> [Problem] {
        let paths = Set(filter { $0.line == nil }.map(\.path)).subtracting([""])
        guard !paths.isEmpty else { return self }
        let places = JSONPlaces(of: paths, in: [UInt8](text))
        return map { problem in
            guard problem.line == nil, let place = places[problem.path] else { return problem }
            return problem.placed(at: place)
        }
    }
}

extension Problem {
    package func placed(at place: TextPlace) -> Problem {
        var copy = self
        (copy.line, copy.column) = (place.line, place.column)
        return copy
    }
}

/// A place in a JSON document.
package struct JSONPath: CustomStringConvertible {
    package enum Step {
        case key(String)
        case index(Int)
    }

    private(set) var steps: [Step] = []

    package init() {}

    package mutating func push(_ step: Step) { steps.append(step) }
    package mutating func pop() { _ = steps.popLast() }

    package func contains(key: String) -> Bool {
        steps.contains { if case .key(key) = $0 { true } else { false } }
    }

    package var description: String {
        steps.reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += text.isEmpty ? key : "." + key
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
