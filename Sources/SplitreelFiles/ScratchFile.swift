import Foundation
import Glibc

/// A file on disk without a name: it is gone with its owner, whatever ends the process. Confined to one thread at a
/// time.
package final class ScratchFile {
    private let descriptor: Int32
    private let path: String

    /// Makes the file in that folder. Throws as writing does.
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
        try all(bytes.count, "pwrite") { done in
            pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(place) + off_t(done))
        }
    }

    /// Fills the buffer; bytes that were never written cannot be read.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64) throws {
        try all(buffer.count, "pread") { done in
            pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(place) + off_t(done))
        }
    }

    /// Runs `step` until all bytes are done; it is given their number so far, and answers as the system call does.
    private func all(_ count: Int, _ call: String, _ step: (_ done: Int) -> Int) throws {
        var done = 0
        while done < count {
            let more = step(done)
            if more < 0 && errno == EINTR { continue }
            guard more > 0 else { throw writingFailure(call, path, errno: more < 0 ? errno : EIO) }
            done += more
        }
    }
}
