package import Diagnostics
import Foundation
import Glibc
import SplitreelFiles
import Synchronization

/// Blocks and extents of sources in a folder on disk, by their sums: whichever file, job or worker they came for. Any
/// number of processes read one folder, and any number may write to it.
///
/// Nothing in the folder is trusted: a unit that does not have its sum is none, so a torn or damaged file is fetched
/// again, and none has to be on the disk before it is used. A unit gets its name in one step, by rename. One that is
/// removed while another process reads it can still be read to its end. Where the disk is full, or cannot be written,
/// nothing is kept and everything goes on.
///
///     blocks/0a/0a4f…               a unit's bytes, named by its sum
///     blocks/.parts-4711-5c…/17     a unit that is being written by process 4711, which holds a lock on the folder
///     blocks/.fetches               the locks of who fetches units for all: see `FetchRights`
///     blocks/.lock                  the lock of who removes units
package final class BlockCache: Sendable {
    private struct State {
        /// The bytes of all units at the last look at the folder, with those that this process has written since.
        var byteCount = 0
        /// The bytes that may still be written before the folder is looked at again: others write to it, too.
        var untilSurvey = 0
        var lastNumber = 0
        /// The fault of the last attempt to keep a unit; nil where it is kept.
        var fault: SplitreelError?
    }

    /// The folder with the units, `blocks` in the one that the person named.
    package let folder: String
    /// The most bytes of all units. Each process that writes may exceed them by a sixteenth for a while.
    package let limit: Int
    /// The bytes that stay free on the disk for others.
    private let spare: Int
    /// The folder of units that are being written; nil where this process only reads.
    private let parts: PartsFolder?
    /// The rights to fetch units; nil where this process only reads, and where there are none.
    private let rights: FetchRights?
    private let state = Mutex(State())

    /// Opens the cache in a folder that a person named, to read from it and to write to it. What writers that were
    /// killed have left there is removed. Throws `outputNotWritable` or `diskFull` where the folder cannot be made or
    /// locked.
    package init(in folder: String, limit: Int, sparing spare: Int = 0) throws {
        let blocks = folder + "/blocks"
        do throws(FolderFailure) { try makeFolders(blocks) } catch {
            throw writingFailure(
                "mkdir", error.path, errno: error.number, hint: "name another folder for the cache of blocks")
        }
        self.folder = blocks
        self.limit = limit
        self.spare = spare
        parts = try PartsFolder(in: blocks)
        PartsFolder.removeAbandoned(in: blocks)
        rights = FetchRights(path: blocks + "/.fetches")
    }

    /// Opens the cache in a folder for reading alone; there need not be one.
    package init(reading folder: String) {
        self.folder = folder + "/blocks"
        limit = 0
        spare = 0
        parts = nil
        rights = nil
    }

    /// The units in a folder that a person named, and their bytes; none where there is no cache.
    package static func sum(in folder: String) -> (units: Int, bytes: Int) {
        let units = CachedItem.units(in: folder + "/blocks")
        return (units.count, units.reduce(0) { $0 + $1.byteCount })
    }

    /// The fault that kept the last unit from being kept; nil where it was kept. For whoever tells a person.
    package var fault: SplitreelError? { state.withLock { $0.fault } }

    /// The bytes of a unit with that sum; nil where the folder does not have it whole. A unit that is read counts as
    /// used now. A block comes as its file: extents are many, and a process may have so many files open.
    package func bytes(_ sum: BlockSum, _ grain: BlockGrain, count: Int) -> UnitBytes? {
        let path = place(of: sum)
        guard let file = CachedFile(path: path) else { return nil }
        guard let bytes = checked(file, sum, grain, count) else {
            if parts != nil { unlink(path) }
            return nil
        }
        file.touch()
        return bytes
    }

    private func checked(_ file: CachedFile, _ sum: BlockSum, _ grain: BlockGrain, _ count: Int) -> UnitBytes? {
        switch grain {
        case .block: file.blockSum(ofLength: count) == sum ? .file(file, count: count) : nil
        case .extent:
            file.bytes(0..<count, ofLength: count).flatMap { isRight($0, sum) ? .memory($0) : nil }
        }
    }

    /// The bytes of an extent with that sum, out of a block of `length` bytes with a sum of its own; nil where the
    /// folder does not have them.
    package func extent(_ sum: BlockSum, at range: Range<Int>, ofBlock block: BlockSum, length: Int) -> [UInt8]? {
        guard let file = CachedFile(path: place(of: block)), let bytes = file.bytes(range, ofLength: length),
            isRight(bytes, sum)
        else { return nil }
        file.touch()
        return bytes
    }

    /// Takes the right to fetch a unit, which one has at a time of all that write to the folder, and which ends with
    /// its process. Without rights each fetches for itself.
    func claim(_ sum: BlockSum) -> FetchRights.Answer { rights?.take(sum) ?? .unknown }

    /// Lets go of the right to fetch a unit.
    func letGo(of sum: BlockSum) { rights?.letGo(of: sum) }

    private func isRight(_ extent: [UInt8], _ sum: BlockSum) -> Bool {
        extent.withUnsafeBytes { BlockSum(of: $0, grain: .extent) } == sum
    }

    /// Keeps a unit's bytes, which have that sum, where there is room or can be made, and answers their file; otherwise
    /// does nothing.
    @discardableResult
    package func keep(_ bytes: [UInt8], _ sum: BlockSum) -> CachedFile? {
        guard let parts else { return nil }
        let number: Int? = state.withLock { state in
            guard makeRoom(bytes.count, &state) else { return nil }
            // Taken before it is written: others may be writing as well.
            state.byteCount += bytes.count
            state.untilSurvey -= bytes.count
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return nil }
        let path = place(of: sum)
        let part = "\(parts.path)/\(number)"
        do {
            try makeFolder(parentFolder(of: path))
            try writeFile(bytes, to: part, permissions: 0o600, durably: false)
            // Under its name another process may put a file in its place.
            let file = CachedFile(path: part)
            guard rename(part, path) == 0 else {
                let fault = errno
                unlink(part)
                throw writingFailure("rename", path, errno: fault)
            }
            state.withLock { $0.fault = nil }
            return file
        } catch {
            state.withLock { $0.fault = error as? SplitreelError }
            return nil
        }
    }

    private func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) != 0 else { return }
        let fault = errno
        guard fault == EEXIST else { throw writingFailure("mkdir", path, errno: fault) }
    }

    private func place(of sum: BlockSum) -> String { "\(folder)/\(sum.text.prefix(2))/\(sum.text)" }

    /// Whether so many bytes have room, or have after units were removed that were not used for longest.
    private func makeRoom(_ count: Int, _ state: inout State) -> Bool {
        guard hasRoom(for: count, sparing: spare, in: folder) else {
            state.fault = writingFailure("statvfs", folder, errno: ENOSPC, hint: "make room on the disk of the cache")
            return false
        }
        if state.untilSurvey >= count, state.byteCount + count <= limit { return true }
        guard count <= limit else { return false }
        let lock: FileLock
        do throws(FileLock.Failure) {
            lock = try FileLock(path: folder + "/.lock", kind: .made(0o600, forWriting: true))
        } catch {
            // Where another process is making room, the unit is fetched again if it is wanted again.
            if let number = error.errorNumber { state.fault = lockingFailure(folder, errno: number) }
            return false
        }
        defer { lock.unlock() }
        var units = CachedItem.units(in: folder)
        CachedItem.remove(from: &units, until: limit, leavingRoomFor: count)
        state.byteCount = units.reduce(0) { $0 + $1.byteCount }
        state.untilSurvey = max(count, limit / 16)
        return state.byteCount + count <= limit
    }
}
