import ArgumentParser
import Diagnostics
import Foundation
import Glibc
import Planning
import Synchronization
import Threads

/// `render -o -`: a raw film is copied to standard output while it grows in a private folder. What was copied is cut out
/// of the file at once, so that the disk holds only what the reader has not taken yet.
final class FilmOnOutput: Sendable {
    private enum End { case whole, readerLeft, failed(Int32) }

    private struct State {
        /// Nothing more is written to the film, or it is not wanted any more.
        var isFilmComplete = false
        var end: End?
    }

    /// What stands for standard output in `-o`.
    static let name = "-"

    /// Where the job is told to write.
    let path: String
    private let folder: String
    private let state = Mutex(State())

    /// Throws where nothing raw is asked for, and where a person would see it as it is.
    init(format: String?) throws {
        guard let format = format?.lowercased(), Container(rawValue: format)?.isRaw == true else {
            throw ValidationError("-o - takes a raw film: say --format y4m (picture alone) or --format nut")
        }
        guard isatty(STDOUT_FILENO) == 0 else {
            throw ValidationError("a raw film is not for a terminal: name a file, or pass it on with |")
        }
        // A reader that goes away is told by `write`.
        signal(SIGPIPE, SIG_IGN)
        folder = try RuntimeFolder.make(in: NSTemporaryDirectory())
        path = folder + "/film." + format
    }

    var hasReaderLeft: Bool {
        state.withLock { if case .readerLeft = $0.end { true } else { false } }
    }

    /// Copies on a thread of its own; `stopped` is called where standard output takes no more.
    func start(stopped: @escaping @Sendable () -> Void) {
        startThread("standard output") { [self] in
            let end = copy()
            state.withLock { $0.end = end }
            if case .whole = end { return }
            stopped()
        }
    }

    /// Waits until the reader has taken all of the film. Throws what kept it from standard output.
    func finish(check: () throws -> Void) async throws {
        state.withLock { $0.isFilmComplete = true }
        while true {
            try check()
            switch state.withLock({ $0.end }) {
            case .whole, .readerLeft: return
            case .failed: return try requireRoom()
            case nil: try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// Throws what kept the film from standard output, if anything did.
    func requireRoom() throws {
        guard case .failed(let number) = state.withLock({ $0.end }) else { return }
        throw SplitreelError(
            number == ENOSPC ? .diskFull : .outputNotWritable, operation: "write", subject: "standard output",
            reason: String(cString: strerror(number)))
    }

    func remove() { RuntimeFolder.remove(folder) }

    private func copy() -> End {
        var film: Int32 = -1
        defer { if film >= 0 { close(film) } }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var place: off_t = 0
        var reopenings = 0
        while true {
            // Before it is read: what comes later is read by the next turn.
            let isComplete = state.withLock { $0.isFilmComplete }
            if film < 0 { film = openFilm() }
            let count = film < 0 ? 0 : read(film, &buffer, buffer.count)
            if count < 0 { return .failed(errno) }
            guard count > 0 else {
                if isComplete {
                    var facts = stat()
                    guard stat(path, &facts) == 0 else { return .failed(errno) }
                    if place == facts.st_size { return .whole }
                    // The film was begun again, in another file, of the same bytes.
                    if film >= 0 { close(film) }
                    film = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
                    guard film >= 0, reopenings < 2 else { return .failed(film < 0 ? errno : EIO) }
                    reopenings += 1
                    lseek(film, place, SEEK_SET)
                    continue
                }
                var entry = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
                if poll(&entry, 1, 10) > 0, entry.revents & Int16(POLLERR) != 0 { return .readerLeft }
                if entry.revents != 0 { usleep(10_000) }
                continue
            }
            let failure = write(buffer[..<count])
            guard failure == 0 else { return failure == EPIPE ? .readerLeft : .failed(failure) }
            // A file system that cannot do it keeps the film until the end.
            _ = fallocate(film, punchHole, place, off_t(count))
            place += off_t(count)
        }
    }

    /// The film in its work folder, or where it is published; negative while there is none.
    private func openFilm() -> Int32 {
        let name = (path as NSString).lastPathComponent
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for place in folders.filter({ $0.hasPrefix(".") }).map({ "\(folder)/\($0)/\(name)" }) + [path] {
            // For writing, too: who cuts holes has to.
            let opened = open(place, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            if opened >= 0 { return opened }
        }
        return -1
    }

    /// 0, or the number of the error.
    private func write(_ bytes: ArraySlice<UInt8>) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) }
            if count < 0, errno == EAGAIN {
                var entry = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, 1000)
            } else if count < 0, errno != EINTR {
                return errno
            }
        }
        return 0
    }
}

/// Linux's, which glibc's headers show to GNU sources alone.
@_silgen_name("fallocate")
private func fallocate(_ file: Int32, _ mode: Int32, _ place: off_t, _ count: off_t) -> Int32

/// FALLOC_FL_KEEP_SIZE and FALLOC_FL_PUNCH_HOLE.
private let punchHole: Int32 = 0x01 | 0x02
