import Coordinator
import DataPlane
import Diagnostics
import Dispatch
import Foundation
import Hashing
import SplitreelFiles
import Synchronization
import Testing

/// A store in a folder of its own, and a clock that is ahead of the machine's.
private final class Shelf: Sendable {
    private let ahead = Mutex<Int64>(0)
    let folder: String
    let limits: StoreLimits

    init(limits: StoreLimits = StoreLimits()) throws {
        folder = NSTemporaryDirectory() + "sr-\(UUID().uuidString.prefix(8))"
        self.limits = limits
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func open() throws -> StoreFolder {
        try StoreFolder(dataFolder: folder, limits: limits) { [self] in
            Int64(Date().timeIntervalSince1970) + ahead.withLock { $0 }
        }
    }

    func wait(days: Int64) { ahead.withLock { $0 += days * 86_400 } }

    func names(_ place: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/store/" + place)) ?? []).sorted()
    }

    func write(_ text: String, to place: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/store/" + place))
    }
}

@Suite("The folder of uploads")
struct StoreFolderTests {
    private let ana = StoreFolder.owner("ana")
    private let ben = StoreFolder.owner("ben")

    private func key(_ owner: String, _ text: String) -> UploadKey {
        var sum = SHA256Sum()
        sum.update(Array(text.utf8))
        return UploadKey(owner: owner, sum: sum.bytes)
    }

    private func size(_ text: String) -> Int64 { Int64(text.utf8.count) }

    /// Lets all of a content arrive; it has its name among the parts then.
    private func arrive(_ text: String, of owner: String, at store: StoreFolder) throws {
        guard case .comes(let file, let resumed) = try store.begin(key(owner, text), size: size(text)) else {
            Issue.record("it is held")
            return
        }
        try file.append(Array(text.utf8)[Int(resumed)...])
        try file.place()
    }

    private func put(_ text: String, of owner: String, into store: StoreFolder) throws {
        try arrive(text, of: owner, at: store)
        try store.settle(key(owner, text), size: size(text))
    }

    private func offer(_ text: String, of owner: String, to store: StoreFolder) throws -> StoreFolder.Answer {
        try store.offer(key(owner, text), size: size(text))
    }

    @Test func aContentIsOfWhoSentIt() throws {
        let shelf = try Shelf()
        let store = try shelf.open()
        #expect(try offer("abc", of: ana, to: store) == .send)
        try put("abc", of: ana, into: store)
        #expect(try offer("abc", of: ana, to: store) == .held)
        guard case .prove = try offer("abc", of: ben, to: store) else {
            Issue.record("it is not asked for")
            return
        }
        // Ben sends it all the same, and there is one content.
        try put("abc", of: ben, into: store)
        #expect(shelf.names("contents").count == 1 && shelf.names("parts").isEmpty)
        #expect(store.prune(owner: ana) == 0)
        #expect(try offer("abc", of: ben, to: store) == .held)
        #expect(store.prune(owner: ben) == 3)
        #expect(shelf.names("contents").isEmpty)
    }

    @Test func anotherProcessFindsAllOfIt() throws {
        let shelf = try Shelf()
        let first = try shelf.open()
        try put("abc", of: ana, into: first)
        // It has come whole, and the process ended before it could say so.
        try arrive("defg", of: ana, at: first)
        guard case .comes(let part, _) = try first.begin(key(ana, "hijkl"), size: 5) else {
            Issue.record("it is held")
            return
        }
        try part.append(Array("hi".utf8)[...])
        part.rest()
        let view = try first.makeView(
            nil, owner: ana, files: [(path: "/in/a.mov", sum: key(ana, "abc").sum)], films: ["/out/film.mp4"])
        try first.adopt(view, owner: ana, job: "j1")
        for place in ["contents/x", "parts/x", "parts/.arriving-x", "views/x"] { try shelf.write("x", to: place) }

        let second = try shelf.open()
        #expect(try offer("abc", of: ana, to: second) == .held)
        #expect(try offer("defg", of: ana, to: second) == .held)
        let totals = second.totals(owner: ana)
        #expect(totals.files == 2 && totals.bytes == 7 && totals.parts == 1 && totals.partBytes == 5)
        guard case .comes(let again, let resumed) = try second.begin(key(ana, "hijkl"), size: 5) else {
            Issue.record("it is held")
            return
        }
        #expect(resumed == 2)
        again.rest()
        #expect(shelf.names("contents").count == 2 && shelf.names("parts").count == 1)
        #expect(shelf.names("views") == [view])
        // A view has one job.
        #expect(throws: SplitreelError.self) { try second.adopt(view, owner: ana, job: "j2") }
    }

