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
///     views/VIEW/errands                   hidden folders of the person's that are to have films, if any
///     views/VIEW/tree/…                    links to contents, and films, under the paths of the person's machine
package final class StoreFolder: Sendable {
    package let paths: StorePaths
    let limits: StoreLimits
    /// The seconds since the epoch.
    let clock: @Sendable () -> Int64
    let state = Mutex(StoreLedger())
    /// The lock that is held while the file of a content comes, goes, or is noted as somebody's: the ledger and the
    /// disk say the same to whoever holds it. It is taken before that of the ledger.
    let filing = Mutex(())
    let filmSums = Mutex<[FilmMark: FilmSum]>([:])
    /// The films of the views whose lists are being told in pages.
    let filmLists = Mutex<[String: [WaitingFilm]]>([:])

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

    /// The room on its disk.
    var disk: DiskRoom { DiskRoom(bytes: freeBytes(in: paths.root), files: freeFiles(in: paths.root)) }

    // MARK: - The start

    /// Reads what is there, and removes what is of no use: temporary files and views that nobody was told of.
    private func takeUp() {
        for name in names(in: paths.parts) where !name.hasPrefix(".") {
            // It is whole and right: a process ended before it could say so.
            let path = "\(paths.parts)/\(name)"
            if let (key, _) = Self.part(named: name) {
                let sum = hexadecimal(key.sum)
                if (try? takeOver(sum, from: path)) != nil { try? note(sum, of: key.owner) }
            }
            unlink(path)
        }
        var found = StoreLedger()
        for name in names(in: paths.contents) {
            guard isSHA256(name), let content = self.facts(of: contentPath(name)), content.isFile else {
                unlink(contentPath(name))
                continue
            }
            found.add(content: name, size: content.size)
        }
        for owner in names(in: paths.owners) {
            for sum in names(in: "\(paths.owners)/\(owner)") {
                let path = mark(sum, of: owner)
                if !found.use(sum, by: owner, at: facts(of: path)?.changed ?? 0) { unlink(path) }
            }
        }
        for name in names(in: paths.parts) {
            if let (key, size) = Self.part(named: String(name.dropFirst(Self.hidden.count))) {
                found.promise(key, size: size, there: facts(of: "\(paths.parts)/\(name)")?.size ?? 0)
            } else {
                unlink("\(paths.parts)/\(name)")
            }
        }
        for name in names(in: paths.views) {
            if let view = takeUpView(name) {
                found.add(view: name, view)
            } else {
                try? FileManager.default.removeItem(atPath: "\(paths.views)/\(name)")
            }
        }
        let all = found
        state.withLock { $0 = all }
    }

    /// The view of that name; its tree is looked into later, since it may be large.
    private func takeUpView(_ name: String) -> StoreLedger.View? {
        let place = "\(paths.views)/\(name)"
        guard StorePaths.isView(name), let owner = text(of: place + "/owner") else { return nil }
        return StoreLedger.View(
            owner: owner, made: facts(of: place + "/owner")?.changed ?? 0, job: text(of: place + "/job"),
            isKnown: false)
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

    struct FileFacts: Sendable, Hashable {
        let size: Int64
        /// The seconds since the epoch at which it was written last.
        let changed: Int64
        let isFile: Bool
        let isLink: Bool
    }

    /// The facts of a file, links not followed; nil where there is none.
    func facts(of path: String) -> FileFacts? {
        var found = stat()
        guard lstat(path, &found) == 0 else { return nil }
        let kind = found.st_mode & S_IFMT
        return FileFacts(
            size: Int64(found.st_size), changed: Int64(found.st_mtim.tv_sec), isFile: kind == S_IFREG,
            isLink: kind == S_IFLNK)
    }

    func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}
