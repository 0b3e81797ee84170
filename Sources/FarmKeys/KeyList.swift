import Diagnostics
import Foundation

/// A key that a farm knows, or knew.
package struct ListedKey: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case valid
        /// It holds until then, in seconds since 1970.
        case until(Int64)
        case revoked
    }

    package let holder: KeyHolder
    package let key: PublicKey
    /// The endpoint in its token.
    package let endpoint: String
    package var state: State

    package init(holder: KeyHolder, key: PublicKey, endpoint: String, state: State = .valid) {
        self.holder = holder
        self.key = key
        self.endpoint = endpoint
        self.state = state
    }

    /// Whether it holds at a time in seconds since 1970.
    package func holds(at seconds: Int64) -> Bool {
        switch state {
        case .valid: true
        case .until(let end): seconds < end
        case .revoked: false
        }
    }
}

/// The keys that a farm lets in, with their roles: one readable file, a line for each key. It holds no secret.
package struct KeyList: Hashable, Sendable {
    /// The keys in the order of the file; each public key stands there once.
    package private(set) var keys: [ListedKey]
    /// The places of the keys in `keys`.
    private var places: [PublicKey: Int]

    /// The most keys of a farm, those too that were revoked.
    package static let most = 10_000
    private static let kind = "splitreel-keys"

    package init() {
        keys = []
        places = [:]
    }

    /// Reads a list's text; `subject` is the file's name in errors. Throws `.keyFileUnusable` with the line.
    package init(text: String, subject: String) throws {
        self.init()
        let file = try KeyFileText(text, kind: Self.kind, subject: subject)
        guard file.lines.count <= Self.most else {
            throw KeyFileText.fault(subject, "it has more than \(Self.most) keys")
        }
        for line in file.lines {
            guard line.words.count >= 5, let name = KeyName(line.words[0]), let role = Role(rawValue: line.words[1]),
                let key = PublicKey(line.words[2]), let state = Self.state(Array(line.words[4...]))
            else {
                throw file.fault(
                    line, "it is not NAME ROLE PUBLIC-KEY ENDPOINT and `valid`, `revoked` or `until TIME`")
            }
            let holder = KeyHolder(name: name, role: role)
            guard insert(ListedKey(holder: holder, key: key, endpoint: line.words[3], state: state)) else {
                throw file.fault(line, "its public key stands there twice")
            }
        }
    }

    /// The file's text.
    package var text: String {
        var text = """
            \(Self.kind) \(KeyFileText.version)
            # NAME ROLE PUBLIC-KEY ENDPOINT STATE, where STATE is `valid`, `revoked` or `until TIME`.
            # A running coordinator reads this file again when it changes.

            """
        for key in keys {
            let words = [
                key.holder.name.text, key.holder.role.rawValue, key.key.text, key.endpoint, Self.words(key.state),
            ]
            text += words.joined(separator: " ") + "\n"
        }
        return text
    }

    /// The owner of a key that holds at a time in seconds since 1970; nil for one that is unknown, revoked or over.
    package func holder(of key: PublicKey, at seconds: Int64) -> KeyHolder? {
        guard let place = places[key], keys[place].holds(at: seconds) else { return nil }
        return keys[place].holder
    }

    /// Adds a key under a new name. Throws `.usage` where the name was given before: whoever has it again would have
    /// the jobs of the one before.
    package mutating func add(_ key: ListedKey) throws {
        guard !keys.contains(where: { $0.holder.name == key.holder.name }) else {
            throw Self.refused(key.holder.name, "there is a key of that name, or was", "choose another name")
        }
        guard keys.count < Self.most, insert(key) else {
            throw Self.refused(key.holder.name, "the farm has \(Self.most) keys, or this very key", "")
        }
    }

    /// Revokes every key of a name. Throws `.usage` where there is none.
    package mutating func revoke(_ name: KeyName) throws {
        let places = keys.indices.filter { keys[$0].holder.name == name }
        guard !places.isEmpty else { throw unknown(name) }
        for place in places { keys[place].state = .revoked }
    }

    /// Puts a new key in the place of the one that a name has, which holds until then, in seconds since 1970; answers
    /// the new one. Throws `.usage` where the name has none that holds.
    package mutating func rotate(_ name: KeyName, to key: PublicKey, until end: Int64, now: Int64) throws -> ListedKey {
        guard let place = keys.lastIndex(where: { $0.holder.name == name && $0.state == .valid }) else {
            throw keys.contains { $0.holder.name == name }
                ? Self.refused(name, "its key was revoked", "add a key under another name") : unknown(name)
        }
        let next = ListedKey(holder: keys[place].holder, key: key, endpoint: keys[place].endpoint)
        keys[place].state = .until(end)
        guard keys.count < Self.most, insert(next) else {
            throw Self.refused(name, "the farm has \(Self.most) keys, or this very key", "")
        }
        dropOver(now)
        return next
    }

    /// The list with another key for each one that is valid, as `key` answers it. Revoked ones stay, so that nobody
    /// else gets their names; those that hold for a while only are left out.
    package func renewed(_ key: (ListedKey) throws -> PublicKey) rethrows -> KeyList {
        var next = KeyList()
        for old in keys {
            switch old.state {
            case .valid: next.insert(ListedKey(holder: old.holder, key: try key(old), endpoint: old.endpoint))
            case .revoked: next.insert(old)
            case .until: continue
            }
        }
        return next
    }

    /// Forgets keys whose time is over; their names have later ones.
    private mutating func dropOver(_ now: Int64) {
        let left = keys.filter { key in
            if case .until = key.state { key.holds(at: now) } else { true }
        }
        self = KeyList()
        for key in left { insert(key) }
    }

    /// Adds a key at the end; false where it is there already.
    @discardableResult
    private mutating func insert(_ key: ListedKey) -> Bool {
        guard places[key.key] == nil else { return false }
        places[key.key] = keys.count
        keys.append(key)
        return true
    }

    private func unknown(_ name: KeyName) -> SplitreelError {
        let names = Set(keys.map(\.holder.name.text)).sorted()
        let near = nearestName(to: name.text, among: names).map { "did you mean ‘\($0)’?" }
        return Self.refused(name, "there is no key of that name", near ?? "`splitreel keys list` tells the names")
    }

    private static func refused(_ name: KeyName, _ reason: String, _ hint: String) -> SplitreelError {
        SplitreelError(.usage, operation: "changing the keys", subject: name.text, reason: reason, hint: hint)
    }

    private static func state(_ words: [String]) -> ListedKey.State? {
        switch (words.count, words[0]) {
        case (1, "valid"): .valid
        case (1, "revoked"): .revoked
        case (2, "until"): seconds(words[1]).map { .until($0) }
        default: nil
        }
    }

    private static func seconds(_ text: String) -> Int64? {
        (try? Date.ISO8601FormatStyle().parse(text)).flatMap {
            Int64(exactly: $0.timeIntervalSince1970.rounded(.down))
        }
    }

    private static func words(_ state: ListedKey.State) -> String {
        switch state {
        case .valid: "valid"
        case .revoked: "revoked"
        case .until(let end): "until " + time(end)
        }
    }

    /// A time in seconds since 1970 as text, such as `2026-11-27T12:00:00Z`.
    package static func time(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
