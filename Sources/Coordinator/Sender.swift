import FarmKeys

/// The sender of a message.
enum Sender: Hashable, Sendable {
    /// Anybody: the farm has no keys.
    case anybody
    case holder(KeyHolder, PublicKey)

    /// The name of the key; nil on a farm without keys.
    var keyName: String? {
        switch self {
        case .anybody: nil
        case .holder(let holder, _): holder.name.text
        }
    }

    /// The key itself; nil on a farm without keys.
    var key: PublicKey? {
        switch self {
        case .anybody: nil
        case .holder(_, let key): key
        }
    }

    /// The name of the key whose jobs are all that it may see and change; nil where it may see any.
    var onlyJobsOf: String? {
        switch self {
        case .holder(let holder, _) where holder.role == .submit: holder.name.text
        case .anybody, .holder: nil
        }
    }

    /// The coordinator's name of one of its slots or workers: names of different keys never meet.
    func qualified(_ name: String) -> String {
        switch self {
        case .anybody: name
        case .holder(let holder, _): holder.qualified(name)
        }
    }

    /// Whether a slot of that name, as the coordinator has it, may be the sender's.
    func mayBe(_ slot: String) -> Bool {
        switch self {
        case .anybody: true
        case .holder(let holder, _): holder.own(slot) != nil
        }
    }
}

/// The socket that a slot's heartbeat came from, and the slot's own name.
struct HeartbeatOrigin {
    let identity: [UInt8]
    let name: String
}
