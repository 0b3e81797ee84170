/// The purpose of a client's key, which decides the messages that a coordinator takes from it.
package enum Role: String, Hashable, Sendable, CaseIterable {
    /// Renders: registers slots, takes leases, reports.
    case worker
    /// Submits jobs, and asks after its own.
    case submit
    /// Sees states, and changes nothing.
    case observe
    /// Does everything.
    case admin

    /// The names of all of them for people: `worker, submit, observe or admin`.
    package static var choice: String { choice(of: allCases) }

    /// The names of these roles for people: `observe or admin`.
    package static func choice(of roles: [Role]) -> String {
        let words = roles.map(\.rawValue)
        guard words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    }
}

/// The name of a client's key, chosen by whoever added it. Jobs and slots belong to the name: a key that is rotated
/// keeps them.
package struct KeyName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String
    package static let longest = 48

    /// Reads a name: at most `longest` letters, digits, `.`, `_` and `-` of ASCII, the first one a letter or a digit;
    /// nil for anything else.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, bytes.count <= Self.longest, Self.isPlain(first),
            bytes.allSatisfy({ Self.isPlain($0) || [0x2D, 0x2E, 0x5F].contains($0) })
        else { return nil }
        self.text = text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    package var description: String { text }

    package static func < (one: KeyName, other: KeyName) -> Bool { one.text < other.text }
}

/// The owner of a key that a farm knows: its name, and what it may do.
package struct KeyHolder: Hashable, Sendable {
    package let name: KeyName
    package let role: Role

    package init(name: KeyName, role: Role) {
        self.name = name
        self.role = role
    }

    /// The name of a worker or a slot as the coordinator has it: `KEY:NAME`. So two keys never share one.
    package func qualified(_ name: String) -> String { "\(self.name.text):\(name)" }

    /// The owner's own name of a worker or a slot, back from `qualified`; nil where it is another key's.
    package func own(_ qualified: String) -> String? {
        let start = "\(name.text):"
        return qualified.hasPrefix(start) ? String(qualified.dropFirst(start.count)) : nil
    }
}
