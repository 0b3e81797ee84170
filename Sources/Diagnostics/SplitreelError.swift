/// The one error shape of the project: what failed, on what, why, and what to do about it.
///
/// `code` decides (retries, exit status); the texts are for people and are never matched.
package struct SplitreelError: Error, Hashable, Codable, Sendable {
    package var code: ErrorCode
    /// The operation that failed: a C call's name or a verb phrase, such as `avformat_open_input` or "stitching".
    package var operation: String
    /// The thing that it failed on: a file, a JSON path, a chunk with its time range.
    package var subject: String
    /// The reason: the underlying library's words, or ours. One sentence without a final full stop.
    package var reason: String
    /// The words for what the person can do; may be empty.
    package var hint: String

    package init(_ code: ErrorCode, operation: String, subject: String, reason: String, hint: String = "") {
        self.code = code
        self.operation = operation
        self.subject = subject
        self.reason = reason
        self.hint = hint
    }
}

extension SplitreelError: CustomStringConvertible {
    /// The error as at most three lines: `error 20001: cannot open media: clip.mp4`, the reason, the hint.
    package var description: String {
        var text = "error \(code.number): \(code.title): \(subject)"
        if !reason.isEmpty { text += "\n  why: \(reason)" + (operation.isEmpty ? "" : " (\(operation))") }
        if !hint.isEmpty { text += "\n  try: \(hint)" }
        return text
    }
}
