package import Diagnostics
import Foundation
import Glibc
package import Hashing
import ObjectStorage
import SplitreelFiles
import Synchronization
package import Threads

/// Segments in a folder on disk, by what they are made of: whichever job made them. Any number of processes read one
/// folder and write to it. From any thread; each call reads or writes the disk.
///
/// Nothing in the folder is trusted: records have their sums in the entry, and whoever takes an entry checks its
/// segments as those that a worker sends. So no entry has to be on the disk before it is used. An entry gets its name
/// in one step, by rename; the first one of a name stays. Where the disk is full, or cannot be written, nothing is kept
/// and everything goes on.
///
///     chunks/0a/0a4f…/entry         what the entry holds, and who made it
///     chunks/0a/0a4f…/0, 0.json     its first segment, and that one's record; then 1, 1.json and so on
///     chunks/.parts-4711-5c…/17     an entry that is being made by process 4711, which holds a lock on the folder
///     chunks/.counts                hits and misses
///     chunks/.sums                  the sums of sources: see `ContentSums`
///     chunks/.lock                  the lock of who removes entries
package final class SegmentCache: Sendable {
    private struct State {
        /// The bytes of all entries at the last look at the folder, with those that this process has made since.
        var byteCount = 0
        /// The bytes that may still be written before the folder is looked at again: others write to it, too.
        var untilSurvey = 0
        var fault: SplitreelError?
    }

    /// A segment that an entry is made of, with its record beside it as `PATH.json`.
    package struct Segment: Sendable {
        package var path: String
        /// The SHA-256 of its bytes, 64 hexadecimal digits, and below it their number.
        package var hash: String
        package var byteCount: Int64

        package init(path: String, hash: String, byteCount: Int64) {
            (self.path, self.hash, self.byteCount) = (path, hash, byteCount)
        }
    }

    /// The answer to whoever asks for an entry.
    package enum Answer: Sendable, Equatable {
        /// The files are in their places; the worker of that name made them.
        case hit(worker: String)
        case miss
        /// There was an entry that cannot be right; it is gone.
        case spoiled
    }

    /// The folder with the entries, `chunks` in the one that the person named.
    package let folder: String
    /// The most bytes of all entries. Each process that writes may exceed them by a sixteenth for a while.
    package let limit: Int
    /// The memory of what sources hold.
    package let sums: ContentSums
    /// The counts of hits and misses, of all processes; of a shared cache, of those of this folder.
    package let counts: CacheCounts
    /// The place in an object store where all entries are; nil where they are in the folder.
    package let shared: SharedSegments?
    /// The bytes that stay free on the disk for others.
    private let spare: Int
    private let parts: PartsFolder
    private let state = Mutex(State())
    /// The number of the last name in the folder of parts.
    private let lastNumber = Atomic(0)

    /// The bytes of all entries where nobody says how many: 10 GiB.
    package static let usualBytes = 10 << 30
    /// The bytes that stay free on the disk where nobody says how many: 1 GiB.
    package static let usualSpare = 1 << 30

    /// Opens the cache in a folder that a person named, to read from it and to write to it. What writers that were
    /// killed have left there is removed. With `shared` all entries are there, and the folder has sums, counts and what
    /// is on its way. Throws `outputNotWritable` or `diskFull` where the folder cannot be made or locked.
    package init(
        in folder: String, limit: Int = usualBytes, sparing spare: Int = usualSpare, shared: SharedSegments? = nil
    ) throws {
        let chunks = Self.folder(in: folder)
        do throws(FolderFailure) { try makeFolders(chunks) { chmod($0, 0o700) } } catch {
            throw writingFailure(
                "mkdir", error.path, errno: error.number,
                hint: "name another folder for the cache, or do without one")
        }
        try Self.requireOwn(chunks)
        self.folder = chunks
        self.limit = limit
        self.spare = spare
        self.shared = shared
        parts = try PartsFolder(in: chunks)
        PartsFolder.removeAbandoned(in: chunks)
        sums = ContentSums(path: chunks + "/.sums")
        let part = shared.map { "-" + sha256(Array($0.place.text.utf8)).prefix(16) } ?? ""
        counts = CacheCounts(path: chunks + "/.counts" + part)
    }

    /// Throws `outputNotWritable` for a folder in which another user can put entries: their pixels would be ours.
    private static func requireOwn(_ path: String) throws {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw writingFailure("stat", path, errno: errno) }
        guard facts.st_uid == geteuid(), facts.st_mode & 0o022 == 0 else {
            throw SplitreelError(
                .outputNotWritable, operation: "opening the cache", subject: path,
                reason: "another user can write to it, and chunks are taken from it",
                hint: "name a folder of your own for the cache, or do without one")
        }
    }

    /// The folder of entries in one that a person named.
    package static func folder(in folder: String) -> String { folder + "/chunks" }

    /// The fault that kept the last entry from being made, or a shared cache from answering; nil where there was none.
    /// For whoever tells a person.
    package var fault: SplitreelError? { shared?.fault ?? state.withLock { $0.fault } }

    /// Hands out what was found to be wrong with entries of a shared cache since the last call: somebody without its
    /// key may write there.
    package func takeRemarks() -> [String] { shared?.takeRemarks() ?? [] }

    /// Whether entries come from afar: several at a time are quicker then, as many as `SharedSegments.mostAtOnce` says.
    package var isShared: Bool { shared != nil }

    /// Whether the list of a shared cache has an entry, which is not asked for; false for a folder. The first call of
    /// a job asks for the list.
    package func lists(_ key: ContentKey, stop: WorkStop?) -> Bool { shared?.lists(key, stop) ?? false }

    /// The seconds for which the end of a job waits until its entries are made. The job counts as ended one second
    /// later, whether its folder is gone or not, and a process that ends then would leave it behind.
    package static let patience = 4

    // MARK: - Taking

    /// Puts the files of an entry at these paths, each with its record at `PATH.json`: links where the file system has
    /// them, else copies. The segments themselves are still to be checked against their records. The entry counts as
    /// used now. Where it is no hit nothing is left at the paths; hits are counted by the caller. A shared cache is not
    /// waited for once `stop` says so: that is a miss. `goesOn` is called on this thread when an entry of a shared
    /// cache has its turn, and then as often as bytes of it come: up to thousands of times a second.
    package func take(
        _ key: ContentKey, to paths: [String], stop: WorkStop? = nil, goesOn: @escaping () -> Void = {}
    ) -> Answer {
        if let shared {
            let answer = shared.take(key, to: paths, by: newPart, stop: stop, goesOn: goesOn) {
                hasRoom(for: $0, sparing: spare, in: folder)
            }
            if answer == .spoiled { counts.add(spoiled: 1) }
            return answer
        }
        let entry = place(of: key)
        let document: EntryDocument
        switch EntryDocument.read(entry) {
        case .success(let read?) where read.key == key && read.files.count == paths.count: document = read
        case .success(nil), .failure(.unreadable): return .miss
        case .success, .failure(.spoiled): return spoil(key)
        }
        var placed: [String] = []
        for (number, (file, path)) in zip(document.files, paths).enumerated() {
            let outcome = placeFile("\(entry)/\(number)", file, at: path)
            placed += [path, path + ".json"]
            guard outcome != .good else { continue }
            for path in placed { unlink(path) }
            return outcome == .bad ? spoil(key) : .miss
        }
        EntryDocument.touch(entry)
        return .hit(worker: document.worker)
    }

    private enum Placing { case good, bad, impossible }

    private func placeFile(_ file: String, _ entry: EntryDocument.File, at path: String) -> Placing {
        for (from, to) in [(file, path), (file + ".json", path + ".json")] {
            do throws(FileCopy.Failure) { try FileCopy.place(from, at: to) } catch {
                return error.isOfSource && !EntryFile.isLack(error.number) ? .bad : .impossible
            }
        }
        guard CachedItem(file: path).map({ Int64($0.byteCount) }) == entry.byteCount,
            let record = try? RegularFile.contents(
                of: path + ".json", limit: EntryDocument.mostRecordBytes, failure: .segmentInvalid),
            sha256(record) == entry.record
        else { return EntryFile.isUnreadable(path + ".json") ? .impossible : .bad }
        return .good
    }

    private func spoil(_ key: ContentKey) -> Answer {
        // Another process may have made room meanwhile: nothing is wrong then.
        guard access(place(of: key), F_OK) == 0 else { return .miss }
        drop(key)
        return .spoiled
    }

    /// Removes an entry that was found to be wrong, and counts it. One that cannot be read now stays: that proves
    /// nothing.
    package func drop(_ key: ContentKey) {
        if let shared {
            shared.remove(key.text)
        } else {
            let path = place(of: key)
            guard !isUnreadable(path) else { return }
            remove(path)
        }
        counts.add(spoiled: 1)
    }

    // MARK: - Keeping

    /// Makes an entry of segments that were checked, where there is none and there is room or can be made. Answers
    /// whether there is one now.
    @discardableResult
    package func keep(_ key: ContentKey, _ segments: [Segment], madeBy worker: String) -> Bool {
        if let shared {
            let count = segments.reduce(EntryDocument.usualBytes) { $0 + Int($1.byteCount) }
            guard hasRoom(for: count, sparing: spare, in: folder) else { return false }
            return shared.keep(key, segments, madeBy: worker, by: newPart)
        }
        let path = place(of: key)
        if access(path + "/entry", F_OK) == 0 {
            EntryDocument.touch(path)
            return true
        }
        let count = segments.reduce(EntryDocument.usualBytes) { $0 + Int($1.byteCount) }
        let hasRoom = state.withLock { state in
            guard makeRoom(count, &state) else { return false }
            // Taken before it is written: others may be writing as well.
            state.byteCount += count
            state.untilSurvey -= count
            return true
        }
        guard hasRoom else { return false }
        let part = newPart
        do {
            try make(part, key, segments, worker)
            try makeFolder(parentFolder(of: path))
            // Another process may have made it meanwhile.
            guard rename(part, path) == 0 || errno == ENOTEMPTY || errno == EEXIST else {
                throw writingFailure("rename", path, errno: errno)
            }
            remove(part)
            state.withLock { $0.fault = nil }
            return true
        } catch {
            remove(part)
            state.withLock { $0.fault = error as? SplitreelError ?? $0.fault }
            return false
        }
    }

    private func make(_ part: String, _ key: ContentKey, _ segments: [Segment], _ worker: String) throws {
        try makeFolder(part)
        var files: [EntryDocument.File] = []
        for (number, segment) in segments.enumerated() {
            let file = "\(part)/\(number)"
            for (from, to) in [(segment.path, file), (segment.path + ".json", file + ".json")] {
                do throws(FileCopy.Failure) { try FileCopy.place(from, at: to) } catch {
                    throw writingFailure(error.call, error.path, errno: error.number)
                }
            }
            let record = try RegularFile.contents(
                of: file + ".json", limit: EntryDocument.mostRecordBytes, failure: .segmentInvalid)
            files.append(EntryDocument.File(byteCount: segment.byteCount, hash: segment.hash, record: sha256(record)))
        }
        let document = EntryDocument(key: key, worker: worker, files: files)
        try writeFile(document.bytes(), to: part + "/entry", permissions: 0o600, durably: false)
    }

    private func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) != 0 else { return }
        let fault = errno
        guard fault == EEXIST else { throw writingFailure("mkdir", path, errno: fault) }
    }

    /// Whether so many bytes have room, or have after entries were removed that were not used for longest.
    private func makeRoom(_ count: Int, _ state: inout State) -> Bool {
        guard hasRoom(for: count, sparing: spare, in: folder) else {
            state.fault = writingFailure("statvfs", folder, errno: ENOSPC, hint: "make room on the disk of the cache")
            return false
        }
        if state.untilSurvey >= count, state.byteCount + count <= limit { return true }
        guard count <= limit, let lock = removalLock(&state) else { return false }
        defer { lock.unlock() }
        var items = entries().map(\.item)
        CachedItem.remove(from: &items, until: limit, leavingRoomFor: count) { remove($0.path) }
        state.byteCount = items.reduce(0) { $0 + $1.byteCount }
        state.untilSurvey = max(count, limit / 16)
        return state.byteCount + count <= limit
    }

    /// The lock of who removes entries; nil where another process is at it: the chunk is rendered again where it is
    /// wanted again.
    private func removalLock(_ state: inout State) -> FileLock? {
        do throws(FileLock.Failure) {
            return try FileLock(path: folder + "/.lock", kind: .made(0o600, forWriting: true))
        } catch {
            if let number = error.errorNumber { state.fault = lockingFailure(folder, errno: number) }
            return nil
        }
    }

    // MARK: - Places

    /// The folder of an entry, whether there is one or not.
    package func place(of key: ContentKey) -> String { "\(folder)/\(key.text.prefix(2))/\(key.text)" }

    var newPart: String { "\(parts.path)/\(lastNumber.add(1, ordering: .relaxed).newValue)" }

    /// Removes an entry's folder. Nobody finds a part of it under its name.
    func remove(_ path: String) {
        let away = newPart
        try? FileManager.default.removeItem(atPath: rename(path, away) == 0 ? away : path)
    }

    /// All entries. One that is removed meanwhile may be missing.
    func entries() -> [CacheEntry] { CacheEntry.all(in: folder) }
}
