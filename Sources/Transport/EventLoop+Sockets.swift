import CZeroMQ
import Diagnostics
package import FarmKeys
import Glibc

/// The loop's sockets. All calls run on the loop's thread only; another thread crashes, after shutdown they throw or do
/// nothing.
extension EventLoop {
    /// Makes a socket whose every message goes to `receive`, on the loop's thread: [identity, payload] from a router,
    /// [payload] from a dealer. `receive` should only queue an event; it may close sockets, its own too.
    package func open(_ kind: SocketKind, receive: @escaping (_ frames: [[UInt8]]) -> Void) throws -> SocketID {
        try open(kind, receiveSent: { frames, _ in receive(frames) })
    }

    /// Makes a router that tells with each message the key under which it came: nil on a loop without keys. On a loop
    /// with them it is the key that the doors let in, which may have been revoked since.
    package func openRouter(
        receive: @escaping (_ frames: [[UInt8]], _ sender: PublicKey?) -> Void
    ) throws -> SocketID {
        try open(.router, receiveSent: receive)
    }

    private func open(
        _ kind: SocketKind, receiveSent: @escaping (_ frames: [[UInt8]], _ sender: PublicKey?) -> Void
    ) throws -> SocketID {
        try requireLoop("open")
        let socket = try unsafe Socket(
            context: context, kind: kind, limits: limits, security: security, receive: receiveSent)
        let id = SocketID(number: owned.nextNumber())
        owned.sockets[id] = socket
        return id
    }

    /// Binds a socket. Answers the real endpoint, wildcard ports and paths resolved. Throws `.usage` for bad syntax,
    /// `.transportFailed` for everything that the system refuses; an ipc path on which somebody still listens counts as
    /// in use.
    package func bind(_ id: SocketID, to endpoint: String) throws -> String {
        try requireLoop("bind")
        let endpoint = try Endpoint(endpoint, wildcardAllowed: true)
        if case .ipc(let path?) = endpoint.place, isListening(path) {
            throw SplitreelError(
                .transportFailed, operation: "zmq_bind", subject: endpoint.text,
                reason: "the address is already in use",
                hint: "stop the program that listens there, or choose another path")
        }
        let socket = try open(id, "bind")
        try socket.prepare(for: endpoint, limits: limits)
        if socket.kind == .router, socket.held == nil, endpoint.isWatched(security) {
            unsafe socket.watchHeldBytes(context: context, number: id.number, limits: limits)
            every(.milliseconds(100)) { [weak socket] in socket?.held?.check() }
        }
        return try socket.bind(endpoint)
    }

    /// Connects a socket. Returns before the connection stands; libzmq connects, and reconnects, in the background.
    /// With `watchesLink`, `linkFault(of:)` tells why the other end does not speak with it.
    package func connect(_ id: SocketID, to endpoint: String, watchesLink: Bool = false) throws {
        try requireLoop("connect")
        let endpoint = try Endpoint(endpoint)
        let socket = try open(id, "connect")
        try socket.prepare(for: endpoint, limits: limits)
        if watchesLink, socket.link == nil { unsafe socket.watchLink(context: context, number: id.number) }
        try socket.connect(endpoint)
    }

    /// Queues one message whole or not at all; never blocks.
    package func send(_ frames: [[UInt8]], on id: SocketID) throws -> SendResult {
        try requireLoop("send")
        return try open(id, "send").send(frames)
    }

    /// The reason why the other end does not speak with a socket that was connected with `watchesLink`; nil where there
    /// is none, or none is known.
    package func linkFault(of id: SocketID) -> LinkFault? {
        guard (try? requireLoop("linkFault")) != nil else { return nil }
        return owned.sockets[id]?.link?.look()
    }

    /// Ends the connections from which messages of that key have come; what they still wait for is dropped.
    package func disconnect(_ key: PublicKey) {
        guard (try? requireLoop("disconnect")) != nil else { return }
        for socket in owned.sockets.values { socket.held?.disconnect(key) }
    }

    /// Closes a socket. Unsent messages linger in the background. Closing twice does nothing.
    package func close(_ id: SocketID) {
        guard (try? requireLoop("close")) != nil else { return }
        owned.sockets.removeValue(forKey: id)?.close()
    }

    /// The number of messages thrown away because they had more frames or bytes than any of ours, and of peers that
    /// were disconnected over one without an end; for the log.
    package func droppedMessages() throws -> Int {
        try requireLoop("droppedMessages")
        return owned.droppedMessages + owned.sockets.values.reduce(0) { $0 + ($1.held?.disconnected ?? 0) }
    }

    private func open(_ id: SocketID, _ operation: String) throws -> Socket {
        guard let socket = owned.sockets[id] else {
            throw SplitreelError(
                .transportFailed, operation: operation, subject: name, reason: "the socket has been closed")
        }
        return socket
    }

    /// Whether somebody listens at a path. libzmq unlinks a socket file before it binds, which would silently take the
    /// place of a running listener.
    private func isListening(_ path: String) -> Bool {
        guard !path.hasPrefix("@") else { return false }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard probe >= 0 else { return false }
        defer { _ = Glibc.close(probe) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            unsafe room.copyBytes(from: path.utf8.prefix(room.count - 1))
        }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}

extension Endpoint {
    /// Whether connections to it are watched: over a network for what they hold, under keys to be ended.
    fileprivate func isWatched(_ security: LinkSecurity) -> Bool {
        if case .tcp = place { true } else { security.bytesPerFrame > 0 }
    }
}
