/// The numbers of the transport in one value; the defaults are the farm's.
package struct TransportLimits: Sendable {
    /// The messages that may wait per peer, each way, before a send answers `.full` (or a peer is held back).
    package var highWaterMark: Int32 = 1000
    /// The longest time that unsent messages may hold up closing.
    package var linger: Duration = .milliseconds(500)
    /// The time within which a connection has to finish ZeroMQ's handshake; else it is dropped.
    package var handshake: Duration = .seconds(5)
    /// The most bytes of a frame: a peer that sends a larger one is disconnected.
    package var maximumFrameBytes: Int = 1 << 20
    /// The most frames of a message, the router's identity among them: longer ones are dropped and counted.
    package var maximumFrames = 8
    /// The most bytes of a message in all its frames: larger ones are dropped and counted.
    package var maximumMessageBytes = 2 << 20
    /// The most bytes of one TCP peer that libzmq may hold without having handed them over. It keeps a message until
    /// its last frame has come; a peer that sends more than this in the meantime is disconnected. Frames of two bytes
    /// take some 32 times as much memory.
    package var maximumHeldBytes = 16 << 20
    /// The most such bytes of all peers of a socket together: of whom there are most goes first. A thousand peers of
    /// 64 KiB each reach it.
    package var maximumHeldBytesOfAll = 64 << 20
    /// The most connections that a watched socket keeps where some of them never spoke; nil for a quarter of the files
    /// that the process may have open.
    package var maximumConnections: Int?
    /// The pause before reconnecting over a network, doubled up to the maximum.
    package var reconnect: Duration = .seconds(1)
    package var reconnectMaximum: Duration = .seconds(32)
    /// The pause on ipc and loopback, where reconnecting costs nothing and recovery should be quick.
    package var localReconnect: Duration = .milliseconds(100)
    package var localReconnectMaximum: Duration = .seconds(1)
    /// The time between ZeroMQ's own pings on TCP: a peer that answers none for `keepAliveTimeout` is disconnected,
    /// then reconnected.
    package var keepAlive: Duration = .seconds(5)
    package var keepAliveTimeout: Duration = .seconds(15)
    /// The connections that the kernel may queue before they are accepted.
    package var backlog: Int32 = 1024
    /// The messages taken from one socket, and jobs run, before the loop looks at its other sources again.
    package var batch = 256
    /// The stack of the loop's thread in bytes.
    package var stackBytes = 2 << 20

    package init() {}

    /// The limits of the sockets that carry bytes: frames of 256 KiB, few of which may wait for one peer, since libzmq
    /// holds them in memory.
    package static var data: TransportLimits {
        var limits = TransportLimits()
        limits.highWaterMark = 16
        limits.maximumFrameBytes = 512 << 10
        // The identity, the message, and its bytes.
        limits.maximumFrames = 3
        limits.maximumMessageBytes = 640 << 10
        limits.maximumHeldBytes = 8 << 20
        limits.batch = 32
        return limits
    }
}

extension Duration {
    /// The whole milliseconds, rounded up, for C calls; never negative, at most Int32.max.
    var clampedMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < Int64(Int32.max / 1000) else { return Int32.max }
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
