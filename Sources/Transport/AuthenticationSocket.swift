import CZeroMQ
import Diagnostics
import FarmKeys
import Glibc

/// The socket at which libzmq asks, once for each connection, whether the key behind it gets in (ZAP, RFC 27). It is
/// polled by its loop, and touched on the loop's thread only.
@safe
final class AuthenticationSocket {
    /// The domain of all routers. Where a socket has one, and nobody answers here, nobody gets in.
    static let domain = "splitreel"
    private static let address = "inproc://zeromq.zap.01"
    private static let keyBytes = 32

    private(set) var handle: UnsafeMutableRawPointer
    private let doorkeeper: Doorkeeper

    init(context: UnsafeMutableRawPointer, _ doorkeeper: Doorkeeper) throws {
        guard let handle = unsafe zmq_socket(context, ZMQ_REP) else {
            throw zeroMQError("zmq_socket", subject: "authentication socket")
        }
        unsafe self.handle = handle
        self.doorkeeper = doorkeeper
        guard unsafe zmq_bind(handle, Self.address) == 0 else {
            let error = zeroMQError("zmq_bind", subject: Self.address)
            unsafe zmq_close(handle)
            throw error
        }
    }

    func close() { unsafe zmq_close(handle) }

    /// Answers the questions that wait, at most so many.
    func answer(atMost count: Int) {
        for _ in 0..<count {
            guard let question = next() else { return }
            answer(question)
        }
    }

    /// The frames of the next question: version, number, domain, address, identity, mechanism, key. nil for none.
    private func next() -> [[UInt8]]? {
        var frames: [[UInt8]] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            let count = unsafe zmq_recv(handle, &buffer, buffer.count, ZMQ_DONTWAIT)
            guard count >= 0 else {
                if zmq_errno() == EINTR { continue }
                return nil
            }
            frames.append(Array(buffer.prefix(Int(count))))
            var more: Int32 = 0
            var size = MemoryLayout<Int32>.size
            guard unsafe zmq_getsockopt(handle, ZMQ_RCVMORE, &more, &size) == 0, more != 0 else { return frames }
        }
    }

    private func answer(_ question: [[UInt8]]) {
        let key = admitted(question)
        let status = key == nil ? "400" : "200"
        // Version, number, status, its text, user, metadata. The user is told with each message of the connection.
        let texts = ["1.0", "", status, "", key?.text ?? "", ""]
        for (index, text) in texts.enumerated() {
            let frame = index == 1 ? (question.count > 1 ? question[1] : []) : Array(text.utf8)
            let flags = index + 1 < texts.count ? ZMQ_SNDMORE : 0
            // The asking end waits for it in this process; where the context ends, nobody does any more.
            _ = unsafe frame.withUnsafeBytes { unsafe zmq_send(handle, $0.baseAddress, $0.count, flags) }
        }
    }

    /// The key that gets in; nil where it does not, and for a question that is none of ours.
    private func admitted(_ question: [[UInt8]]) -> PublicKey? {
        guard question.count == 7, question[0] == Array("1.0".utf8), question[2] == Array(Self.domain.utf8),
            question[5] == Array("CURVE".utf8), question[6].count == Self.keyBytes,
            let key = PublicKey(bytes: question[6]), doorkeeper.admits(key)
        else { return nil }
        return key
    }
}
