package enum SocketKind: Sendable {
    /// Answers many peers; frames are [identity, payload], on data sockets with another frame of bytes behind them. An
    /// unknown identity is reported, not swallowed.
    case router
    /// Talks to one router; frames are [payload], on data sockets with another frame of bytes behind it.
    case dealer
}

/// Names one socket of one loop; never used again after the socket is closed.
package struct SocketID: Hashable, Sendable {
    let number: UInt64
}

package struct TimerID: Hashable, Sendable {
    let number: UInt64
}

package struct DescriptorID: Hashable, Sendable {
    let number: UInt64
}

package enum SendResult: Sendable {
    case sent
    /// The router knows no peer of that identity (any more).
    case unroutable
    /// The high-water mark is reached: the peer does not keep up. Nothing was queued.
    case full
}
