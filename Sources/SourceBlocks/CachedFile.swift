import Glibc
import SplitreelFiles

extension CachedItem {
    /// All units of a cache's folder. One that is removed meanwhile may be missing.
    static func units(in folder: String) -> [CachedItem] {
        names(in: folder).filter { $0.utf8.count == 2 }.flatMap { part in
            names(in: "\(folder)/\(part)").compactMap { CachedItem(file: "\(folder)/\(part)/\($0)") }
        }
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
