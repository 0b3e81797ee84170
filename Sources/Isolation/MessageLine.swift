import Foundation
import Glibc

/// Messages over a stream socket: four bytes of length, lowest first, then as many bytes.
struct MessageLine {
    enum Failure: Error {
        /// The other end is closed.
        case ended
        case tooLate
        /// A message of more bytes than were allowed.
        case tooLong
        case stopped
    }

    let descriptor: Int32
    /// The moment at which it is over; nil waits for ever.
    var deadline: ContinuousClock.Instant?
    var isStopped: (() -> Bool)?
    /// Whether the other end waits for somebody else: the time until the deadline stands still then.
    var isPaused: (() -> Bool)?

    mutating func send(_ message: Data) throws(Failure) {
        guard let count = UInt32(exactly: message.count) else { throw .tooLong }
        try push(withUnsafeBytes(of: count.littleEndian) { Data($0) })
        try push(message)
    }

    mutating func receive(limit: Int) throws(Failure) -> Data {
        let head = try take(4)
        let count = head.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= limit else { throw .tooLong }
        return try take(count)
    }

    private mutating func push(_ bytes: Data) throws(Failure) {
        var done = 0
        while done < bytes.count {
            try wait(for: Int16(POLLOUT))
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count > 0 else { throw .ended }
            done += count
        }
    }

    private mutating func take(_ wanted: Int) throws(Failure) -> Data {
        var bytes = Data()
        var block = [UInt8](repeating: 0, count: min(wanted, 1 << 16))
        while bytes.count < wanted {
            try wait(for: Int16(POLLIN))
            let count = recv(descriptor, &block, min(block.count, wanted - bytes.count), Int32(MSG_DONTWAIT))
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count > 0 else { throw .ended }
            bytes.append(contentsOf: block[..<count])
        }
        return bytes
    }

    /// Waits for the socket in short steps: a stop must be seen even where the other end hangs in the system and cannot
    /// be ended.
    private mutating func wait(for events: Int16) throws(Failure) {
        while true {
            if isStopped?() == true { throw .stopped }
            var milliseconds = isStopped == nil ? -1 : 200
            if let deadline {
                let left = deadline - .now
                guard left > .zero else { throw .tooLate }
                milliseconds = min(200, Int(left / .milliseconds(1)) + 1)
            }
            let began = ContinuousClock.now
            var waited = pollfd(fd: descriptor, events: events, revents: 0)
            if poll(&waited, 1, Int32(milliseconds)) > 0 { return }
            if let deadline, isPaused?() == true { self.deadline = deadline + (.now - began) }
        }
    }
}
