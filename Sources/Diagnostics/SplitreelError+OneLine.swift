public import Foundation

extension SplitreelError {
    /// The error as one line for people: what, where and why.
    package var oneLine: String {
        [code.title, subject.description, reason.description].filter { !$0.isEmpty }.joined(separator: ": ").printable
    }
}

extension SplitreelError: LocalizedError {
    /// The error as one line for people: what, where and why. `localizedDescription` is the same.
    public var errorDescription: String? { oneLine }
    /// The words for what the person can do; nil where there are none.
    public var recoverySuggestion: String? { hint.isEmpty ? nil : hint.description }
}
