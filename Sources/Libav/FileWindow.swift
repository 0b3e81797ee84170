internal import Glibc

/// The bytes of a regular file at any place, some of which are kept in memory. Bytes that cannot be read count as
/// missing. Confined to one thread at a time.
final class FileWindow {
    let count: Int
    private let descriptor: Int32
    private var start = 0
    private var kept: [UInt8] = []

    private static let most = 1 << 16

    /// Opens the file; nil where there is no regular file.
    init?(path: String) {
        // Opening a pipe would wait for a writer.
        descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        count = Int(facts.st_size)
    }

    deinit { close(descriptor) }

    subscript(_ place: Int) -> UInt8? {
        if !(start..<(start + kept.count)).contains(place) {
            (start, kept) = (place, read(place, Self.most))
        }
        return kept.isEmpty ? nil : kept[place - start]
    }

    /// The `length` bytes from a place; fewer at the file's end.
    func read(_ place: Int, _ length: Int) -> [UInt8] {
        guard (0..<count).contains(place) else { return [] }
        let length = min(length, count - place)
        var done = 0
        return unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            while done < length {
                let got = unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + done }, length - done, off_t(place + done))
                guard got > 0 else { break }
                done += got
            }
            filled = done
        }
    }
}
