import Foundation
import Glibc
import Stitching

/// A film that grows in a hidden folder beside its path, where it is renamed to when it is whole, read in the order of
/// its bytes. A film that is begun again by another process has the same bytes: reading goes on in it where it was.
///
/// Bytes that were handed out count as taken when more is asked for, and are then cut out of the file, so that the disk
/// holds only those that are still to be taken. Confined to one thread.
package final class GrowingFilm {
    private let path: String
    private var film: Int32 = -1
    /// The file that tells the film's writer how much is taken, see `PassedOnFilm`; negative where there is none.
    private var taken: Int32 = -1
    /// The number of bytes that were handed out.
    private var place: off_t = 0
    /// The number of bytes that are cut out of the open file.
    private var cut: off_t = 0

    package init(path: String) { self.path = path }

    deinit { close() }

    /// Reads the next bytes; answers how many are in `buffer` now: 0 where there are none yet, negative with `errno`
    /// set.
    package func read(into buffer: inout [UInt8]) -> Int {
        if film < 0 { open() }
        guard film >= 0 else { return 0 }
        releaseTaken()
        let count = Glibc.read(film, &buffer, buffer.count)
        if count > 0 { place += off_t(count) }
        // The process that wrote it was killed, and its film with it.
        if count == 0, facts()?.st_nlink == 0 { close() }
        return count
    }

    /// The end of a film that is published, after a `read` without bytes: 0 where all was handed out, nil where there
    /// is more to read, or the number of the error.
    package func end() -> Int32? {
        var published = stat()
        guard stat(path, &published) == 0 else { return errno }
        if let facts = facts(), facts.st_dev == published.st_dev, facts.st_ino == published.st_ino {
            return place == published.st_size ? 0 : place < published.st_size ? nil : EIO
        }
        close()
        open()
        return film >= 0 ? nil : errno
    }

    private func facts() -> stat? {
        var facts = stat()
        return film >= 0 && fstat(film, &facts) == 0 ? facts : nil
    }

    /// Opens the film in its work folder, or where it is published, if it is there.
    private func open() {
        let (folder, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for growing in names.filter({ $0.hasPrefix(".") }).map({ "\(folder)/\($0)/\(name)" }) + [path] {
            // The file is opened for writing, too: who cuts holes has to.
            film = Glibc.open(growing, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard film >= 0 else { continue }
            cut = 0
            lseek(film, place, SEEK_SET)
            if growing != path {
                taken = Glibc.open(PassedOnFilm.takenPath(growing), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            }
            return
        }
    }

    private func close() {
        for descriptor in [film, taken] where descriptor >= 0 { _ = Glibc.close(descriptor) }
        (film, taken) = (-1, -1)
    }

    private func releaseTaken() {
        if taken >= 0 { ftruncate(taken, place) }
        // A film that was begun again loses all that was taken of the first one, as it comes.
        guard let size = facts()?.st_size, min(size, place) > cut else { return }
        let start = cut / Self.block * Self.block
        cut = min(size, place)
        // A file system that cannot do it keeps the film until the end.
        _ = fallocate(film, punchHole, start, cut - start)
    }

    /// The bytes at whose multiples holes begin, as blocks of any file system do: parts of a block are not given back.
    private static let block: off_t = 1 << 21
}

/// The call of Linux, which glibc's headers show to GNU sources alone.
@_silgen_name("fallocate")
private func fallocate(_ file: Int32, _ mode: Int32, _ place: off_t, _ count: off_t) -> Int32

/// The mode FALLOC_FL_KEEP_SIZE and FALLOC_FL_PUNCH_HOLE.
private let punchHole: Int32 = 0x01 | 0x02
