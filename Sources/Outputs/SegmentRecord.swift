package import Diagnostics
package import Foundation
package import Pictures

/// What a worker says of a segment that it made; stored beside the segment as `<segment>.json`.
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
    /// Output frames (video) or samples (audio, priming not counted) that the segment holds.
    package var first: Int
    package var count: Int
    package var packetCount: Int
    /// Video: max over packets of (packet number − presentation index), the reorder depth. Audio: 0.
    package var reorderDepth: Int
    /// Audio: samples to be skipped at the start of decoding (AAC 1024, Opus 312); video: 0.
    package var priming: Int
    /// Audio: samples that the last packet stands for.
    package var lastPacketDuration: Int
    /// SHA-256, hex, of the codec's extradata (empty extradata hashed too).
    package var extradataHash: String
    /// SHA-256, hex, of the segment file.
    package var fileHash: String
    package var byteCount: Int64
    /// Hash of the plan it was made for.
    package var planHash: String
    /// Of the frames, where the plan wants it measured.
    package var light: MeasuredLight?
    /// The film's cover, a JPEG, where the chunk has its frame.
    package var poster: Data?
    /// FLAC: the codec's header with the sum of all samples, which is known only at the end.
    package var finalHeader: [UInt8]?
    /// What a person should know of how it was made: damaged sources, frames held, sound that was clipped.
    package var notices: NoticeList

    package init(
        media: Media, first: Int, count: Int, packetCount: Int, reorderDepth: Int = 0, priming: Int = 0,
        lastPacketDuration: Int = 0, extradataHash: String, fileHash: String, byteCount: Int64, planHash: String,
        light: MeasuredLight? = nil, notices: NoticeList = NoticeList()
    ) {
        self.media = media
        self.first = first
        self.count = count
        self.packetCount = packetCount
        self.reorderDepth = reorderDepth
        self.priming = priming
        self.lastPacketDuration = lastPacketDuration
        self.extradataHash = extradataHash
        self.fileHash = fileHash
        self.byteCount = byteCount
        self.planHash = planHash
        self.light = light
        self.notices = notices
    }
}
