extension SplitreelError {
    /// For people: what, where and why.
    package var oneLine: String {
        [code.title, subject, reason].filter { !$0.isEmpty }.joined(separator: ": ").printable
    }
}
