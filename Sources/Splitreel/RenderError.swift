import Diagnostics

/// An error, in the words of `splitreel`: `splitreel error CODE` explains its number. Settings have names of their own
/// there, such as `videoBitRate`, and not the command line's.
public struct RenderError: Error, Sendable, CustomStringConvertible {
    /// The number in the table of codes, such as 10101; 90001 for a fault of this program.
    public let code: Int
    /// A line for people: what, where, why and what to do.
    public let description: String

    init(_ error: any Error) {
        if let own = error as? RenderError {
            self = own
            return
        }
        let known =
            error as? SplitreelError
            ?? SplitreelError(.internalFault, operation: "", subject: "", reason: String(describing: error))
        let hint = known.hint.isEmpty ? "" : " (\(known.hint))"
        (code, description) = (known.code.number, known.oneLine + hint)
    }

    /// Runs `body` with all of its errors turned into such errors.
    static func turning<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw RenderError(error) }
    }
}
