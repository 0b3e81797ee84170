import Foundation
import Synchronization
import Testing
import Threads
import Transport

/// Speaks ZeroMQ's wire protocol by hand, to send what the library would not.
private final class RawPeer {
    private let socket: Int32

    init?(port: UInt16) {
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // A send that nobody takes must not hold the test for ever.
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
        }
        guard connected == 0 else { return nil }
        let greeting: [UInt8] =
            [0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0x7F, 3, 0] + Array("NULL".utf8) + [UInt8](repeating: 0, count: 16 + 32)
        let kind = [5] + Array("READY".utf8) + [11] + Array("Socket-Type".utf8) + [0, 0, 0, 6] + Array("DEALER".utf8)
        guard send(greeting), send([4, UInt8(kind.count)] + kind) else { return nil }
        // What is sent before the other end is ready too would be an error of the protocol.
        guard receive(64) != nil, let head = receive(2), receive(Int(head[1])) != nil else { return nil }
    }

    deinit { close(socket) }

    func send(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private func receive(_ count: Int) -> [UInt8]? {
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var bytes = [UInt8](repeating: 0, count: count)
        return recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    /// Whether the other end closes the connection, which it has half a minute for.
    func isClosed() -> Bool {
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &block, block.count, 0)
            if count > 0 { continue }
            return count == 0 || (errno != EAGAIN && errno != EINTR)
        }
    }

    /// A frame after which another one of the same message follows.
    func sendFrame(of count: Int) -> Bool {
        let size = (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
        return send([3] + size + [UInt8](repeating: 7, count: count))
    }
}

@Suite("Messages without an end", .timeLimit(.minutes(2)))
struct HeldBytesTests {
    @Test("a peer whose message does not end is disconnected, and others are served")
    func endlessMessage() async throws {
        var limits = TransportLimits()
        limits.maximumHeldBytes = 8 << 20
        let loop = try EventLoop(name: "bounded", limits: limits)
        let client = try EventLoop(name: "client")
        defer { finish([loop, client]) }
        let seen = Inbox()
        let endpoint = try await run(on: loop) {
            try loop.bind(try loop.open(.router) { seen.put($0) }, to: "tcp://127.0.0.1:*")
        }
        let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
        let refused = await onThread {
            let peer = RawPeer(port: port)
            // 4000 frames of 256 KiB; it is cut off long before.
            let sent = (0..<4000).first { _ in peer?.sendFrame(of: 1 << 18) == false }
            return errno == EAGAIN ? nil : sent
        }
        #expect(refused != nil)
        #expect(try await run(on: loop) { try loop.droppedMessages() } == 1)
        try await run(on: client) {
            let dealer = try client.open(.dealer) { _ in }
            try client.connect(dealer, to: endpoint)
            _ = try client.send([[42]], on: dealer)
        }
        #expect(await seen.first()?.last == [42])
    }

    @Test("peers that send too much only together are bounded too: who holds most goes, the others are served")
    func manyEndlessMessages() async throws {
        var limits = TransportLimits()
        limits.maximumHeldBytesOfAll = 4 << 20
        let loop = try EventLoop(name: "bounded", limits: limits)
        defer { finish([loop]) }
        let seen = Inbox()
        let endpoint = try await run(on: loop) {
            try loop.bind(try loop.open(.router) { seen.put($0) }, to: "tcp://127.0.0.1:*")
        }
        let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
        let isClosed = await onThread {
            let peers = (0..<3).map { _ in RawPeer(port: port) }
            // 2.25 MiB of the first, then 1.5 MiB of each other one: 5.25 MiB, of which 3 MiB are left.
            for (peer, frames) in zip(peers, [9, 6, 6]) {
                for _ in 0..<frames { _ = peer?.sendFrame(of: 1 << 18) }
            }
            let isClosed = peers[0]?.isClosed() == true
            for peer in peers.dropFirst() { _ = peer?.send([0, 1, 7]) }
            return isClosed
        }
        #expect(isClosed)
        // Each with the identity before its six frames, and the last one of a byte.
        #expect(await seen.take(2).map(\.count) == [8, 8])
        #expect(try await run(on: loop) { try loop.droppedMessages() } == 1)
    }

