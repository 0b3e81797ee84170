import DataPlane
import Diagnostics
import Foundation
import Glibc
import Hashing
import SplitreelFiles
import Synchronization

/// A film that waits in the store.
package struct WaitingFilm: Sendable, Equatable {
    /// The path on the person's machine.
    package let path: String
    package let size: Int64
    /// The seconds since the epoch at which it was finished.
    package let changed: Int64
}

/// The SHA-256 of a film, 32 bytes, and its size.
package struct FilmSum: Sendable, Equatable {
    package let sum: [UInt8]
    package let size: Int64

    package init(sum: [UInt8], size: Int64) {
        self.sum = sum
        self.size = size
    }
}

/// The file of a film at one time: one that was written since has another mark.
struct FilmMark: Sendable, Hashable {
    let path: String
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let seconds: Int64
    let nanoseconds: Int64

    /// The mark of what is at a path; nil where there is nothing.
    init?(of path: String) {
        var found = stat()
        guard lstat(path, &found) == 0 else { return nil }
        self.path = path
        device = UInt64(found.st_dev)
        inode = UInt64(found.st_ino)
        size = Int64(found.st_size)
        seconds = Int64(found.st_ctim.tv_sec)
        nanoseconds = Int64(found.st_ctim.tv_nsec)
    }
}

// Views: what one submission brings and makes, under the paths of the person's machine.
extension StoreFolder {
    /// The most bytes of a path that a view has: some are left for the view's own folder.
    private static let longestPath = 3500
    /// The most folders that a path is deep, and its name.
    private static let mostParts = 64

    /// Makes a view, or adds to one of this owner that no job has yet; answers its name. Files are of contents that the
    /// owner has. Throws `.refused` for others, `.malformedMessage` for paths that cannot be, and as writing does.
    package func makeView(
        _ view: String?, owner: String, files: [(path: String, sum: [UInt8])], films: [String]
    ) throws -> String {
        for path in files.map({ $0.path }) + films { try Self.check(path) }
        let name = try view ?? newView(owner)
        do {
            try fill(name, owner, files, films)
        } catch {
            if view == nil { removeView(name, of: nil) }
            throw error
        }
        return name
    }

    private func fill(
        _ name: String, _ owner: String, _ files: [(path: String, sum: [UInt8])], _ films: [String]
    ) throws {
        let entries = Self.entries(files.map { $0.path }, films)
        let disk = disk
        try state.withLock { state in
            guard state.isOpen(name, to: owner) else { throw Self.refused("view", "it is not there, or a job has it") }
            let inView = state.views[name]?.entries ?? 0
            if let refusal = limits.refusal(ofEntries: entries, inView: inView, state.use(of: owner, disk)) {
                throw refusal
            }
            state.add(entries: entries, toView: name)
        }
        try noteErrands(films, in: name)
        for file in files {
            let sum = hexadecimal(file.sum)
            // In one step, so that the content is not taken for one that nothing uses.
            guard state.withLock({ $0.link(sum, into: name, at: clock()) }) else {
                throw Self.refused(file.path, "its content was not uploaded")
            }
            try note(sum, of: owner)
            try link(paths.tree(of: name) + file.path, to: contentPath(sum))
        }
        for film in films { try makeFolder(parentFolder(of: paths.tree(of: name) + film)) }
        // A view that outlives a power cut has all that a job was submitted with.
        let folders = Set((files.map { $0.path } + films).map { parentFolder(of: paths.tree(of: name) + $0) })
        for folder in folders { try synchronize(folder) }
    }

    /// The number of links, and of the folders above them and above films, at most: some may be there.
    private static func entries(_ files: [String], _ films: [String]) -> Int {
        var folders: Set<String> = []
        for path in files + films {
            var folder = parentFolder(of: path)
            while folder != "/", folders.insert(folder).inserted { folder = parentFolder(of: folder) }
        }
        return files.count + folders.count
    }

