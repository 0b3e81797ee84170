import Coordinator
import Diagnostics
import FarmClient
import FarmProtocol
import Foundation
import Hashing
import Planning
import Reports
import Scheduling
import Synchronization
import Testing

/// The numbers that a transfer told.
private final class Told: Sendable {
    private let numbers = Mutex<[Int64]>([])

    func add(_ number: Int64) { numbers.withLock { $0.append(number) } }

    var all: [Int64] { numbers.withLock { $0 } }
}

/// A client and a coordinator whose only root is the folder `out`: the client's own is beside it.
private struct FarPerson {
    let fixture: Fixture
    let client: FarmClient
    let own: String

    init(mediaWork: FakeMediaWork = FakeMediaWork(hasSound: false)) async throws {
        let folder = try Fixture.folder()
        own = folder + "/own"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        fixture = try await Fixture(folder: folder, mediaWork: mediaWork, roots: [folder + "/out"])
        client = try FarmClient(endpoint: fixture.endpoint)
        // An answer tells where bytes go.
        _ = try await client.workers()
    }

    func write(_ name: String, _ count: Int) throws -> String {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 251) }
        try Data(bytes).write(to: URL(fileURLWithPath: own + "/" + name))
        return own + "/" + name
    }

    func end(_ slot: FakePeer? = nil) async {
        client.close()
        await slot?.end()
        await fixture.end()
    }
}

@Suite("A client that brings media and fetches films", .timeLimit(.minutes(5)))
struct StoreClientTests {
    @Test func theCoordinatorSeesItsRootsAlone() async throws {
        let person = try await FarPerson()
        #expect(await person.client.hasStore)
        let own = try person.write("a.mov", 1000)
        let shared = person.fixture.folder + "/out/b.mov"
        try FileManager.default.copyItem(atPath: own, toPath: shared)
        let mark = [UInt8](repeating: 9, count: 32)
        let places = [person.own, person.fixture.folder + "/out"]
        for place in places { try Data(mark).write(to: URL(fileURLWithPath: place + "/mark")) }
        let folders = places.map { MarkedFolder(path: $0, name: "mark", content: mark) }
        let unseen = try await person.client.unseen(files: [own, shared], folders: folders)
        #expect(unseen == [own, person.own])
        // The same content is there under another path; that of another content is not the file.
        let other = try person.write("c.mov", 999)
        #expect(try await person.client.unseen(files: [own], told: [own: shared], folders: []).isEmpty)
        #expect(try await person.client.unseen(files: [other], told: [other: shared], folders: []) == [shared])
        await person.end()
    }

    @Test func aContentIsSentOnce() async throws {
        let person = try await FarPerson()
        let content = try LocalContent(path: try person.write("a.mov", 700_000))
        let transfer = try await person.client.storeTransfer()
        let first = Told()
        try await person.client.upload(content, by: transfer) { first.add($0) }
        #expect(first.all.first == 0 && first.all.count > 1 && first.all == first.all.sorted())
        let second = Told()
        try await person.client.upload(content, by: transfer) { second.add($0) }
        #expect(second.all == [700_000])
        let report = try await person.client.store()
        #expect(report.files == 1 && report.bytes == 700_000 && report.parts == 0)
        #expect(report.keepsSeconds == 604_800)
        let pruned = try await person.client.store(prune: true)
        #expect(pruned.files == 0 && pruned.removedBytes == 700_000)
        transfer.close()
        await person.end()
    }

    @Test func aFilmComesBackFromWhereADownloadStood() async throws {
        let person = try await FarPerson()
        let content = try LocalContent(path: try person.write("a.mov", 1000))
        let transfer = try await person.client.storeTransfer()
        try await person.client.upload(content, by: transfer) { _ in }
        let asked = person.own + "/film.mkv"
        let view = try await person.client.makeView(of: [(content.path, content.sum)], films: [asked])
        let slot = try await FakePeer(person.fixture.endpoint)
        try await slot.register("w/1", worker: "w")
        let request = OutputRequest(path: view.folder + asked)
        let job = try await person.client.submit(
            composition: view.folder + content.path, requestJSON: try [request].requestText(), priority: 50,
            name: "film", view: view.name)
        for try await _ in person.client.watch(job) {}
        let (films, until) = try await person.client.films(of: job)
        let film = Array("segment 0\nsegment 1\nsegment 2\n".utf8)
        #expect(films.map(\.path) == [asked] && films.map(\.size) == [Int64(film.count)])
        #expect(until > Date().timeIntervalSince1970)
        let waiting = try #require(films.first)

        // An earlier process got ten bytes.
        let hidden = person.own + "/.arriving-film.mkv"
        try Data(film.prefix(10)).write(to: URL(fileURLWithPath: hidden))
        let told = Told()
        try await person.client.download(waiting, of: job, into: asked, by: transfer) { told.add($0) }
        #expect(told.all == [10, Int64(film.count)])
        #expect(try Data(contentsOf: URL(fileURLWithPath: asked)) == Data(film))
        #expect(!FileManager.default.fileExists(atPath: hidden))

        // What another one left of the same name is no part of it.
        let other = person.own + "/other.mkv"
        try Data("nonsense!!".utf8).write(to: URL(fileURLWithPath: person.own + "/.arriving-other.mkv"))
        try await person.client.download(waiting, of: job, into: other, by: transfer) { _ in }
        #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data(film))
        transfer.close()
        await person.end(slot)
    }

    @Test func aFilmThatDoesNotWaitIsRefused() async throws {
        let person = try await FarPerson()
        let transfer = try await person.client.storeTransfer()
        let none = StoredFilm(path: "/nowhere.mkv", size: 10, sum: [UInt8](repeating: 1, count: 32))
        let place = person.own + "/a.mkv"
        do {
            try await person.client.download(none, of: "nonesuch", into: place, by: transfer) { _ in }
            Issue.record("it came")
        } catch {
            #expect((error as? SplitreelError)?.code == .noSuchFilm)
        }
        #expect(!FileManager.default.fileExists(atPath: place))
        #expect(!FileManager.default.fileExists(atPath: person.own + "/.arriving-a.mkv"))
        transfer.close()
        await person.end()
    }
}
