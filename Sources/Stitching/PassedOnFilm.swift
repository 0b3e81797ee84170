internal import Glibc

/// A film whose bytes somebody takes in order while it grows, and the bytes by which its writer may be ahead.
package enum PassedOnFilm {
    /// The most bytes that are written and not taken, one frame aside.
    package static let mostUntaken: Int64 = 256 << 20

    /// The file beside a film whose size is the number of its bytes that are taken. Whoever takes them makes it.
    package static func takenPath(_ film: String) -> String { film + ".taken" }

    /// Whether the writer has to wait. A film that nobody takes is written without a bound.
    package static func isFull(_ film: String) -> Bool {
        var (taken, written) = (stat(), stat())
        guard stat(takenPath(film), &taken) == 0, stat(film, &written) == 0 else { return false }
        return Int64(written.st_size) - Int64(taken.st_size) > mostUntaken
    }
}
