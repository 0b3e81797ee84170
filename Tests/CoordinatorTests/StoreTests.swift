import Coordinator
import DataPlane
import Diagnostics
import FarmKeys
import FarmProtocol
import Foundation
import Hashing
import Planning
import Scheduling
import Testing

extension FakePeer {
    fileprivate func offer(_ content: [UInt8]) async throws -> Splitreel_Farm_StoreState {
        var offer = Splitreel_Farm_StoreOffer()
        offer.hash = Data(StoreTests.sum(content))
        offer.size = UInt64(content.count)
        try send(.storeOffer(offer), request: 20)
        return try await storeState()
    }

    fileprivate func prove(_ content: [UInt8], _ proof: [UInt8]) async throws -> Splitreel_Farm_StoreState {
        var message = Splitreel_Farm_StoreProof()
        message.hash = Data(StoreTests.sum(content))
        message.proof = Data(proof)
        try send(.storeProof(message), request: 21)
        return try await storeState()
    }

    /// Throws the coordinator's own error where it refuses.
    private func storeState() async throws -> Splitreel_Farm_StoreState {
        let answer: Result<Splitreel_Farm_StoreState, SplitreelError> = try await next {
            switch $0 {
            case .storeState(let state): .success(state)
            case .problem(let problem): .failure(problem.error)
            default: nil
            }
        }
        return try answer.get()
    }

    fileprivate func view(
        _ files: [String: [UInt8]], films: [String] = []
    ) async throws -> Splitreel_Farm_ViewMade {
        var message = Splitreel_Farm_ViewRequest()
        message.films = films
        for (path, content) in files.sorted(by: { $0.key < $1.key }) {
            var file = Splitreel_Farm_ViewFile()
            file.path = path
            file.hash = Data(StoreTests.sum(content))
            message.files.append(file)
        }
        try send(.viewRequest(message), request: 22)
        let answer: Result<Splitreel_Farm_ViewMade, SplitreelError> = try await next {
            switch $0 {
            case .viewMade(let made): .success(made)
            case .problem(let problem): .failure(problem.error)
            default: nil
            }
        }
        return try answer.get()
    }

    fileprivate func submit(_ path: String, composition: String, view: String) async throws -> String {
        var message = Splitreel_Farm_Submit()
        message.composition = composition
        message.requestJson = try [OutputRequest(path: path)].requestText()
        message.view = view
        try send(.submit(message), request: 23)
        let answer: Result<String, SplitreelError> = try await next {
            switch $0 {
            case .submitted(let answer): .success(answer.job)
            case .problem(let problem): .failure(problem.error)
            default: nil
            }
        }
        return try answer.get()
    }
}

@Suite("Media that clients bring, and films that wait", .timeLimit(.minutes(5)))
struct StoreTests {
    static func sum(_ content: [UInt8]) -> [UInt8] {
        var sum = SHA256Sum()
        sum.update(content)
        return sum.bytes
    }

    /// A content of that many bytes, none of whose pieces is like another.
    private static func content(_ count: Int) -> [UInt8] {
        (0..<count).map { place in
            let mixed = place * 31 + place / 256
            return UInt8(truncatingIfNeeded: mixed)
        }
    }