    /// The view is looked into once for all pages of its films.
    @Test func filmsAreToldInPages() throws {
        let shelf = try Shelf()
        let store = try shelf.open()
        let view = try store.makeView(nil, owner: ana, files: [], films: ["/out/a.mp4"])
        try store.adopt(view, owner: ana, job: "j1")
        func write(_ name: String) throws { try shelf.write("film", to: "views/\(view)/tree/out/\(name)") }
        for name in ["c.mp4", "a.mp4", "b.mp4"] { try write(name) }
        let first = store.films(of: "j1", owner: ana, after: "", most: 2)
        #expect(first.page.map(\.path) == ["/out/a.mp4", "/out/b.mp4"] && !first.isLast && first.all.count == 3)
        try write("d.mp4")
        let second = store.films(of: "j1", owner: ana, after: "/out/b.mp4", most: 2)
        #expect(second.page.map(\.path) == ["/out/c.mp4"] && second.isLast)
        // The next one who asks sees all that is there.
        #expect(store.films(of: "j1", owner: ana, after: "", most: 9).page.count == 4)
        #expect(store.films(of: "j1", owner: ana, after: "/out/c.mp4", most: 9).page.map(\.path) == ["/out/d.mp4"])
        #expect(store.films(of: "j1", owner: ben, after: "", most: 9).page.isEmpty)
    }

    @Test func whatIsOverGoes() throws {
        let shelf = try Shelf()
        let store = try shelf.open()
        for text in ["used", "spare"] { try put(text, of: ana, into: store) }
        let files = [(path: "/in/a.mov", sum: key(ana, "used").sum)]
        let view = try store.makeView(nil, owner: ana, files: files, films: ["/out/film.mp4"])
        try store.adopt(view, owner: ana, job: "j1")
        _ = try store.makeView(nil, owner: ana, files: [], films: [])
        shelf.wait(days: 8)
        store.lookAfter(jobsInUse: ["j1"], adopted: store.adoptedViews)
        // The view that no job came with, and the content that no job reads.
        #expect(shelf.names("views") == [view] && store.totals(owner: nil).files == 1)

        // The job has ended, and its film waits as long as a content that nothing uses.
        try shelf.write("a film", to: "views/\(view)/tree/out/film.mp4")
        try shelf.write("a lock", to: "views/\(view)/tree/out/.film.mp4.splitreel-lock")
        #expect(store.films(of: "j1", owner: ana).map(\.path) == ["/out/film.mp4"])
        let film = shelf.folder + "/store/views/\(view)/tree/out/film.mp4"
        let real = try #require(realPath(film))
        #expect(store.place(ofFilm: "/out/film.mp4", of: "j1", owner: ana) == real)
        for other in ["/out/.film.mp4.splitreel-lock", "/in/a.mov", "/out", "/out/../../owner", "out/film.mp4", "/x"] {
            #expect(store.place(ofFilm: other, of: "j1", owner: ana) == nil, "\(other)")
        }
        #expect(store.place(ofFilm: "/out/film.mp4", of: "j1", owner: ben) == nil)
        #expect(store.films(of: "j1", owner: ben).isEmpty && store.films(of: "j2", owner: ana).isEmpty)
        let late = try Shelf.at(shelf.folder, ahead: 1)
        late.lookAfter(jobsInUse: [], adopted: late.adoptedViews)
        #expect(late.totals(owner: nil).films == 1 && late.totals(owner: nil).files == 1)
        // Nothing reads the links any more, and they make no room scarce.
        #expect(shelf.names("views/\(view)/tree/in").isEmpty)
        let over = try Shelf.at(shelf.folder, ahead: 8)
        over.lookAfter(jobsInUse: [], adopted: over.adoptedViews)
        #expect(over.totals(owner: nil).films == 0)
        #expect(shelf.names("views").isEmpty && shelf.names("contents").isEmpty)
    }

    @Test func aViewThatAJobHasJustTakenStays() throws {
        let shelf = try Shelf()
        let store = try shelf.open()
        let view = try store.makeView(nil, owner: ana, files: [], films: ["/out/film.mp4"])
        // What a coordinator knows in one turn, before the job came, and acts on later.
        let adopted = store.adoptedViews
        try store.adopt(view, owner: ana, job: "j1")
        shelf.wait(days: 8)
        store.lookAfter(jobsInUse: [], adopted: adopted)
        #expect(shelf.names("views") == [view])
        #expect(shelf.names("views/\(view)/tree") == ["out"])
        // The job has ended without a film, and the next look is after that.
        store.lookAfter(jobsInUse: [], adopted: store.adoptedViews)
        #expect(shelf.names("views").isEmpty)
    }

