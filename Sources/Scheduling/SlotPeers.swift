/// The connections that speak for slots, for the hands of the coordinator: a slot's messages come from its connection,
/// and answers go there.
///
/// The slot of a connection is known when it registers; answers go there only when the brain welcomes the slot. So
/// nothing that the same turn still decides about the slot's earlier connection can touch the new one.
package struct SlotPeers: Sendable {
    private var peers: [String: Peer] = [:]
    private var names: [Peer: String] = [:]

    package init() {}

    /// The connection that messages to the slot go to; nil for none.
    package func peer(of slot: String) -> Peer? { peers[slot] }

    /// The slot that the connection speaks for; nil for one that has not registered.
    package func slot(of peer: Peer) -> String? { names[peer] }

    /// Notes that the connection asked to be the slot's.
    package mutating func register(_ peer: Peer, as slot: String) { names[peer] = slot }

    /// Sends messages to the slot there from now on; nothing of an earlier connection counts as the slot's own.
    package mutating func welcome(_ slot: String, _ peer: Peer) {
        if let old = peers[slot], old != peer, names[old] == slot { names[old] = nil }
        peers[slot] = peer
        names[peer] = slot
    }

    /// Notes that the connection does not become the slot's; where it is that already, it stays so.
    package mutating func refuse(_ slot: String, _ peer: Peer) {
        if names[peer] == slot, peers[slot] != peer { names[peer] = nil }
    }

    /// Forgets the slot, and the connection by which it was welcomed with it.
    package mutating func forget(_ slot: String) {
        guard let peer = peers.removeValue(forKey: slot), names[peer] == slot else { return }
        names[peer] = nil
    }

    /// Forgets the connection; where messages to its slot went there, they go nowhere until another one is welcomed.
    package mutating func forget(_ peer: Peer) {
        guard let slot = names.removeValue(forKey: peer), peers[slot] == peer else { return }
        peers[slot] = nil
    }
}
