extension Notice {
    /// The notice as one line for people: what, where, how often and from when on.
    public var message: String {
        let first = firstSeconds.map(momentText)
        if code == .soundClipped {
            let from = first.map { " from \($0) on" } ?? ""
            return "\(code.title): \(grouped(count)) \(count == 1 ? "sample" : "samples")\(from), \(reason)"
        }
        let often = count > 1 ? "\(grouped(count)) times" : nil
        let when = first.map { (count > 1 ? "first at " : "at ") + $0 }
        let counts = [often, when].compactMap { $0 }.joined(separator: ", ")
        let text = [code.title, subject, reason.description].filter { !$0.isEmpty }.joined(separator: ": ")
        return counts.isEmpty ? text : "\(text) (\(counts))"
    }
}
