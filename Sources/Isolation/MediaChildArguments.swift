package import Confinement

/// The words with which a reader of media is started, after the program's name.
package struct MediaChildArguments: Equatable, Sendable {
    /// The most bytes of data that it may hold.
    package var memoryBytes: Int
    /// The rules under which it works; nil where it is not confined.
    package var sandbox: Sandbox?
    /// Whether it may read the machine's fonts wherever Fontconfig's rules place them.
    package var readsFonts: Bool

    package init(memoryBytes: Int, sandbox: Sandbox?, readsFonts: Bool = false) {
        self.memoryBytes = memoryBytes
        self.sandbox = sandbox
        self.readsFonts = readsFonts
    }

    private static let memory = "--memory"
    private static let read = "--read"
    private static let write = "--write"
    private static let fonts = "--fonts"
    private static let free = "--no-sandbox"

    /// The words, without the first one that names the command.
    var options: [String] {
        let rules = sandbox.map { rules in
            rules.readable.flatMap { [Self.read, $0] } + rules.writable.flatMap { [Self.write, $0] }
        }
        return [Self.memory, "\(memoryBytes)"] + (rules ?? [Self.free]) + (readsFonts ? [Self.fonts] : [])
    }

    /// Reads the words; nil where they start no reader of media.
    package init?(words: [String]) {
        guard words.first == MediaChildren.word else { return nil }
        var rest = words.dropFirst()
        var bytes: Int?
        var isFree = false
        var rules = Sandbox()
        readsFonts = false
        while let word = rest.popFirst() {
            switch word {
            case Self.fonts: readsFonts = true
            case Self.free: isFree = true
            case Self.memory, Self.read, Self.write:
                guard let value = rest.popFirst() else { return nil }
                switch word {
                case Self.memory: bytes = Int(value)
                case Self.read: rules.readable.append(value)
                default: rules.writable.append(value)
                }
            default: return nil
            }
        }
        guard let bytes else { return nil }
        memoryBytes = bytes
        sandbox = isFree ? nil : rules
    }
}
