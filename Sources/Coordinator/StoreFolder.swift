package import DataPlane
import Diagnostics
import Foundation
import Glibc
import Hashing
import SplitreelFiles
import Synchronization

/// A coordinator's store: contents that clients uploaded, and a view for each submission that needs some. It is a
/// folder in the data folder; what it holds is known from its names alone. Blocking; from any thread but a loop's.
///
///     contents/SHA256                      a content
///     owners/OWNER/SHA256                  an empty file: OWNER has sent it, or has proved to have it; its time is the
///                                          last use
///     parts/.arriving-OWNER-SHA256-SIZE    the begun part of an upload
///     views/VIEW/owner, job                the name of whoever has it, and of the job that was submitted with it
///     views/VIEW/tree/…                    links to contents, and films, under the paths of the person's machine
package final class StoreFolder: Sendable {
    struct Content: Sendable {
        let size: Int64
        /// The seconds since the epoch at which each owner used it last.
        var owners: [String: Int64] = [:]
    }

    struct View: Sendable {
        let owner: String
        /// The seconds since the epoch at which it was made.
        let made: Int64
        var job: String?
        var contents: Set<String> = []
        /// The number of links and of folders for films that were asked for.
        var entries = 0
        var filmBytes: Int64 = 0
    }

    struct State: Sendable {
        var contents: [String: Content] = [:]
        /// The bytes of uploads that are not whole, as they will be.
        var parts: [UploadKey: Int64] = [:]
        var views: [String: View] = [:]
        /// The questions that were not answered yet.
        var questions: [UploadKey: PossessionChallenge] = [:]
    }

    package let paths: StorePaths
    let limits: StoreLimits
    /// The seconds since the epoch.
    let clock: @Sendable () -> Int64
    let state = Mutex(State())

    /// Opens the store in a data folder that is there, or makes it; `clock` tells the seconds since the epoch. Throws
    /// `.storeFailed`.
    package init(dataFolder: String, limits: StoreLimits, clock: @escaping @Sendable () -> Int64) throws {
        guard let real = realPath(dataFolder) else { throw Self.failure("realpath", dataFolder) }
        paths = StorePaths(root: real + "/store")
        self.limits = limits
        self.clock = clock
        for folder in [paths.root, paths.contents, paths.parts, paths.owners, paths.views] {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.failure("mkdir", folder) }
        }
        takeUp()
    }

    /// The store's name of whoever has that key; of everybody on a farm without keys.
    package static func owner(_ keyName: String?) -> String {
        String(sha256(Array((keyName.map { "key " + $0 } ?? "everybody").utf8)).prefix(32))
    }

    static func failure(_ call: String, _ path: String) -> SplitreelError {
        SplitreelError(.storeFailed, operation: call, subject: path, reason: systemReason(errno))
    }

    // MARK: - Places

    func contentPath(_ sum: String) -> String { paths.contents + "/" + sum }

    func mark(_ sum: String, of owner: String) -> String { "\(paths.owners)/\(owner)/\(sum)" }

    /// The path at which an upload is whole before it is a content.
    func partPath(_ key: UploadKey, _ size: Int64) -> String {
        "\(paths.parts)/\(key.owner)-\(hexadecimal(key.sum))-\(size)"
    }

    // MARK: - The room that it takes

    /// The room that all of it takes, and the part of one owner.
    func use(of owner: String) -> StoreUse {
        let (use, parts) = state.withLock { state in (Self.use(of: owner, state), state.parts) }
        guard let free = freeBytes(in: paths.root) else { return use }
        var measured = use
        let missing = parts.reduce(into: Int64(0)) { sum, part in
            sum += max(0, part.value - (facts(of: arriving(partPath(part.key, part.value)))?.size ?? 0))
        }
        measured.free = free - missing
        return measured
    }

    private static func use(of owner: String, _ state: State) -> StoreUse {
        var use = StoreUse(files: state.contents.count + state.parts.count + state.views.count)
        for content in state.contents.values {
            use.bytesOfAll += content.size
            if content.owners[owner] != nil { use.bytesOfKey += content.size }
        }
        for (key, size) in state.parts {
            use.bytesOfAll += size
            if key.owner == owner { use.bytesOfKey += size }
        }
        for view in state.views.values {
            use.bytesOfAll += view.filmBytes
            if view.owner == owner { use.bytesOfKey += view.filmBytes }
        }
        return use
    }

    // MARK: - The start

    /// Reads what is there, and removes what is of no use: temporary files and views that nobody was told of.
    private func takeUp() {
        for name in names(in: paths.parts) where !name.hasPrefix(".") {
            // It is whole and right: a process ended before it could say so.
            if let (key, _) = Self.part(named: name) { try? takeOver(key, from: "\(paths.parts)/\(name)") }
            unlink("\(paths.parts)/\(name)")
        }
        var found = State()
        for name in names(in: paths.contents) {
            guard isSHA256(name), let content = self.facts(of: contentPath(name)), content.isFile else {
                unlink(contentPath(name))
                continue
            }
            found.contents[name] = Content(size: content.size)
        }
        for owner in names(in: paths.owners) {
            for sum in names(in: "\(paths.owners)/\(owner)") {
                if found.contents[sum] == nil { unlink(mark(sum, of: owner)) }
                found.contents[sum]?.owners[owner] = facts(of: mark(sum, of: owner))?.changed ?? 0
            }
        }
        for name in names(in: paths.parts) {
            if let (key, size) = Self.part(named: String(name.dropFirst(Self.hidden.count))) {
                found.parts[key] = size
            } else {
                unlink("\(paths.parts)/\(name)")
            }
        }
        for name in names(in: paths.views) {
            if let view = takeUpView(name) {
                found.views[name] = view
            } else {
                try? FileManager.default.removeItem(atPath: "\(paths.views)/\(name)")
            }
        }
        let all = found
        state.withLock { $0 = all }
    }

    private func takeUpView(_ name: String) -> View? {
        let place = "\(paths.views)/\(name)"
        guard StorePaths.isView(name), let owner = text(of: place + "/owner") else { return nil }
        let tree = look(into: name)
        return View(
            owner: owner, made: facts(of: place + "/owner")?.changed ?? 0, job: text(of: place + "/job"),
            contents: tree.contents, filmBytes: tree.films.reduce(0) { $0 + $1.size })
    }

    private func text(of path: String) -> String? {
        let bytes = try? RegularFile.contents(of: path, limit: 4096, failure: .storeFailed)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The prefix of a file that arrives, as `ArrivingFile` has it.
    private static let hidden = ".arriving-"

    func arriving(_ path: String) -> String { "\(parentFolder(of: path))/\(Self.hidden)\(fileName(of: path))" }

    private static func part(named name: String) -> (UploadKey, Int64)? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 3, StorePaths.isView(parts[0]), let sum = bytes(ofSHA256: parts[1]),
            let size = Int64(parts[2]), size >= 0
        else { return nil }
        return (UploadKey(owner: parts[0], sum: sum), size)
    }

    // MARK: - Files

    struct FileFacts {
        let size: Int64
        /// The seconds since the epoch at which it was written last.
        let changed: Int64
        let isFile: Bool
    }

    /// The facts of a file, links not followed; nil where there is none.
    func facts(of path: String) -> FileFacts? {
        var found = stat()
        guard lstat(path, &found) == 0 else { return nil }
        return FileFacts(
            size: Int64(found.st_size), changed: Int64(found.st_mtim.tv_sec), isFile: found.st_mode & S_IFMT == S_IFREG)
    }

    func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}
