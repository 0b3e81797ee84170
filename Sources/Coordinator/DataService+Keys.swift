import DataPlane
import FarmKeys
import FarmProtocol
import Logging
import Scheduling
import Threads
import Transport

// Who may have and send bytes, where the farm has keys.
extension DataService {
    /// The sender of a peer's message that came under that key; nil where the key does not hold any more. Everything
    /// that it has ends then, and nothing is answered.
    func admitted(_ key: PublicKey?, at peer: Peer) -> Sender? {
        guard let gate else { return .anybody }
        guard let key else { return nil }
        guard let holder = gate.holder(of: key) else {
            unknownMessages += 1
            knownKeys.insert(key)
            checkKeys()
            return nil
        }
        let guest = Sender.holder(holder, key)
        // A connection takes nothing over from one that had its identity before.
        if let known = guests[peer], known.sender != guest { lose(peer) }
        guests[peer] = Guest(sender: guest, heardAt: now)
        knownKeys.insert(key)
        return guest
    }

    /// Whether the guest's role allows the message; where it does not, the guest is told.
    func permits(_ guest: Sender, _ body: Splitreel_Farm_DataEnvelope.OneOf_Body, at peer: Peer) -> Bool {
        guard case .holder(let holder, _) = guest, !holder.role.maySend(body) else { return true }
        refuse(StreamID(peer, body.stream), Coordinator.roleRefused(holder, "asking for bytes") { $0.maySend(body) })
        return false
    }

    /// Ends the connections of a key's guests, with everything that they have and that waits there.
    func disconnect(_ keyName: String) {
        logger.warning("connections hold too much that nobody reads", metadata: ["key": "\(keyName)"])
        let ended = guests.filter { $0.value.sender.keyName == keyName }
        for key in Set(ended.values.compactMap(\.sender.key)) { loop.disconnect(key) }
        for peer in ended.keys { lose(peer) }
    }

    /// Holds all guests against the keys, and has their list read again on a thread: a disk that hangs must not keep
    /// the loop, nor must the coordinator's own loop, which waits for its store, keep a key that was revoked.
    func lookAtKeys() {
        checkKeys()
        guard let gate else { return }
        // Where one look still waits, nothing is missed.
        _ = try? keyReader.run { [self] in
            gate.refresh(logger)
            post { $0.checkKeys() }
        }
    }

    /// Ends what keys have that do not hold any more, or have another name or role now: their streams, and the
    /// connections of those that do not hold.
    func checkKeys() {
        guard let gate else { return }
        for (peer, guest) in guests {
            guard case .holder(let holder, let key) = guest.sender, gate.holder(of: key) != holder else { continue }
            lose(peer)
        }
        let over = knownKeys.filter { gate.holder(of: $0) == nil }
        knownKeys.subtract(over)
        for key in over { loop.disconnect(key) }
        // Who has a stream says more often than that what has come.
        let now = now
        let longest = limits.silence * 2
        guests = guests.filter { now - $0.value.heardAt < longest }
    }
}

/// The sender at the other end of a connection, and the time of its last message.
struct Guest {
    let sender: Sender
    let heardAt: Instant
}
