import Foundation
import Synchronization
import TestTools

/// Many peers that send hostile messages to a coordinator, from a thread of their own.
final class MessageFlood: Sendable {
    private struct State {
        var sent = 0
        var reconnects = 0
        var fault: String?
    }

    private let state = Mutex(State())
    private let isEnough = Atomic<Bool>(false)
    private let ended = DispatchSemaphore(value: 0)
    private let endpoint: String
    private let least: Int

    var sent: Int { state.withLock { $0.sent } }
    var fault: String? { state.withLock { $0.fault } }
    /// The least number is sent.
    var isDone: Bool { sent >= least }

    /// Starts to send; goes on past `least` until it is told that it is enough, up to a limit.
    init(_ endpoint: String, seed: UInt64, least: Int) {
        (self.endpoint, self.least) = (endpoint, least)
        Thread.detachNewThread { [self] in
            do {
                try run(HostileMessages(seed: seed), Chance(seed: seed &+ 1))
            } catch {
                state.withLock { $0.fault = "\(error)" }
            }
            ended.signal()
        }
    }

    /// Waits until the least number is sent; false after that many seconds.
    func finish(seconds: Double) -> Bool {
        isEnough.store(true, ordering: .releasing)
        defer { ended.signal() }
        return ended.wait(timeout: .now() + seconds) == .success
    }

    private func run(_ messages: HostileMessages, _ chance: Chance) throws {
        var (messages, chance) = (messages, chance)
        var peers = try (0..<8).map { _ in try RawPeer(endpoint) }
        let most = max(4 * least, 100_000)
        for number in 0..<most {
            if number >= least, isEnough.load(ordering: .acquiring) { break }
            let index = number % peers.count
            // One of the eight never listens to what it is told.
            let reads = index > 0
            peers[index].add(frames(of: messages.next(), &chance))
            if peers[index].backlog > 1 << 15 || chance.once(in: 200) {
                if !peers[index].flush(reads: reads) {
                    peers[index] = try RawPeer(endpoint)
                    state.withLock { $0.reconnects += 1 }
                }
            }
            state.withLock { $0.sent += 1 }
        }
        for (index, peer) in peers.enumerated() { peer.flush(reads: index > 0) }
    }

    /// The protocol has one frame to a message; some here have more.
    private func frames(of message: [UInt8], _ chance: inout Chance) -> [[UInt8]] {
        guard chance.once(in: 50) else { return [message] }
        return (0..<(2 + chance.below(8))).map { _ in chance.once(in: 2) ? message : [] }
    }
}

/// Connections that do not even speak the protocol; kept open as long as this lives.
struct RudeConnections {
    private var peers: [RawPeer] = []

    init(_ endpoint: String, seed: UInt64, count: Int) throws {
        var chance = Chance(seed: seed)
        for number in 0..<count {
            let peer = try RawPeer(endpoint, greeting: number % 5 == 0 ? .proper : .none)
            switch number % 5 {
            case 0:
                // A frame that would be larger than any memory.
                peer.add(raw: [2, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff] + chance.bytes(64))
            case 1: peer.add(raw: chance.bytes(1 + chance.below(4096)))
            case 2: peer.add(raw: [0xff, 0, 0, 0, 0])
            case 3: peer.add(raw: Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            default: break
            }
            peer.flush(seconds: 1)
            peers.append(peer)
        }
    }

    /// A message that goes on and on: frames of 1 MiB, and the last one never comes.
    static func endless(_ endpoint: String, frames: Int) throws {
        let peer = try RawPeer(endpoint)
        let frame = [UInt8](repeating: 0x5a, count: 1 << 20)
        for _ in 0..<frames {
            peer.add([frame], isUnfinished: true)
            guard peer.flush(seconds: 20) else { return }
        }
    }
}
