import Diagnostics
import FarmKeys
import FarmProtocol
import JobStore
import Scheduling
import Transport

// Who may send what, where the farm has keys.
extension Coordinator {
    /// The time between two looks at the list of keys: a key that was revoked is out within a second.
    static let keyCheck: Duration = .milliseconds(250)

    /// The sender of a message that came under that key; nil where the key does not hold any more. Its connections end
    /// then, and nothing is answered.
    func admitted(_ key: PublicKey?) -> Sender? {
        guard let gate = configuration.gate else { return .anybody }
        guard let key else { return nil }
        guard let holder = gate.holder(of: key) else {
            unknownMessages += 1
            loop.disconnect(key)
            return nil
        }
        knownKeys.insert(key)
        return .holder(holder, key)
    }

    /// Takes from a connection what an earlier one of its identity had under another key: its slot and its watches.
    /// libzmq lets a peer choose its identity, and those of connections that are gone are free.
    func takeOthersAway(from identity: [UInt8], _ sender: Sender) {
        guard configuration.gate != nil else { return }
        let peer = Peer(identity)
        if let slot = slotPeers.slot(of: peer), !sender.mayBe(slot) {
            slotPeers.forget(peer)
            enqueue(.slotLost(slot: slot, peer: peer, reason: "its connection is gone", cause: .unreachable))
        }
        watchers.removeAll { $0.identity == identity && $0.key != sender.key }
    }

    /// Whether the sender's role allows the message; where it does not, the sender is told.
    func permits(
        _ sender: Sender, _ body: Splitreel_Farm_Envelope.OneOf_Body, _ identity: [UInt8], request: UInt64
    ) -> Bool {
        guard case .holder(let holder, _) = sender, !holder.role.maySend(body) else { return true }
        refuse(identity, Self.roleRefused(holder, "asking the coordinator") { $0.maySend(body) }, request: request)
        return false
    }

    /// The error for a key whose role does not allow something. Names the roles of which `may` is true.
    static func roleRefused(_ holder: KeyHolder, _ operation: String, may: (Role) -> Bool) -> SplitreelError {
        let roles = Role.allCases.filter(may)
        let words = roles.isEmpty ? "another role" : "role \(Role.choice(of: roles))"
        return SplitreelError(
            .roleRefused, operation: operation, subject: "key \(holder.name)",
            reason: "its role is \(holder.role.rawValue)",
            hint: "use a token of \(words); `splitreel keys add` makes one")
    }

    private static let keyIsOver = "its key does not hold any more"

    /// Ends what keys have that do not hold any more: their connections, their slots, whose chunks go back, also those
    /// that were being sent, and their watches.
    func checkKeys() {
        guard let gate = configuration.gate else { return }
        gate.refresh(logger)
        awaitedKeys = awaitedKeys.filter { brain.isAwaited($0.key) }
        for (slot, key) in awaitedKeys where gate.holder(of: key) == nil {
            awaitedKeys[slot] = nil
            enqueue(.slotLost(slot: slot, reason: Self.keyIsOver, cause: .keyIsOver))
        }
        let over = knownKeys.filter { gate.holder(of: $0) == nil }
        guard !over.isEmpty else { return }
        knownKeys.subtract(over)
        for key in over { loop.disconnect(key) }
        for (slot, key) in slotKeys where over.contains(key) {
            // The slot's connection does not matter: it may have registered anew with the key a moment ago.
            enqueue(.slotLost(slot: slot, reason: Self.keyIsOver, cause: .keyIsOver))
        }
        watchers.removeAll { watcher in watcher.key.map { over.contains($0) } ?? false }
    }

    /// Goes on with a request about jobs where all of them were submitted under that key's name. Where one was not, the
    /// answer is that of a job that nobody knows.
    func ifOwn(
        _ jobs: [String], of name: String, _ identity: [UInt8], _ request: UInt64,
        _ body: @escaping @Sendable (isolated Coordinator) -> Void
    ) {
        let known = jobs.compactMap { brain.jobs[$0] }
        if let foreign = known.first(where: { $0.keyName != name }) {
            let problem = Splitreel_Farm_Problem(Self.noSuchJob(foreign.id))
            send(.problem(problem), to: identity, request: request)
            return
        }
        guard known.count < jobs.count else { return body(self) }
        let stored = jobs.filter { brain.jobs[$0] == nil }
        read(identity, request) { store -> Int in
            for job in stored {
                let submission = try store.job(job, tasks: 0..<0)?.recovered.submission
                guard let submission, submission.keyName == name else { throw Self.noSuchJob(job) }
            }
            return stored.count
        } then: { coordinator, _ in
            body(coordinator)
        }
    }
}
