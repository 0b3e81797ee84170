package import Scheduling

/// One stream of bytes between the coordinator and a peer. The peer chooses the number, whichever way the bytes go.
package struct StreamID: Sendable, Hashable {
    package var peer: Peer
    package var number: UInt64

    package init(_ peer: Peer, _ number: UInt64) {
        self.peer = peer
        self.number = number
    }

    /// An order for those that are due together, so that a seed decides all.
    static func precedes(_ a: StreamID, _ b: StreamID) -> Bool {
        guard a.peer == b.peer else { return a.peer.bytes.lexicographicallyPrecedes(b.peer.bytes) }
        return a.number < b.number
    }
}

/// The receiver's word on a stream. It may be lost, doubled or late: within a round its numbers only grow, and a lower
/// round counts for nothing.
package struct Demand: Sendable, Hashable {
    /// The first byte that has not come; all before it have, without a gap.
    package var offset: Int64
    /// The first byte that must not be sent yet.
    package var limit: Int64
    /// The number of times that the stream was asked for anew: with one higher, it is sent again from `offset` on.
    package var round: UInt32

    package init(offset: Int64, limit: Int64, round: UInt32) {
        self.offset = offset
        self.limit = limit
        self.round = round
    }

    /// Whether a stream with that end can be meant.
    func fits(_ end: Int64) -> Bool { offset >= 0 && offset <= end && limit >= offset }
}
