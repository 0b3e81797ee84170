import Foundation
import Glibc
import SplitreelFiles

/// A unit in the folder of a cache.
struct CachedUnit {
    let path: String
    let byteCount: Int
    /// The time of its last use, in nanoseconds since 1970.
    let lastUse: Int

    /// All units of a cache's folder. One that is removed meanwhile may be missing.
    static func all(in folder: String) -> [CachedUnit] {
        names(in: folder).filter { $0.utf8.count == 2 }.flatMap { part in
            names(in: "\(folder)/\(part)").compactMap { CachedUnit(path: "\(folder)/\(part)/\($0)") }
        }
    }

    /// Removes what was not used for longest, where there is more than `limit` bytes, until an eighth of them is free
    /// and `count` have room.
    static func remove(from units: inout [CachedUnit], until limit: Int, leavingRoomFor count: Int) {
        var total = units.reduce(0) { $0 + $1.byteCount }
        guard total + count > limit else { return }
        let goal = max(0, min(limit - limit / 8, limit - count))
        units.sort { ($0.lastUse, $0.path) > ($1.lastUse, $1.path) }
        while total > goal, let oldest = units.popLast() {
            unlink(oldest.path)
            total -= oldest.byteCount
        }
    }

    private init?(path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        byteCount = Int(facts.st_size)
        lastUse = facts.st_mtim.tv_sec &* 1_000_000_000 &+ facts.st_mtim.tv_nsec
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}

/// A unit's file, open for reading: another process may remove it meanwhile. From any thread.
package final class CachedFile: Sendable {
    let descriptor: Int32

    /// Takes over an open descriptor; nil where it is not of a regular file with so many bytes at least.
    init?(_ descriptor: Int32, mostCount count: Int) {
        self.descriptor = descriptor
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size >= count else {
            return nil
        }
    }

    /// Opens the file; nil where there is none.
    init?(path: String) {
        let opened = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// The bytes at places of the file; nil where it is no regular file of `length` bytes, or cannot be read.
    func bytes(_ range: Range<Int>, ofLength length: Int) -> [UInt8]? { hasLength(length) ? bytes(range) : nil }

    /// The sum of the block that the file is; nil where it is no regular file of `length` bytes, or cannot be read.
    /// The file is read an extent at a time, into the same memory.
    func blockSum(ofLength length: Int) -> BlockSum? {
        guard hasLength(length) else { return nil }
        let step = BlockGrain.extent.byteCount
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 64)
        defer { room.deallocate() }
        var sums: [UInt8] = []
        for start in stride(from: 0, to: length, by: step) {
            let extent = UnsafeMutableRawBufferPointer(rebasing: room[..<min(step, length - start)])
            guard fill(extent, from: start) else { return nil }
            sums += BlockSum.extentSums(UnsafeRawBufferPointer(extent))
        }
        return BlockSum(ofExtents: sums)
    }

    private func hasLength(_ length: Int) -> Bool {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && facts.st_size == length
    }

    /// The bytes at places of the file; nil where they cannot be read.
    func bytes(_ range: Range<Int>) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { room, filled in
            let raw = UnsafeMutableRawBufferPointer(start: room.baseAddress, count: range.count)
            if fill(raw, from: range.lowerBound) { filled = range.count }
        }
        return bytes.count == range.count ? bytes : nil
    }

    /// Fills a buffer with the bytes from a place on; false where there are not so many, or they cannot be read.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, from place: Int) -> Bool {
        var filled = 0
        while filled < buffer.count {
            let room = buffer.baseAddress?.advanced(by: filled)
            let more = pread(descriptor, room, buffer.count - filled, off_t(place + filled))
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { return false }
            filled += more
        }
        return true
    }

    /// Says that the unit was used now. A process that may not say so reads on.
    func touch() { futimens(descriptor, nil) }
}

/// The folder in which a process writes units before they get their names. Its lock tells others that the process
/// lives.
final class PartsFolder: Sendable {
    let path: String
    private let lock: FileLock

    private static let prefix = ".parts-"

    /// Makes and locks a new one. Throws as writing does.
    init(in folder: String) throws {
        let made = try Self.made(in: folder)
        path = made.path
        lock = made.lock
    }

    private static func made(in folder: String) throws -> (path: String, lock: FileLock) {
        for _ in 0..<8 {
            let path = "\(folder)/\(prefix)\(getpid())-\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
            guard mkdir(path, 0o700) == 0 else { throw writingFailure("mkdir", path, errno: errno) }
            do throws(FileLock.Failure) {
                return (path, try FileLock(path: path, kind: .folder))
            } catch {
                rmdir(path)
                // Whoever cleans up may have taken it in between.
                guard let number = error.errorNumber, number != ENOENT else { continue }
                throw lockingFailure(path, errno: number)
            }
        }
        throw writingFailure("flock", folder, errno: EWOULDBLOCK)
    }

    deinit {
        Self.removeAll(in: path)
        lock.unlock()
    }

    /// Removes the folders of processes that have ended without doing so.
    static func removeAbandoned(in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(prefix) {
            let path = "\(folder)/\(name)"
            guard let lock = try? FileLock(path: path, kind: .folder) else { continue }
            removeAll(in: path)
            lock.unlock()
        }
    }

    private static func removeAll(in path: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}
