extension SplitreelError {
    /// The error as one line for people: what, where and why.
    public var oneLine: String {
        [code.title, subject.description, reason.description].filter { !$0.isEmpty }.joined(separator: ": ").printable
    }
}
