import CZeroMQ
import Glibc

/// Watches how much libzmq holds of each TCP peer without having handed it over, and disconnects who sends too much.
///
/// libzmq bounds a frame and the number of whole messages, not the bytes of a message whose frames keep coming: it
/// keeps them all until the last one has come. What the kernel has received from a peer, less what came out as
/// messages, is what lies in between. Touched only on the loop's thread.
@safe
final class HeldBytes {
    private let monitor: UnsafeMutableRawPointer
    private let limit: Int
    /// By descriptor of an accepted connection: the bytes of the messages that came from it.
    private var delivered: [Int32: Int] = [:]
    private(set) var disconnected = 0

    /// Before the socket is bound. nil where libzmq gives no monitor; then nothing is watched.
    init?(context: UnsafeMutableRawPointer, socket: UnsafeMutableRawPointer, number: UInt64, limit: Int) {
        let address = "inproc://held-\(number)"
        guard unsafe zmq_socket_monitor(socket, address, ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED) == 0,
            let monitor = unsafe zmq_socket(context, ZMQ_PAIR)
        else { return nil }
        self.limit = limit
        unsafe self.monitor = monitor
        var linger: Int32 = 0
        _ = unsafe zmq_setsockopt(monitor, ZMQ_LINGER, &linger, MemoryLayout<Int32>.size)
        _ = unsafe zmq_connect(monitor, address)
    }

    func close() { unsafe zmq_close(monitor) }

    /// A whole message of so many bytes has come from that connection; framing is left out.
    func deliver(_ count: Int, from descriptor: Int32) {
        guard let known = delivered[descriptor] else { return }
        // ZMTP's own bytes: two or nine for a frame. Counted too high, so that long honest talk does not add up.
        delivered[descriptor] = known + count + 32
    }

    func check() {
        takeEvents()
        for (descriptor, count) in delivered {
            let received = Int(clamping: splitreel_tcp_received(descriptor))
            guard received > 0 else { continue }
            // What was counted too high is no credit: many small messages must not make room for a large one.
            if count > received { delivered[descriptor] = received }
            guard received - count > limit else { continue }
            disconnected += 1
            delivered[descriptor] = nil
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    private func takeEvents() {
        var (event, address) = ([UInt8](repeating: 0, count: 6), [UInt8](repeating: 0, count: 256))
        while unsafe zmq_recv(monitor, &event, event.count, ZMQ_DONTWAIT) == 6 {
            _ = unsafe zmq_recv(monitor, &address, address.count, 0)
            let kind = Int32(event[0]) | Int32(event[1]) << 8
            let descriptor = Int32(
                truncatingIfNeeded: event[2...5].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
            delivered[descriptor] = kind == ZMQ_EVENT_ACCEPTED ? 0 : nil
        }
    }
}