    @Test func roomIsPromisedBeforeAnythingComes() throws {
        var limits = StoreLimits()
        limits.bytesOfKey = 10
        limits.bytesOfAll = 15
        limits.spareBytes = 0
        let shelf = try Shelf(limits: limits)
        let store = try shelf.open()
        func code(_ text: String, _ owner: String) -> ErrorCode? {
            do {
                _ = try store.begin(key(owner, text), size: size(text))
                return nil
            } catch {
                return (error as? SplitreelError)?.code
            }
        }
        #expect(code("12345678", ana) == nil)
        #expect(code("123", ana) == .uploadsFull)
        #expect(code("12", ana) == nil)
        #expect(code("123456", ben) == .uploadsFull)
        #expect(code("12345", ben) == nil)
        #expect(code("12345678", ben) == .uploadsFull)
        // After a day what did not go on is forgotten.
        shelf.wait(days: 2)
        store.lookAfter(jobsInUse: [], adopted: store.adoptedViews)
        #expect(store.totals(owner: nil).parts == 0 && shelf.names("parts").isEmpty)
        #expect(code("123456", ben) == nil)
    }

    @Test func manyThatBeginAtATimeGetNoMoreThanThereIs() throws {
        var limits = StoreLimits()
        limits.bytesOfKey = 40
        limits.spareBytes = 0
        let shelf = try Shelf(limits: limits)
        let store = try shelf.open()
        let begun = Mutex(0)
        // Ten bytes each, so that four have room.
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            let text = String(1_000_000_000 + number)
            guard (try? store.begin(key(ana, text), size: 10)) != nil else { return }
            begun.withLock { $0 += 1 }
        }
        let count = begun.withLock { $0 }
        #expect(count == 4)
        #expect(store.totals(owner: ana).partBytes == 40)
    }

    @Test func aContentThatIsHeldIsThere() throws {
        let shelf = try Shelf()
        let store = try shelf.open()
        for _ in 0..<60 {
            // One prunes while another brings the content.
            DispatchQueue.concurrentPerform(iterations: 2) { hand in
                if hand == 0 {
                    _ = store.prune(owner: nil)
                    return
                }
                do {
                    guard case .comes(let file, _) = try store.begin(key(ana, "abc"), size: 3) else { return }
                    try file.append(Array("abc".utf8)[...])
                    try file.place()
                    try store.settle(key(ana, "abc"), size: 3)
                } catch {
                    Issue.record(error)
                }
            }
            let isHeld = try offer("abc", of: ana, to: store) == .held
            #expect(shelf.names("contents").count == (isHeld ? 1 : 0))
            #expect(store.totals(owner: ana).files == (isHeld ? 1 : 0))
        }
    }

    @Test func aFilmIsSummedAgainOnlyWhereItHasChanged() throws {
        let shelf = try Shelf()
        let store = try shelf.open()
        let place = shelf.folder + "/store/film.mp4"
        try shelf.write("abc", to: "film.mp4")
        let first = try store.sum(ofFilm: place)
        #expect(first == FilmSum(sum: key(ana, "abc").sum, size: 3))
        try FileManager.default.removeItem(atPath: place)
        try shelf.write("defg", to: "film.mp4")
        #expect(try store.sum(ofFilm: place).sum == key(ana, "defg").sum)
        #expect(try store.sum(ofFilm: place).size == 4)
        try FileManager.default.removeItem(atPath: place)
        #expect(throws: SplitreelError.self) { try store.sum(ofFilm: place) }
    }

    /// `frame --connect` and its like have their film in a hidden folder, and fetch it from there.
    @Test func aFilmInAHiddenFolderOfThePersonsIsAFilm() throws {
        let shelf = try Shelf()
        let store = try shelf.open()
        let folder = "/out/.still.png.splitreel-abcdefgh"
        let film = folder + "/frames.mov"
        let view = try store.makeView(nil, owner: ana, files: [], films: [film])
        try store.adopt(view, owner: ana, job: "j1")
        let tree = "views/\(view)/tree"
        let work = folder + "/.frames.mov.splitreel-work"
        try FileManager.default.createDirectory(
            atPath: shelf.folder + "/store/" + tree + work, withIntermediateDirectories: true)
        try shelf.write("film", to: tree + film)
        try shelf.write("chunk", to: tree + work + "/frames.mov")
        try shelf.write("mark", to: tree + folder + "/.frames.mov.splitreel-lock")
        // Another process knows as much.
        for store in [store, try shelf.open()] {
            #expect(store.films(of: "j1", owner: ana, after: "", most: 9).page.map(\.path) == [film])
            #expect(store.place(ofFilm: film, of: "j1", owner: ana) != nil)
            #expect(store.place(ofFilm: work + "/frames.mov", of: "j1", owner: ana) == nil)
        }
        // Whoever sent for it fetches it at once: it does not wait as long as a film.
        store.lookAfter(jobsInUse: [], adopted: store.adoptedViews)
        #expect(shelf.names("views") == [view])
        shelf.wait(days: 2)
        store.lookAfter(jobsInUse: [], adopted: store.adoptedViews)
        #expect(shelf.names("views").isEmpty)
    }

