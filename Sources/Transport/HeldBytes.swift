import CZeroMQ
import FarmKeys
import Glibc
import Threads

/// Watches the bytes that libzmq holds of each TCP peer without having handed them over, and disconnects who sends too
/// much, alone or together with others. Watches the number of connections too: where there are too many, those end that
/// came first and never spoke, before the process has no descriptor left.
///
/// libzmq bounds a frame and the number of whole messages, not the bytes of a message whose frames keep coming: it
/// keeps them all until the last one has come. The bytes in between are those that the kernel has received from a peer,
/// less those that came out as messages. Touched only on the loop's thread.
@safe
final class HeldBytes {
    /// The socket that tells of connections; readable where `look` is to be called.
    let monitor: UnsafeMutableRawPointer
    private let limits: TransportLimits
    private let mostConnections: Int
    /// The bytes of the messages that came from each accepted connection, by its descriptor.
    private var delivered: [Int32: Int] = [:]
    /// The keys under which those connections have sent messages.
    private var senders: [Int32: PublicKey] = [:]
    private var quiet = QuietConnections()
    private let security: LinkSecurity
    private(set) var disconnected = 0

    /// Watches a socket, before it is bound. nil where libzmq gives no monitor; then nothing is watched.
    init?(
        context: UnsafeMutableRawPointer, socket: UnsafeMutableRawPointer, number: UInt64, limits: TransportLimits,
        security: LinkSecurity
    ) {
        let address = "inproc://held-\(number)"
        guard unsafe zmq_socket_monitor(socket, address, ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED) == 0,
            let monitor = unsafe zmq_socket(context, ZMQ_PAIR)
        else { return nil }
        self.limits = limits
        // A coordinator has three such sockets, and needs files, children and a store beside them.
        mostConnections = limits.maximumConnections ?? OpenFileLimit.current.most / 4
        self.security = security
        unsafe self.monitor = monitor
        var linger: Int32 = 0
        _ = unsafe zmq_setsockopt(monitor, ZMQ_LINGER, &linger, MemoryLayout<Int32>.size)
        _ = unsafe zmq_connect(monitor, address)
    }

    func close() { unsafe zmq_close(monitor) }

    /// The bytes that a frame of so many bytes takes on the wire: ZMTP's flags and its size in one byte or eight, and
    /// what its encryption adds.
    static func wireBytes(ofFrame count: Int, _ security: LinkSecurity) -> Int {
        let size = count + security.bytesPerFrame
        return size < 256 ? size + 2 : size + 9
    }

    /// Counts a whole message from that connection, whose frames took so many bytes on the wire.
    func deliver(_ count: Int, from descriptor: Int32, _ sender: PublicKey?) {
        // A message may be here before the news of its connection was read.
        if delivered[descriptor] == nil { takeEvents() }
        guard let known = delivered[descriptor] else { return }
        delivered[descriptor] = known + count
        quiet.remove(descriptor)
        if let sender { senders[descriptor] = sender }
    }

    /// Ends the connections from which messages of that key have come.
    func disconnect(_ key: PublicKey) {
        takeEvents()
        for descriptor in senders.filter({ $0.value == key }).keys {
            forget(descriptor)
            disconnect(descriptor)
        }
    }

    /// Takes the news of connections, and ends some where there are too many.
    func look() {
        takeEvents()
        for descriptor in quiet.excess(of: delivered.count, most: mostConnections) {
            forget(descriptor)
            disconnect(descriptor)
        }
    }

    /// Looks for peers that have sent too much; to be called each 100 ms.
    func check() {
        look()
        var held: [Held] = []
        for (descriptor, count) in delivered {
            let received = Int(clamping: splitreel_tcp_received(descriptor))
            guard received > 0 else { continue }
            // ZeroMQ's own commands come beside messages: a ping of some 16 bytes each five seconds, or of some 50
            // under keys, and answers to ours. A byte each 100 ms, or four, are more than they take.
            let accounted = min(count + (security.bytesPerFrame > 0 ? 4 : 1), received)
            delivered[descriptor] = accounted
            held.append(Held(descriptor: descriptor, bytes: received - accounted))
        }
        for descriptor in tooMuch(held) {
            disconnected += 1
            forget(descriptor)
            disconnect(descriptor)
        }
    }

    private func forget(_ descriptor: Int32) {
        delivered[descriptor] = nil
        senders[descriptor] = nil
        quiet.remove(descriptor)
    }

    /// The bytes that are held of one connection.
    private struct Held {
        let descriptor: Int32
        let bytes: Int
    }

    /// The connections that are to end: those that hold more than one may, and where all together hold more than all
    /// may, those that hold most.
    private func tooMuch(_ held: [Held]) -> [Int32] {
        var sum = held.reduce(0) { $0 + $1.bytes }
        guard sum > min(limits.maximumHeldBytes, limits.maximumHeldBytesOfAll) else { return [] }
        var ended: [Int32] = []
        for one in held.sorted(by: { ($1.bytes, $0.descriptor) < ($0.bytes, $1.descriptor) }) {
            guard one.bytes > limits.maximumHeldBytes || sum > limits.maximumHeldBytesOfAll else { break }
            ended.append(one.descriptor)
            sum -= one.bytes
        }
        return ended
    }

    /// Ends a connection; libzmq sees its end and closes it. Without the lingering of zero seconds, a peer whose window
    /// is full then would wait for the kernel's own limit of a minute.
    private func disconnect(_ descriptor: Int32) {
        var reset = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<Glibc.linger>.size))
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func takeEvents() {
        var (event, address) = ([UInt8](repeating: 0, count: 6), [UInt8](repeating: 0, count: 256))
        while unsafe zmq_recv(monitor, &event, event.count, ZMQ_DONTWAIT) == 6 {
            _ = unsafe zmq_recv(monitor, &address, address.count, 0)
            let kind = Int32(event[0]) | Int32(event[1]) << 8
            let descriptor = Int32(
                truncatingIfNeeded: event[2...5].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
            forget(descriptor)
            guard kind == ZMQ_EVENT_ACCEPTED else { continue }
            delivered[descriptor] = 0
            quiet.add(descriptor)
        }
    }
}
