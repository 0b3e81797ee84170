import Foundation
import Glibc

/// Room on disk without a name: it is gone with its owner, whatever ends the process. Confined to one thread at a time.
package final class ScratchFile {
    private let descriptor: Int32
    private let path: String

    /// In that folder. Throws as writing does.
    package init(in folder: String) throws {
        path = "\(folder)/.scratch-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw writingFailure("open", path, errno: errno) }
        guard unlink(path) == 0 else {
            let number = errno
            close(descriptor)
            throw writingFailure("unlink", path, errno: number)
        }
    }

    deinit { close(descriptor) }

    package func write(_ bytes: UnsafeRawBufferPointer, at place: Int64) throws {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(place) + off_t(done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw writingFailure("pwrite", path, errno: count < 0 ? errno : EIO) }
            done += count
        }
    }

    /// Fills the buffer; what was never written cannot be read.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64) throws {
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(place) + off_t(done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw writingFailure("pread", path, errno: count < 0 ? errno : EIO) }
            done += count
        }
    }
}
