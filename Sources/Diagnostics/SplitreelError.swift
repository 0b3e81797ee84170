/// The one error shape of the project: what failed, on what, why, and what to do about it.
///
/// `code` decides (retries, exit status); the texts are for people and are never matched.
public struct SplitreelError: Error, Hashable, Codable, Sendable {
    public var code: ErrorCode
    /// The operation that failed: a C call's name or a verb phrase, such as `avformat_open_input` or "stitching".
    public var operation: Phrase
    /// The thing that it failed on: a file, a JSON path, a setting, a chunk with its time range.
    public var subject: Phrase
    /// The reason: the underlying library's words, or ours. One sentence without a final full stop.
    public var reason: Phrase
    /// The words for what the person can do; may be empty.
    public var hint: Phrase

    public init(_ code: ErrorCode, operation: Phrase, subject: Phrase, reason: Phrase, hint: Phrase = "") {
        self.code = code
        self.operation = operation
        // Errors are logged, stored and shown to others.
        self.subject = subject.withoutSecrets
        self.reason = reason
        self.hint = hint
    }

    /// An error that names no settings. Literals make phrases, so that a setting in them is not lost.
    @_disfavoredOverload
    public init(_ code: ErrorCode, operation: String, subject: String, reason: String, hint: String = "") {
        self.init(
            code, operation: Phrase(operation), subject: Phrase(subject), reason: Phrase(reason), hint: Phrase(hint))
    }

    /// The error as plain texts, in which `name` calls settings by their names.
    public func told(_ name: (Setting) -> String) -> SplitreelError {
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