    @Test func aFilmCountsWhileItIsMade() throws {
        var limits = StoreLimits()
        limits.bytesOfKey = 100
        limits.spareBytes = 0
        let shelf = try Shelf(limits: limits)
        let store = try shelf.open()
        let view = try store.makeView(nil, owner: ana, files: [], films: ["/out/film.mp4"])
        try store.adopt(view, owner: ana, job: "j1")
        let work = "views/\(view)/tree/out/.film.mp4.splitreel-work"
        try FileManager.default.createDirectory(
            atPath: shelf.folder + "/store/" + work, withIntermediateDirectories: true)
        try shelf.write(String(repeating: "x", count: 95), to: work + "/chunk")
        store.lookAfter(jobsInUse: ["j1"], adopted: store.adoptedViews)
        #expect(throws: SplitreelError.self) { try offer("abcdef", of: ana, to: store) }
        #expect(try offer("abcde", of: ana, to: store) == .send)
        // Another process knows as much when it has looked.
        let second = try shelf.open()
        second.takeUpViews()
        #expect(throws: SplitreelError.self) { try offer("abcdef", of: ana, to: second) }
        // The film that is finished counts in place of what it is made of.
        let place = try #require(realPath(shelf.folder + "/store/" + work))
        let film = place + "/film.mp4"
        try shelf.write(String(repeating: "x", count: 100), to: work + "/film.mp4")
        try store.requireRoom(forFilms: [film, "/elsewhere/film.mp4"], of: "j1")
        try shelf.write(String(repeating: "x", count: 101), to: work + "/film.mp4")
        let excess = #expect(throws: SplitreelError.self) { try store.requireRoom(forFilms: [film], of: "j1") }
        #expect(excess?.code == .uploadsFull)
        try store.requireRoom(forFilms: [film], of: "a job without a view")
        try FileManager.default.removeItem(atPath: film)
        // The film outgrows the bound: this key gets no further job until something of it has gone.
        let next = try store.makeView(nil, owner: ana, files: [], films: ["/out/film.mp4"])
        try shelf.write(String(repeating: "x", count: 6), to: work + "/sound")
        store.lookAfter(jobsInUse: ["j1"], adopted: store.adoptedViews)
        let error = #expect(throws: SplitreelError.self) { try store.adopt(next, owner: ana, job: "j2") }
        #expect(error?.code == .uploadsFull)
    }

    @Test func deepPathsAndManyFoldersAreRefused() throws {
        var limits = StoreLimits()
        limits.entriesOfView = 20
        limits.entriesOfKey = 30
        let shelf = try Shelf(limits: limits)
        let store = try shelf.open()
        func code(_ films: [String], view: String? = nil) -> ErrorCode? {
            do {
                _ = try store.makeView(view, owner: ana, files: [], films: films)
                return nil
            } catch {
                return (error as? SplitreelError)?.code
            }
        }
        let deep = String(repeating: "/a", count: 64)
        #expect(code([deep + "/film.mp4"]) == .malformedMessage)
        // A film in 21 folders, and one in 20.
        let folders = String(repeating: "/a", count: 20)
        #expect(code([folders + "/a/film.mp4"]) == .uploadsFull)
        #expect(code([folders + "/film.mp4"]) == nil)
        // Ten are left for this key, in whichever view.
        let rest = String(repeating: "/b", count: 10)
        #expect(code([rest + "/b/film.mp4"]) == .uploadsFull)
        #expect(code([rest + "/film.mp4"]) == nil)
        #expect(code(["/c/film.mp4"]) == .uploadsFull)
        _ = try store.makeView(nil, owner: ben, files: [], films: ["/c/film.mp4"])
    }
}

extension Shelf {
    /// The store of a folder, by a clock that is so many days ahead.
    fileprivate static func at(_ folder: String, ahead days: Int64) throws -> StoreFolder {
        try StoreFolder(dataFolder: folder, limits: StoreLimits()) {
            Int64(Date().timeIntervalSince1970) + days * 86_400
        }
    }
}
