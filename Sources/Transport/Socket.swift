import CZeroMQ
import Diagnostics
import FarmKeys

/// One zmq socket, owned by its loop and touched only on the loop's thread.
///
/// It is closed by `close()`, which the loop calls on every path; a socket left open would hang the context's end
/// forever.
@safe
final class Socket {
    let kind: SocketKind
    let receive: (_ frames: [[UInt8]], _ sender: PublicKey?) -> Void
    private(set) var handle: UnsafeMutableRawPointer
    private var isOpen = true
    private(set) var held: HeldBytes?
    private(set) var link: LinkWatch?
    /// The key under which the last message came that `next` answered; nil on a socket without keys.
    private(set) var sender: PublicKey?
    private let security: LinkSecurity

    init(
        context: UnsafeMutableRawPointer, kind: SocketKind, limits: TransportLimits, security: LinkSecurity,
        receive: @escaping (_ frames: [[UInt8]], _ sender: PublicKey?) -> Void
    ) throws {
        let type = kind == .router ? ZMQ_ROUTER : ZMQ_DEALER
        guard let handle = unsafe zmq_socket(context, type) else {
            throw zeroMQError("zmq_socket", subject: kind == .router ? "router socket" : "dealer socket")
        }
        self.kind = kind
        self.receive = receive
        self.security = security
        unsafe self.handle = handle
        do {
            try set(ZMQ_SNDHWM, limits.highWaterMark)
            try set(ZMQ_RCVHWM, limits.highWaterMark)
            try set(ZMQ_LINGER, limits.linger.clampedMilliseconds)
            try set(ZMQ_HANDSHAKE_IVL, limits.handshake.clampedMilliseconds)
            try set(ZMQ_MAXMSGSIZE, wide: Int64(limits.maximumFrameBytes + security.bytesPerFrame))
            try set(ZMQ_BACKLOG, limits.backlog)
            if kind == .router { try set(ZMQ_ROUTER_MANDATORY, 1) }
            try secure()
        } catch {
            close()
            throw error
        }
    }

    /// Sets the options that depend on where the socket goes; libzmq applies them to the next bind or connect.
    func prepare(for endpoint: Endpoint, limits: TransportLimits) throws {
        let pause = endpoint.isLocal ? limits.localReconnect : limits.reconnect
        let longest = endpoint.isLocal ? limits.localReconnectMaximum : limits.reconnectMaximum
        try set(ZMQ_RECONNECT_IVL, pause.clampedMilliseconds)
        try set(ZMQ_RECONNECT_IVL_MAX, longest.clampedMilliseconds)
        // Only for literal v6 addresses: otherwise `localhost` could mean ::1 at one end and 127.0.0.1 at the other.
        try set(ZMQ_IPV6, endpoint.isIPv6 ? 1 : 0)
        if case .tcp = endpoint.place {
            try set(ZMQ_HEARTBEAT_IVL, limits.keepAlive.clampedMilliseconds)
            try set(ZMQ_HEARTBEAT_TIMEOUT, limits.keepAliveTimeout.clampedMilliseconds)
        }
    }

    /// Watches the bytes of peers; to be called before binding to an address that peers reach over TCP.
    func watchHeldBytes(context: UnsafeMutableRawPointer, number: UInt64, limits: TransportLimits) {
        unsafe held = HeldBytes(
            context: context, socket: handle, number: number, limits: limits, security: security)
    }

    /// Watches how the handshakes with the other end go; to be called before connecting.
    func watchLink(context: UnsafeMutableRawPointer, number: UInt64) {
        unsafe link = LinkWatch(context: context, socket: handle, number: number)
    }

