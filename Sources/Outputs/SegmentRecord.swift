package import Diagnostics
package import Foundation
package import Hashing
package import Pictures

/// The record that a worker writes of a segment that it made; stored beside the segment as `<segment>.json`. It holds
/// nothing that only one plan knows: any plan with a task of the same key can take the segment.
///
/// A segment is a NUT file with one stream. NUT drops colour tags, packet durations and audio priming: they stand here.
package struct SegmentRecord: Hashable, Codable, Sendable {
    package enum Media: String, Codable, Sendable {
        case video, audio
        /// A part of a long sound, mixed and not encoded: raw floats.
        case samples
        /// A chunk's first pass: see `ChunkAnalysis`.
        case analysis
    }

    package var media: Media
    /// The number of frames (video) or samples (audio, priming not counted) that the segment holds.
    package var count: Int
    package var packetCount: Int
    /// The reorder depth of video: the maximum over packets of (packet number − presentation index). Audio has 0.
    package var reorderDepth: Int
    /// The samples of audio to be skipped at the start of decoding (AAC 1024, Opus 312); video has 0.
    package var priming: Int
    /// The samples that the last packet of audio stands for.
    package var lastPacketDuration: Int
    /// The SHA-256, hex, of the codec's extradata (empty extradata is hashed too).
    package var extradataHash: String
    /// The SHA-256, hex, of the segment file.
    package var fileHash: String
    package var byteCount: Int64
    /// The content key of the task that it was made for.
    package var key: ContentKey
    /// The light of the frames, where the plan wants it measured; nil elsewhere.
    package var light: MeasuredLight?
    /// The film's cover, a JPEG; nil where the chunk does not have its frame.
    package var poster: Data?
    /// The header of FLAC with the sum of all samples, which is known only at the end; nil for other codecs.
    package var finalHeader: [UInt8]?
    /// The notices for a person of how it was made: damaged sources, frames held, sound that was clipped.
    package var notices: NoticeList

    package init(
        media: Media, count: Int, packetCount: Int, reorderDepth: Int = 0, priming: Int = 0,
        lastPacketDuration: Int = 0, extradataHash: String, fileHash: String, byteCount: Int64, key: ContentKey,
        light: MeasuredLight? = nil, notices: NoticeList = NoticeList()
    ) {
        self.media = media
        self.count = count
        self.packetCount = packetCount
        self.reorderDepth = reorderDepth
        self.priming = priming
        self.lastPacketDuration = lastPacketDuration
        self.extradataHash = extradataHash
        self.fileHash = fileHash
        self.byteCount = byteCount
        self.key = key
        self.light = light
        self.notices = notices
    }
}
