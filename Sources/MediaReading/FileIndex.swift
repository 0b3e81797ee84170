internal import Diagnostics
internal import MediaFacts
internal import MediaTime
internal import SplitreelFiles

/// The packet indexes of a file's video and audio tracks, and the zero of its asset time.
final class FileIndex: Sendable {
    /// The packet indexes by stream; empty for tracks that are neither video nor audio.
    let tracks: [PacketIndex]
    /// The earliest presentation time among video and audio tracks, in the file's own time.
    let origin: Rational
    /// Whether the file is a picture: one frame that stands for any time.
    let isImage: Bool
    /// The SHA-256, in hex, of everything that readers go by (`IndexBytes`): two files of equal sums hold the same
    /// packets at the same times.
    let contentSum: String
    /// The findings that only probing needs; nil where the index was read and not built.
    let findings: Findings?

    /// Facts that come to light while the file's packets are read.
    struct Findings {
        /// The times of the first sample that comes out of the decoder by audio stream, in seconds of the file's own
        /// time.
        var audioStarts: [Int: Rational]
        /// The reasons why nothing can be decoded, by audio stream.
        var audioFaults: [Int: TrackFacts.Fault]
        var warnings: [String]
        var copies = CopyFindings()
    }

    /// An index that was built from the file itself.
    init(tracks: [PacketIndex], origin: Rational, isImage: Bool, findings: Findings) {
        self.tracks = tracks.map(\.packed)
        self.origin = origin
        self.isImage = isImage
        self.findings = findings
        contentSum = IndexBytes.sum(tracks: tracks, origin: origin, isImage: isImage)
    }

    /// An index that was read, with the sum of the bytes that were read.
    init(tracks: [PacketIndex], origin: Rational, isImage: Bool, sum: String) {
        self.tracks = tracks.map(\.packed)
        self.origin = origin
        self.isImage = isImage
        contentSum = sum
        findings = nil
    }

    /// The packets of a track of `source` by its position in the file, from 1. Throws `mediaHasNoSuchTrack`.
    func track(_ number: Int, of source: any MediaSource) throws -> PacketIndex {
        guard tracks.indices.contains(number - 1) else { throw Self.noTrack(number, of: source) }
        return tracks[number - 1]
    }

    static func noTrack(_ number: Int, of source: any MediaSource) -> SplitreelError {
        SplitreelError(
            .mediaHasNoSuchTrack, operation: "reading", subject: source.name, reason: "there is no track \(number)")
    }

    /// The approximate number of bytes that the index takes in memory.
    var byteCount: Int {
        tracks.reduce(1024) { $0 + $1.byteCount } + (findings?.warnings.reduce(0) { $0 + 64 + $1.utf8.count } ?? 0)
            + (findings?.copies.byteCount ?? 0)
    }
}
