import Foundation
import Synchronization

/// A TCP endpoint that passes everything on to another one, and counts what ZeroMQ's wire protocol (ZMTP 3, RFC 23) has
/// in it: a witness between both ends that knows no key. It ends with this.
final class WireTap: Sendable {
    /// What went one way: commands are the handshake, messages are all that an application says.
    struct Counts: Sendable, Equatable {
        var commands = 0
        var messages = 0
    }

    struct BothWays: Sendable {
        var fromClients = Counts()
        var toClients = Counts()
    }

    struct NoSocket: Error {}

    /// The endpoint for clients.
    let endpoint: String
    private let listener: Int32
    private let tally = Tally()

    var counts: BothWays { tally.counts.withLock { $0 } }

    private final class Tally: Sendable {
        let counts = Mutex(BothWays())
    }

    /// Both sockets of a connection that is passed on.
    private final class Pair: Sendable {
        let client: Int32
        let server: Int32

        init(client: Int32, server: Int32) {
            self.client = client
            self.server = server
        }

        deinit {
            close(client)
            close(server)
        }
    }

    /// - Parameter target: the endpoint `tcp://127.0.0.1:PORT` that everything goes on to.
    init(to target: String) throws {
        guard let port = target.split(separator: ":").last.flatMap({ UInt16($0) }) else { throw NoSocket() }
        let listener = Self.tcpSocket()
        guard Self.withAddress(0, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else { throw NoSocket() }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        self.listener = listener
        endpoint = "tcp://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        let tally = tally
        Thread.detachNewThread { Self.serve(listener, port, tally) }
    }

    // The thread closes it when its waiting ends.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ listener: Int32, _ port: UInt16, _ tally: Tally) {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            let server = tcpSocket()
            guard withAddress(port, { connect(server, $0, $1) }) == 0 else {
                close(client)
                close(server)
                continue
            }
            let pair = Pair(client: client, server: server)
            Thread.detachNewThread {
                Self.pump(from: pair.client, to: pair.server) { found in
                    tally.counts.withLock { $0.fromClients.add(found) }
                }
                withExtendedLifetime(pair) {}
            }
            Thread.detachNewThread {
                Self.pump(from: pair.server, to: pair.client) { found in
                    tally.counts.withLock { $0.toClients.add(found) }
                }
                withExtendedLifetime(pair) {}
            }
        }
        close(listener)
    }

    /// Counts before it passes on: what one end has had is in the counts.
    private static func pump(from source: Int32, to target: Int32, _ tell: (Counts) -> Void) {
        var frames = FrameCounter()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            tell(frames.take(buffer[..<count]))
            var sent = 0
            while sent < count {
                let start = sent
                let written = buffer.withUnsafeBytes { bytes in
                    send(target, bytes.baseAddress?.advanced(by: start), count - start, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { break }
                sent += written
            }
            guard sent == count else { break }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
    }

    private static func tcpSocket() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }

    private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

extension WireTap.Counts {
    mutating func add(_ other: WireTap.Counts) {
        commands += other.commands
        messages += other.messages
    }
}

/// The frames of one way of a connection: 64 bytes of greeting, then flags, a length of one or eight bytes, and a body.
private struct FrameCounter {
    private var greeting = 64
    private var head: [UInt8] = []
    private var body = 0

    /// The frames that begin in these bytes.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> WireTap.Counts {
        var found = WireTap.Counts()
        for byte in bytes {
            if greeting > 0 {
                greeting -= 1
            } else if body > 0 {
                body -= 1
            } else {
                head.append(byte)
                let flags = head[0]
                guard head.count == (flags & 2 == 0 ? 2 : 9) else { continue }
                body = head.dropFirst().reduce(0) { $0 << 8 | Int($1) }
                head = []
                if flags & 4 == 0 { found.messages += 1 } else { found.commands += 1 }
            }
        }
        return found
    }
}
