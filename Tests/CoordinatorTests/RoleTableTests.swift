import Diagnostics
import FarmKeys
import FarmProtocol
import Foundation
import TestTools
import Testing

/// The table of docs/operating/security.md, each message from each role over the farm's own sockets.
@Suite("Each role at each message", .timeLimit(.minutes(3))) struct RoleTableTests {
    typealias Body = Splitreel_Farm_Envelope.OneOf_Body
    typealias DataBody = Splitreel_Farm_DataEnvelope.OneOf_Body

    /// The messages of a row of the table, and the roles that may send them.
    struct Row: Sendable {
        let roles: Set<Role>
        let messages: [Body]
    }

    private static let rows = [
        Row(
            roles: [.worker, .admin],
            messages: [
                .register(.init()), .started(.init()), .progress(.init()), .finished(.init()), .failed(.init()),
                .released(.init()), .leaving(.init()), .assetsChecked(.init()), .sending(.init()), .slotEnded(.init()),
                .drainRequest(.init()), .heartbeat(.init()),
            ]),
        Row(
            roles: [.submit, .admin],
            messages: [
                .submit(.init()), .submitPart(.init()), .cancelJob(.init()), .retryJob(.init()), .pruneJobs(prune),
                .sightQuery(.init()), .storeOffer(.init()), .storeProof(.init()), .viewRequest(.init()),
                .filmsQuery(.init()), .storeQuery(.init()),
            ]),
        Row(
            roles: [.submit, .observe, .admin],
            messages: [
                .jobQuery(.init()), .jobsQuery(.init()), .watchJobs(.init()), .eventsQuery(.init()),
                .workersQuery(.init()),
            ]),
        Row(roles: [.observe, .admin], messages: [.countersQuery(.init())]),
        Row(
            roles: [],
            messages: [
                .welcome(.init()), .refused(.init()), .lease(.init()), .cancelLease(.init()), .acknowledged(.init()),
                .checkAssets(.init()), .heartbeatReply(.init()), .submitted(.init()), .jobReport(.init()),
                .jobsReport(.init()), .workersReport(.init()), .problem(.init()), .partTaken(.init()),
                .eventsReport(.init()), .countersReport(.init()), .jobsChanged(.init()), .jobsPruned(.init()),
                .sightReport(.init()), .storeState(.init()), .viewMade(.init()), .filmsReport(.init()),
                .storeReport(.init()),
            ]),
    ]

    /// The name of a message's field in proto/farm.proto, as Swift calls it.
    private static func name(_ body: Any) -> String { String(String(describing: body).prefix { $0 != "(" }) }

    /// A message that is added to the protocol without a row here is a failure.
    @Test func eachMessageOfTheProtocolHasItsRow() throws {
        let control = Self.rows.flatMap(\.messages).map { Self.name($0) }
        let known = try ProtocolText.bodies(of: "Envelope")
        #expect(control.sorted() == known.sorted())
        let data = Self.dataRows.flatMap(\.messages).map { Self.name($0(1)) }
        // A fetch and an offer stand in two rows: of whom they are depends on what they name.
        #expect(data.count == 10)
        let knownOfData = try ProtocolText.bodies(of: "DataEnvelope")
        #expect(Set(data) == Set(knownOfData))
    }

    /// A key of role `submit` has to name jobs.
    private static var prune: Splitreel_Farm_PruneJobs {
        var prune = Splitreel_Farm_PruneJobs()
        prune.jobs = ["nobody's"]
        return prune
    }

    /// Nobody may say this to a coordinator: its refusal tells that all before it were looked at.
    private static let fence = Body.welcome(.init())

    @Test(arguments: Role.allCases) func onTheControlSocket(role: Role) async throws {
        let farm = try await KeyedFarm(["guest": role])
        let peer = try await farm.peer("guest")
        var request: UInt64 = 1
        for row in Self.rows {
            for message in row.messages {
                try await peer.send(message, request: request)
                try await peer.send(Self.fence, request: request + 1)
                let errors = try await peer.errors(of: request, before: request + 1)
                #expect(errors.contains(.roleRefused) == !row.roles.contains(role), "\(role): \(message)")
                request += 2
            }
        }
        #expect(request == 103)
        await farm.fixture.end(peer)
    }

    @Test(arguments: Role.allCases) func onTheDataSocket(role: Role) async throws {
        let farm = try await KeyedFarm(["guest": role])
        let peer = try await DataPeer(farm.fixture.endpoint + ".da", security: try farm.link("guest"))
        var stream: UInt64 = 1
        for row in Self.dataRows {
            for message in row.messages {
                let body = message(stream)
                // A piece alone has bytes behind it.
                var bytes: [UInt8]?
                if case .piece = body { bytes = [] }
                try await peer.send(body, bytes)
                try await peer.send(Self.dataFence(stream + 1))
                let errors = try await peer.errors(of: stream, before: stream + 1)
                #expect(errors.contains(.roleRefused) == !row.roles.contains(role), "\(role): \(body)")
                stream += 2
            }
        }
        #expect(stream == 21)
        await peer.end()
        await farm.fixture.end()
    }

    /// A key that asks without a pause has its last answer within a second of its end.
    @Test func aRevokedKeyIsNotAnsweredAfterASecond() async throws {
        let farm = try await KeyedFarm(["eye": .observe])
        let eye = try await farm.peer("eye")
        try await eye.send(.countersQuery(.init()), request: 1)
        _ = try await eye.next { if case .countersReport(let report) = $0 { report } else { nil } }
        try farm.revoke("eye")
        let revoked = ContinuousClock.now
        var last = revoked
        while ContinuousClock.now - revoked < .seconds(3) {
            try await eye.send(.countersQuery(.init()), request: 1)
            // It waits for half a second at most.
            guard await eye.isAnswered() else { continue }
            _ = try await eye.next { if case .countersReport(let report) = $0 { report } else { nil } }
            last = ContinuousClock.now
        }
        // A second, and what slow cores add; a key that stays would be answered for three.
        #expect(last - revoked < .milliseconds(2500))
        await farm.fixture.end(eye)
    }

    // MARK: - Messages of the data socket, by their streams

    private typealias DataMessage = @Sendable (UInt64) -> DataBody

    /// The messages of a row of the data socket's table, and the roles that may send them.
    private struct DataRow: Sendable {
        let roles: Set<Role>
        let messages: [DataMessage]
    }

    private static let dataRows = [
        DataRow(roles: [.worker, .admin], messages: [fetch, offer]),
        DataRow(roles: [.submit, .admin], messages: [fetchOfFilm, offerOfContent]),
        DataRow(roles: [.worker, .submit, .admin], messages: [credit, stop, piece]),
        DataRow(roles: [], messages: [dataFence, stored, refusal]),
    ]

    private static let fetch: DataMessage = { stream in
        var message = Splitreel_Farm_Fetch()
        message.stream = stream
        message.source = "/nobody's.mov"
        return .fetch(message)
    }

    private static let fetchOfFilm: DataMessage = { stream in
        var message = Splitreel_Farm_Fetch()
        message.stream = stream
        message.film = "/nobody's.mp4"
        return .fetch(message)
    }

    private static let credit: DataMessage = { stream in
        var message = Splitreel_Farm_Credit()
        message.stream = stream
        return .credit(message)
    }

    private static let stop: DataMessage = { stream in
        var message = Splitreel_Farm_Stop()
        message.stream = stream
        return .stop(message)
    }

    /// Of a segment: it names an attempt.
    private static let offer: DataMessage = { stream in
        var message = Splitreel_Farm_Offer()
        message.stream = stream
        message.holding = Splitreel_Farm_Holding()
        message.file = Splitreel_Farm_SegmentFile()
        return .offer(message)
    }

    private static let offerOfContent: DataMessage = { stream in
        var message = Splitreel_Farm_Offer()
        message.stream = stream
        message.size = 1
        message.hash = Data(repeating: 7, count: 32)
        return .offer(message)
    }

    private static let piece: DataMessage = { stream in
        var message = Splitreel_Farm_Piece()
        message.stream = stream
        return .piece(message)
    }

    /// A coordinator's own, as the fence of the control socket is.
    private static let dataFence: DataMessage = { stream in
        var message = Splitreel_Farm_Want()
        message.stream = stream
        return .want(message)
    }

    private static let stored: DataMessage = { stream in
        var message = Splitreel_Farm_Stored()
        message.stream = stream
        return .stored(message)
    }

    private static let refusal: DataMessage = { stream in
        var message = Splitreel_Farm_Refusal()
        message.stream = stream
        return .refusal(message)
    }
}
