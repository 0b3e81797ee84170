import Diagnostics

extension SplitreelError {
    /// The error itself where it is one of ours; another is a fault of this program, told in its own words.
    static func wrapping(_ error: any Error) -> SplitreelError {
        error as? SplitreelError
            ?? SplitreelError(.internalFault, operation: "", subject: "", reason: String(describing: error))
    }
}
