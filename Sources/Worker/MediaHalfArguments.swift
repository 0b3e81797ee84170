/// The words after the program's name with which the media half of a slot is started. What it is to do comes over its
/// line: anybody may list a process's words.
package struct MediaHalfArguments: Hashable, Sendable {
    /// The slot's name, for whoever looks at the list of processes.
    package let slot: String
    /// The level of its log, or `SlotArguments.noLog`; nil where the environment decides.
    package let log: String?

    package init(slot: String, log: String?) {
        self.slot = slot
        self.log = log
    }

    /// Reads the words of a process; nil where they start no media half.
    package init?(words: [String]) {
        guard words.starts(with: Self.start), [3, 5].contains(words.count) else { return nil }
        if words.count == 5, words[3] != "--log" { return nil }
        self.init(slot: words[2], log: words.count == 5 ? words[4] : nil)
    }

    package var words: [String] { Self.start + [slot] + (log.map { ["--log", $0] } ?? []) }

    private static let start = ["worker", "--media-of"]
}
