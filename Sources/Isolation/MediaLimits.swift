import Threads

/// The limits on what one file may cost the process that reads it.
package struct MediaLimits: Sendable {
    /// The bytes of data that the process may hold.
    package var memoryBytes = min(2 << 30, max(1 << 30, MachineShare.current.memory.amount) / 2)
    /// The seconds of processor time that every file has, and more for its size: a film of hours is read whole.
    package var seconds = 30.0
    package var bytesPerSecond = 4_000_000.0
    package var mostSeconds = 3600.0
    /// The seconds for which the process may stand still, without processor time or bytes: a disk that does not answer
    /// for a while costs time and nothing else.
    package var standing = 600.0
    /// The most bytes of the answer. A film of ten hours with nothing but key frames has one of 80 MB.
    package var answerBytes = 256 << 20
    /// The processes that work on sources, on segments, and on films at a time.
    package var probing = max(8, 2 * Self.cores)
    package var verifying = max(4, 2 * Self.cores)
    package var stitching = 64
    /// The most bytes that a process may have held to be used again.
    package var keptBytes = 256 << 20
    /// The idle processes that are kept for the next file.
    package var idle = 4

    package init() {}

    /// The seconds for a file of that size in bytes.
    func time(forBytes count: Int64) -> Double { min(mostSeconds, seconds + Double(max(0, count)) / bytesPerSecond) }

    private static var cores: Int { MachineShare.current.cores.amount }
}
