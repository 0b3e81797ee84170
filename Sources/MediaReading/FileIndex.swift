internal import MediaFacts
internal import MediaTime

/// The packet indexes of a file's video and audio tracks, and the zero of its asset time.
final class FileIndex: Sendable {
    /// By stream; empty for tracks that are neither video nor audio.
    let tracks: [PacketIndex]
    /// The earliest presentation time among video and audio tracks, in the file's own time.
    let origin: Rational
    /// A picture file: one frame that stands for any time.
    let isImage: Bool
    /// SHA-256 of what readers go by (`IndexBytes`): two files of equal sums hold the same packets at the same times.
    let contentSum: String
    /// What probing alone needs; nil where the index was read and not built.
    let findings: Findings?

    /// What was met while the file's packets were read.
    struct Findings {
        /// Audio by stream: time of the first sample that comes out of the decoder, in the file's own time.
        var audioStarts: [Int: Rational]
        /// Audio by stream: why nothing can be decoded of it.
        var audioFaults: [Int: TrackFacts.Fault]
        var warnings: [String]
    }

    /// Built from the file itself.
    init(tracks: [PacketIndex], origin: Rational, isImage: Bool, findings: Findings) {
        (self.tracks, self.origin, self.isImage, self.findings) = (tracks.map(\.packed), origin, isImage, findings)
        contentSum = IndexBytes.sum(tracks: tracks, origin: origin, isImage: isImage)
    }

    /// Read, with the sum of what was read.
    init(tracks: [PacketIndex], origin: Rational, isImage: Bool, sum: String) {
        (self.tracks, self.origin, self.isImage, contentSum) = (tracks.map(\.packed), origin, isImage, sum)
        findings = nil
    }

    /// About what it holds in memory.
    var byteCount: Int {
        tracks.reduce(1024) { $0 + $1.byteCount } + (findings?.warnings.reduce(0) { $0 + 64 + $1.utf8.count } ?? 0)
    }
}
