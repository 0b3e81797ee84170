import ArgumentParser
import Diagnostics
import Foundation
import Glibc
import LocalFarm
import Outputs
import SplitreelFiles
import Synchronization
import Threads

/// The film of `render -o -`, copied to standard output from a private folder: a raw one while it grows, where the disk
/// holds only the bytes that the reader has not taken yet; another one when it is whole, since its beginning is written
/// last.
final class FilmOnOutput: Sendable {
    private enum End { case whole, readerLeft, failed(Int32) }

    private struct State {
        /// Whether nothing more is written to the film, or it is not wanted any more.
        var isFilmComplete = false
        var end: End?
    }

    /// The name that stands for standard output in `-o`.
    static let name = "-"

    private static let containers: [Container] = [.y4m, .nut, .mp4, .mkv, .webm]

    /// The path at which the job is told to write.
    let path: String
    /// The film's container, one of `containers`.
    let container: Container
    private let folder: RuntimeFolder
    private let state = Mutex(State())

    /// Prepares the folder. Throws where no container is named that a pipe can take, and where a person would see
    /// the film's bytes.
    init(format: String?) throws {
        guard let container = format.flatMap({ Container(rawValue: $0.lowercased()) }),
            Self.containers.contains(container)
        else {
            throw ValidationError(
                "-o - needs to know the container: say --format mp4, mkv or webm, or y4m (picture alone) or nut, raw")
        }
        guard isatty(STDOUT_FILENO) == 0 else {
            throw ValidationError("a film is not for a terminal: name a file, or pass it on with |")
        }
        let flags = fcntl(STDOUT_FILENO, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
            throw SplitreelError(
                .outputNotWritable, operation: "write", subject: "standard output", reason: "it is closed",
                hint: "pass the film on with |, or name a file")
        }
        // A reader that goes away is told by `write`.
        signal(SIGPIPE, SIG_IGN)
        folder = try RuntimeFolder(in: RuntimeFolder.roomyParent)
        path = folder.path + "/film." + container.rawValue
        self.container = container
    }

    /// Whether the film is written in the order of its bytes, so that it can be read while it grows.
    var isRaw: Bool { container.rawFrames != nil }

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

    /// Waits until the reader has taken all of the film. Throws the error that kept it from standard output.
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

    /// Throws the error that kept the film from standard output, if there was one.
    func requireRoom() throws {
        guard case .failed(let number) = state.withLock({ $0.end }) else { return }
        throw SplitreelError(
            number == ENOSPC ? .diskFull : .outputNotWritable, operation: "write", subject: "standard output",
            reason: String(cString: strerror(number)))
    }

    func remove() { folder.remove() }

    private func copy() -> End {
        let film = GrowingFilm(path: path)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            // Asked before the film is read: bytes that come later are read by the next turn.
            let isComplete = state.withLock { $0.isFilmComplete }
            let count = isRaw || isComplete ? film.read(into: &buffer) : 0
            if count < 0 { return .failed(errno) }
            guard count > 0 else {
                if isComplete, let end = film.end() { return end == 0 ? .whole : .failed(end) }
                var entry = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
                if poll(&entry, 1, 10) > 0, entry.revents & Int16(POLLERR) != 0 { return .readerLeft }
                // Another event there makes `poll` answer at once: the thread would not rest.
                if entry.revents != 0 { usleep(10_000) }
                continue
            }
            let failure = writeWaiting(buffer[..<count], to: STDOUT_FILENO)
            guard failure == 0 else { return failure == EPIPE ? .readerLeft : .failed(failure) }
        }
    }
}
