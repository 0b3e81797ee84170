import CZeroMQ
import Glibc

/// Watches how the handshakes of a dealer go. Touched only on the loop's thread.
@safe
final class LinkWatch {
    private let monitor: UnsafeMutableRawPointer
    private var fault: LinkFault?

    /// Watches a socket, before it is connected. nil where libzmq gives no monitor; then nothing is told.
    init?(context: UnsafeMutableRawPointer, socket: UnsafeMutableRawPointer, number: UInt64) {
        let address = "inproc://link-\(number)"
        let events =
            ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
        guard unsafe zmq_socket_monitor(socket, address, events) == 0,
            let monitor = unsafe zmq_socket(context, ZMQ_PAIR)
        else { return nil }
        unsafe self.monitor = monitor
        var linger: Int32 = 0
        _ = unsafe zmq_setsockopt(monitor, ZMQ_LINGER, &linger, MemoryLayout<Int32>.size)
        _ = unsafe zmq_connect(monitor, address)
    }

    func close() { unsafe zmq_close(monitor) }

    /// The fault of the last handshake that was over; nil where it went well, or none was over yet.
    func look() -> LinkFault? {
        var (event, address) = ([UInt8](repeating: 0, count: 6), [UInt8](repeating: 0, count: 256))
        while unsafe zmq_recv(monitor, &event, event.count, ZMQ_DONTWAIT) == 6 {
            _ = unsafe zmq_recv(monitor, &address, address.count, 0)
            let kind = Int32(event[0]) | Int32(event[1]) << 8
            let value = event[2...5].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            switch kind {
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: fault = .keyRefused
            case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL:
                if value == UInt32(ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH) { fault = .keysAtOneEnd }
            default: fault = nil
            }
        }
        return fault
    }
}
