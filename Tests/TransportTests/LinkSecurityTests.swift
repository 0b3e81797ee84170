import FarmKeys
import Foundation
import Synchronization
import Testing
import Threads
import Transport

/// A message as a router under keys gets it.
private struct Arrival {
    let payload: [UInt8]
    let key: PublicKey?
}

/// A router under a farm's keys, on a loop of its own, that answers each message with its payload.
private actor KeyedEcho {
    private let loop: EventLoop
    private var socket: SocketID?
    private(set) var received: [Arrival] = []

    init(loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func start(_ endpoint: String) throws -> String {
        let opened = try loop.openRouter { [self] frames, key in assumeIsolated { $0.answer(frames, key) } }
        socket = opened
        return try loop.bind(opened, to: endpoint)
    }

    func disconnect(_ key: PublicKey) { loop.disconnect(key) }

    private func answer(_ frames: [[UInt8]], _ key: PublicKey?) {
        received.append(Arrival(payload: frames[1], key: key))
        guard let socket else { return }
        _ = try? loop.send(frames, on: socket)
    }
}

/// The keys that get in, changed while a loop runs.
private final class Guests: Sendable {
    private let keys: Mutex<Set<PublicKey>>

    init(_ keys: [PublicKey]) { self.keys = Mutex(Set(keys)) }

    func drop(_ key: PublicKey) { keys.withLock { _ = $0.remove(key) } }

    var doorkeeper: Doorkeeper { Doorkeeper { [self] key in keys.withLock { $0.contains(key) } } }
}

/// A dealer on a loop of its own.
private final class Knocker: Sendable {
    let loop: EventLoop
    let answers = Inbox()
    private let socket = Mutex<SocketID?>(nil)

    init(_ security: LinkSecurity) throws {
        var limits = TransportLimits()
        limits.linger = .zero
        loop = try EventLoop(name: "client", limits: limits, security: security)
    }

    func knock(_ endpoint: String, _ payload: [UInt8]) async throws {
        let answers = answers
        let loop = loop
        let opened = try await run(on: loop) {
            let opened = try loop.open(.dealer) { answers.put($0) }
            try loop.connect(opened, to: endpoint, watchesLink: true)
            _ = try loop.send([payload], on: opened)
            return opened
        }
        socket.withLock { $0 = opened }
    }

    func say(_ payload: [UInt8], times count: Int = 1) async throws {
        guard let socket = self.socket.withLock({ $0 }) else { return }
        let loop = loop
        try await run(on: loop) {
            for _ in 0..<count { _ = try loop.send([payload], on: socket) }
        }
    }

    /// The fault of the link, as soon as there is one; nil after a time.
    func fault(within seconds: Int = 30) async throws -> LinkFault? {
        guard let socket = self.socket.withLock({ $0 }) else { return nil }
        let loop = loop
        let found = OneShot<LinkFault>()
        try await run(on: loop) {
            loop.every(.milliseconds(20)) {
                if let fault = loop.linkFault(of: socket) { found.set(fault) }
            }
        }
        return await onThread { found.wait(within: .seconds(seconds)) }
    }
}

/// A TCP connection that sends nothing.
private final class SilentConnection: Sendable {
    private let descriptor: Int32

    init(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // A test must not wait for ever.
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let target = descriptor
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(target, $0, size) }
        }
    }

    deinit { close(descriptor) }

    /// Reads to the end, which the other end makes; false where it does not within half a minute.
    func isClosedByTheOther() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 256)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 { continue }
            return count == 0 || errno == ECONNRESET
        }
    }
}