    private static func code(_ body: () async throws -> Void) async -> ErrorCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SplitreelError)?.code
        }
    }

    private static func names(_ fixture: Fixture, _ folder: String) -> [String] {
        let path = fixture.folder + "/data/store/" + folder
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    @Test func aContentIsSentOnceByEachKeyThatCannotProveIt() async throws {
        let farm = try await KeyedFarm(["ana": .submit, "ben": .submit])
        let (ana, ben) = try await (farm.peer("ana"), farm.peer("ben"))
        let data = try await DataPeer(farm.fixture.endpoint + ".da", security: try farm.link("ana"))
        let content = Self.content(3_000_000)
        let first = try await ana.offer(content)
        #expect(!first.held && first.nonce.isEmpty)
        #expect(try await data.store(content) == 0)
        #expect(try await ana.offer(content).held)
        // Another one may know the SHA-256.
        #expect(await Self.code { _ = try await ben.view(["/a.mov": content]) } == .refused)
        #expect(try await !ben.offer(content).held)
        #expect(try await !ben.prove(content, Self.content(32)).held)
        #expect(await Self.code { _ = try await ben.view(["/a.mov": content]) } == .refused)
        // A question is good for one answer.
        let question = try await ben.offer(content)
        let challenge = PossessionChallenge(nonce: Array(question.nonce), size: 3_000_000)
        let proof = challenge.proof { Array(content[Int($0.lowerBound)..<Int($0.upperBound)]) }
        #expect(try await ben.prove(content, proof).held)
        #expect(try await !ben.prove(content, proof).held)
        _ = try await ben.view(["/a.mov": content])
        #expect(Self.names(farm.fixture, "contents") == [hexadecimal(Self.sum(content))])
        await data.end()
        await farm.fixture.end(ana, ben)
    }

    /// Sends a content on when the coordinator has noticed that the connection before is gone.
    private static func goOn(_ peer: DataPeer, _ content: [UInt8], pieces: Int) async throws -> Int64 {
        for _ in 0..<100 {
            do {
                return try await peer.store(content, pieces: pieces)
            } catch let error as SplitreelError where error.code == .transportFailed {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        throw FakePeer.NothingCame()
    }

    @Test func anUploadGoesOnAfterABreakAndAfterARestart() async throws {
        let content = Self.content(1_000_000)
        let first = try await Fixture()
        let one = try await DataPeer(first.endpoint + ".da")
        #expect(try await one.store(content, pieces: 1) == 0)
        await one.end()
        let two = try await DataPeer(first.endpoint + ".da")
        #expect(try await Self.goOn(two, content, pieces: 1) == 262_144)
        await two.end()
        await first.end(keepFolder: true)
        let second = try await Fixture(folder: first.folder)
        let three = try await DataPeer(second.endpoint + ".da")
        #expect(try await three.store(content) == 524_288)
        #expect(Self.names(second, "contents") == [hexadecimal(Self.sum(content))])
        #expect(Self.names(second, "parts").isEmpty)
        let stored = second.folder + "/data/store/contents/" + hexadecimal(Self.sum(content))
        #expect(try Data(contentsOf: URL(fileURLWithPath: stored)) == Data(content))
        await three.end()
        await second.end()
    }

    @Test func wrongBytesAreNoContent() async throws {
        let fixture = try await Fixture()
        let data = try await DataPeer(fixture.endpoint + ".da")
        let wrong = [UInt8](repeating: 7, count: 32)
        let code = await Self.code { _ = try await data.store(Self.content(1000), hash: wrong) }
        #expect(code == .transportFailed)
        #expect(Self.names(fixture, "contents").isEmpty)
        await data.end()
        await fixture.end()
    }

    @Test func aFilmIsMadeOfUploadsAndWaits() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(hasSound: false))
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        let data = try await DataPeer(fixture.endpoint + ".da")
        let content = Self.content(1000)
        _ = try await data.store(content)
        // Neither path is one of this machine.
        let view = try await client.view(["/nowhere/in/a.mov": content], films: ["/nowhere/out/film.mkv"])
        try await slot.register("w/1", worker: "w")
        let job = try await client.submit(
            view.folder + "/nowhere/out/film.mkv", composition: view.folder + "/nowhere/in/a.mov", view: view.view)
        let report = try await client.watch(job)
        #expect(report.state == .completed, "\(report.problem.error)")
        #expect(report.output == "/nowhere/out/film.mkv")
        var query = Splitreel_Farm_FilmsQuery()
        query.job = job
        try await client.send(.filmsQuery(query), request: 30)
        let films = try await client.next { if case .filmsReport(let report) = $0 { report } else { nil } }
        let film = Array("segment 0\nsegment 1\nsegment 2\n".utf8)
        #expect(films.films.map(\.path) == ["/nowhere/out/film.mkv"] && !films.more)
        #expect(films.films.first?.hash == Data(Self.sum(film)))
        #expect(films.until > Date().timeIntervalSince1970 + 6 * 86_400)
        #expect(try await data.fetch(.film("/nowhere/out/film.mkv"), job: job, slot: "") == film)
        let other = await Self.code { _ = try await data.fetch(.film("/nowhere/in/a.mov"), job: job, slot: "") }
        #expect(other == .noSuchFilm)
        // The view is the job's own from now on.
        let again = await Self.code {
            _ = try await client.submit(view.folder + "/nowhere/out/b.mkv", composition: "{}", view: view.view)
        }
        #expect(again == .refused)
        await data.end()
        await fixture.end(slot, client)
    }

    @Test func aFilmIsOfWhoSubmittedIt() async throws {
        let farm = try await KeyedFarm(
            ["w": .worker, "ana": .submit, "ben": .submit, "eye": .observe, "chief": .admin],
            mediaWork: FakeMediaWork(hasSound: false))
        let (slot, ana, eye) = try await (farm.peer("w"), farm.peer("ana"), farm.peer("eye"))
        let view = try await ana.view([:], films: ["/nowhere/film.mkv"])
        try await slot.register("n/1", worker: "n")
        let job = try await ana.submit(view.folder + "/nowhere/film.mkv", composition: "{}", view: view.view)
        let report = try await ana.watch(job)
        #expect(report.state == .completed, "\(report.problem.error)")
        let guests: [(String, ErrorCode?)] = [
            ("ana", nil), ("chief", nil), ("ben", .noSuchFilm), ("eye", .roleRefused), ("w", .roleRefused),
        ]
        for (name, code) in guests {
            let peer = try await DataPeer(farm.fixture.endpoint + ".da", security: try farm.link(name))
            let refusal = await Self.code { _ = try await peer.fetch(.film("/nowhere/film.mkv"), job: job, slot: "") }
            #expect(refusal == code, "\(name)")
            await peer.end()
        }
        // Who sees the job does not see the view, whose name would let them read it.
        var query = Splitreel_Farm_JobQuery()
        query.job = job
        try await eye.send(.jobQuery(query), request: 60)
        let seen = try await eye.next { if case .jobReport(let report) = $0 { report } else { nil } }
        #expect(seen.output == "/nowhere/film.mkv" && seen.outputs == ["/nowhere/film.mkv"])
        await farm.fixture.end(slot, ana, eye)
    }

    @Test func aViewIsOfItsJobAloneWhoeverKnowsItsName() async throws {
        let farm = try await KeyedFarm(
            ["ana": .submit, "ben": .submit], mediaWork: FakeMediaWork(hasSound: false))
        let (ana, ben) = try await (farm.peer("ana"), farm.peer("ben"))
        let data = try await DataPeer(farm.fixture.endpoint + ".da", security: try farm.link("ana"))
        let content = Self.content(1000)
        _ = try await data.store(content)
        let hers = try await ana.view(["/in/a.mov": content], films: ["/out/film.mkv"])
        let his = try await ben.view([:], films: ["/out/film.mkv"])
        // A worker of both has told him the name.
        let job = try await ben.submit(
            his.folder + "/out/film.mkv", composition: hers.folder + "/in/a.mov", view: his.view)
        let report = try await ben.watch(job)
        #expect(report.problem.code == UInt32(ErrorCode.refused.number), "\(report.problem.error)")
        let other = try await ben.view([:], films: ["/out/film.mkv"])
        let code = await Self.code {
            _ = try await ben.submit(hers.folder + "/out/film.mkv", composition: "{}", view: other.view)
        }
        #expect(code == .refused)
        await data.end()
        await farm.fixture.end(ana, ben)
    }

    @Test func aContentIsReadByAViewAlone() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(hasSound: false))
        let client = try await FakePeer(fixture.endpoint)
        let data = try await DataPeer(fixture.endpoint + ".da")
        let content = Self.content(1000)
        _ = try await data.store(content)
        let real = URL(fileURLWithPath: fixture.folder).resolvingSymlinksInPath().path
        let stored = real + "/data/store/contents/" + hexadecimal(Self.sum(content))
        let job = try await client.submit(fixture.request, composition: stored)
        let report = try await client.watch(job)
        #expect(report.problem.code == UInt32(ErrorCode.refused.number))
        for path in ["a/../b.mov", "a.mov", "/a//b.mov", "/"] {
            let code = await Self.code { _ = try await client.view([path: content]) }
            #expect(code == .malformedMessage, "\(path)")
        }
        await data.end()
        await fixture.end(client)
    }

    @Test func theCoordinatorSeesTheClientsOwnFilesAlone() async throws {
        let fixture = try await Fixture()
        let client = try await FakePeer(fixture.endpoint)
        let path = fixture.folder + "/a.mov"
        let content = Self.content(3000)
        try Data(content).write(to: URL(fileURLWithPath: path))
        let nonce = Data(Self.content(32))
        try nonce.write(to: URL(fileURLWithPath: fixture.folder + "/out/nonce"))
        var query = Splitreel_Farm_SightQuery()
        // A file of up to 2 MiB is summed whole.
        for (name, bytes) in [(path, content), (path, Self.content(3001)), ("/nowhere.mov", content)] {
            var file = Splitreel_Farm_SightFile()
            file.path = name
            file.size = UInt64(bytes.count)
            file.edges = Data(Self.sum(bytes))
            query.files.append(file)
        }
        for (name, bytes) in [("nonce", nonce), ("nonce", Data(Self.content(31) + [1])), ("other", nonce)] {
            var folder = Splitreel_Farm_SightFolder()
            folder.path = fixture.folder + "/out"
            folder.name = name
            folder.content = bytes
            query.folders.append(folder)
        }
        try await client.send(.sightQuery(query), request: 40)
        let report = try await client.next { if case .sightReport(let report) = $0 { report } else { nil } }
        let out = fixture.folder + "/out"
        #expect(report.unseen == [path, "/nowhere.mov", out, out])
        await fixture.end(client)
    }
}