    func bind(_ endpoint: Endpoint) throws -> String {
        guard unsafe zmq_bind(handle, endpoint.text) == 0 else {
            throw zeroMQError("zmq_bind", subject: endpoint.text)
        }
        var bytes = [CChar](repeating: 0, count: 1024)
        var count = bytes.count
        guard unsafe zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &bytes, &count) == 0 else {
            throw zeroMQError("zmq_getsockopt", subject: endpoint.text)
        }
        return String(decoding: bytes.prefix(max(0, count - 1)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func connect(_ endpoint: Endpoint) throws {
        guard unsafe zmq_connect(handle, endpoint.text) == 0 else {
            throw zeroMQError("zmq_connect", subject: endpoint.text)
        }
    }

    /// Queues a message whole or not at all; never blocks.
    func send(_ frames: [[UInt8]]) throws -> SendResult {
        precondition(isOpen, "A closed socket cannot send.")
        let payload = frames.count - (kind == .router ? 1 : 0)
        precondition(
            (1...2).contains(payload),
            "A message has one frame, or two with bytes behind it; a router's has the identity in front.")
        for (index, frame) in frames.enumerated() {
            let flags = ZMQ_DONTWAIT | (index + 1 < frames.count ? ZMQ_SNDMORE : 0)
            var code: Int32
            repeat {
                code = unsafe frame.withUnsafeBytes { unsafe zmq_send(handle, $0.baseAddress, $0.count, flags) }
            } while code < 0 && zmq_errno() == EINTR
            if code >= 0 { continue }
            switch zmq_errno() {
            case EAGAIN: return .full
            case EHOSTUNREACH: return .unroutable
            default: throw zeroMQError("zmq_send", subject: kind == .router ? "router socket" : "dealer socket")
            }
        }
        return .sent
    }

    /// The next waiting message; nil where there is none. One of too many frames or bytes comes back empty: its frames
    /// are let go of one by one, none is copied.
    func next(into message: UnsafeMutablePointer<zmq_msg_t>, limits: TransportLimits) -> [[UInt8]]? {
        var frames: [[UInt8]] = []
        var count = 0
        var bytes = 0
        var wireBytes = 0
        while isOpen {
            guard unsafe zmq_msg_recv(message, handle, ZMQ_DONTWAIT) >= 0 else {
                if zmq_errno() == EINTR { continue }
                return nil
            }
            count += 1
            let size = unsafe zmq_msg_size(message)
            bytes += size
            // A router's first frame is the identity, which libzmq puts there.
            if count > 1 || kind != .router { wireBytes += HeldBytes.wireBytes(ofFrame: size, security) }
            let fits = count <= limits.maximumFrames && bytes <= limits.maximumMessageBytes
            if fits {
                unsafe frames.append(
                    [UInt8](UnsafeRawBufferPointer(start: zmq_msg_data(message), count: size)))
            } else {
                frames = []
            }
            if unsafe zmq_msg_more(message) == 0 {
                sender = unsafe key(of: message)
                if let held { unsafe held.deliver(wireBytes, from: zmq_msg_get(message, ZMQ_SRCFD), sender) }
                return fits ? frames : []
            }
        }
        return nil
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        // Before the other ends go: libzmq's thread would wait for ever for somebody to take its news, and would carry
        // nothing of any socket meanwhile.
        if held != nil || link != nil { _ = unsafe zmq_socket_monitor(handle, nil, 0) }
        held?.close()
        link?.close()
        unsafe zmq_close(handle)
    }

    /// The key of the peer that a message came from, as the doors let it in; nil without keys.
    private func key(of message: UnsafeMutablePointer<zmq_msg_t>) -> PublicKey? {
        guard case .server = security, let user = unsafe zmq_msg_gets(message, "User-Id") else { return nil }
        return PublicKey(unsafe String(cString: user))
    }

    /// Puts the keys on the socket; where a farm has keys, nobody gets in without the doors' word.
    private func secure() throws {
        switch security {
        case .open: return
        case .client(let pair, let server):
            precondition(kind == .dealer, "A loop with a client's key opens dealers only.")
            try set(ZMQ_CURVE_SERVERKEY, text: server.text)
            try set(ZMQ_CURVE_PUBLICKEY, text: pair.publicKey.text)
            try set(ZMQ_CURVE_SECRETKEY, text: pair.secretKey.secretText)
        case .server(let pair, _):
            precondition(kind == .router, "A loop with a farm's keys opens routers only.")
            try set(ZMQ_CURVE_SERVER, 1)
            try set(ZMQ_CURVE_SECRETKEY, text: pair.secretKey.secretText)
            try set(ZMQ_ZAP_DOMAIN, text: AuthenticationSocket.domain)
            // Without it libzmq lets everybody in while nobody listens at the doors.
            try set(SPLITREEL_ZAP_ENFORCE_DOMAIN, 1)
        }
    }

    private func set(_ option: Int32, text: String) throws {
        let bytes = Array(text.utf8)
        guard unsafe zmq_setsockopt(handle, option, bytes, bytes.count) == 0 else {
            // The text may be a secret: it is never told.
            throw zeroMQError("zmq_setsockopt", subject: "option \(option)")
        }
    }

    private func set(_ option: Int32, _ value: Int32) throws {
        var value = value
        guard unsafe zmq_setsockopt(handle, option, &value, MemoryLayout<Int32>.size) == 0 else {
            throw zeroMQError("zmq_setsockopt", subject: "option \(option)")
        }
    }

    private func set(_ option: Int32, wide value: Int64) throws {
        var value = value
        guard unsafe zmq_setsockopt(handle, option, &value, MemoryLayout<Int64>.size) == 0 else {
            throw zeroMQError("zmq_setsockopt", subject: "option \(option)")
        }
    }
}