@Suite("Keys on sockets", .timeLimit(.minutes(2))) struct LinkSecurityTests {
    private let farm: KeyPair
    private let friend: KeyPair
    private let stranger: KeyPair

    init() throws {
        farm = try KeyPair.make()
        friend = try KeyPair.make()
        stranger = try KeyPair.make()
    }

    private func server(_ doorkeeper: Doorkeeper?) throws -> EventLoop {
        var limits = TransportLimits()
        limits.linger = .zero
        return try EventLoop(name: "server", limits: limits, security: .server(farm, doorkeeper))
    }

    @Test func aPairIsAPair() throws {
        #expect(farm.isPair && friend.isPair)
        #expect(!KeyPair(publicKey: farm.publicKey, secretKey: friend.secretKey).isPair)
        #expect(farm.publicKey != friend.publicKey)
    }

    @Test("a key that is known gets in, and stands beside each message", arguments: ["tcp://127.0.0.1:*", "ipc://*"])
    func knownKey(_ wildcard: String) async throws {
        let loop = try server(Guests([friend.publicKey]).doorkeeper)
        let client = try Knocker(.client(friend, server: farm.publicKey))
        defer { finish([loop, client.loop]) }
        let echo = KeyedEcho(loop: loop)
        let endpoint = try await echo.start(wildcard)
        try await client.knock(endpoint, [1])
        #expect(await client.answers.first() == [[1]])
        // As large as a message may be.
        let large = [UInt8](repeating: 7, count: 1 << 20)
        try await client.say(large)
        #expect(await client.answers.first() == [large])
        let received = await echo.received
        #expect(received.map(\.payload) == [[1], large])
        #expect(received.allSatisfy { $0.key == friend.publicKey })
    }

    @Test("links that are closed in the middle of a handshake stop no other")
    func closedInTheMiddle() async throws {
        let loop = try server(Guests([friend.publicKey]).doorkeeper)
        let client = try Knocker(.client(friend, server: farm.publicKey))
        defer { finish([loop, client.loop]) }
        let echo = KeyedEcho(loop: loop)
        let endpoint = try await echo.start("ipc://*")
        let own = client.loop
        for turn in 0..<400 {
            try await run(on: own) {
                let opened = try own.open(.dealer) { _ in }
                try own.connect(opened, to: endpoint, watchesLink: true)
                // The handshake is at another place each time.
                _ = Latch().isOpen(within: .microseconds(10 * turn))
                own.close(opened)
            }
        }
        try await client.knock(endpoint, [1])
        #expect(await client.answers.first() == [[1]])
    }

    @Test("nothing of a stranger arrives, and it is told that its key is refused")
    func unknownKey() async throws {
        let loop = try server(Guests([friend.publicKey]).doorkeeper)
        let client = try Knocker(.client(stranger, server: farm.publicKey))
        defer { finish([loop, client.loop]) }
        let echo = KeyedEcho(loop: loop)
        try await client.knock(try await echo.start("tcp://127.0.0.1:*"), [1])
        #expect(try await client.fault() == .keyRefused)
        #expect(await echo.received.isEmpty)
    }

    @Test("a wire to a stranger carries handshakes alone, and to a key that is dropped from then on")
    func onTheWire() async throws {
        let guests = Guests([friend.publicKey])
        let loop = try server(guests.doorkeeper)
        let client = try Knocker(.client(friend, server: farm.publicKey))
        let other = try Knocker(.client(stranger, server: farm.publicKey))
        defer { finish([loop, client.loop, other.loop]) }
        let echo = KeyedEcho(loop: loop)
        let endpoint = try await echo.start("tcp://127.0.0.1:*")
        let known = try WireTap(to: endpoint)
        try await client.knock(known.endpoint, [1])
        #expect(await client.answers.first() == [[1]])
        // The tap sees what is said: the friend's word and its answer.
        let said = known.counts
        #expect(said.fromClients.messages >= 1 && said.toClients.messages >= 1)

        let unknown = try WireTap(to: endpoint)
        try await other.knock(unknown.endpoint, [1])
        #expect(try await other.fault() == .keyRefused)
        let refused = unknown.counts
        #expect(refused.toClients.messages == 0 && refused.fromClients.messages == 0)
        #expect(refused.toClients.commands > 0)

        guests.drop(friend.publicKey)
        await echo.disconnect(friend.publicKey)
        #expect(try await client.fault() == .keyRefused)
        let dropped = known.counts
        // It knocks again and again, and has something to say.
        try await client.say([2], times: 20)
        #expect(known.counts.toClients.messages == dropped.toClients.messages)
        #expect(known.counts.fromClients.messages == dropped.fromClients.messages)
        #expect(await echo.received.count == 1)
    }

    @Test("without keys nothing arrives, and it is told that the other end has some")
    func noKey() async throws {
        let loop = try server(Guests([friend.publicKey]).doorkeeper)
        let client = try Knocker(.open)
        defer { finish([loop, client.loop]) }
        let echo = KeyedEcho(loop: loop)
        try await client.knock(try await echo.start("tcp://127.0.0.1:*"), [1])
        #expect(try await client.fault() == .keysAtOneEnd)
        #expect(await echo.received.isEmpty)
    }

    @Test("a token says nothing to a farm without keys")
    func keyToNoKeys() async throws {
        let loop = try EventLoop(name: "open")
        let client = try Knocker(.client(friend, server: farm.publicKey))
        defer { finish([loop, client.loop]) }
        let echo = KeyedEcho(loop: loop)
        try await client.knock(try await echo.start("tcp://127.0.0.1:*"), [1])
        #expect(try await client.fault() == .keysAtOneEnd)
        #expect(await echo.received.isEmpty)
    }

    @Test("where nobody stands at the doors, and at another farm, nobody gets in", arguments: [true, false])
    func closed(isOfThisFarm: Bool) async throws {
        let loop = try server(isOfThisFarm ? nil : Guests([friend.publicKey]).doorkeeper)
        let known = isOfThisFarm ? farm.publicKey : stranger.publicKey
        let client = try Knocker(.client(friend, server: known))
        defer { finish([loop, client.loop]) }
        let echo = KeyedEcho(loop: loop)
        try await client.knock(try await echo.start("tcp://127.0.0.1:*"), [1])
        // It is silence: the link has no fault that could be told.
        #expect(try await client.fault(within: 2) == nil)
        #expect(await echo.received.isEmpty)
    }

    @Test("a key that is dropped is out at once", arguments: ["tcp://127.0.0.1:*", "ipc://*"])
    func droppedKey(_ wildcard: String) async throws {
        let guests = Guests([friend.publicKey])
        let loop = try server(guests.doorkeeper)
        let client = try Knocker(.client(friend, server: farm.publicKey))
        defer { finish([loop, client.loop]) }
        let echo = KeyedEcho(loop: loop)
        let endpoint = try await echo.start(wildcard)
        try await client.knock(endpoint, [1])
        #expect(await client.answers.first() == [[1]])
        guests.drop(friend.publicKey)
        let started = ContinuousClock.now
        await echo.disconnect(friend.publicKey)
        #expect(try await client.fault() == .keyRefused)
        #expect(ContinuousClock.now - started < .seconds(10))
        try await client.say([2])
        #expect(await echo.received.count == 1)
    }

    @Test("connections that say nothing are closed in time, and keep nobody out")
    func silentConnections() async throws {
        var limits = TransportLimits()
        limits.linger = .zero
        limits.handshake = .milliseconds(500)
        let doorkeeper = Guests([friend.publicKey]).doorkeeper
        let loop = try EventLoop(name: "server", limits: limits, security: .server(farm, doorkeeper))
        let client = try Knocker(.client(friend, server: farm.publicKey))
        defer { finish([loop, client.loop]) }
        let echo = KeyedEcho(loop: loop)
        let endpoint = try await echo.start("tcp://127.0.0.1:*")
        let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
        let silent = (0..<100).map { _ in SilentConnection(port: port) }
        try await client.knock(endpoint, [1])
        #expect(await client.answers.first() == [[1]])
        let areClosed = await onThread { silent.allSatisfy { $0.isClosedByTheOther() } }
        #expect(areClosed)
        #expect(await echo.received.count == 1)
    }

    @Test("long honest talk under keys holds nothing: what encryption adds is counted")
    func honestTalk() async throws {
        var limits = TransportLimits()
        // Half of what encryption adds to the messages below.
        limits.maximumHeldBytes = 330_000
        let doorkeeper = Guests([friend.publicKey]).doorkeeper
        let loop = try EventLoop(name: "server", limits: limits, security: .server(farm, doorkeeper))
        let client = try Knocker(.client(friend, server: farm.publicKey))
        defer { finish([loop, client.loop]) }
        let echo = KeyedEcho(loop: loop)
        try await client.knock(try await echo.start("tcp://127.0.0.1:*"), [1])
        #expect(await client.answers.first() == [[1]])
        for _ in 0..<100 {
            try await client.say([2], times: 200)
            #expect(await client.answers.take(200).count == 200)
        }
        #expect(try await run(on: loop) { try loop.droppedMessages() } == 0)
    }
}
