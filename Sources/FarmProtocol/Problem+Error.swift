package import Diagnostics

extension Splitreel_Farm_Problem {
    package init(_ error: SplitreelError) {
        self.init()
        code = UInt32(clamping: error.code.number)
        operation = error.operation.description
        subject = error.subject.description
        reason = error.reason.description
        hint = error.hint.description
        let texts = [error.operation, error.subject, error.reason, error.hint]
        if texts.contains(where: \.namesSettings) { phrases = texts.map { Splitreel_Farm_Phrase($0) } }
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
        let texts = [operation, subject, reason, hint].map { Phrase($0) }
        let told = phrases.count == texts.count ? phrases.map(\.phrase) : texts
        return SplitreelError(
            ErrorCode(Int(code)), operation: told[0], subject: told[1], reason: told[2], hint: told[3])
    }

    /// The bytes of its texts in a message, roughly, rather more than less.
    package var weight: Int {
        let ofPhrases = phrases.reduce(0) { $0 + $1.weight }
        return [operation, subject, reason, hint].reduce(ofPhrases) { $0 + $1.utf8.count }
    }
}

extension SplitreelError {
    package init(_ problem: Splitreel_Farm_Problem) { self = problem.error }
}