    @Test("many small messages make no room for a message without an end")
    func noCredit() async throws {
        var limits = TransportLimits()
        limits.maximumHeldBytes = 2 << 20
        let loop = try EventLoop(name: "bounded", limits: limits)
        defer { finish([loop]) }
        let count = Mutex(0)
        let latch = Latch()
        let small = 60_000
        let endpoint = try await run(on: loop) {
            let opened = try loop.open(.router) { _ in
                let isLast = count.withLock { count in
                    count += 1
                    return count == small
                }
                if isLast { latch.open() }
            }
            return try loop.bind(opened, to: "tcp://127.0.0.1:*")
        }
        let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
        let isClosed = await onThread {
            let peer = RawPeer(port: port)
            _ = peer?.send([[UInt8]](repeating: [0, 1, 7], count: small).flatMap { $0 })
            let areAllTaken = latch.isOpen(within: .seconds(60))
            // More than may be held, and less than such messages were once counted for.
            for _ in 0..<12 where peer?.sendFrame(of: 1 << 18) == false { break }
            let sent = ContinuousClock.now
            let isClosed = peer?.isClosed() == true
            // Sooner than ZeroMQ's own pings would end a peer that answers none.
            return areAllTaken && isClosed && ContinuousClock.now - sent < .seconds(14)
        }
        #expect(isClosed)
    }

    @Test("a message of too many bytes is dropped and counted; long honest talk is not")
    func honestTalk() async throws {
        var limits = TransportLimits()
        limits.maximumHeldBytes = 4 << 20
        limits.maximumMessageBytes = 1 << 19
        let loop = try EventLoop(name: "bounded", limits: limits)
        let client = try EventLoop(name: "client")
        defer { finish([loop, client]) }
        let seen = Inbox()
        let endpoint = try await run(on: loop) {
            try loop.bind(try loop.open(.router) { seen.put([[UInt8($0[1].count & 255)]]) }, to: "tcp://127.0.0.1:*")
        }
        let dealer = try await run(on: client) {
            let dealer = try client.open(.dealer) { _ in }
            try client.connect(dealer, to: endpoint)
            _ = try client.send([[UInt8](repeating: 1, count: 1 << 20)], on: dealer)
            return dealer
        }
        for number in 0..<100 {
            try await run(on: client) {
                _ = try client.send([[UInt8](repeating: 1, count: (1 << 18) + number)], on: dealer)
            }
            #expect(await seen.first() == [[UInt8(number)]])
        }
        #expect(try await run(on: loop) { try loop.droppedMessages() } == 1)
    }

    @Test("of too many connections those end that came first and never spoke")
    func manyConnections() async throws {
        var limits = TransportLimits()
        limits.maximumConnections = 8
        let loop = try EventLoop(name: "bounded", limits: limits)
        defer { finish([loop]) }
        let seen = Inbox()
        let hasSpoken = Latch()
        let endpoint = try await run(on: loop) {
            let opened = try loop.open(.router) { frames in
                seen.put(frames)
                hasSpoken.open()
            }
            return try loop.bind(opened, to: "tcp://127.0.0.1:*")
        }
        let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
        let areClosed = await onThread {
            let speaker = RawPeer(port: port)
            _ = speaker?.send([0, 1, 7])
            guard hasSpoken.isOpen(within: .seconds(60)) else { return false }
            // With nine connections three end, so that six are left.
            let silent = (0..<12).map { _ in RawPeer(port: port) }
            let came = ContinuousClock.now
            let areClosed = silent.prefix(3).allSatisfy { $0?.isClosed() == true }
            // Sooner than ZeroMQ's own pings would end a peer that answers none.
            let isSoon = ContinuousClock.now - came < .seconds(14)
            let areSent = speaker?.send([0, 1, 8]) == true && silent[11]?.send([0, 1, 9]) == true
            return areClosed && isSoon && areSent
        }
        #expect(areClosed)
        #expect(await seen.take(3).compactMap(\.last).map { $0[0] }.sorted() == [7, 8, 9])
    }
}
