import FarmKeys
import FarmProtocol
import TestTools
import Testing

/// The table of roles and messages, entry by entry, as docs/operating/security.md tells it.
@Suite("Roles and messages") struct RoleMessageTests {
    typealias Body = Splitreel_Farm_Envelope.OneOf_Body

    private static let ofSlots: [Body] = [
        .register(.init()), .started(.init()), .progress(.init()), .finished(.init()), .failed(.init()),
        .released(.init()), .leaving(.init()), .assetsChecked(.init()), .sending(.init()), .slotEnded(.init()),
        .drainRequest(.init()), .heartbeat(.init()),
    ]
    private static let ofSubmitters: [Body] = [
        .submit(.init()), .submitPart(.init()), .cancelJob(.init()), .retryJob(.init()), .pruneJobs(.init()),
        .sightQuery(.init()), .storeOffer(.init()), .storeProof(.init()), .viewRequest(.init()), .filmsQuery(.init()),
        .storeQuery(.init()),
    ]
    private static let ofWatchers: [Body] = [
        .jobQuery(.init()), .jobsQuery(.init()), .watchJobs(.init()), .eventsQuery(.init()), .workersQuery(.init()),
    ]
    private static let ofOverseers: [Body] = [.countersQuery(.init())]
    private static let ofCoordinators: [Body] = [
        .welcome(.init()), .refused(.init()), .lease(.init()), .cancelLease(.init()), .acknowledged(.init()),
        .checkAssets(.init()), .heartbeatReply(.init()), .submitted(.init()), .jobReport(.init()),
        .jobsReport(.init()), .workersReport(.init()), .problem(.init()), .partTaken(.init()), .eventsReport(.init()),
        .countersReport(.init()), .jobsChanged(.init()), .jobsPruned(.init()), .sightReport(.init()),
        .storeState(.init()), .viewMade(.init()), .filmsReport(.init()), .storeReport(.init()),
    ]

    @Test func aWorkerSpeaksAsASlotAlone() {
        #expect(Self.ofSlots.allSatisfy { Role.worker.maySend($0) })
        #expect((Self.ofSubmitters + Self.ofWatchers + Self.ofOverseers).allSatisfy { !Role.worker.maySend($0) })
    }

    @Test func aSubmitterHasJobs() {
        #expect((Self.ofSubmitters + Self.ofWatchers).allSatisfy { Role.submit.maySend($0) })
        #expect((Self.ofSlots + Self.ofOverseers).allSatisfy { !Role.submit.maySend($0) })
    }

    @Test func anObserverChangesNothing() {
        #expect((Self.ofWatchers + Self.ofOverseers).allSatisfy { Role.observe.maySend($0) })
        #expect((Self.ofSlots + Self.ofSubmitters).allSatisfy { !Role.observe.maySend($0) })
    }

    @Test func anAdministratorDoesEverything() {
        let all = Self.ofSlots + Self.ofSubmitters + Self.ofWatchers + Self.ofOverseers
        #expect(all.allSatisfy { Role.admin.maySend($0) })
    }

    @Test(arguments: Role.allCases) func nobodySpeaksAsTheCoordinator(role: Role) {
        #expect(Self.ofCoordinators.allSatisfy { !role.maySend($0) })
    }

    /// The messages of the data socket: a slot reads and sends, and a submitter has contents and films alone.
    @Test func bytesAreForWorkersAndForWhoBroughtThem() {
        var segment = Splitreel_Farm_Offer()
        segment.holding = .init()
        segment.file = .init()
        var film = Splitreel_Farm_Fetch()
        film.film = "/films/a.mp4"
        var source = Splitreel_Farm_Fetch()
        source.source = "/films/a.mov"
        typealias Message = Splitreel_Farm_DataEnvelope.OneOf_Body
        let ofSlots: [Message] = [.fetch(.init()), .fetch(source), .offer(segment)]
        let ofSubmitters: [Message] = [.fetch(film), .offer(.init())]
        let ofBoth: [Message] = [.credit(.init()), .stop(.init()), .piece(.init())]
        let ofCoordinators: [Message] = [.want(.init()), .stored(.init()), .refusal(.init())]
        for role in Role.allCases {
            let isWorker = role == .worker || role == .admin
            let isSubmitter = role == .submit || role == .admin
            #expect(ofSlots.allSatisfy { role.maySend($0) == isWorker })
            #expect(ofSubmitters.allSatisfy { role.maySend($0) == isSubmitter })
            #expect(ofBoth.allSatisfy { role.maySend($0) == (isWorker || isSubmitter) })
            #expect(ofCoordinators.allSatisfy { !role.maySend($0) })
        }
    }

    /// A message that is added to proto/farm.proto is to be added here.
    @Test func everyMessageIsInTheTable() throws {
        let all = Self.ofSlots + Self.ofSubmitters + Self.ofWatchers + Self.ofOverseers + Self.ofCoordinators
        let names = all.map { String(String(describing: $0).prefix { $0 != "(" }) }
        #expect(names.count == 51)
        let known = try ProtocolText.bodies(of: "Envelope")
        #expect(names.sorted() == known.sorted())
    }
}
