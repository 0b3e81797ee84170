/// The one error shape of the project: what failed, on what, why, and what to do about it.
///
/// Programs look at `code`; the texts are for people, and their words may change with any release. Secrets are not in
/// them: addresses of the web are shown without user names, passwords and queries.
public struct SplitreelError: Error, Hashable, Codable, Sendable {
    /// The stable number of this way to fail.
    public var code: ErrorCode
    /// The operation that failed: a C call's name or a verb phrase, such as `avformat_open_input` or "stitching".
    public var operation: Phrase
    /// The thing that it failed on: a file, a JSON path, a setting, a chunk with its time range.
    public var subject: Phrase
    /// The reason: the underlying library's words, or ours. One sentence without a final full stop.
    public var reason: Phrase
    /// The words for what the person can do; may be empty.
    public var hint: Phrase

    /// Makes an error of its parts. Literals make phrases: `reason: "track \(id) has no segment"`.
    public init(_ code: ErrorCode, operation: Phrase, subject: Phrase, reason: Phrase, hint: Phrase = "") {
        self.code = code
        self.operation = operation
        // Errors are logged, stored and shown to others.
        self.subject = subject.withoutSecrets
        self.reason = reason
        self.hint = hint
    }

    /// Makes an error of plain texts.
    @_disfavoredOverload
    public init(_ code: ErrorCode, operation: String, subject: String, reason: String, hint: String = "") {
        self.init(
            code, operation: Phrase(operation), subject: Phrase(subject), reason: Phrase(reason), hint: Phrase(hint))
    }

    /// The error as plain texts, in which `name` calls settings by their names.
    package func told(_ name: (Setting) -> String) -> SplitreelError {
        SplitreelError(
            code, operation: operation.words(name), subject: subject.words(name), reason: reason.words(name),
            hint: hint.words(name))
    }
}

extension SplitreelError: CustomStringConvertible {
    /// The error as at most three lines: `error 20001: cannot open media: clip.mp4`, the reason, the hint.
    public var description: String {
        var text = "error \(code.number): \(code.title): \(subject)"
        if !reason.isEmpty { text += "\n  why: \(reason)" + (operation.isEmpty ? "" : " (\(operation))") }
        if !hint.isEmpty { text += "\n  try: \(hint)" }
        return text
    }
}
