internal import Diagnostics
internal import Glibc
internal import Libav

/// A whole file in memory, for libraries that keep pointers into it.
@safe
final class FileBytes {
    /// The file's bytes, good as long as this object lives.
    let bytes: UnsafeMutableRawBufferPointer
    let count: Int

    /// Reads the file. Throws `mediaOverLimits` where it is larger than a packet may be.
    init(path: String) throws {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw notFound(path, "open") }
        defer { close(file) }
        let size = Int(lseek(file, 0, SEEK_END))
        guard size <= ReadLimits.packetBytes else {
            throw SplitreelError(
                .mediaOverLimits, operation: "reading", subject: path,
                reason: "a picture file of \(size) bytes is larger than the \(ReadLimits.packetBytes) that are read",
                hint: "make it smaller first")
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(0, size), alignment: 16)
        var done = 0
        while done < size {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[done...])
            let count = unsafe pread(file, rest.baseAddress, rest.count, off_t(done))
            guard count > 0 else {
                unsafe memory.deallocate()
                throw SplitreelError(
                    .mediaCannotOpen, operation: "pread", subject: path,
                    reason: count < 0 ? reasonOfErrno() : "the file got shorter while it was read")
            }
            done += count
        }
        unsafe (bytes, count) = (memory, done)
    }

    deinit { unsafe bytes.deallocate() }

    /// The little-endian number of `length` bytes at a place; 0 past the end.
    func number(_ place: Int, _ length: Int) -> Int {
        guard place >= 0, place + length <= count else { return 0 }
        return (0..<length).reduce(0) { unsafe $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
}
