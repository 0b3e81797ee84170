import Foundation
import TestTools

/// A peer that speaks ZeroMQ's wire protocol (ZMTP 3, mechanism NULL) by hand, so that it may also speak it badly.
///
/// Nothing of the program's own transport is in it. What is written waits in `waiting` until `flush`.
final class RawPeer {
    enum Greeting { case proper, none }

    private let descriptor: Int32
    private var waiting: [UInt8] = []
    private(set) var isBroken = false
    /// The bytes that arrived, where somebody wants to know them.
    private(set) var received: [UInt8] = []
    private let keepsAnswers: Bool
    private var receivedCount = 0
    private static let greetingBytes = 64

    /// - Parameter endpoint: `tcp://127.0.0.1:PORT` or `ipc:///PATH`.
    init(_ endpoint: String, greeting: Greeting = .proper, keepsAnswers: Bool = false) throws {
        self.keepsAnswers = keepsAnswers
        descriptor = try Self.connect(endpoint)
        guard greeting == .proper else { return }
        waiting = [0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 0] + Array("NULL".utf8)
        waiting += [UInt8](repeating: 0, count: Self.greetingBytes - waiting.count)
        // libzmq hangs up on a peer that says all of it, and more, before it was greeted itself.
        flush()
        _ = eventually(seconds: 10) {
            drain()
            return isBroken || receivedCount >= Self.greetingBytes
        }
        let ready = [5] + Array("READY".utf8) + [11] + Array("Socket-Type".utf8) + [0, 0, 0, 6] + Array("DEALER".utf8)
        waiting += [4, UInt8(ready.count)] + ready
    }

    deinit { close(descriptor) }

    /// Adds a message of some frames, or raw bytes that are none.
    func add(_ frames: [[UInt8]], isUnfinished: Bool = false) {
        for (index, frame) in frames.enumerated() {
            let more: UInt8 = index + 1 < frames.count || isUnfinished ? 1 : 0
            if frame.count < 256 {
                waiting += [more, UInt8(frame.count)]
            } else {
                waiting += [more | 2] + (0..<8).map { UInt8(truncatingIfNeeded: frame.count >> (56 - 8 * $0)) }
            }
            waiting += frame
        }
    }

    func add(raw bytes: [UInt8]) { waiting += bytes }

    var backlog: Int { waiting.count }

    /// Writes what waits; false where the other side hung up or takes nothing for `seconds`.
    @discardableResult
    func flush(seconds: Double = 10, reads: Bool = true) -> Bool {
        var written = 0
        let limit = ContinuousClock.now + .seconds(seconds)
        while written < waiting.count, !isBroken {
            if reads { drain() }
            let count = waiting.withUnsafeBytes { bytes in
                send(
                    descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written,
                    Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count > 0 {
                written += count
            } else if errno == EAGAIN {
                guard ContinuousClock.now < limit else { break }
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT | (reads ? POLLIN : 0)), revents: 0)
                _ = Glibc.poll(&poll, 1, 100)
            } else if errno != EINTR {
                isBroken = true
            }
        }
        waiting.removeFirst(written)
        return waiting.isEmpty && !isBroken
    }

    /// Takes what has arrived, without waiting.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !isBroken {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                receivedCount += count
                if keepsAnswers { received += buffer[..<count] }
            } else {
                if count == 0 || (errno != EAGAIN && errno != EINTR) { isBroken = true }
                return
            }
        }
    }

    /// Waits until so many messages have arrived; false where they have not after that time.
    func hasAnswers(_ count: Int, within seconds: Double) -> Bool {
        let limit = ContinuousClock.now + .seconds(seconds)
        drain()
        while answers.count < count {
            guard !isBroken, ContinuousClock.now < limit else { return false }
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = Glibc.poll(&poll, 1, 100)
            drain()
        }
        return true
    }

    /// The messages of one frame that have arrived: after the greeting, commands left out.
    var answers: [[UInt8]] { parsed.messages }

    /// Forgets the messages that have arrived whole.
    func forgetAnswers() {
        let end = parsed.end
        if end > Self.greetingBytes { received.removeSubrange(Self.greetingBytes..<end) }
    }

    /// The messages, and the place behind the last frame that is whole.
    private var parsed: (messages: [[UInt8]], end: Int) {
        var found: [[UInt8]] = []
        var at = Self.greetingBytes
        while at + 2 <= received.count {
            let flags = received[at]
            let isLong = flags & 2 != 0
            let head = isLong ? 9 : 2
            guard at + head <= received.count else { break }
            let length = received[(at + 1)..<(at + head)].reduce(0) { $0 << 8 | Int($1) }
            guard at + head + length <= received.count else { break }
            if flags & 4 == 0 { found.append(Array(received[(at + head)..<(at + head + length)])) }
            at += head + length
        }
        return (found, at)
    }

    private static func connect(_ endpoint: String) throws -> Int32 {
        let descriptor: Int32
        let result: Int32
        if endpoint.hasPrefix("ipc://") {
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let path = Array(endpoint.dropFirst(6).utf8)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.prefix($0.count - 1)) }
            result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        } else {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = (endpoint.split(separator: ":").last.flatMap { UInt16($0) } ?? 0).bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        guard result == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw ToolFailure("no connection to \(endpoint): \(reason)")
        }
        return descriptor
    }
}
