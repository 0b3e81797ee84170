package import Diagnostics

extension Splitreel_Farm_Problem {
    package init(_ error: SplitreelError) {
        self.init()
        code = UInt32(clamping: error.code.number)
        operation = error.operation
        subject = error.subject
        reason = error.reason
        hint = error.hint
    }

    /// The problem of any error; one that is not ours becomes an `.internalFault` that quotes it.
    package init(any error: any Error, operation: String, subject: String = "") {
        let known = error as? SplitreelError
        self.init(
            known
                ?? SplitreelError(
                    .internalFault, operation: operation, subject: subject, reason: String(describing: error)))
    }

    /// The error that the problem tells of; unknown numbers survive.
    package var error: SplitreelError {
        SplitreelError(
            ErrorCode(Int(code)), operation: operation, subject: subject, reason: reason, hint: hint)
    }
}

extension SplitreelError {
    package init(_ problem: Splitreel_Farm_Problem) { self = problem.error }
}
