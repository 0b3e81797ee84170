package import Diagnostics
package import Foundation
import Glibc
internal import Hashing

/// A file of somebody else's, open for reading: a regular one, not a link, a pipe or a device, which could keep a
/// reader waiting for ever or lead it elsewhere. Confined to one thread at a time.
package final class RegularFile {
    package let path: String
    package let byteCount: Int64
    private let descriptor: Int32
    private let failure: ErrorCode
    private var hasher = SHA256Sum()
    private var readCount: Int64 = 0

    /// Opens the file; `failure` is the code of every error. Of a segment it is `outOfMemory` or `systemLimit` where
    /// the system lacks what reading takes: that says nothing of the segment.
    package init(path: String, failure: ErrorCode) throws {
        (self.path, self.failure) = (path, failure)
        guard let opened = Self.descriptor(path, flags: O_NOFOLLOW) else {
            let number = errno
            throw SplitreelError(
                Self.code(failure, number), operation: "open", subject: path,
                reason: number == ELOOP ? "it is a link" : systemReason(number),
                hint: openFilesHint(errno: number) ?? "")
        }
        descriptor = opened
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            let number = errno
            close(descriptor)
            throw Self.failed(Self.code(failure, number), "fstat", path, systemReason(number))
        }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Self.failed(failure, "open", path, "it is not a regular file")
        }
        byteCount = Int64(facts.st_size)
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    deinit { close(descriptor) }

    /// A descriptor that reads what is at a path, whose kind is still to be looked at; nil, with `errno` set, where
    /// there is none. `flags` are more of open(2)'s.
    static func descriptor(_ path: String, flags: Int32) -> Int32? {
        let opened = HandedFiles.open(path, openingFlags | flags)
        return opened >= 0 ? opened : nil
    }

    /// The flags of open(2). Opening a pipe would wait for a writer; without waiting the open succeeds and the pipe is
    /// found out.
    static let openingFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC

    /// Reads the next bytes and hashes them; answers their number, 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            // A descriptor that was handed shares its place with others.
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(readCount))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                let number = errno
                throw Self.failed(Self.code(failure, number), "pread", path, systemReason(number))
            }
            if count > 0 {
                hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                readCount += Int64(count)
            }
            return count
        }
    }

    /// Reads on to the end; answers the SHA-256, lower-case hex, and the number of all bytes that were read.
    package func digest() throws -> (hash: String, byteCount: Int64) {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { block.deallocate() }
        while try read(into: block) > 0 {}
        return (hasher.text, readCount)
    }

    /// The whole content of a file that has at most `limit` bytes.
    package static func contents(of path: String, limit: Int, failure: ErrorCode) throws -> Data {
        let file = try RegularFile(path: path, failure: failure)
        let excess = Self.failed(failure, "read", path, "it has more than \(limit) bytes")
        guard file.byteCount <= Int64(limit) else { throw excess }
        var bytes = Data(capacity: Int(file.byteCount))
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { block.deallocate() }
        while case let count = try file.read(into: block), count > 0 {
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: block[..<count]))
            guard bytes.count <= limit else { throw excess }
        }
        return bytes
    }

    /// The code of an error of the system: of a segment its own where the system lacks something.
    private static func code(_ failure: ErrorCode, _ number: Int32) -> ErrorCode {
        guard failure == .segmentInvalid else { return failure }
        switch number {
        case ENOMEM: return .outOfMemory
        case EMFILE, ENFILE, ENOBUFS: return .systemLimit
        default: return failure
        }
    }

    private static func failed(_ code: ErrorCode, _ call: String, _ path: String, _ reason: String) -> SplitreelError {
        SplitreelError(code, operation: call, subject: path, reason: reason)
    }
}