    private func newView(_ owner: String) throws -> String {
        let name = hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255) })
        let disk = disk
        let made = StoreLedger.View(owner: owner, made: clock(), isKnown: true)
        try state.withLock { state in
            if let refusal = limits.refusal(of: 0, state.use(of: owner, disk)) { throw refusal }
            state.add(view: name, made)
        }
        let place = "\(paths.views)/\(name)"
        do {
            guard mkdir(place, 0o700) == 0 else { throw Self.failure("mkdir", place) }
            try writeFile(Data(owner.utf8), to: place + "/owner", permissions: 0o600)
            try makeFolder(paths.tree(of: name))
            try synchronize(place)
            try synchronize(paths.views)
        } catch {
            _ = state.withLock { $0.remove(view: name, of: nil) }
            throw error
        }
        return name
    }

    private static func check(_ path: String) throws {
        let parts = path.pathParts
        guard path.isPlainPath, path.utf8.count <= longestPath, parts.count <= mostParts + 1,
            parts.allSatisfy({ $0.utf8.count <= 255 })
        else {
            throw SplitreelError(
                .malformedMessage, operation: "submitting", subject: String(path.prefix(200)),
                reason: "the path is not absolute, too long or too deep, or has empty parts, . or ..",
                hint: "a path has at most \(longestPath) bytes and \(mostParts) parts")
        }
    }

    private func makeFolder(_ path: String) throws {
        do throws(FolderFailure) {
            try makeFolders(path)
        } catch {
            throw writingFailure("mkdir", error.path, errno: error.number)
        }
    }

    private func link(_ path: String, to content: String) throws {
        try makeFolder(parentFolder(of: path))
        guard symlink(content, path) != 0 else { return }
        let reason = errno
        guard reason == EEXIST, target(of: path) == content else {
            throw writingFailure("symlink", path, errno: reason)
        }
    }

    private func target(of link: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: link)
    }

    private static func refused(_ subject: String, _ reason: String) -> SplitreelError {
        SplitreelError(.refused, operation: "submitting", subject: subject, reason: reason, hint: "submit it again")
    }

    // MARK: - Jobs

    /// Notes that a job is submitted with a view. Throws `.refused` for a view of somebody else or of another job, and
    /// `.uploadsFull` where the owner's films have outgrown their bound by now.
    package func adopt(_ view: String, owner: String, job: String) throws {
        let isAdopted = try state.withLock { state in
            let use = state.use(of: owner)
            let held = StoreUse(bytesOfKey: use.bytesOfKey)
            if let refusal = limits.refusal(of: 0, held) { throw refusal }
            return state.adopt(view, by: owner, job: job)
        }
        guard isAdopted else {
            throw Self.refused("view", "it is not there, or a job has it")
        }
        let place = "\(paths.views)/\(view)"
        try writeFile(Data(job.utf8), to: place + "/job", permissions: 0o600)
        try synchronize(place)
    }

    /// The view of a job; nil where it has none. Waits for no disk.
    func view(ofJob job: String) -> String? { state.withLock { $0.view(ofJob: job) } }

    /// The films of a job that wait, by their paths; empty where none does. `owner` is nil for somebody who may have
    /// all.
    package func films(of job: String, owner: String?) -> [WaitingFilm] {
        view(of: job, owner).map { look(into: $0).films } ?? []
    }

    /// The films of a job that wait, as a page of them behind the path `after` needs them. The view is looked into for
    /// the first page alone, since it may have very many names: a later page has the same list, of which films may be
    /// gone. `isLast` tells whether those of the page are the last ones.
    package func films(
        of job: String, owner: String?, after: String, most: Int
    ) -> (all: [WaitingFilm], page: [WaitingFilm], isLast: Bool) {
        guard let view = view(of: job, owner) else { return ([], [], true) }
        let known = after.isEmpty ? nil : filmLists.withLock { $0[view] }
        let all = known ?? look(into: view).films
        let rest = all.drop { !after.isEmpty && $0.path <= after }
        let isLast = rest.count <= most
        filmLists.withLock { lists in
            if lists.count >= Self.mostLists { lists = [:] }
            lists[view] = isLast ? nil : all
        }
        return (all, Array(rest.prefix(most)), isLast)
    }

    /// The most lists that are kept for their next pages; then all are made anew.
    private static let mostLists = 8

    /// The place of a film that waits; nil where there is none of that path. The other films are not looked at.
    package func place(ofFilm path: String, of job: String, owner: String?) -> String? {
        guard (try? Self.check(path)) != nil, let view = self.view(of: job, owner),
            Self.isFilm(path, errands: errands(of: view))
        else { return nil }
        let place = paths.tree(of: view) + path
        return facts(of: place)?.isFile == true ? place : nil
    }

    /// The most sums that are kept; then all are made anew.
    private static let mostSums = 20_000

    /// The sum of a film at its place. All of it is read once, and again only where it has changed. Throws
    /// `.mediaCannotOpen`.
    package func sum(ofFilm place: String) throws -> FilmSum {
        let mark = FilmMark(of: place)
        if let mark, let known = filmSums.withLock({ $0[mark] }) { return known }
        let (hash, size) = try RegularFile(path: place, failure: .mediaCannotOpen).digest()
        let made = FilmSum(sum: bytes(ofSHA256: hash) ?? [], size: size)
        // One that changed meanwhile has another mark from now on.
        if let mark {
            filmSums.withLock { sums in
                if sums.count >= Self.mostSums { sums = [:] }
                sums[mark] = made
            }
        }
        return made
    }

    private func view(of job: String, _ owner: String?) -> String? {
        state.withLock { state in
            guard let view = state.view(ofJob: job) else { return nil }
            return owner == nil || state.views[view]?.owner == owner ? view : nil
        }
    }

    /// A view's tree.
    struct Tree: Sendable {
        var contents: Set<String> = []
        /// The films, in the order of their paths, without those that are still being made.
        var films: [WaitingFilm] = []
        /// The number of links and folders, and that of the links.
        var entries = 0
        var links = 0
        /// The bytes of the films, and of what films are being made of.
        var bytes: Int64 = 0
        /// The bytes of the films.
        var waiting: Int64 { films.reduce(0) { $0 + $1.size } }
        /// Whether each film is one of a command that fetches it at once, and removes it when it has read it.
        var isErrand = false
    }

    /// Looks into a view, one name after the other: there may be very many.
    func look(into view: String) -> Tree {
        let place = paths.tree(of: view)
        let errands = errands(of: view)
        var tree = Tree()
        walk(view) { name, facts in
            if facts.isFile {
                tree.bytes += facts.size
                guard Self.isFilm("/" + name, errands: errands) else { return }
                tree.films.append(WaitingFilm(path: "/" + name, size: facts.size, changed: facts.changed))
                return
            }
            tree.entries += 1
            guard facts.isLink else { return }
            tree.links += 1
            guard let content = target(of: "\(place)/\(name)"), parentFolder(of: content) == paths.contents else {
                return
            }
            tree.contents.insert(fileName(of: content))
        }
        tree.films.sort { $0.path < $1.path }
        tree.isErrand = !errands.isEmpty && tree.films.allSatisfy { errands.contains(parentFolder(of: $0.path)) }
        return tree
    }

    /// Removes the links of a view, whose job reads them no more.
    func removeLinks(ofView view: String) {
        let place = paths.tree(of: view)
        walk(view) { name, facts in
            if facts.isLink { unlink("\(place)/\(name)") }
        }
    }

    /// Tells of each file, link and folder of a view, by its path below the tree.
    private func walk(_ view: String, _ tell: (_ name: String, _ facts: FileFacts) -> Void) {
        let place = paths.tree(of: view)
        guard let names = FileManager.default.enumerator(atPath: place) else { return }
        while let name = names.nextObject() as? String {
            if let facts = self.facts(of: "\(place)/\(name)") { tell(name, facts) }
        }
    }

    // MARK: - Errands

    /// The most folders of errands in a view; a command has one.
    private static let mostErrands = 8

    /// Notes the folders of films that look like the work of one: a command that has a farm make something for it, as
    /// `frame --connect`, has the film in a hidden folder of its own.
    private func noteErrands(_ films: [String], in view: String) throws {
        let folders = Set(films.map { parentFolder(of: $0) }.filter { Self.isWork($0) })
        guard !folders.isEmpty else { return }
        let all = folders.union(errands(of: view)).sorted().prefix(Self.mostErrands)
        try writeFile(Data(all.joined(separator: "\0").utf8), to: errandsPath(view), permissions: 0o600)
    }

    /// The folders that were noted, by their paths on the person's machine; empty where none was.
    private func errands(of view: String) -> Set<String> {
        let limit = Self.mostErrands * (Self.longestPath + 1)
        let bytes = try? RegularFile.contents(of: errandsPath(view), limit: limit, failure: .storeFailed)
        return Set((bytes ?? Data()).split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }

    private func errandsPath(_ view: String) -> String { "\(paths.views)/\(view)/errands" }

    /// Whether a file of a view is a film: not in the work of one, nor a mark beside one.
    private static func isFilm(_ path: String, errands: Set<String>) -> Bool {
        errands.contains(parentFolder(of: path)) ? !isWork(fileName(of: path)) : !isWork(path)
    }

    private static func isWork(_ path: String) -> Bool {
        path.pathParts.contains { $0.hasPrefix(".") && $0.contains(".splitreel-") }
    }
}
