import Diagnostics
package import FarmKeys
import Foundation
import Glibc
import SplitreelFiles

/// The folder `keys` in a coordinator's data folder: the farm's own pair, and the list of the keys that it lets in.
/// `splitreel keys` writes there, and a coordinator that runs sees it.
package struct KeyFolder: Hashable, Sendable {
    package let path: String

    /// The folder below a coordinator's data folder; nothing is looked at yet.
    package init(dataFolder: String) { path = dataFolder + "/keys" }

    package var pairPath: String { path + "/farm.secret" }
    package var listPath: String { path + "/farm.keys" }
    /// The files that take the others' places at the coordinator's next start.
    private var nextPairPath: String { path + "/next.secret" }
    private var nextListPath: String { path + "/next.keys" }

    /// Whether the farm has keys.
    package var exists: Bool { access(pairPath, F_OK) == 0 || access(nextPairPath, F_OK) == 0 }

    /// Makes the folder with the farm's pair and an empty list. Throws `.usage` where the farm has keys already.
    package func create(_ pair: KeyPair) throws {
        guard !exists else {
            throw SplitreelError(
                .usage, operation: "making the farm's keys", subject: "\(path)", reason: "the farm has keys already",
                hint: "`splitreel keys add` adds one to them")
        }
        try makeFolder()
        let lock = try locked()
        defer { lock.unlock() }
        if access(listPath, F_OK) != 0 { try write(KeyList(), to: listPath) }
        try SecretFile.create(FarmPairText.secretText(pair), at: pairPath)
    }

    /// The farm's pair. Throws `.keyFileUnusable`.
    package func readPair() throws -> KeyPair { try readPair(pairPath) }

    private func readPair(_ path: String) throws -> KeyPair {
        try FarmPairText.pair(try SecretFile.read(path), subject: path)
    }

    /// The list of keys. Throws `.keyFileUnusable`.
    package func readList() throws -> KeyList { try readList(listPath) }

    private func readList(_ path: String) throws -> KeyList {
        let bytes = try RegularFile.contents(of: path, limit: Self.mostListBytes, failure: .keyFileUnusable)
        return try KeyList(text: String(decoding: bytes, as: UTF8.self), subject: path)
    }

    private static let mostListBytes = 8 << 20

    /// Changes the list in one step, while no other command changes it; answers the change's own result. A list that
    /// waits for the coordinator's next start is changed with it where `nextToo`; else such a list is in the way, and
    /// `.usage` is thrown.
    package func change<R>(nextToo: Bool = false, _ body: (inout KeyList) throws -> R) throws -> R {
        try requireKeys()
        let lock = try locked()
        defer { lock.unlock() }
        let doesNextWait = doesNextWait
        guard nextToo || !doesNextWait else {
            throw SplitreelError(
                .usage, operation: "changing the keys", subject: "\(path)",
                reason: "all keys change at the coordinator's next start", hint: "start the coordinator again first")
        }
        var list = try readList()
        let result = try body(&list)
        try write(list, to: listPath)
        if doesNextWait {
            var next = try readList(nextListPath)
            _ = try body(&next)
            try write(next, to: nextListPath)
        }
        return result
    }

    /// Throws `.usage` where the farm has no keys yet.
    package func requireKeys() throws {
        guard !exists else { return }
        throw SplitreelError(
            .usage, operation: "reading the farm's keys", subject: "\(path)", reason: "the farm has no keys",
            hint: "`splitreel keys init` makes them; \(.dataFolder) names the coordinator's folder")
    }

    // MARK: - All keys anew

    /// Lays a new pair of the farm's and a new list beside those in force; they take their places when the coordinator
    /// starts next. `renew` makes the list of the present one while no other command changes that, so that no key is
    /// let in again which is revoked meanwhile. Earlier ones that still wait are replaced.
    package func prepareNext(_ pair: KeyPair, _ renew: (KeyList) throws -> KeyList) throws {
        try requireKeys()
        let lock = try locked()
        defer { lock.unlock() }
        let list = try renew(try readList())
        unlink(nextPairPath)
        try write(list, to: nextListPath)
        // Last: it is the sign that both are there.
        try SecretFile.create(FarmPairText.secretText(pair), at: nextPairPath)
    }

    /// Whether a pair and a list wait for the start of a coordinator.
    package var doesNextWait: Bool { access(nextPairPath, F_OK) == 0 }

    /// Takes up a pair and a list that wait, for the start of a coordinator, which has locked its data folder: one that
    /// runs would read the new list with its old pair. A crash in between does no harm: the next start goes on.
    package func takeUpNext() throws {
        guard doesNextWait else { return }
        let lock = try locked()
        defer { lock.unlock() }
        _ = try readPair(nextPairPath)
        if access(nextListPath, F_OK) == 0 {
            _ = try readList(nextListPath)
            try renameFile(nextListPath, to: listPath)
        }
        try renameFile(nextPairPath, to: pairPath)
        try? synchronize(path)
    }

    // MARK: - Files

    private func makeFolder() throws {
        let parent = parentFolder(of: path)
        do {
            try makeFolders(parent)
        } catch {
            throw SecretFile.fault(error.path, systemReason(error.number), hint: "name another with \(.dataFolder)")
        }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SecretFile.fault(path, systemReason(errno)) }
        guard chmod(path, 0o700) == 0 else { throw SecretFile.fault(path, systemReason(errno)) }
    }

    private func write(_ list: KeyList, to path: String) throws {
        try replaceFile(Data(list.text.utf8), at: path, permissions: 0o600)
    }

    private func locked() throws -> FileLock {
        do throws(FileLock.Failure) {
            return try FileLock(path: path + "/lock", kind: .made(0o600, forWriting: true))
        } catch {
            let reason =
                switch error {
                case .taken: "another command changes the keys"
                case .impossible(let number): systemReason(number)
                }
            throw SecretFile.fault(path, reason)
        }
    }
}

/// The mark by which a file that was changed is told: another one is at its path, or its times or size differ.
package struct FileMark: Hashable, Sendable {
    private let inode: UInt64
    private let size: Int64
    private let changed: [Int]

    /// The mark of the file at a path; nil where there is none.
    package init?(path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        inode = UInt64(facts.st_ino)
        size = Int64(facts.st_size)
        changed = [facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec]
    }
}
