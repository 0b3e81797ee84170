import Diagnostics

/// What went wrong, in the words of `splitreel`: `splitreel error CODE` explains its number.
public struct RenderError: Error, Sendable, CustomStringConvertible {
    /// One of the table of codes, such as 10101; 90001 for what should not be.
    public let code: Int
    /// One line for people: what, where, why and what to do.
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

    /// The same with all that is thrown turned into such errors.
    static func turning<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw RenderError(error) }
    }
}
